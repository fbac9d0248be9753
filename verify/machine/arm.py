"""Effects of ARM and Thumb instructions, predicated ones among them, as capstone writes them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from efdgen.verify.machine.effects import Access, Effect, Table, UnknownInstructionError, number, operands_of

if TYPE_CHECKING:
    from efdgen.verify.machine.objects import Instruction

# Flags that a condition depends on.
_CONDITIONS = {
    **dict.fromkeys(("eq", "ne"), ("z",)),
    **dict.fromkeys(("hs", "lo", "cs", "cc"), ("c",)),
    **dict.fromkeys(("mi", "pl"), ("n",)),
    **dict.fromkeys(("vs", "vc"), ("v",)),
    **dict.fromkeys(("hi", "ls"), ("c", "z")),
    **dict.fromkeys(("ge", "lt"), ("n", "v")),
    **dict.fromkeys(("gt", "le"), ("n", "z", "v")),
}
_PAIRS = ("eq ne", "hs lo", "cs cc", "mi pl", "vs vc", "hi ls", "ge lt", "gt le")
_OPPOSITE = {one: other for pair in map(str.split, _PAIRS) for one, other in (pair, pair[::-1])}
_ALL = ("n", "z", "c", "v")
_ALIASES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "r13": "sp", "r14": "lr", "r15": "pc"}

# Bases of mnemonics: sums, which set all flags; logic and moves, which keep v; and the others, without flags.
_SUMS = ["add", "addw", "sub", "subw", "rsb", "adc", "sbc", "rsc", "neg"]
_LOGIC = ["and", "orr", "eor", "bic", "orn", "mvn", "mov", "lsl", "lsr", "asr", "ror", "rrx", "mul"]
_LONG = ["umull", "smull", "umlal", "smlal", "umaal"]
_PLAIN = [
    "movw",
    "mla",
    "mls",
    "smmul",
    "smmla",
    "smlabb",
    "smulbb",
    "smultt",
    "smultb",
    "smulbt",
    "uxtb",
    "uxth",
    "sxtb",
    "sxth",
    "uxtab",
    "uxtah",
    "ubfx",
    "sbfx",
    "clz",
    "rev",
    "rev16",
    "rbit",
    "revsh",
    "adr",
    "pkhbt",
    "pkhtb",
    "uadd8",
    "usub8",
    "sel",
    "uxtb16",
]
_MERGED = ["movt", "bfi", "bfc"]
_COMPARED = ["cmp", "cmn", "tst", "teq"]
_DIVIDED = ["udiv", "sdiv"]
_MEMORY = ["ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "ldrd", "str", "strb", "strh", "strd"]
_MANY = [
    "ldm",
    "stm",
    "push",
    "pop",
    "ldmia",
    "stmia",
    "ldmdb",
    "stmdb",
    "ldmib",
    "stmib",
    "vpush",
    "vpop",
    "vldmia",
    "vstmia",
]
_JUMPS = ["b", "bl", "blx", "bx"]
_STATUS = ["mrs", "msr"]
_NOTHING = ["nop", "it", "dmb", "dsb", "isb", "hint"]
_VECTORS = re.compile(r"v(?!pop|push|ldm|stm|ldr|str)\w+")
_SETTING = {*_SUMS, *_LOGIC}
_BASES = {
    *(*_SUMS, *_LOGIC, *_LONG, *_PLAIN, *_MERGED, *_COMPARED, *_DIVIDED, *_MEMORY, *_MANY, *_JUMPS, *_STATUS),
    *("vldr", "vstr"),
}
_SIZES = {"b": 1, "sb": 1, "h": 2, "sh": 2, "d": 4}


def table(word: int) -> Table:
    """Return the effects and the calling convention."""
    preserved = frozenset({"sp", *(f"r{number}" for number in range(4, 12))})
    registers = (*(f"r{number}" for number in range(13)), "sp", "lr", *_ALL)
    arguments = ("r0", "r1", "r2", "r3")
    constants, scratch = frozenset({"pc"}), frozenset({"r12"})
    return Table(
        effect,
        "sp",
        registers,
        frozenset(_ALL),
        preserved,
        arguments,
        constants,
        word=word,
        scratch=scratch,
        frames=frozenset({"r7", "r11"}),
    )


@cache
def _parts(mnemonic: str) -> tuple[str, bool, str]:
    """Return the base of a mnemonic, whether it sets flags, and its condition."""
    name = re.sub(r"\.[wn]$", "", mnemonic)
    for condition in ("", *_CONDITIONS, "al"):
        if not name.endswith(condition):
            continue
        base = name.removesuffix(condition) if condition else name
        if base in _BASES:
            return base, False, condition
        if base.endswith("s") and base[:-1] in _SETTING | {*_LONG}:
            return base[:-1], True, condition
    if name.startswith("it") and set(name[1:]) <= {"t", "e"} | {"i"}:
        return "it", False, ""
    if name in _NOTHING:
        return "nop", False, ""
    if _VECTORS.fullmatch(name.split(".")[0]):
        return "vector", False, ""
    raise UnknownInstructionError(mnemonic)


@cache
def _registers(operand: str) -> tuple[str, ...]:
    """Return the registers in an operand: one, one with a shift by another, or a list."""
    names = (_ALIASES.get(name, name) for name in re.findall(r"(?<![#\w])[a-z]+\d*", operand))
    return tuple(name for name in names if re.fullmatch(r"r\d+|sp|lr|pc|[sdq]\d+", name))


def effect(instruction: Instruction) -> Effect:
    """Return the effect of an instruction; raise :class:`UnknownInstructionError` for one not known here."""
    name, flags, condition = _parts(instruction.mnemonic)
    operands = operands_of(instruction.operands)
    deciding = _CONDITIONS.get(condition, ())
    if name in {"nop", "it"}:
        return Effect()
    if name in _JUMPS or instruction.mnemonic.startswith(("cb", "tb")):
        return _jump(name, operands, instruction, deciding)
    if name in _MEMORY or name in {"vldr", "vstr"}:
        return _memory(name, operands, instruction, deciding)
    if name in _MANY:
        return _many(name, operands, deciding)
    names = [each for operand in operands for each in _registers(operand)]
    if name in {"mrs", "msr"}:
        return Effect(reads=_ALL, writes=(*names,)) if name == "mrs" else Effect(reads=(*names,), writes=_ALL)
    found = _computed(name, names, operands, flags=flags)
    if not deciding:
        return found
    _, *source, amount = found.affine or ("", 0)
    reads = (*found.reads, *source, *deciding)
    predicate = (condition, _OPPOSITE[condition])
    return Effect(found.kind, reads, merges=found.written, amount=amount, predicate=predicate)


def _computed(name: str, names: list[str], operands: list[str], *, flags: bool) -> Effect:
    if name in _COMPARED:
        return Effect(reads=(*names,), writes=_ALL if name in {"cmp", "cmn"} else ("n", "z", "c"))
    if not names:
        raise UnknownInstructionError(f"{name} {operands}")
    if name in _LONG:
        kept = names[:2] if name in {"umlal", "smlal", "umaal"} else []
        return Effect(reads=(*names[2:], *kept), writes=(*names[:2],))
    result, *sources = names
    if name == "vector" or name in _MERGED:
        return Effect(reads=(*sources,), merges=(result,))
    if name in _DIVIDED:
        return Effect("division", (*sources,), (result,))
    written = (_ALL if name in _SUMS else ("n", "z", "c")) if flags else ()
    last = number(operands[-1])
    two = len(operands) == 2
    if two and name not in {"mov", "mvn", "neg", "movw", "adr", *_PLAIN}:
        sources = [result, *sources]
    if name in {"adc", "sbc", "rsc"}:
        return Effect(reads=(*sources, "c"), writes=(result, *written))
    if name == "rrx":
        return Effect(reads=(*sources, "c"), writes=(result, *written))
    if name == "mov" and two and len(sources) == 1:
        return Effect(affine=(result, sources[0], 0), writes=written)
    if name in {"add", "sub", "addw", "subw"} and last is not None and len(sources) == 1:
        return Effect(affine=(result, sources[0], last if name.startswith("add") else -last), writes=written)
    if name in {"eor", "sub"} and len(sources) == 2 and len({*sources}) == 1 and len(operands) == 3:
        sources = []
    return Effect(reads=(*sources,), writes=(result, *written))


def _memory(name: str, operands: list[str], instruction: Instruction, deciding: tuple[str, ...]) -> Effect:
    at = next((k for k, operand in enumerate(operands) if operand.startswith("[")), None)
    if at is None:
        raise UnknownInstructionError(f"{instruction}")
    inside = re.split(r",\s*", operands[at].strip("[]!"))
    (base,) = _registers(inside[0])
    displacement = number(inside[1]) if len(inside) > 1 else 0
    index = "" if displacement is not None else _registers(inside[1].lstrip("-"))[0]
    after: tuple[tuple[str, int], ...] = ()
    if operands[at].endswith("!"):
        after = ((base, displacement or 0),)
    elif at + 1 < len(operands):
        after = ((base, number(operands[at + 1]) or 0),)
    literal = (instruction.address + 4 & ~3) + (displacement or 0) if base == "pc" else None
    size = _SIZES.get(name[3:], 4) if name[0] != "v" else 8
    registers = tuple(each for operand in operands[:at] for each in _registers(operand))
    access = Access("str" in name, base, registers, displacement or 0, index, size, literal)
    return Effect(accesses=(access,), after=after, condition=deciding)


def _many(name: str, operands: list[str], deciding: tuple[str, ...]) -> Effect:
    registers = _registers(operands[-1])
    store = name.startswith(("st", "push", "vpush", "vst"))
    size = 8 if registers[0].startswith("d") else 16 if registers[0].startswith("q") else 4
    width = size * len(registers)
    stacked = len(operands) == 1
    base = "sp" if stacked else _registers(operands[0])[0]
    down = name in {"push", "vpush"} or name.endswith("db")
    start = (-width if down else 0) + (size if name.endswith("ib") else 0)
    updated = stacked or operands[0].endswith("!")
    after = ((base, -width if down else width),) if updated and base not in registers else ()
    access = Access(store, base, registers, start, size=size)
    kind = "return" if "pc" in registers and not store else ""
    return Effect("return" if kind else "", accesses=(access,), after=after, condition=deciding)


def _jump(name: str, operands: list[str], instruction: Instruction, deciding: tuple[str, ...]) -> Effect:
    mnemonic = instruction.mnemonic
    if mnemonic.startswith("tb"):
        return Effect("indirect", condition=_registers(operands[0]))
    if mnemonic.startswith("cb"):
        return Effect("branch", condition=_registers(operands[0]), target=number(operands[-1]))
    if name == "bx":
        return Effect("return" if operands == ["lr"] else "indirect", condition=deciding or ())
    if name in {"bl", "blx"}:
        return Effect("call", condition=deciding)
    return Effect("branch" if deciding else "jump", condition=deciding, target=number(operands[-1]))
