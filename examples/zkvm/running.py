"""Runs tools, and programs in the counter of cycles."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCES = sorted((Path(__file__).resolve().parent / "counter").glob("*.c"))
# Options of a compiler for programs that the counter runs.
RV32IM = ("-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-nostdlib", "-Wl,--no-warn-rwx-segments")

Report = dict[str, Any]


@dataclass(frozen=True)
class Counter:
    """The counter, as a function of a program and options; perhaps in another environment."""

    path: Path
    environment: Mapping[str, str] | None = None

    def __call__(self, program: Path, *options: str) -> Report:
        """Return the report; end with the counter's line if it cannot run the program."""
        done = self.run(program, *options)
        if done.returncode or done.stderr:
            sys.exit(done.stderr)
        report = json.loads(done.stdout)
        assert isinstance(report, dict)
        return report

    def run(self, program: Path, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a program."""
        command = [str(self.path), *options, str(program)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=60, env=self.environment
        )


def build_counter(folder: Path, compiler: str = "cc", *flags: str) -> Counter:
    """Compile the counter, optimised unless there are flags."""
    counter = folder / "counter"
    run([compiler, "-std=c11", *(flags or ("-O2",)), "-o", str(counter), *map(str, SOURCES)])
    return Counter(counter)


def run(command: list[str]) -> str:
    """Run a command and return its output; end with that, which says what is wrong, if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is missing; `make packages` installs it")
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout
