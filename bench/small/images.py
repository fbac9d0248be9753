"""Bare images: compiled code, its symbols and its sizes."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from machines import Machine

HERE = Path(__file__).resolve().parent
FREESTANDING = HERE / "freestanding"
_LINKED = (
    "-nostdlib",
    "-static",
    "-Wl,--gc-sections",
    "-Wl,--no-warn-rwx-segments",
    f"-T{HERE / 'image.ld'}",
)
_COMPILED = ("-ffreestanding", "-w", "-ffunction-sections", f"-I{FREESTANDING}")


@dataclass(frozen=True)
class Symbol:
    """The place of a function or a variable."""

    address: int
    size: int


@dataclass(frozen=True)
class Image:
    """A linked file, the bytes of its memory, its symbols, and the bytes of code and constants."""

    elf: Path
    memory: bytes
    symbols: Mapping[str, Symbol]
    code: int
    constants: int


def compiled(
    machine: Machine, elf: Path, sources: Sequence[Path], options: Sequence[str], kept: Sequence[str]
) -> Image:
    """Compile sources and the functions of string.h into an image with the functions ``kept``.

    The linker drops functions that these do not reach.
    """
    elf.parent.mkdir(parents=True, exist_ok=True)
    roots = [f"-Wl,--undefined={name}" for name in kept]
    files = [*map(str, sources), str(FREESTANDING / "string.c")]
    run([*machine.compiler, *_COMPILED, *options, *_LINKED, *roots, *files, "-lgcc", "-o", str(elf)])
    binary = elf.with_suffix(".bin")
    run([f"{machine.tools}objcopy", "-O", "binary", str(elf), str(binary)])
    symbols = dict(map(_symbol, run([f"{machine.tools}nm", "-S", "--defined-only", str(elf)]).splitlines()))
    sections = (line.split() for line in run([f"{machine.tools}size", "-A", str(elf)]).splitlines())
    sizes = {row[0]: int(row[1]) for row in sections if len(row) == 3 and row[1].isdigit()}
    return Image(elf, binary.read_bytes(), symbols, sizes.get(".text", 0), sizes.get(".rodata", 0))


def _symbol(line: str) -> tuple[str, Symbol]:
    """Return a symbol by its name of a line of nm, which leaves out unknown sizes."""
    address, *size, _, name = line.split()
    hosted = name.split(".")[0] if name.startswith("host_") else name
    return hosted, Symbol(int(address, 16), int(size[0], 16) if size else 0)


def listing(machine: Machine, image: Image) -> str:
    """Return the instructions of an image as objdump prints them."""
    return run([f"{machine.tools}objdump", "-d", "--no-show-raw-insn", str(image.elf)])


def run(command: Sequence[str]) -> str:
    """Run a command and return its output; its errors go to the terminal."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
