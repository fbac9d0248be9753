"""Write products with small constants as additions, negations and halvings.

Before::                after::

    A = 3*X1                t0 = X1 + X1
    B = -X1/2               A = t0 + X1
                            t1 = X1/2
                            B = -t1

A half stays: ``MulConstant(1/2, x)`` is one operation of the field. A factor with another denominator, or
with more than six additions, becomes a multiplication by a constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.passes.rewriting import keep, rewrite
from efdgen.generator.programs.program import Add, Constant, Mul, MulConstant, Neg, Sub

if TYPE_CHECKING:
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program

HALF = Fraction(1, 2)
MOST_ADDITIONS = 6


def expand_constants(program: Program) -> Program:
    """Return the program in which the only factor of a :class:`MulConstant` is 1/2."""
    return rewrite(program, _rule)


def _rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
    if not isinstance(operation, MulConstant) or operation.factor == HALF:
        return keep(builder, operation, label)
    factor, value = operation.factor, operation.value
    halvings = factor.denominator.bit_length() - 1
    digits = _digits(abs(factor.numerator))
    if factor.denominator != 1 << halvings or _additions(digits) + halvings > MOST_ADDITIONS:
        return builder.emit(Mul(builder.emit(Constant(factor)), value), label)
    before = len(builder)
    total = value
    for digit in digits[1:]:
        total = builder.emit(Add(total, total))
        if digit:
            total = builder.emit(Add(total, value) if digit > 0 else Sub(total, value))
    for _ in range(halvings):
        total = builder.emit(MulConstant(HALF, total))
    if factor < 0:
        total = builder.emit(Neg(total))
    if total >= before:
        builder.relabel(total, label)
    return total


def _digits(number: int) -> list[int]:
    """Return a positive integer in binary or in non-adjacent form, whichever takes fewer additions."""
    binary = [int(bit) for bit in f"{number:b}"]
    signed = []
    while number:
        signed.append(2 - number % 4 if number % 2 else 0)
        number = (number - signed[-1]) // 2
    return min(binary, signed[::-1], key=_additions)


def _additions(digits: list[int]) -> int:
    return len(digits) - 1 + sum(digit != 0 for digit in digits[1:])
