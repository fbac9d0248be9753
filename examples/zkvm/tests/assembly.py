"""Programs in assembler for the counter."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from running import RV32IM

if TYPE_CHECKING:
    from pathlib import Path

ECALLS = {"halt": 0, "modular_product": 4, "mark": 100}
# Relaxed addresses are relative to gp, which these programs do not set.
NOT_RELAXED = "-Wl,--no-relax"


def assemble(gcc: str, folder: Path, lines: list[str], *options: str) -> Path:
    """Link a program from lines of assembler, which define ``_start``."""
    source, program = folder / "program.S", folder / "program.elf"
    source.write_text("\n".join((".globl _start", *lines, "")))
    subprocess.run([gcc, *RV32IM, NOT_RELAXED, *options, "-o", str(program), str(source)], check=True)
    return program


def halt(status: int = 0) -> list[str]:
    return [f"li a0, {status}", f"li t0, {ECALLS['halt']}", "ecall"]


def mark(number: int) -> list[str]:
    """Return a mark, which costs two cycles that are counted before it."""
    return [f"li a0, {number}", f"li t0, {ECALLS['mark']}", "ecall"]
