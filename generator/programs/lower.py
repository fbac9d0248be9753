"""Formula to program: one instruction per operation of the text, nothing merged.

The database's convention for three-operand code is followed, so that costs come out as published:
in a product the coordinates are multiplied first, from the right, then parameters, then the integer;
a sum that begins with a negative term starts with its first positive one.
Copies are names, not instructions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number, names_in
from efdgen.generator.programs.builder import ProgramBuilder
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
    Program,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Assignment, Expression


def lower(formula: Formula) -> Program:
    """Turn a formula into a program; its outputs are what the formula's function gives, and what it tests."""
    tested = tuple(test.target for test in formula.tests)
    return _lower(formula, (*formula.assignments, *formula.tests), (*formula.output_names, *tested))


def lower_ghosts(formula: Formula) -> Program:
    """Turn a formula into the program of its implicit output coordinates, which is only for proofs."""
    return _lower(formula, (*formula.assignments, *formula.ghosts), formula.implicit_outputs)


def _lower(formula: Formula, assignments: Sequence[Assignment], outputs: tuple[str, ...]) -> Program:
    lowering = _Lowering(formula, _names_read(assignments, outputs))
    for assignment in assignments:
        lowering.assign(assignment.target, assignment.value)
    return lowering.builder.build((name, lowering.values[name]) for name in outputs)


class _Lowering:
    def __init__(self, formula: Formula, used: set[str]) -> None:
        self.builder = ProgramBuilder()
        self.values: dict[str, int] = {}
        for name in (*formula.input_coordinates, *formula.scalar_inputs):
            if name in used:
                self.values[name] = self.builder.emit(Input(name), name)
        for name in formula.all_parameters:
            if name in used:
                self.values[name] = self.builder.emit(Parameter(name), name)
        self.parameters = set(formula.all_parameters)

    def assign(self, target: str, expression: Expression) -> None:
        before = len(self.builder)
        value = self.lower(expression)
        if value >= before:
            self.builder.relabel(value, target)
        self.values[target] = value
        self.parameters.discard(target)

    def lower(self, expression: Expression) -> int:
        match expression:
            case Number(value):
                return self.builder.emit(Constant(Fraction(value)))
            case Name(text):
                return self.values[text]
            case Group(inner):
                return self.lower(inner)
            case Binary("^", base, Number(exponent)):
                return self.power(base, exponent)
            case Binary("+" | "-"):
                return self.sum(expression)
            case _:
                value, negative = self.product(expression)
                return self.builder.emit(Neg(value)) if negative else value

    def power(self, base: Expression, exponent: int) -> int:
        match exponent:
            case 0:
                return self.builder.emit(Constant(Fraction(1)))
            case 1:
                return self.lower(base)
            case 2:
                return self.builder.emit(Sqr(self.lower(base)))
            case _:
                return self.builder.emit(Pow(self.lower(base), exponent))

    def sum(self, expression: Expression) -> int:
        terms = []
        for term, subtracted in _terms(expression):
            value, negative = self.product(term)
            terms.append((value, negative is not subtracted))
        first = next((i for i, (_, negative) in enumerate(terms) if not negative), 0)
        (total, all_negative), *rest = terms[first], *terms[:first], *terms[first + 1 :]
        for value, negative in rest:
            operation = Sub if negative and not all_negative else Add
            total = self.builder.emit(operation(total, value))
        return self.builder.emit(Neg(total)) if all_negative else total

    def product(self, expression: Expression) -> tuple[int, bool]:
        """Lower a product or quotient without its sign; say whether the sign is negative."""
        number, negative = Fraction(1), False
        parameters: list[int] = []
        values: list[int] = []
        for signed, divides in _factors(expression):
            factor, odd = _without_sign(signed)
            negative ^= odd
            match factor:
                case Number(value):
                    number = number / value if divides else number * value
                case _ if divides:
                    values.append(self.builder.emit(Inv(self.lower(factor))))
                case Name(text) if text in self.parameters:
                    parameters.append(self.values[text])
                case _:
                    values.append(self.lower(factor))
        return self.multiply(number, parameters, values), negative

    def multiply(self, number: Fraction, parameters: list[int], values: list[int]) -> int:
        if not values and not parameters:
            return self.builder.emit(Constant(number))
        total = values.pop() if values else parameters.pop()
        for value in reversed(values):
            total = self.builder.emit(Mul(value, total))
        for parameter in reversed(parameters):
            total = self.builder.emit(MulParameter(parameter, total))
        return total if number == 1 else self.builder.emit(MulConstant(number, total))


def _without_sign(expression: Expression) -> tuple[Expression, bool]:
    """Return an expression without the signs before it, and whether their number is odd."""
    if isinstance(expression, Negative):
        inner, odd = _without_sign(expression.inner)
        return inner, not odd
    return expression, False


def _names_read(assignments: Sequence[Assignment], outputs: tuple[str, ...]) -> set[str]:
    """Return the names whose value from outside is read, or put out unchanged."""
    read: set[str] = set()
    assigned: set[str] = set()
    for assignment in assignments:
        read |= {name.text for name in names_in(assignment.value)} - assigned
        assigned.add(assignment.target)
    return read | (set(outputs) - assigned)


def _terms(expression: Expression) -> list[tuple[Expression, bool]]:
    """Split a sum into its terms, each with whether it is subtracted; groups stay whole."""
    if isinstance(expression, Binary) and expression.operator in "+-":
        return [*_terms(expression.left), (expression.right, expression.operator == "-")]
    return [(expression, False)]


def _factors(expression: Expression) -> list[tuple[Expression, bool]]:
    """Split a product or quotient into its factors, each with whether it divides; groups stay whole."""
    if isinstance(expression, Binary) and expression.operator in "*/":
        return [*_factors(expression.left), (expression.right, expression.operator == "/")]
    return [(expression, False)]
