"""Effects of AArch64 instructions, as capstone writes them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from efdgen.verify.machine.effects import Access, Effect, Table, UnknownInstructionError, number, operands_of

if TYPE_CHECKING:
    from efdgen.verify.machine.objects import Instruction

_FLAGS = "nzcv"
_MOVES = {"mov", "movi", "mvni", "dup", "fmov", "movz", "movn"}
_KEEPING = {"movk", "bfi", "bfxil", "bfc", "bfm"}
_PLAIN = re.compile(
    r"(add|sub|and|orr|eor|bic|orn|eon|mul|madd|msub|mneg|[us]mull|[us]mulh|[us]maddl|[us]msubl|[us]mnegl|lsl|lsr|asr|"
    r"ror|lslv|lsrv|asrv|rorv|extr|[us]bfx|[us]bfiz|[us]bfm|rev|rev16|rev32|rbit|clz|cls|sxt[bhw]|uxt[bhw]|neg|mvn|"
    r"adr|adrp|xpac\w*|pacia\w*|autia\w*)"
)
_TESTING = re.compile(r"cs(el|inc|inv|neg)|cset|csetm|cinc|cinv|cneg|adc|sbc|ngc")
_SETTING = re.compile(r"(add|sub|and|bic|neg)s")
_CARRYING = re.compile(r"(adc|sbc|ngc)s|ccmp|ccmn")
_COMPARING = {"cmp", "cmn", "tst"}
_NOTHING = re.compile(r"nop|hint|bti|dmb|dsb|isb|pacia\w*|autia\w*|prfm|prfum")
_VECTOR = re.compile(r"[vqdshb]\d+(\..*)?")
_LOAD = re.compile(r"ld(u?r|p|np)(b|h|sb|sh|sw)?|ld[1-4]r?")
_STORE = re.compile(r"st(u?r|p|np)(b|h)?|st[1-4]")
_PARTS = {"b": 1, "sb": 1, "h": 2, "sh": 2, "sw": 4}


def table(word: int) -> Table:
    """Return the effects and the calling convention."""
    preserved = frozenset({"sp", "xzr", *(f"x{number}" for number in range(19, 30))})
    numbered = (f"{kind}{number}" for kind in "xv" for number in range(32))
    flags = frozenset({_FLAGS})
    arguments = ("x0", "x1", "x2", "x3")
    return Table(
        effect,
        "sp",
        (*numbered, "sp", *flags),
        flags,
        preserved,
        arguments,
        frozenset({"xzr"}),
        word=word,
        scratch=frozenset(f"x{number}" for number in range(9, 18)),
        frames=frozenset({"x29"}),
    )


@cache
def register(text: str) -> str:
    """Return the whole register of an operand; empty for a number."""
    name = re.split(r"[.\[ ]", text)[0]
    if name in {"wzr", "xzr"}:
        return "xzr"
    if name in {"sp", "wsp"}:
        return "sp"
    name = {"fp": "x29", "lr": "x30"}.get(name, name)
    found = re.fullmatch(r"([xwvqdshb])(\d+)", name)
    return ("" if found is None else "x" if found[1] in "xw" else "v") + (found[2] if found else "")


def effect(instruction: Instruction) -> Effect:
    """Return the effect of an instruction; raise :class:`UnknownInstructionError` for one not known here."""
    name, operands = instruction.mnemonic, operands_of(instruction.operands)
    if found := _jump(name, operands, instruction):
        return found
    if _NOTHING.fullmatch(name):
        return Effect()
    if _LOAD.fullmatch(name) or _STORE.fullmatch(name):
        return _memory(name, operands, instruction)
    names = [found for found in map(register, operands) if found]
    if name in {"mrs", "msr"} and "nzcv" in operands:
        return (
            Effect(reads=(_FLAGS,), writes=(*names,))
            if name == "mrs"
            else Effect(reads=(*names,), writes=(_FLAGS,))
        )
    if name in _COMPARING:
        return Effect(reads=(*names,), writes=(_FLAGS,))
    if name in {"ccmp", "ccmn"}:
        return Effect(reads=(*names, _FLAGS), writes=(_FLAGS,))
    if not names:
        raise UnknownInstructionError(f"{instruction}")
    return _computed(name, names, operands, instruction)


def _computed(name: str, names: list[str], operands: list[str], instruction: Instruction) -> Effect:
    result, *sources = names
    whole = not re.search(r"\[\d+\]", operands[0])
    if name in _MOVES and whole:
        return Effect(affine=(result, sources[0], 0)) if sources else Effect(writes=(result,))
    amount = _immediate(operands[2:])
    if name in {"add", "sub"} and amount is not None and not _VECTOR.fullmatch(operands[0]):
        return Effect(affine=(result, sources[0], amount if name == "add" else -amount))
    if name in _KEEPING or name == "mov":
        return Effect(reads=(*sources,), merges=(result,))
    if name in {"udiv", "sdiv"}:
        return Effect("division", (*sources,), (result,))
    if name in {"eor", "sub"} and len(set(sources)) == 1 and len(operands) == 3:
        return Effect(writes=(result,))
    if name in {"umov", "smov"}:
        return Effect(reads=(*sources,), writes=(result,))
    if _VECTOR.fullmatch(operands[0]):
        return Effect(reads=(*sources,), merges=(result,))
    if _PLAIN.fullmatch(name):
        return Effect(reads=(*sources,), writes=(result,))
    if _TESTING.fullmatch(name):
        return Effect(reads=(*sources, _FLAGS), writes=(result,))
    if _SETTING.fullmatch(name):
        return Effect(reads=(*sources,), writes=(result, _FLAGS))
    if _CARRYING.fullmatch(name):
        return Effect(reads=(*sources, _FLAGS), writes=(result, _FLAGS))
    raise UnknownInstructionError(f"{instruction}")


def _immediate(operands: list[str]) -> int | None:
    """Return a number, which may be shifted; None for other operands."""
    match operands:
        case [last]:
            return number(last)
        case [last, shift] if shift.startswith("lsl #") and (found := number(last)) is not None:
            return found << (number(shift.removeprefix("lsl ")) or 0)
        case _:
            return None


def _size(name: str, operand: str) -> int:
    kind = _LOAD.fullmatch(name) or _STORE.fullmatch(name)
    part = kind[kind.lastindex] if kind and kind.lastindex and name[2:3] in "ur" else ""
    return _PARTS.get(part or "", {"w": 4, "s": 4, "q": 16, "v": 16, "h": 2, "b": 1}.get(operand[:1], 8))


def _memory(name: str, operands: list[str], instruction: Instruction) -> Effect:
    at = next((k for k, operand in enumerate(operands) if operand.startswith("[")), None)
    if at is None:
        raise UnknownInstructionError(f"{instruction}")
    flat = operands_of(",".join(operands[:at]).replace("{", "").replace("}", ""))
    inside = re.split(r",\s*", operands[at].strip("[]!"))
    base, second = register(inside[0]), inside[1] if len(inside) > 1 else ""
    displacement = number(second)
    index = register(second) if displacement is None else ""
    after: tuple[tuple[str, int], ...] = ()
    if operands[at].endswith("!"):
        after = ((base, displacement or 0),)
    elif at + 1 < len(operands):
        after = ((base, number(operands[at + 1]) or 0),)
    size = 4 if name == "ldpsw" else _size(name, flat[0])
    registers = tuple(map(register, flat))
    access = Access(name.startswith("st"), base, registers, displacement or 0, index, size)
    return Effect(accesses=(access,), after=after)


def _jump(name: str, operands: list[str], instruction: Instruction) -> Effect | None:
    if name == "ret":
        return Effect("return")
    if name == "bl" or name.startswith("blr"):
        return Effect("call")
    if name.startswith("br") and name != "brk":
        return Effect("indirect", condition=(register(operands[0]),))
    symbol = instruction.symbol
    if name == "b" or name.startswith(("b.", "cb", "tb")):
        target = symbol.offset if symbol and symbol.section else number(operands[-1])
        if name == "b":
            return Effect("jump", target=target)
        condition = (_FLAGS,) if name.startswith("b.") else (register(operands[0]),)
        return Effect("branch", condition=condition, target=target)
    if name in {"brk", "udf"}:
        return Effect("return")
    return None
