"""Effects of RISC-V instructions: I, M, A's absence, C, B and Zicond, as capstone writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.verify.machine.effects import Access, Effect, Table, UnknownInstructionError, number, operands_of

if TYPE_CHECKING:
    from efdgen.verify.machine.objects import Instruction

_MEMORY = re.compile(r"(-?(?:0x)?[0-9a-f]*)\((\w+)\)")
_LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8, "lwsp": 4, "ldsp": 8}
_STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8, "swsp": 4, "sdsp": 8}
_COMPUTED = re.compile(
    r"(add|sub|and|or|xor|sll|srl|sra|slt|sltu|mul|mulh|mulhu|mulhsu|andn|orn|xnor|rol|ror|min|max|minu|maxu|"
    r"sh[123]add|clz|ctz|cpop|sext\.[bhw]|zext\.[bhw]|not|neg|seqz|snez|sltz|sgtz|rev8|pack|czero\.\w+|bext|bset|bclr)"
    r"(i|w|iw|iu|uw)?"
)
_DIVIDES = re.compile(r"(div|rem)u?w?")
_BRANCH = re.compile(r"b(eq|ne|lt|ge|ltu|geu|eqz|nez|ltz|gez|gtz|lez)")
_RETURNS = ("ra", "t0")


def table(word: int) -> Table:
    """Return the effects, the same for registers of 32 and of 64 bits."""
    preserved = frozenset({"sp", "gp", "tp", "zero", *(f"s{number}" for number in range(12))})
    registers = (
        *preserved,
        "ra",
        *(f"a{number}" for number in range(8)),
        *(f"t{number}" for number in range(7)),
    )
    constants = frozenset({"zero", "gp"})
    arguments = ("a0", "a1", "a2", "a3")
    scratch = frozenset(f"t{number}" for number in range(1, 7))
    return Table(
        effect,
        "sp",
        registers,
        frozenset(),
        preserved,
        arguments,
        constants,
        word=word,
        scratch=scratch,
        frames=frozenset({"s0"}),
    )


def effect(instruction: Instruction) -> Effect:
    """Return the effect of an instruction; raise :class:`UnknownInstructionError` for one not known here."""
    name = instruction.mnemonic.removeprefix("c.")
    operands = operands_of(instruction.operands)
    if found := _jump(name, operands, instruction):
        return found
    if name in _LOADS or name in _STORES:
        return _memory(name, operands)
    if name in {"nop", "fence", "unimp"}:
        return Effect()
    if name in {"li", "lui", "auipc"}:
        return Effect(writes=(operands[0],))
    return _computed(name, operands, instruction)


def _computed(name: str, operands: list[str], instruction: Instruction) -> Effect:
    names = [name for name in operands if number(name) is None]
    if not names:
        raise UnknownInstructionError(f"{instruction}")
    result, *sources = names
    short = instruction.mnemonic.startswith("c.") and name not in {"mv", "addi4spn"}
    if name == "mv":
        return Effect(affine=(result, sources[0], 0))
    if name in {"addi", "addi16sp", "addi4spn"}:
        return Effect(affine=(result, sources[-1] if sources else result, number(operands[-1]) or 0))
    sources = [result, *sources] if short and len(operands) < 3 else sources
    if _DIVIDES.fullmatch(name):
        return Effect("division", (*sources,), (result,))
    if not _COMPUTED.fullmatch(name):
        raise UnknownInstructionError(f"{instruction}")
    if name in {"xor", "sub"} and len(sources) == 2 and sources[0] == sources[1]:
        sources = []
    return Effect(reads=(*sources,), writes=(result,))


def _memory(name: str, operands: list[str]) -> Effect:
    place = _MEMORY.fullmatch(operands[1])
    if place is None:
        raise UnknownInstructionError(f"{name} {operands}")
    store = name in _STORES
    size = (_STORES if store else _LOADS)[name]
    return Effect(accesses=(Access(store, place[2], (operands[0],), number(place[1]) or 0, size=size),))


def _jump(name: str, operands: list[str], instruction: Instruction) -> Effect | None:
    """Return the effect of a jump, whose distance is relative; a relocation's place comes first."""
    symbol = instruction.symbol
    if _BRANCH.fullmatch(name) or name in {"j", "jal"}:
        target = instruction.address + (number(operands[-1]) or 0)
        target = symbol.offset if symbol and symbol.section else target
        if name == "jal" and operands[0] != "zero":
            return Effect("call")
        if name in {"j", "jal"}:
            return Effect("jump", target=target)
        reads = tuple(each for each in operands[:-1] if number(each) is None)
        return Effect("branch", condition=reads, target=target)
    if name == "ret" or (name == "jr" and operands[0] in _RETURNS):
        return Effect("return")
    if name == "jr" or (name == "jalr" and operands[0] == "zero"):
        return Effect("indirect", condition=(operands[-1],))
    if name == "jalr":
        return Effect("call")
    return None
