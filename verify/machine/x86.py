"""Effects of x86 instructions, from what capstone knows of their registers and flags."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from efdgen.verify.machine.effects import Access, Effect, Table, UnknownInstructionError

if TYPE_CHECKING:
    from efdgen.verify.machine.objects import Instruction

_ALL = ("cf", "pf", "af", "zf", "sf", "of")
_CONDITIONS = {
    **dict.fromkeys(("e", "z", "ne", "nz"), ("zf",)),
    **dict.fromkeys(("b", "c", "nae", "ae", "nb", "nc"), ("cf",)),
    **dict.fromkeys(("be", "na", "a", "nbe"), ("cf", "zf")),
    **dict.fromkeys(("l", "nge", "ge", "nl"), ("sf", "of")),
    **dict.fromkeys(("le", "ng", "g", "nle"), ("zf", "sf", "of")),
    **dict.fromkeys(("s", "ns"), ("sf",)),
    **dict.fromkeys(("o", "no"), ("of",)),
    **dict.fromkeys(("p", "pe", "np", "po"), ("pf",)),
}
_SETTING = re.compile(
    r"add|sub|and|or|xor|cmp|test|neg|i?mul|andn|bls[ir]|blsmsk|bextr|bzhi|popcnt|[lt]zcnt|bs[fr]|v?u?comis[sd]|v?ptest"
)
_SHIFTS = re.compile(r"sh[lr]d?|sa[lr]|ro[lr]|rc[lr]")
_WITHOUT = re.compile(
    r"mov(?!s[bwlq]$)\w*|cmov\w+|set\w+|lea|not|bswap|xchg|mulx|s[ah][lr]x|rorx|c[bwd][wdq]e?|cdqe|cqo|pdep|pext|"
    r"v?p\w+|v?mov\w+|v?(shuf|unpck|and|andn|or|xor|insert|extract|broadcast|perm|blend|cvt)\w*"
)
_CARRY_OUT = {"adcx": "cf", "adox": "of"}
_NOTHING = re.compile(r"nop\w*|endbr(32|64)|vzero(upper|all)|[lms]fence|prefetch\w*|pause")
_PURE = re.compile(
    r"mov|mov[dq]|movabs|mov[sz]xd?|movdq[au]|mov[au]p[sd]|movnt\w+|pshuf\w+|pmov\w+|lddqu|lea|set\w+|mulx|rorx|s[ah][lr]x|"
    r"andn|bextr|bzhi|bls\w+|[lt]zcnt|popcnt|v(?!fm|fnm|perm[it]2|pternlog)\w+"
)
# Instructions that write none of their operands: comparisons, and with one operand products in rdx:rax.
_COMPARING = re.compile(r"cmp|test|bt|v?u?comis[sd]|v?ptest")
_ALONE = ("mul", "imul", "div", "idiv")
_CLEARING = {"xor", "sub", "pxor", "xorps", "xorpd", "psubd", "psubq", "pandn"}
_VECTOR_MOVES = re.compile(r"v?mov([au]p[sd]|dq[au]|[dq]|s[sd])")
_VECTOR = re.compile(r"[xyz]mm(\d+)")
_ARGUMENTS = ("rdi", "rsi", "rdx", "rcx")


def table(word: int) -> Table:
    """Return the effects and the calling convention, of System V, for registers of 4 or 8 bytes."""
    numbered = {f"r{number}" for number in range(12, 16)} if word == 8 else {"rdi", "rsi"}
    kept = {"rsp", "rbx", "rbp", *numbered}
    preserved = frozenset({*kept, *(f"{name}.{part}" for name in kept for part in "lh")})
    arguments = _ARGUMENTS if word == 8 else ()
    effect = _long if word == 8 else _short
    others = (*(f"v{number}" for number in range(32)),)
    whole = ("rax", "rcx", "rdx", "rsi", "rdi", *(f"r{number}" for number in range(8, 16)))
    registers = (*whole, *(f"{name}.{part}" for name in whole for part in "lh"), *preserved, *others, *_ALL)
    constants, scratch = frozenset({"rip"}), frozenset({"r10", "r11"})
    return Table(
        effect,
        "rsp",
        registers,
        frozenset(_ALL),
        preserved,
        arguments,
        constants,
        pushed=word,
        word=word,
        scratch=scratch,
        frames=frozenset({"rbp"}),
    )


@cache
def _register(name: str) -> tuple[str, bool]:
    """Return the whole register of a name, and whether the name is of a part of it that keeps the rest."""
    if found := _VECTOR.fullmatch(name):
        return f"v{found[1]}", False
    if found := re.fullmatch(r"(r\d+)([dwb]?)", name):
        return found[1], found[2] in {"w", "b"}
    if found := re.fullmatch(r"([abcd])[lh]", name):
        return f"r{found[1]}x", True
    if found := re.fullmatch(r"(si|di|bp|sp)l", name):
        return f"r{found[1]}", True
    if found := re.fullmatch(r"([re]?)([abcd]x|si|di|bp|sp|ip)", name):
        return f"r{found[2]}", not found[1]
    return name, False


@cache
def _read(name: str) -> str:
    """Return the register that a name reads: the whole, or one of its two lowest bytes."""
    whole = _register(name)[0]
    if re.fullmatch(r"[abcd]h", name):
        return f"{whole}.h"
    return f"{whole}.l" if re.fullmatch(r"[abcd]l|(si|di|bp|sp)l|r\d+b", name) else whole


def _long(instruction: Instruction) -> Effect:
    return _effect(instruction, 8)


def _short(instruction: Instruction) -> Effect:
    return _effect(instruction, 4)


def _effect(instruction: Instruction, word: int) -> Effect:
    name = instruction.mnemonic.removeprefix("lock ").removeprefix("notrack ").removeprefix("bnd ")
    if _NOTHING.fullmatch(name):
        return Effect()
    if found := _jump(name, instruction) or _stack(name, instruction, word) or _text(name, instruction):
        return found
    return _computed(name, instruction)


def _operands(instruction: Instruction) -> list[Any]:
    return [*instruction.detail.operands]


def _name(instruction: Instruction, number: int) -> str:
    return str(instruction.detail.reg_name(number))


def _jump(name: str, instruction: Instruction) -> Effect | None:
    operands = _operands(instruction)
    if name in {"ret", "retn"} or name in {"ud2", "hlt", "int3"}:
        return Effect("return")
    if name == "call":
        following = instruction.address + instruction.size
        if (
            not instruction.symbol and operands[0].type == 2 and operands[0].imm == following
        ):  # to know the address
            return Effect(
                accesses=(Access(store=True, base="rsp", displacement=-4, size=4),), after=(("rsp", -4),)
            )
        return Effect("call")
    condition = _CONDITIONS.get(name[1:]) if name.startswith("j") else None
    if condition is None and name != "jmp":
        if re.fullmatch(r"j[er]?cxz|jrcxz|loop\w*", name):
            return Effect("branch", condition=("rcx", "zf"), target=operands[0].imm)
        return None
    immediate = operands[0].type == 2
    if name == "jmp":
        if immediate:
            return Effect("jump", target=operands[0].imm)
        places = _addressing(instruction, operands[0])
        return Effect("indirect", condition=tuple(each for each in places if each != "rip"))
    return Effect("branch", condition=condition or (), target=operands[0].imm if immediate else None)


def _addressing(instruction: Instruction, operand: Any) -> tuple[str, ...]:  # noqa: ANN401 - of capstone
    if operand.type == 1:
        return (_register(_name(instruction, operand.reg))[0],)
    numbers = (operand.mem.base, operand.mem.index)
    return tuple(_register(_name(instruction, number))[0] for number in numbers if number)


def _access(
    instruction: Instruction,
    operand: Any,  # noqa: ANN401 - of capstone
    *,
    store: bool,
    registers: tuple[str, ...] = (),
) -> Access:
    memory = operand.mem
    base = _register(_name(instruction, memory.base))[0] if memory.base else ""
    index = _register(_name(instruction, memory.index))[0] if memory.index else ""
    return Access(store, base, registers, memory.disp, index, operand.size)


def _stack(name: str, instruction: Instruction, word: int) -> Effect | None:
    """Return the effect of an instruction on the stack pointer by itself."""
    if name == "leave":
        load = Access(store=False, base="rbp", registers=("rbp",), size=word)
        return Effect(affine=("rsp", "rbp", word), accesses=(load,))
    if name == "push":
        (operand,) = _operands(instruction)
        registers = _addressing(instruction, operand) if operand.type == 1 else ()
        loads = [_access(instruction, operand, store=False)] if operand.type == 3 else []
        store = Access(store=True, base="rsp", registers=registers, displacement=-word, size=word)
        return Effect(accesses=(*loads, store), after=(("rsp", -word),))
    if name == "pop":
        (operand,) = _operands(instruction)
        if operand.type != 1:
            raise UnknownInstructionError(f"{instruction}")
        load = Access(store=False, base="rsp", registers=_addressing(instruction, operand), size=word)
        return Effect(accesses=(load,), after=(("rsp", word),))
    return None


def _text(name: str, instruction: Instruction) -> Effect | None:
    """Return the effect of an instruction that copies or sets a number of bytes."""
    found = re.fullmatch(r"(rep )?(movs|stos)[bdwq]", name)
    if found is None or "xmm" in instruction.operands:
        return None
    counted = "rcx" if found[1] else ""
    accesses = [Access(store=True, base="rdi", index=counted, size=1)]
    if found[2] == "movs":
        accesses.append(Access(store=False, base="rsi", index=counted, size=1))
    return Effect(accesses=(*accesses,), public=("rdi", "rsi", "rcx") if found[1] else ("rdi", "rsi"))


def _flags(
    name: str, operands: list[Any], *, written: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the flags that an instruction reads, those that it sets, and those that it may set."""
    if name in _CARRY_OUT:
        return (_CARRY_OUT[name],), (_CARRY_OUT[name],), ()
    if name in {"adc", "sbb"}:
        return ("cf",), _ALL, ()
    if name in {"inc", "dec"}:
        return (), tuple(flag for flag in _ALL if flag != "cf"), ()
    if re.fullmatch(r"bt[csr]?", name):
        return (), ("cf",), ("of", "sf", "af", "pf")
    if _SHIFTS.fullmatch(name):
        reads = ("cf",) if name.startswith("rc") else ()
        counted = any(operand.type == 1 for operand in operands[1:])
        some = ("cf", "of") if name.startswith("r") else _ALL
        return reads, () if counted else some, some if counted else ()
    if _SETTING.fullmatch(name):
        return (), _ALL, ()
    tested = next(
        (_CONDITIONS.get(name.removeprefix(start)) for start in ("cmov", "set") if name.startswith(start)),
        None,
    )
    return tested or (), (), _ALL if written else ()


