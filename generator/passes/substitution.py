"""Replace inputs and parameters by the numbers that they are known to be.

Before, with Z2 = 1::           after::

    input Z2                        A = X1*1
    A = X1*Z2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.rewriting import keep, rewrite
from efdgen.generator.programs.program import Constant, Input, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program


def substitute_numbers(program: Program, numbers: Mapping[str, Fraction]) -> Program:
    """Return the program that no longer reads the given names."""

    def rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
        match operation:
            case Input(name) | Parameter(name) if name in numbers:
                return builder.emit(Constant(numbers[name]), label)
            case _:
                return keep(builder, operation, label)

    return rewrite(program, rule)
