"""Constant time of machine code: every compiler, target and level of optimisation, without a run.

    python tests/binaries.py                        all cells, of the compilers that are installed
    python tests/binaries.py --slice 3/24           every 24th cell, from the third on
    python tests/binaries.py --draw 2 --seed 7      two cells at random, by a seed that is printed

A cell is a compiler with a target and a level, and a curve. The status is 1 if a cell has a finding that
docs/constant-time.md does not except.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import slices

from efdgen.commands.making import files_of
from efdgen.verify.machine.check import judge
from efdgen.verify.machine.compiling import Unit, compiler_of
from efdgen.verify.machine.report import MachineTrial
from efdgen.verify.machine.rust import Crate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CURVES = ("secp256k1", "P-256", "Curve25519", "edwards25519", "sect233k1")
GCC_LEVELS = ("1", "2", "3", "s")
CLANG_LEVELS = (*GCC_LEVELS, "z")
RUST_LEVELS = ("1", "2", "3", "s", "z")
CLANGS = ("clang-14", "clang-16", "clang-19")
CLANG_TARGETS = (
    *("x86_64-none-elf", "i686-none-elf", "aarch64-none-elf", "armv7a-none-eabi", "thumbv7em-none-eabi"),
    *("thumbv7m-none-eabi", "thumbv6m-none-eabi"),
    *("riscv64-unknown-elf -march=rv64imac -mabi=lp64", "riscv32-unknown-elf -march=rv32imc -mabi=ilp32"),
    *("riscv32-unknown-elf -march=rv32i -mabi=ilp32",),
    *("powerpc64le-linux-gnu", "s390x-linux-gnu", "mips-linux-gnu"),
)
GCCS = (
    *("gcc", "gcc -m32", "aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "riscv64-linux-gnu-gcc"),
    *("riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32", "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb"),
    *("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb", "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb"),
    *("powerpc64le-linux-gnu-gcc", "s390x-linux-gnu-gcc", "mips-linux-gnu-gcc"),
)
RUST_TARGETS = (
    *("x86_64-unknown-linux-gnu", "i686-unknown-linux-gnu", "aarch64-unknown-linux-gnu"),
    *("riscv64gc-unknown-linux-gnu", "riscv32imc-unknown-none-elf", "thumbv7em-none-eabi"),
    "thumbv6m-none-eabi",
)
# Whole curves take longer: two levels. On i386 pointers live on the stack, and alarms are false.
WHOLE = ("secp256k1", "P-256", "edwards25519", "Curve25519")
WHOLE_LEVELS = ("2", "s")
# Exceptions of docs/constant-time.md: targets, and cells' functions with a value that is taken for a secret.
EXCEPTED = ("thumbv6m", "cortex-m0")
FALSE_ALARMS = re.compile(
    r".*: \w+_sc_from_wide_bytes|clang-14 --target=x86_64-none-elf -O2, \S+, protocols: \w+_add_halves|"
    r"riscv64-unknown-elf-gcc .* -O2, \S+, protocols: \w+_negate_entry_fixed|"
    r"clang-19 --target=x86_64-none-elf -Os, \S+, protocols: \w+_shared_sum|"
    r".* -Os, \S+, protocols: \w+_multi_multiply_scratch"
)


@dataclass(frozen=True)
class Cell:
    """A compiler with its target, a level, a curve and a set of functions on it."""

    compiler: str
    level: str
    curve: str
    set: str = "kernels"

    def accepts(self, trial: MachineTrial) -> bool:
        """Return whether all findings are excepted."""
        excepted = any(target in self.compiler for target in EXCEPTED)
        names = [f"{self}: {fault.function}" for fault in trial.verdict.faults]
        return excepted or all(map(FALSE_ALARMS.fullmatch, names))

    def __str__(self) -> str:
        return f"{self.compiler} -O{self.level}, {self.curve}, {self.set}"

    def trial(self) -> MachineTrial:
        """Compile and judge; raise :class:`EfdgenError` where a compiler fails."""
        with tempfile.TemporaryDirectory(prefix="efdgen-") as folder:
            if self.compiler.startswith("rust "):
                crate = Crate.of(files(self.curve, "rust", self.set), Path(folder))
                compiled = crate.compile(self.compiler.removeprefix("rust "), self.level)
            else:
                unit = Unit.of(files(self.curve, "c", self.set), Path(folder))
                compiled = unit.compile(compiler_of(self.compiler, level=self.level))
            return MachineTrial(f"{self}", judge(*compiled))


@cache
def files(curve: str, language: str, functions: str) -> dict[str, str]:
    """Return a set of functions on a curve as emitted."""
    return files_of(functions, "compile", ["--lang", language, "--curve", curve, "--set", functions])[1]


def all_cells() -> list[Cell]:
    """Return every cell, of missing compilers too."""
    compilers = [(f"{clang} --target={target}", CLANG_LEVELS) for clang in CLANGS for target in CLANG_TARGETS]
    compilers += [(gcc, GCC_LEVELS) for gcc in GCCS]
    compilers += [(f"rust {target}", RUST_LEVELS) for target in RUST_TARGETS]
    found = [Cell(name, level, curve) for name, levels in compilers for level in levels for curve in CURVES]
    left_out = re.compile(r"rust |.* -m32|.*=i686")
    in_c = [name for name, _ in compilers if not left_out.match(name)]
    return found + [
        Cell(name, level, curve, "protocols") for name in in_c for level in WHOLE_LEVELS for curve in WHOLE
    ]


@cache
def missing(compiler: str) -> str:
    """Return the reason why a compiler cannot be used; empty if it can."""
    if not compiler.startswith("rust "):
        command = compiler.partition(" ")[0]
        return "" if shutil.which(command) else f"{command} is not installed"
    if shutil.which("cargo") is None:
        return "cargo is not installed"
    target = compiler.removeprefix("rust ")
    done = subprocess.run(
        ["rustc", "--print", "target-libdir", "--target", target], capture_output=True, text=True, check=False
    )
    there = done.returncode == 0 and Path(done.stdout.strip()).is_dir()
    return "" if there else f"rustup target add {target}"


def run(cells: Sequence[Cell]) -> Iterator[tuple[Cell, MachineTrial]]:
    """Yield the outcome of each cell, with a line for each."""
    for cell in cells:
        began = time.monotonic()
        trial = cell.trial()
        verdict = trial.verdict
        found = len(verdict.faults)
        print(
            f"{cell}: {verdict.straight} functions without loops, {verdict.followed} followed, "
            f"{len(verdict.unjudged)} not judged, {found} findings, {time.monotonic() - began:.1f} s",
            flush=True,
        )
        for fault in verdict.faults[:5]:
            print(f"    {fault}")
        yield cell, trial


def table(outcomes: Sequence[tuple[Cell, MachineTrial]]) -> Iterator[str]:
    """Yield a row for each compiler and function with findings, and one for each compiler without."""
    rows: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    cells: dict[str, int] = defaultdict(int)
    for cell, trial in outcomes:
        cells[cell.compiler] += 1
        for fault in trial.verdict.faults:
            rows[cell.compiler][fault.function].add(f"{fault.what} at -O{cell.level}")
        for callees in trial.verdict.products.values():
            rows[cell.compiler]["library"] |= {*callees}
    yield "| compiler and target | cells | function | findings |"
    yield "|---|---|---|---|"
    for name, count in cells.items():
        for function, found in sorted(rows[name].items()) or [("", {"none"})]:
            yield f"| {name} | {count} | {function} | {', '.join(sorted(found))} |"


def main() -> int:
    """Run the cells that are asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--slice", type=slices.parsed, help="3/24: every 24th cell, from the third on")
    parser.add_argument("--draw", type=int, help="as many cells, at random")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--only", default="", help="cells whose names contain a text")
    given = parser.parse_args()
    cells = [cell for cell in all_cells() if given.only in f"{cell}"]
    for reason in sorted({missing(cell.compiler) for cell in cells} - {""}):
        print(f"Left out: {reason}.")
    cells = [cell for cell in cells if not missing(cell.compiler)]
    if given.slice:
        (number, *_), count = given.slice
        cells = cells[number - 1 :: count]
    if given.draw:
        print(f"Drawn with --seed {given.seed}.")
        cells = random.Random(given.seed).sample(cells, min(given.draw, len(cells)))
    outcomes = [*run(cells)]
    print("\n".join(table(outcomes)))
    red = [cell for cell, trial in outcomes if not cell.accepts(trial)]
    print(f"{len(outcomes)} cells, {len(red)} with findings." + "".join(f"\nFAILED: {cell}" for cell in red))
    return bool(red)


if __name__ == "__main__":
    sys.exit(main())
