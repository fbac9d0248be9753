"""The operations of a field as programs: the shortest programs to lower."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, Neg, Sqr, Sub

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.programs.program import Operation, Program


def field_operations() -> dict[str, Program]:
    """Return programs from a, b, c, d to r, by the name of the operation."""
    return {
        "add": _program("ab", Add),
        "sub": _program("ab", Sub),
        "neg": _program("a", Neg),
        "mul": _program("ab", Mul),
        "sqr": _program("a", Sqr),
        "sum_of_products": _sum_of_products(Add),
        "difference_of_products": _sum_of_products(Sub),
    }


def _program(inputs: str, operation: Callable[..., Operation]) -> Program:
    builder = ProgramBuilder()
    result = builder.emit(operation(*(builder.emit(Input(name), name) for name in inputs)), "r")
    return builder.build([("r", result)])


def _sum_of_products(combine: type[Add | Sub]) -> Program:
    builder = ProgramBuilder()
    a, b, c, d = (builder.emit(Input(name), name) for name in "abcd")
    left, right = builder.emit(Mul(a, b), "ab"), builder.emit(Mul(c, d), "cd")
    return builder.build([("r", builder.emit(combine(left, right), "r"))])
