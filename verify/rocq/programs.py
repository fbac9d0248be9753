"""Programs as steps of a statement: a formula for a curve, after every pass."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.formulas.names import fresh_name
from efdgen.generator.language.syntax import Assignment, Binary, Name, Negative, Number, rename
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
from efdgen.verify.rocq.terms import ONE, multiplied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.programs.program import Operation, Program


def steps_of(formula: Formula, program: Program) -> tuple[Assignment, ...]:
    """Return a program of a formula's signature as assignments, one an instruction, and one an output.

    Implicit outputs are those of the formula's own steps, which follow under names of their own.
    """
    taken = {*formula.all_parameters, *formula.input_coordinates, *formula.scalar_inputs}
    taken |= {name for name, _ in program.outputs}
    values: list[Expression] = []
    steps: list[Assignment] = []
    for instruction in program.instructions:
        operation = instruction.operation
        if isinstance(operation, Input | Parameter):
            values.append(Name(operation.name))
        else:
            name = fresh_name(instruction.label, taken)
            taken.add(name)
            steps.append(Assignment(name, _expression(operation, values)))
            values.append(Name(name))
    steps += [Assignment(name, values[value]) for name, value in program.outputs]
    return (*steps, *_ghosts(formula, taken))


def _ghosts(formula: Formula, taken: set[str]) -> list[Assignment]:
    names: dict[str, str] = {}
    found = []
    for step in formula.assignments if formula.ghosts else ():
        value = rename(step.value, names)
        names[step.target] = fresh_name(f"{step.target}_written", taken)
        taken.add(names[step.target])
        found.append(Assignment(names[step.target], value))
    return [*found, *(Assignment(ghost.target, rename(ghost.value, names)) for ghost in formula.ghosts)]


def _expression(operation: Operation, values: Sequence[Expression]) -> Expression:
    match operation:
        case Constant(value):
            return _number(value)
        case Add(left, right):
            return Binary("+", values[left], values[right])
        case Sub(left, right):
            return Binary("-", values[left], values[right])
        case Neg(value):
            return Negative(values[value])
        case Mul(left, right) | MulParameter(left, right):
            return Binary("*", values[left], values[right])
        case Sqr(value):
            return Binary("^", values[value], Number(2))
        case Pow(value, exponent):
            return Binary("^", values[value], Number(exponent))
        case MulConstant(factor, value):
            return multiplied((_number(factor), values[value]))
        case Inv(value):
            return Binary("/", ONE, values[value])
    raise ValueError(f"not an operation on values: {operation}")


def _number(value: Fraction) -> Expression:
    size: Expression = Number(abs(value.numerator))
    if value.denominator != 1:
        size = Binary("/", size, Number(value.denominator))
    return Negative(size) if value < 0 else size
