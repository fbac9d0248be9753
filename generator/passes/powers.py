"""Write powers as squarings and multiplications, by the binary method.

Before::                after::

    A = X1^3                t0 = X1^2
                            A = X1*t0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.rewriting import keep, rewrite
from efdgen.generator.programs.program import Mul, Pow, Sqr

if TYPE_CHECKING:
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program


def expand_powers(program: Program) -> Program:
    """Return the program without :class:`Pow`."""
    return rewrite(program, _rule)


def _rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
    if not isinstance(operation, Pow):
        return keep(builder, operation, label)
    return _power(builder, operation.value, operation.exponent, label)


def _power(builder: ProgramBuilder, value: int, exponent: int, label: str = "") -> int:
    if exponent == 1:
        return value
    if exponent % 2:
        return builder.emit(Mul(value, _power(builder, value, exponent - 1)), label)
    return builder.emit(Sqr(_power(builder, value, exponent // 2)), label)
