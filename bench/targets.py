"""Targets: the file ``targets.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Target:
    """Core cycles that the best code without assembler reached, by any compiler and by gcc, and assembler.

    Published figures were not measured beside the others.
    """

    latency: float | None = None
    throughput: float | None = None
    gcc_latency: float | None = None
    gcc_throughput: float | None = None
    asm_latency: float | None = None
    asm_throughput: float | None = None
    published: float | None = None


def targets() -> dict[str, Target]:
    """Return the targets by the name of their row."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        f"{subject}/{operation}": Target(**target)
        for subject, rows in found.items()
        for operation, target in rows.items()
    }