def _computed(name: str, instruction: Instruction) -> Effect:
    operands = _operands(instruction)
    if simple := _affine(name, instruction, operands):
        return simple
    if not (_SETTING.fullmatch(name) or _SHIFTS.fullmatch(name) or _WITHOUT.fullmatch(name)
            or name in {"adc", "sbb", "inc", "dec", "cdq", "cqo", "div", "idiv", *_CARRY_OUT}
            or re.fullmatch(r"bt[csr]?|xadd|cmpxchg|v?pclmul\w+", name)):  # fmt: skip
        raise UnknownInstructionError(f"{instruction}")
    used, changed = ([_name(instruction, n) for n in numbers] for numbers in instruction.detail.regs_access())
    places = {each for operand in operands if operand.type == 3 for each in _addressing(instruction, operand)}
    plain = [_read(_name(instruction, operand.reg)) for operand in operands if operand.type == 1]
    reads, sets, maybe = _flags(name, operands, written="rflags" in changed or "eflags" in changed)
    names = [_read(each) for each in used if not each.endswith("flags")]
    reads = (*(each for each in names if each not in places or each in plain), *reads)
    writes, merges = list(sets), list(maybe)
    first = (
        operands[0]
        if operands and not (_COMPARING.fullmatch(name) or (len(operands) == 1 and name in _ALONE))
        else None
    )
    if first is not None and first.type == 1:
        changed.append(_name(instruction, first.reg))
        pure = _PURE.fullmatch(name) or (name == "imul" and len(operands) == 3)
        reads = reads if pure else (*reads, plain[0])
    for each in dict.fromkeys(changed):
        whole, part = _register(each)
        if not each.endswith("flags"):
            (merges if part else writes).append(whole)
            writes += [_read(each)] if _read(each) != whole else []
    twice = (
        len(operands) == 2
        and [operand.type for operand in operands] == [1, 1]
        and operands[0].reg == operands[1].reg
    )
    if twice and name in _CLEARING:
        reads = ()
    elif twice and name == "sbb":
        reads = ("cf",)
    accesses = [_access(instruction, operand, store=False) for operand in operands if operand.type == 3
                and not (operand is first and _PURE.fullmatch(name))]  # fmt: skip
    if first is not None and first.type == 3:
        accesses.append(_access(instruction, first, store=True))
    kind = "division" if name in {"div", "idiv"} else ""
    return Effect("division" if kind else "", reads, (*writes,), (*merges,), accesses=(*accesses,))


