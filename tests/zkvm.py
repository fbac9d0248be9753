"""Programs for rv32im, and the counter of examples/zkvm that runs them."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "zkvm"
SOURCES = ("counter.c", "machine.c", "modular.c", "program.c")
WARNINGS = (
    *("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wcast-qual"),
    *("-Wstrict-prototypes", "-Wmissing-prototypes", "-Wundef", "-Wvla", "-Werror"),
)
SANITIZED = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
RV32IM = ("-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-nostdlib", "-Wl,--no-warn-rwx-segments")
# Relaxed addresses are relative to gp, which these programs do not set.
NOT_RELAXED = "-Wl,--no-relax"
ECALLS = {"halt": 0, "modular_product": 4, "mark": 100}


def build_counter(cc: str, folder: Path, *options: str) -> Path:
    """Compile the counter, by default with sanitizers, and return its path."""
    counter = folder / "counter"
    sources = [str(EXAMPLE / "counter" / name) for name in SOURCES]
    command = [cc, "-std=c11", *WARNINGS, *(options or SANITIZED), "-o", str(counter), *sources]
    subprocess.run(command, check=True)
    return counter


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


@dataclass(frozen=True)
class Counter:
    """The counter, as a function of a program and options."""

    path: Path

    def __call__(self, program: Path, *options: str) -> dict[str, Any]:
        done = self.run(program, *options)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found

    def run(self, program: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.path), *options, str(program)]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # it would read 192 MiB
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=60, env=environment
        )

    def error(self, program: Path, *options: str) -> str:
        """Return the line that the counter fails with."""
        done = self.run(program, *options)
        assert done.returncode == 2, done
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        return done.stderr.strip()


# The parts of a C library that compilers call.
STRING_H = """
#pragma once
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int byte, size_t count);
"""
RUNTIME = """
#include "string.h"
__asm__(".globl _start\\n_start: jal main\\nli t0, 0\\necall\\n");
void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int byte, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = (char)byte;
    return to;
}
static inline void mark(int number) {
    register int a0 __asm__("a0") = number;
    register int t0 __asm__("t0") = 100;
    __asm__ volatile("ecall" : : "r"(a0), "r"(t0) : "memory");
}
"""


def compile_c(gcc: str, folder: Path, source: str) -> Path:
    """Link a program in C, which may call ``mark``, with the headers in a folder."""
    (folder / "string.h").write_text(STRING_H)
    (folder / "program.c").write_text(RUNTIME + source)
    program = folder / "program.elf"
    options = ("-O2", "-Wno-unused-function", "-fno-tree-loop-distribute-patterns", NOT_RELAXED)
    command = [gcc, *RV32IM, *options, "-I", str(folder), "-o", str(program), str(folder / "program.c")]
    subprocess.run(command, check=True)
    return program
