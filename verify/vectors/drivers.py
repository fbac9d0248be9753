"""Building the test drivers of kernel bundles with the compilers of this machine, and asking them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from efdgen.generator.compile import Language

LANGUAGES: tuple[Language, ...] = ("c", "rust", "python")

_C_FLAGS = ("-std=c99", "-O1")
_SHOWN_LINES = 12


@dataclass(frozen=True)
class Driver:
    """A program that answers requests on standard input, one line each."""

    language: Language
    command: tuple[str, ...]

    def ask(self, requests: Sequence[str]) -> list[str]:
        """Return the answer to each request; raise :class:`EfdgenError` where the program breaks down."""
        text = "".join(f"{request}\n" for request in requests)
        done = subprocess.run(self.command, input=text, capture_output=True, text=True, check=False)
        answers = done.stdout.splitlines()
        if done.returncode != 0 or len(answers) != len(requests):
            said = _head(done.stderr) or f"{len(answers)} answers to {len(requests)} requests"
            raise EfdgenError(f"the {self.language} driver failed with status {done.returncode}: {said}")
        return answers


def require_compilers(languages: Sequence[Language]) -> None:
    """Raise :class:`EfdgenError` for the first language whose compiler is missing, with the way round it."""
    for language in languages:
        tool, advice = {
            "c": (_c_compiler()[0], "install one, or name one in CC"),
            "rust": ("cargo", "https://rustup.rs installs it"),
            "python": (sys.executable, ""),
        }[language]
        if shutil.which(tool) is None:
            others = " ".join(f"--lang {other}" for other in LANGUAGES if other != language)
            what = {"c": "C compiler", "rust": "Rust build tool", "python": "Python"}[language]
            raise EfdgenError(f"no {what} called {tool}; {advice}, or go on without it: {others}")


def build_driver(language: Language, files: Mapping[str, str], folder: Path) -> Driver:
    """Write the files of a bundle to a folder and build its driver there.

    Raises :class:`EfdgenError` with the compiler's first lines where it refuses them.
    """
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    match language:
        case "c":
            return Driver(language, (_build_c(files, folder),))
        case "rust":
            return Driver(language, (_build_rust(folder),))
        case "python":
            _build_python(files, folder)
            return Driver(language, (sys.executable, "-B", str(folder / "driver.py")))


def _c_compiler() -> list[str]:
    return shlex.split(os.environ.get("CC", "")) or ["cc"]


def _build_c(files: Mapping[str, str], folder: Path) -> str:
    sources = sorted(name for name in files if name.endswith(".c"))
    _compile("c", [*_c_compiler(), *_C_FLAGS, "-o", "driver", *sources], folder)
    return str(folder / "driver")


def _build_python(files: Mapping[str, str], folder: Path) -> None:
    """Build the extension of a module over kernels in C."""
    for name in files:
        if name.endswith("_build.py"):
            _compile("python", [sys.executable, "-B", name], folder)


def _build_rust(folder: Path) -> str:
    command = ["cargo", "build", "--bins", "--examples", "--message-format=json-render-diagnostics"]
    settings = {
        "CARGO_TARGET_DIR": str(folder / "target"),
        "CARGO_INCREMENTAL": "0",
        "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
        "CARGO_PROFILE_DEV_DEBUG": "0",
    }
    messages = _compile("rust", command, folder, settings)
    programs = [found for line in messages.splitlines() if (found := json.loads(line).get("executable"))]
    if len(programs) != 1:
        raise EfdgenError(f"the Rust crate has {len(programs)} programs; expected its driver alone")
    return str(programs[0])


def _compile(
    language: Language, command: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> str:
    settings = {**os.environ, **(environment or {})}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise EfdgenError(f"{command[0]} does not compile the {language} kernels:\n{_head(done.stderr)}")
    return done.stdout


def _head(text: str) -> str:
    return "\n".join(text.strip().splitlines()[:_SHOWN_LINES])
