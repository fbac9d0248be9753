"""Object files: functions, their instructions, and the symbols that relocations name."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from efdgen.generator.errors import EfdgenError
from efdgen.generator.requirements import installing
from efdgen.verify.machine.architectures import ARCHITECTURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from efdgen.verify.machine.architectures import Architecture

_MACHINES = {
    "EM_X86_64": "x86-64",
    "EM_386": "i386",
    "EM_AARCH64": "aarch64",
    "EM_ARM": "arm",
    "EM_RISCV": "riscv",
    "EM_PPC64": "powerpc64",
    "EM_S390": "s390x",
    "EM_MIPS": "mips",
}
# Sections that a program cannot write to.
_CONSTANT = (".rodata", ".data.rel.ro", ".srodata", ".sdata2", ".lit")
_ZERO = re.compile(r"\.byte (0x00(, )?)+")
# R_X86_64_PC32 and R_X86_64_PLT32.
_RELATIVE = (2, 4)


@dataclass(frozen=True)
class Symbol:
    """The place that a relocation names: a symbol outside of the file, or a section of it with an offset."""

    name: str
    section: int = 0
    offset: int = 0
    constant: bool = False


@dataclass(frozen=True)
class Instruction:
    """An instruction; ``symbol`` is the place that its relocation names, ``detail`` is capstone's object."""

    address: int
    size: int
    mnemonic: str
    operands: str
    symbol: Symbol | None = None
    detail: Any = None

    def __str__(self) -> str:
        """Return the text of the instruction."""
        return f"{self.mnemonic} {self.operands}".strip()


@dataclass(frozen=True)
class Function:
    """A function of an object file; ``words`` are the constants between its instructions, by address."""

    name: str
    section: int
    start: int
    size: int
    code: tuple[Instruction, ...]
    words: Mapping[int, Symbol | int]
    unknown: int = 0


@dataclass(frozen=True)
class Binary:
    """An object file: its architecture, the variant of the instruction set, and functions by name."""

    architecture: Architecture
    variant: str
    functions: Mapping[str, Function]

    def at(self, symbol: Symbol) -> Function | None:
        """Return the function that a symbol is in, if it is one of this file."""
        return next(
            (
                function
                for function in self.functions.values()
                if function.section == symbol.section
                and function.start <= symbol.offset < function.start + max(function.size, 1)
            ),
            None,
        )

    @property
    def note(self) -> str:
        """A note on the multiplications of the architecture's cores."""
        return self.architecture.notes.get(self.variant, self.architecture.note)


def require_disassembler() -> None:
    """Raise :class:`EfdgenError` unless the packages that read object files are installed."""
    if find_spec("capstone") is None or find_spec("elftools") is None:
        raise EfdgenError(f"a check of machine code needs capstone and pyelftools: {installing('machine')}")


