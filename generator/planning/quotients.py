"""Expressions with divisions as calls of field functions: fractions, whose sides are multiplied out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from efdgen.generator.language.syntax import Binary, Group, Name, Number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.generator.planning.plan import Ratio

Fraction: TypeAlias = "tuple[str, str | None]"
"""The places of a numerator and of a denominator, which is None for 1."""

_OPERATIONS = {"+": "add", "-": "sub"}


class Calls(Protocol):
    """A program that grows by calls of a field's functions."""

    def value(self, expression: Expression) -> str:
        """Return the place of an expression without divisions."""
        ...

    def call(self, operation: str, *operands: str) -> str:
        """Return the place of the result of a call that is appended."""
        ...

    def multiple(self, times: int, place: str) -> str:
        """Return the place of a positive multiple."""
        ...


def fraction(expression: Expression, calls: Calls, names: Mapping[str, Fraction]) -> Fraction:
    """Return an expression as one fraction; raise :class:`ValueError` for a constant other than 1."""
    match expression:
        case Name(text):
            return names[text]
        case Number(1):
            return calls.value(expression), None
        case Group(inner):
            return fraction(inner, calls, names)
        case Binary("*", Number(times), inner) if times:
            above, below = fraction(inner, calls, names)
            return calls.multiple(times, above), below
        case Binary("^", base, Number(power)):
            above, below = fraction(base, calls, names)
            return raised(calls, above, power), below and raised(calls, below, power)
        case Binary("*", left, right):
            (a, b), (c, d) = fraction(left, calls, names), fraction(right, calls, names)
            return calls.call("mul", a, c), _product(calls, b, d)
        case Binary("/", left, right):
            (a, b), (c, d) = fraction(left, calls, names), fraction(right, calls, names)
            return _product(calls, a, d) or a, _product(calls, b, c)
        case Binary(operator, left, right) if operator in _OPERATIONS:
            (a, b), (c, d) = fraction(left, calls, names), fraction(right, calls, names)
            sides = (a, c) if b == d else (_product(calls, a, d) or a, _product(calls, c, b) or c)
            return calls.call(_OPERATIONS[operator], *sides), b if b == d else _product(calls, b, d)
    raise ValueError(f"no fraction for {expression}")


def equal_sides(equation: Equation, calls: Calls, names: Mapping[str, Fraction]) -> tuple[str, str]:
    """Return two places whose values are equal where an equation holds and no denominator is 0."""
    (a, b), (c, d) = fraction(equation.left, calls, names), fraction(equation.right, calls, names)
    return (a, c) if b == d else (_product(calls, a, d) or a, _product(calls, c, b) or c)


def quotient(ratio: Ratio, calls: Calls, places: Mapping[str, str]) -> Fraction:
    """Return an affine coordinate, given the places of a point's variables."""
    above = calls.multiple(ratio.factor, places[ratio.numerator])
    return above, raised(calls, places[ratio.denominator], ratio.power) if ratio.denominator else None


def raised(calls: Calls, place: str, power: int) -> str:
    """Return the place of a positive power."""
    result = place
    for _ in range(power - 1):
        result = calls.call("mul", result, place)
    return result


def _product(calls: Calls, a: str | None, b: str | None) -> str | None:
    return calls.call("mul", a, b) if a and b else a or b