def _affine(name: str, instruction: Instruction, operands: list[Any]) -> Effect | None:
    """Return the effect of a move, or of a sum with a constant, which keep what a pointer is known to be."""
    if name == "lea" and not operands[1].mem.index and operands[1].mem.base:
        (source,) = _addressing(instruction, operands[1])
        return Effect(affine=(_whole(instruction, operands[0]), source, operands[1].mem.disp))
    if name == "lea":
        reads, writes = _addressing(instruction, operands[1]), (_whole(instruction, operands[0]),)
        return Effect(reads=reads, writes=writes, amount=operands[1].mem.disp)
    if (name == "mov" and operands[0].size >= 4) or _VECTOR_MOVES.fullmatch(name):
        kinds = operands[0].type, operands[1].type
        if kinds == (1, 1) and name in {"movss", "movsd"}:
            return Effect(
                reads=(_whole(instruction, operands[1]),), merges=(_whole(instruction, operands[0]),)
            )
        if kinds == (1, 1) and name in {"movd", "movq", "vmovd", "vmovq"}:
            return Effect(
                reads=(_whole(instruction, operands[1]),), writes=(_whole(instruction, operands[0]),)
            )
        if kinds == (1, 1):
            return Effect(affine=(_whole(instruction, operands[0]), _whole(instruction, operands[1]), 0))
        if kinds == (1, 3):
            registers = (_whole(instruction, operands[0]),)
            return Effect(accesses=(_access(instruction, operands[1], store=False, registers=registers),))
        if kinds == (3, 1):
            registers = (_whole(instruction, operands[1]),)
            return Effect(accesses=(_access(instruction, operands[0], store=True, registers=registers),))
    if (
        name in {"add", "sub", "and"}
        and operands[0].type == 1
        and operands[1].type == 2
        and operands[0].size >= 4
    ):
        whole, constant = _whole(instruction, operands[0]), _signed(operands[1].imm, operands[0].size)
        if name == "and":
            if whole != "rsp":
                return None
            return Effect(affine=(whole, whole, 0), aligned=-constant, writes=_ALL)
        return Effect(affine=(whole, whole, constant if name == "add" else -constant), writes=_ALL)
    return None


def _whole(instruction: Instruction, operand: Any) -> str:  # noqa: ANN401 - of capstone
    return _register(_name(instruction, operand.reg))[0]


def _signed(constant: int, size: int) -> int:
    """Return a constant of a number of bytes as a signed number."""
    half = 1 << 8 * size - 1
    return (constant + half) % (2 * half) - half
