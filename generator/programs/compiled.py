"""Expressions and programs over a finite field as Python functions, for repeated evaluation.

They return what the :mod:`~efdgen.generator.programs.interpreter` does, in a fraction of the time: the tree
is walked once, what is known is computed once, and so is what occurs twice.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, assert_never, cast

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number
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
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Operation, Program

# An element, or the variable that holds one.
_Value: TypeAlias = int | str


def compiled(
    expressions: Iterable[Expression],
    field: Ground,
    known: Mapping[str, int],
    arguments: Sequence[str],
    *,
    or_zero: bool = False,
) -> Callable[..., tuple[int, ...]]:
    """Return the function of the values of ``arguments``, by position, that returns those of expressions.

    Values are elements of the field; those of names in ``known`` may be any integers for GF(p). If a
    denominator vanishes, the function raises ZeroDivisionError, or takes 0 for its inverse with ``or_zero``.
    Raises KeyError for a name that is neither known nor an argument.
    """
    writer = _Writer(field, known, arguments)
    results = [str(writer.write(expression)) for expression in expressions]
    return cast("Callable[..., tuple[int, ...]]", writer.function(f"({', '.join(results)},)", or_zero))


def compiled_program(
    program: Program, field: Ground, known: Mapping[str, int], *, or_zero: bool = False
) -> Callable[..., dict[str, int]]:
    """Return the function of a program's inputs, by name, that returns its outputs by name.

    Values and ``or_zero`` are as for :func:`compiled`; inputs that the program has not are left aside.
    """
    writer = _Writer(field, known, program.inputs)
    values: list[_Value] = []
    for instruction in program.instructions:
        values.append(writer.operation(instruction.operation, values))
    results = ", ".join(f"{name!r}: {values[number]}" for name, number in program.outputs)
    return cast("Callable[..., dict[str, int]]", writer.function(f"{{{results}}}", or_zero, by_name=True))


class _Writer:
    """Writes assignments, each to a variable of its own."""

    def __init__(self, field: Ground, known: Mapping[str, int], arguments: Sequence[str]) -> None:
        self._field, self._known = field, known
        self.variables = {name: f"v{number}" for number, name in enumerate(arguments)}
        self._lines: list[str] = []
        self._written: dict[str, str] = {}

    def write(self, expression: Expression) -> _Value:
        """Write what computes an expression; return its value, or the variable that holds it."""
        match expression:
            case Number(value):
                return self._constant(Fraction(value))
            case Name(text):
                variable = self.variables.get(text)
                return self._field.reduce(self._known[text]) if variable is None else variable
            case Group(inner):
                return self.write(inner)
            case Negative(inner):
                return self._binary("-", 0, self.write(inner))
            case Binary("^", base, Number(exponent)):
                return self._power(self.write(base), exponent)
            case Binary("/", left, right):
                divided = self.write(left)
                return self._binary("*", divided, self._inverse(self.write(right)))
            case Binary(operator, left, right):
                return self._binary(operator, self.write(left), self.write(right))

    def operation(self, operation: Operation, values: Sequence[_Value]) -> _Value:
        """Write an operation on values of earlier ones; return its value, or the variable that holds it."""
        match operation:
            case Input(name) | Parameter(name):
                return self.write(Name(name))
            case Constant(constant):
                return self._constant(constant)
            case Add(left, right):
                return self._binary("+", values[left], values[right])
            case Sub(left, right):
                return self._binary("-", values[left], values[right])
            case Mul(left, right) | MulParameter(left, right):
                return self._binary("*", values[left], values[right])
            case Neg(value):
                return self._binary("-", 0, values[value])
            case Sqr(value):
                return self._binary("*", values[value], values[value])
            case Pow(value, exponent):
                return self._power(values[value], exponent)
            case MulConstant(factor, value):
                return self._binary("*", self._constant(factor), values[value])
            case Inv(value):
                return self._inverse(values[value])
            case _:
                assert_never(operation)

    def function(self, result: str, or_zero: bool, by_name: bool = False) -> Callable[..., object]:
        """Return the function of the arguments that does what is written and returns the result."""
        read = [f"{self.variables[name]} = names[{name!r}]" for name in self.variables] if by_name else []
        arguments = "**names" if by_name else ", ".join(self.variables.values())
        lines = [f"def function({arguments}):", *read, *self._lines, f"return {result}"]
        field = self._field
        inverse = field.inverse_or_zero if or_zero else field.inv
        namespace = {"p": field.order, "inverse": inverse, "multiply": field.mul}
        exec("\n    ".join(lines), namespace)
        return cast("Callable[..., object]", namespace["function"])

    def _constant(self, value: Fraction) -> _Value:
        numerator, denominator = (self._field.constant(Fraction(part)) for part in value.as_integer_ratio())
        return self._binary("*", numerator, self._inverse(denominator))

    def _power(self, base: _Value, exponent: int) -> _Value:
        power: _Value = 1
        for number in range(exponent):
            power = self._binary("*", power, base) if number else base
        return power

    def _binary(self, operator: str, left: _Value, right: _Value) -> _Value:
        field = self._field
        if isinstance(left, int) and isinstance(right, int):
            return {"+": field.add, "-": field.sub, "*": field.mul}[operator](left, right)
        if not field.is_binary:
            return self._assigned(f"({left} {operator} {right}) % p")
        return self._assigned(f"multiply({left}, {right})" if operator == "*" else f"{left} ^ {right}")

    def _inverse(self, value: _Value) -> _Value:
        # The function decides on the inverse of 0 when it is called.
        if isinstance(value, int) and value:
            return self._field.inv(value)
        return self._assigned(f"inverse({value})")

    def _assigned(self, text: str) -> str:
        if text not in self._written:
            self._written[text] = f"t{len(self._written)}"
            self._lines.append(f"{self._written[text]} = {text}")
        return self._written[text]
