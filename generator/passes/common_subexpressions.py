"""Compute each value once.

Before::                after::

    t0 = Z1^2               t0 = Z1^2
    U2 = X2*t0              U2 = X2*t0
    t1 = Z1^2               S2 = Y2*t0
    S2 = Y2*t1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.rewriting import rewrite
from efdgen.generator.programs.program import Add, Mul

if TYPE_CHECKING:
    from efdgen.generator.programs.builder import ProgramBuilder
    from efdgen.generator.programs.program import Operation, Program


def share_common_subexpressions(program: Program) -> Program:
    """Return the program with equal operations on equal values merged; order of factors does not matter."""
    known: dict[Operation, int] = {}

    def rule(builder: ProgramBuilder, operation: Operation, label: str) -> int:
        key = _canonical(operation)
        if key not in known:
            known[key] = builder.emit(operation, label)
        return known[key]

    return rewrite(program, rule)


def _canonical(operation: Operation) -> Operation:
    match operation:
        case Add(left, right) | Mul(left, right) if left > right:
            return type(operation)(right, left)
        case _:
            return operation
