"""Limb programs as text, for readers and for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from efdgen.generator.limbs.operations import (
    Add,
    And,
    CarrylessDot,
    Constant,
    Dot,
    Funnel,
    Mul,
    MulLow,
    MulWide,
    Or,
    Select,
    ShiftLeft,
    ShiftRight,
    Sub,
    Word,
    Xor,
)

if TYPE_CHECKING:
    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.program import LimbProgram


def limb_program_text(program: LimbProgram) -> str:
    """Write a limb program, one instruction a line, each block under what it makes."""
    starts = {block.start: block for block in program.blocks if block.start != block.stop}
    lines = []
    for at, instruction in enumerate(program.instructions):
        if at in starts:
            number = program.numbers[starts[at].result]
            lines += ["", f"; {starts[at].text}, below 2^{number.maximum.bit_length()}"]
        results = ", ".join(f"v{value}" for value in instruction.results)
        lines.append(f"{results} = {operation_text(instruction.operation)}")
    for name, index in program.outputs:
        lines.append(f"output {name} = {' '.join(f'v{value}' for value in program.numbers[index].words)}")
    return "".join(f"{line}\n" for line in lines)


def operation_text(operation: Operation) -> str:
    """Write an operation: ``v3 + v4 + carry v2``."""
    match operation:
        case Word(number, index):
            return f"{number}[{index}]"
        case Constant(value):
            return f"{value:#x}"
        case MulWide(left, right):
            return f"v{left} * v{right}"
        case Dot(products, added, subtracted):
            parts = [f"+ v{left} * v{right}" for left, right in products]
            parts += [f"+ (v{high}:v{low})" for low, high in added]
            parts += [f"- (v{high}:v{low})" for low, high in subtracted]
            return " ".join(parts).removeprefix("+ ")
        case CarrylessDot(products, added):
            parts = [f"v{left} ⊗ v{right}" for left, right in products]
            return " ⊕ ".join([*parts, *(f"(v{high}:v{low})" for low, high in added)])
        case MulLow(left, right):
            return f"low(v{left} * v{right})"
        case Mul(left, right):
            return f"exact(v{left} * v{right})"
        case Add(left, right, carry):
            return f"v{left} + v{right}" + ("" if carry is None else f" + carry v{carry}")
        case Sub(left, right, borrow):
            return f"v{left} - v{right}" + ("" if borrow is None else f" - borrow v{borrow}")
        case And(left, right):
            return f"v{left} & v{right}"
        case Or(left, right):
            return f"v{left} | v{right}"
        case Xor(left, right):
            return f"v{left} ^ v{right}"
        case ShiftLeft(value, amount):
            return f"exact(v{value} << {amount})"
        case ShiftRight(value, amount):
            return f"v{value} >> {amount}"
        case Funnel(high, low, amount):
            return f"high(v{high}:v{low} << {amount})"
        case Select(bit, one, zero):
            return f"v{bit} ? v{one} : v{zero}"
        case _:
            assert_never(operation)