def read_object(path: Path) -> Binary:
    """Return the functions of an object file; raise :class:`EfdgenError` for one of another kind."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as file:
        try:
            elf = ELFFile(file)
        except ELFError:
            raise EfdgenError("this compiler does not write ELF objects; use a target that does") from None
        machine = _MACHINES.get(elf["e_machine"])
        if machine is None:
            raise EfdgenError(f"machine code of {elf['e_machine']} is not known; use another target")
        machine += f"{elf.elfclass}" if machine == "riscv" else ""
        reader = _Reader(elf, machine)
        functions = {function.name: function for function in reader.functions()}
        return Binary(reader.architecture, _variant(elf), functions)


def _variant(elf: Any) -> str:  # noqa: ANN401 - pyelftools has no types
    section = elf.get_section_by_name(".ARM.attributes")
    if section is None:
        return ""
    found: dict[str, Any] = {}
    for part in section.iter_subsections():
        for inner in part.iter_subsubsections():
            found |= {attribute.tag: attribute.value for attribute in inner.iter_attributes()}
    name = {11: "v6-M", 12: "v6S-M", 10: "v7", 13: "v7E-M"}.get(found.get("TAG_CPU_ARCH", 0), "")
    return name if found.get("TAG_CPU_ARCH_PROFILE") in (None, ord("M"), "M") else ""


class _Reader:
    """The reading of an object file."""

    def __init__(self, elf: Any, machine: str) -> None:  # noqa: ANN401 - pyelftools has no types
        self.elf = elf
        self.symbols = [*elf.get_section_by_name(".symtab").iter_symbols()]
        codes = [symbol for symbol in self.symbols if symbol["st_info"]["type"] == "STT_FUNC"]
        if machine == "arm" and any(symbol["st_value"] & 1 for symbol in codes):
            machine = "thumb"
        self.codes = codes
        self.order: Literal["little", "big"] = "little" if elf.little_endian else "big"
        self.architecture = ARCHITECTURES[machine]
        self.marks = self._marks()
        self.relocations = self._relocations()

    def functions(self) -> Iterator[Function]:
        """Yield the functions of the file."""
        odd = self.architecture.name in {"thumb", "arm"}
        for symbol in self.codes:
            section = symbol["st_shndx"]
            if not isinstance(section, int):
                continue
            start, size = symbol["st_value"] & ~int(odd), symbol["st_size"]
            yield self._function(symbol.name, section, start, size)

    def _function(self, name: str, section: int, start: int, size: int) -> Function:
        content = self.elf.get_section(section).data()
        if size == 0:
            starts = [one["st_value"] for one in self.codes if one["st_shndx"] == section]
            size = min((at for at in starts if at > start), default=len(content)) - start
        end = start + size
        marks = [(at, kind) for at, kind in self.marks[section] if start <= at < end]
        edges = [(start, next((k for at, k in marks if at == start), "x")), *marks, (end, "")]
        code: list[Instruction] = []
        words: dict[int, Symbol | int] = {}
        unknown = 0
        relocations = self.relocations[section]
        for (at, kind), (last, _) in pairwise(edges):
            if kind == "d":
                for place in range(at, last, 4):
                    value = int.from_bytes(content[place : place + 4], self.order, signed=True)
                    words[place] = relocations.get(place, value)
            elif last > at:
                found = [*self._code(content[at:last], at, relocations)]
                # A zero word never executes; on PowerPC it starts a table after the code.
                zero = next((n for n, one in enumerate(found) if _ZERO.fullmatch(f"{one}")), len(found))
                found = found[:zero] if self.architecture.name == "powerpc64" else found
                unknown += sum(one.mnemonic.startswith(".") for one in found)
                code += found
        return Function(name, section, start, size, (*code,), words, unknown)

    def _code(self, data: bytes, at: int, relocations: Mapping[int, Symbol]) -> Iterator[Instruction]:
        engine = _engine(self.architecture.capstone, little=self.elf.little_endian)
        for one in engine.disasm(data, at):
            places = range(one.address, one.address + one.size)
            symbol = next((relocations[place] for place in places if place in relocations), None)
            yield Instruction(one.address, one.size, one.mnemonic, one.op_str, symbol, one)

    def _marks(self) -> Mapping[int, Sequence[tuple[int, str]]]:
        """Return by section where code and data begin, as mapping symbols say."""
        found = defaultdict(set)
        for symbol in self.symbols:
            name, section = symbol.name, symbol["st_shndx"]
            if name[:1] == "$" and name[1:2] in "axtd" and isinstance(section, int):
                found[section].add((symbol["st_value"], name[1]))
        return defaultdict(list, {section: sorted(marks) for section, marks in found.items()})

    def _relocations(self) -> Mapping[int, Mapping[int, Symbol]]:
        """Return by section the symbols that relocations name, by their places."""
        found: dict[int, dict[int, Symbol]] = defaultdict(dict)
        for section in self.elf.iter_sections():
            if section["sh_type"] not in {"SHT_RELA", "SHT_REL"}:
                continue
            for one in section.iter_relocations():
                index = one["r_info_sym"]
                if index:
                    addend = one["r_addend"] if one.is_RELA() else 0
                    # From the end of the field, which ends an instruction of x86 that jumps.
                    addend += (
                        4 if self.elf["e_machine"] == "EM_X86_64" and one["r_info_type"] in _RELATIVE else 0
                    )
                    found[section["sh_info"]].setdefault(one["r_offset"], self._symbol(index, addend))
        return found

    def _symbol(self, index: int, addend: int) -> Symbol:
        symbol = self.symbols[index]
        section = symbol["st_shndx"]
        if not isinstance(section, int):
            return Symbol(symbol.name)
        whole = symbol["st_info"]["type"] == "STT_SECTION"
        name = self.elf.get_section(section).name
        constant = name.startswith(_CONSTANT)
        thumb = self.architecture.name == "thumb" and symbol["st_info"]["type"] == "STT_FUNC"
        offset = symbol["st_value"] & ~int(thumb)
        return Symbol(name if whole else symbol.name, section, offset + (addend if whole else 0), constant)


@cache
def _engine(names: tuple[str, ...], *, little: bool) -> Any:  # noqa: ANN401 - capstone has no types
    import capstone

    architecture, *modes = (getattr(capstone, name) for name in names)
    mode = sum(modes) if little or "CS_MODE_BIG_ENDIAN" in names else sum(modes) + capstone.CS_MODE_BIG_ENDIAN
    engine = capstone.Cs(architecture, mode)
    engine.detail = architecture == capstone.CS_ARCH_X86
    engine.skipdata = True
    return engine
