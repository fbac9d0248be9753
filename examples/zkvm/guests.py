"""Builds the counter and the guests into a folder: formulas from efdgen, tables, programs for rv32im."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import prover
import recovery_tables
import tables
from running import RV32IM, build_counter, run

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).resolve().parent
GUESTS = ("half", "fixed", "signature")

HALVED = "g1p/twisted/halved-completed"
FORMULAS = (
    f"{HALVED}/doubling/dbl",
    f"{HALVED}/addition/add-products-z",
    f"{HALVED}/addition/add-affine",
    f"{HALVED}/conversion/to-products-z",
)
HINTED_FORMULAS = (
    "g1p/shortw/affine/doubling-hinted/dbl-double-0",
    "g1p/shortw/affine/addition-hinted/add-slope-x",
)

EFDGEN = (sys.executable, "-m", "efdgen", "compile", "--quiet")
RISCV, OBJDUMP = "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump"
FLAGS = (
    *RV32IM,
    "-O2",
    # The first pass of scheduling moves loads up until registers do not suffice.
    *("-fno-schedule-insns", "-fno-schedule-insns2"),
    *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"),
    *("-Wall", "-Wextra", "-Werror"),
)


def compile_formulas(folder: Path, host: Path, formulas: Iterable[str], curve: str = "edwards25519") -> None:
    """Have efdgen write formulas in the calls of a host file, into zk.h or zk.rs."""
    asked = ["--field-api", str(host), "--curve", curve, "--out", str(folder)]
    run([*EFDGEN, *asked, *(word for formula in formulas for word in ("--formulas", formula))])


def compile_guest(source: Path, program: Path, *flags: str, stack: int = 1536) -> None:
    """Compile and link a guest, with zk.h and tables.h in the folder of the program.

    Ends where its frames may exceed the stack, of so many bytes.
    """
    include = [f"-I{HERE / 'guest'}", f"-I{program.parent}"]
    linked = ["-T", str(HERE / "guest" / "guest.ld"), str(HERE / "guest" / "start.c")]
    size = f"-Wl,--defsym=guest_stack={stack}"
    run([RISCV, *FLAGS, *include, *linked, size, "-o", str(program), str(source), *flags])
    needed = stack_bound(run([OBJDUMP, "-d", str(program)]))
    if needed > stack:
        sys.exit(f"{program} may need {needed} bytes of stack; it has {stack}")


def stack_bound(assembly: str) -> int:
    """Return the bytes of all frames of a program without recursion: more than the stack ever holds.

    Nothing stops a stack that grows into tables. Frames of unknown size count as the whole memory.
    """
    if re.search(r"\bsub\s+sp,", assembly):
        return 1 << 32
    return sum(map(int, re.findall(r"\baddi?\s+sp,sp,-(\d+)", assembly)))


def build(folder: Path) -> None:
    """Build everything."""
    folder.mkdir(parents=True, exist_ok=True)
    build_counter(folder)
    compile_formulas(folder, HERE / "zkvm.toml", FORMULAS)
    (folder / "tables.h").write_text(tables.text(prover.CALL))
    for guest in GUESTS:
        compile_guest(HERE / "guest" / f"{guest}.c", folder / f"{guest}.elf")
    build_plain(folder / "plain")
    build_recovery(folder / "secp256k1")


def build_recovery(folder: Path) -> None:
    """Build recover.c with its own formulas and tables."""
    compile_formulas(folder, HERE / "secp256k1.toml", HINTED_FORMULAS, "secp256k1")
    (folder / "recovery_tables.h").write_text(recovery_tables.text())
    # Common expressions are addresses, which are cheaper to make than to keep.
    flags = ("-fno-gcse", "-fno-tree-pre")
    compile_guest(HERE / "guest" / "recover.c", folder / "recover.elf", *flags, stack=256)


def build_plain(folder: Path) -> None:
    """Build half.c for a machine without the call, with efdgen's field for its words."""
    folder.mkdir(exist_ok=True)
    asked = ("--lang", "c", "--curve", "edwards25519", "--set", "curve", "--out", str(folder))
    run([*EFDGEN, "--target", "rv32im", "--lowering", "calls", "--table", "small", *asked])
    (folder / "tables.h").write_text(tables.text(prover.PLAIN))
    flags = (
        "-DZK_PLAIN",
        f"-I{HERE / 'guest' / 'plain'}",
        "-Wno-unused-function",
    )
    compile_guest(HERE / "guest" / "half.c", folder / "half.elf", *flags, "-lgcc", stack=8192)
