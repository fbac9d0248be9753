"""Apply the identities of characteristic 2: numbers modulo 2, no signs, a sum of squares as one square.

Before::                after::

    t0 = 2*X1               A = X1 + Y1
    A = X1 - Y1             B = A + Z1
    B = 3*A - (t0 - Z1)     t2 = X1 + Z1
    C = X1^2 + Z1^2         C = t2^2
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.passes import simplify
from efdgen.generator.passes.rewriting import keep, rewrite
from efdgen.generator.programs.program import Add, Constant, Inv, Mul, MulConstant, Neg, Sqr, Sub, operands

if TYPE_CHECKING:
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program

_ZERO, _ONE = Fraction(0), Fraction(1)


def simplify_modulo_2(program: Program) -> Program:
    """Return the program with every identity of a field of characteristic 2 that makes it no longer.

    It has no :class:`Sub`, :class:`Neg` or :class:`MulConstant`, and no number but 0 and 1.
    """
    return rewrite(program, _rule)


def gather_squares(program: Program) -> Program:
    """Return the program with a² + b² as (a + b)² where nothing else reads either square."""
    uses = Counter(value for each in program.instructions for value in operands(each.operation))
    uses.update(value for _, value in program.outputs)
    numbers, read_once = count(), set[int]()

    def rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
        value = _gathered(builder, operation, label, read_once)
        if uses[next(numbers)] == 1:
            read_once.add(value)
        return value

    return rewrite(program, rule)


def _gathered(builder: ProgramBuilder, operation: Operation, label: str, read_once: set[int]) -> int:
    match operation:
        case Add(left, right) if {left, right} <= read_once:
            match builder[left], builder[right]:
                case Sqr(a), Sqr(b):
                    return builder.emit(Sqr(_gathered(builder, Add(a, b), "", read_once)), label)
    return keep(builder, operation, label)


def _rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
    match operation:
        case Constant(value):
            return _number(builder, value, label)
        case Neg(value):
            return value
        case Add(left, right) | Sub(left, right):
            return _add(builder, left, right, label)
        case MulConstant(factor, value):
            if factor.denominator % 2:
                return value if factor.numerator % 2 else builder.emit(Constant(_ZERO), label)
            return builder.emit(Mul(value, _number(builder, factor)), label)
        case _:
            return simplify.rule(builder, operation, label)


def _number(builder: ProgramBuilder, value: Fraction, label: str = "") -> int:
    """Emit a rational number modulo 2: 0, 1 or, for an even denominator, 1/0."""
    if value.denominator % 2:
        return builder.emit(Constant(Fraction(value.numerator % 2)), label)
    return builder.emit(Inv(builder.emit(Constant(_ZERO))), label)


def _add(builder: ProgramBuilder, left: int, right: int, label: str) -> int:
    if left == right or builder[left] == builder[right] == Constant(_ONE):
        return builder.emit(Constant(_ZERO), label)
    return simplify.rule(builder, Add(left, right), label)
