"""Apply the identities of a field: fold constants, remove neutral operands, move signs outward.

Before::                after::

    t0 = 1*X1               t1 = 6*X1
    t1 = 2*(3*t0)           A = Y1 - Z1
    t2 = -Z1                B = X1^2
    A = Y1 + t2
    B = t0*X1
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.passes.rewriting import rewrite
from efdgen.generator.programs.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program

_ZERO, _ONE = Fraction(0), Fraction(1)


def simplify(program: Program) -> Program:
    """Return the program with every identity applied that makes it no longer."""
    return rewrite(program, rule)


def rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
    """Emit an operation after every identity that applies to it, and return its value."""
    match operation:
        case Input() | Parameter() | Constant():
            return builder.emit(operation, label)
        case Add(left, right):
            return _add(builder, left, right, label)
        case Sub(left, right):
            return _sub(builder, left, right, label)
        case Neg(value):
            return _scale(builder, Fraction(-1), value, label)
        case Mul(left, right):
            return _mul(builder, left, right, label)
        case MulParameter(parameter, value):
            match builder[value]:
                case Constant(factor):
                    return _scale(builder, factor, parameter, label)
                case _:
                    return builder.emit(operation, label)
        case MulConstant(factor, value):
            return _scale(builder, factor, value, label)
        case Sqr(value):
            return _power(builder, value, 2, label)
        case Pow(value, exponent):
            return _power(builder, value, exponent, label)
        case Inv(value):
            match builder[value]:
                case Constant(constant) if constant != 0:
                    return builder.emit(Constant(1 / constant), label)
                case Inv(inner):
                    return inner
                case _:
                    return builder.emit(operation, label)
        case _:
            assert_never(operation)


def _add(builder: ProgramBuilder, left: int, right: int, label: str) -> int:
    match builder[left], builder[right]:
        case Constant(a), Constant(b):
            return builder.emit(Constant(a + b), label)
        case Constant(Fraction(numerator=0)), _:
            return right
        case _, Constant(Fraction(numerator=0)):
            return left
        case _, Neg(value):
            return _sub(builder, left, value, label)
        case Neg(value), _:
            return _sub(builder, right, value, label)
        case _ if left == right:
            return _scale(builder, Fraction(2), left, label)
        case _:
            return builder.emit(Add(left, right), label)


def _sub(builder: ProgramBuilder, left: int, right: int, label: str) -> int:
    match builder[left], builder[right]:
        case Constant(a), Constant(b):
            return builder.emit(Constant(a - b), label)
        case _, Constant(Fraction(numerator=0)):
            return left
        case Constant(Fraction(numerator=0)), _:
            return _scale(builder, Fraction(-1), right, label)
        case _, Neg(value):
            return _add(builder, left, value, label)
        case _ if left == right:
            return builder.emit(Constant(_ZERO), label)
        case _:
            return builder.emit(Sub(left, right), label)


def _mul(builder: ProgramBuilder, left: int, right: int, label: str) -> int:
    match builder[left], builder[right]:
        case Constant(factor), _:
            return _scale(builder, factor, right, label)
        case _, Constant(factor):
            return _scale(builder, factor, left, label)
        case _ if left == right:
            return builder.emit(Sqr(left), label)
        case _:
            return builder.emit(Mul(left, right), label)


def _scale(builder: ProgramBuilder, factor: Fraction, value: int, label: str) -> int:
    match builder[value]:
        case Constant(constant):
            return builder.emit(Constant(factor * constant), label)
        case MulConstant(inner, base):
            return _scale(builder, factor * inner, base, label)
        case Neg(base):
            return _scale(builder, -factor, base, label)
    if factor == _ZERO:
        return builder.emit(Constant(_ZERO), label)
    if factor == _ONE:
        return value
    return builder.emit(Neg(value) if factor == -1 else MulConstant(factor, value), label)


def _power(builder: ProgramBuilder, value: int, exponent: int, label: str) -> int:
    match builder[value]:
        case Constant(constant):
            return builder.emit(Constant(constant**exponent), label)
        case Neg(base) if exponent % 2 == 0:
            value = base
    return builder.emit(Sqr(value) if exponent == 2 else Pow(value, exponent), label)
