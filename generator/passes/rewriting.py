"""Traversal of a program with a rule that rewrites each instruction; the base of most passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import (
    Constant,
    Mul,
    MulConstant,
    MulParameter,
    Parameter,
    operands,
    with_operands,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.programs.program import Operation, Program

    Rule = Callable[[ProgramBuilder, Operation, str], int]


def rewrite(program: Program, rule: Rule) -> Program:
    """Apply a rule to every instruction, in order.

    The rule gets the builder, the operation with its operands in the new program, and the label; it
    emits what it likes and returns the value that replaces the old one.
    """
    builder = ProgramBuilder(instruction.label for instruction in program.instructions)
    values: list[int] = []
    for instruction in program.instructions:
        moved = tuple(values[operand] for operand in operands(instruction.operation))
        operation = _on(builder, instruction.operation, moved)
        values.append(rule(builder, operation, instruction.label))
    return builder.build((name, values[value]) for name, value in program.outputs)


def keep(builder: ProgramBuilder, operation: Operation, label: str) -> int:
    """Emit an operation unchanged: the rule that every other one falls back to."""
    return builder.emit(operation, label)


def _on(builder: ProgramBuilder, operation: Operation, values: tuple[int, ...]) -> Operation:
    """Put an operation on new operands; a product with what was a parameter becomes what it is now."""
    if isinstance(operation, MulParameter):
        match builder[values[0]]:
            case Parameter():
                pass
            case Constant(factor):
                return MulConstant(factor, values[1])
            case _:
                return Mul(*values)
    return with_operands(operation, values)
