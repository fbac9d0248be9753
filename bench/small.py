"""Instructions of emitted C on small machines, counted on Cortex-M4, Cortex-M0+ and RV32IMC by an emulator.

Emits curves, compiles bare images with cross compilers, and prints for each curve the bytes of code and of
constants, the instructions of each operation, and in parentheses the bytes of stack that it takes. The host
computes hash functions, which are not counted. Counts are exact, and the same in each run.

Usage: python bench/small.py [--machines cortex-m4,rv32imc] [--curves P-256] [--target TARGET]
                             [--level -O2] [--representation KIND] [--optimize size]
                             [--table small] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench-small"
sys.path.insert(0, str(HERE / "small"))

from emulator import Count, Emulator  # noqa: E402 - beside this file, in its folder


@dataclass(frozen=True)
class Machine:
    """A core: its compiler, the emulator's name of it, the target of emitted code, and the faster level."""

    compiler: tuple[str, ...]
    core: str
    model: str
    target: str
    level: str = "-O2"


_ARM, _RISCV = ("arm-none-eabi-gcc", "-mthumb"), ("riscv64-unknown-elf-gcc", "-mabi=ilp32", "-mcmodel=medany")
MACHINES = {
    "cortex-m4": Machine((*_ARM, "-mcpu=cortex-m4"), "arm", "CORTEX_M4", "cortex-m4", "-Os"),
    "cortex-m0plus": Machine((*_ARM, "-mcpu=cortex-m0plus"), "arm", "CORTEX_M0", "cortex-m0"),
    "rv32imc": Machine((*_RISCV, "-march=rv32imc"), "riscv", "", "rv32im"),
}
# The file with a curve's operations, in the order in which they are counted.
CURVES = {
    "P-256": ("ecdsa", ("product", "square", "sum", "keygen", "sign", "verify", "exchange")),
    "secp256k1": ("ecdsa", ("product", "square", "sum", "keygen", "sign", "verify", "exchange")),
    "Ed25519": ("eddsa", ("keygen", "sign", "verify")),
    "X25519": ("exchange", ("product", "square", "sum", "exchange")),
}


@dataclass(frozen=True)
class Row:
    """The counts of a curve on a machine, and the sizes of its image."""

    machine: str
    curve: str
    code: int
    constants: int
    counts: dict[str, Count]


def main() -> None:
    """Emit, compile, count and print."""
    parser = argparse.ArgumentParser(description="Count instructions of emitted C on small machines.")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--curves", default=",".join(CURVES))
    parser.add_argument("--target", help="in place of the target of each machine")
    parser.add_argument("--level", help="in place of the level of each machine, such as -O2")
    parser.add_argument("--representation", help="that of elements, as for efdgen compile")
    parser.add_argument("--optimize", default="speed", help="speed or size, as for efdgen compile")
    parser.add_argument("--table", default="small", help="the size of tables, as for efdgen compile")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    asked = parser.parse_args()
    rows = []
    for machine in asked.machines.split(","):
        for curve in asked.curves.split(","):
            rows.append(_row(machine, curve, asked))
            print("\n".join(_lines(rows[-1])), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def _row(machine: str, curve: str, asked: argparse.Namespace) -> Row:
    """Emit a curve for a machine, compile and count."""
    found = MACHINES[machine]
    emitted = _emitted(curve, asked.target or found.target, asked.representation, asked.optimize, asked.table)
    operations, names = CURVES[curve]
    image, symbols, code, constants = _compiled(found, emitted, operations, asked.level or found.level)
    emulator = Emulator(found.core, found.model, image, symbols)
    emulator.run("setup")
    return Row(machine, curve, code, constants, {name: emulator.run(name) for name in names})


def _lines(row: Row) -> Iterator[str]:
    counts = (f"{name} {count.instructions:,} ({count.stack:,})" for name, count in row.counts.items())
    yield f"{row.machine} {row.curve}: {row.code:,} + {row.constants:,} bytes; {', '.join(counts)}"


@cache
def _emitted(curve: str, target: str, representation: str | None, optimize: str, table: str) -> Path:
    """Emit a curve in C for a target into a folder, once; return the folder."""
    folder = BUILD / f"{curve}-{target}-{representation or 'default'}-{optimize}-{table}"
    command = [
        sys.executable,
        "-m",
        "efdgen",
        "compile",
        "--lang",
        "c",
        "--curve",
        curve,
        "--set",
        "protocols",
    ]
    command += ["--table", table, "--prefix", "ec", "--target", target, "--out", str(folder)]
    command += ["--optimize", optimize]
    command += ["--representation", representation] if representation else []
    _run(command)
    return folder


def _compiled(
    machine: Machine, emitted: Path, operations: str, level: str
) -> tuple[Path, dict[str, int], int, int]:
    """Compile operations over emitted files; return an image, symbols, and bytes of code and constants."""
    small = HERE / "small"
    elf, image = (emitted / f"{machine.model or 'riscv'}{level}.{end}" for end in ("elf", "bin"))
    sources = [small / f"{operations}.c", small / "freestanding" / "string.c"]
    options = [level, "-std=c99", "-ffreestanding", "-nostdlib", "-static", "-w", "-ffunction-sections"]
    places = [
        f"-I{emitted}",
        f"-I{small / 'freestanding'}",
        f"-T{small / 'image.ld'}",
        "-Wl,--no-warn-rwx-segments",
    ]
    _run([*machine.compiler, *options, *places, *map(str, sources), "-lgcc", "-o", str(elf)])
    tools = machine.compiler[0].removesuffix("gcc")
    _run([f"{tools}objcopy", "-O", "binary", str(elf), str(image)])
    symbols = {}
    for address, _, name in map(str.split, _run([f"{tools}nm", "--defined-only", str(elf)]).splitlines()):
        symbols[name.split(".")[0] if name.startswith("host_") else name] = int(address, 16)
    sections = (line.split() for line in _run([f"{tools}size", "-A", str(elf)]).splitlines())
    sizes = {row[0]: int(row[1]) for row in sections if len(row) == 3 and row[1].isdigit()}
    return image, symbols, sizes.get(".text", 0), sizes.get(".rodata", 0)


def _run(command: list[str]) -> str:
    """Run a command and return what it prints; its errors go to the terminal."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
