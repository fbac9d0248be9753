"""Equations of curves as calls of field functions, without divisions; each language prints its calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number
from efdgen.generator.planning.quotients import equal_sides, quotient, raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Fraction

_OPERATIONS = {"+": "add", "-": "sub", "*": "mul"}


class Calls(ABC):
    """Calls that compute expressions of ``names``, which are places; ``one`` is the place of 1.

    No expression is computed twice, and nothing is multiplied by 1.
    """

    def __init__(self, names: Mapping[str, str], one: str, square: str) -> None:
        self._names, self._one, self._square = names, one, square
        self._results: dict[tuple[str, ...], str] = {}

    @abstractmethod
    def append(self, operation: str, *operands: str) -> str:
        """Append a call and return the place of its result."""

    def call(self, operation: str, *operands: str) -> str:
        """Return the place of the result of a call, which is appended where it has to be."""
        if operation == "mul" and self._one in operands:
            return operands[operands[0] == self._one]
        if operation == "mul" and operands[0] == operands[1]:
            operation, operands = self._square, operands[:1]
        if operation in ("add", "mul"):
            operands = tuple(sorted(operands))
        key = (operation, *operands)
        if key not in self._results:
            self._results[key] = self.append(operation, *operands)
        return self._results[key]

    def value(self, expression: Expression) -> str:
        """Return the place of an expression without divisions."""
        match expression:
            case Name(text):
                return self._names[text]
            case Number(1):
                return self._one
            case Group(inner):
                return self.value(inner)
            case Negative(inner):
                return self.call("neg", self.value(inner))
            case Binary("*", Number(times), inner) if times:
                return self.multiple(times, self.value(inner))
            case Binary("^", base, Number(power)):
                return raised(self, self.value(base), power)
            case Binary(operator, left, right) if operator in _OPERATIONS:
                return self.call(_OPERATIONS[operator], self.value(left), self.value(right))
        raise ValueError(f"no calls for {expression}")

    def multiple(self, times: int, place: str) -> str:
        """Return the place of a positive multiple, by doublings and additions."""
        if times == 1:
            return place
        half = self.multiple(times // 2, place)
        twice = self.call("add", half, half)
        return self.call("add", twice, place) if times % 2 else twice


def model_equations(plan: CurvePlan) -> list[Equation]:
    """Return a curve's equations; nothing is multiplied by a = -1."""
    minus = {name for name, value in plan.curve.parameters.items() if value == plan.curve.prime - 1}
    return [
        Equation(_difference(equation.left, minus), equation.right)
        for equation in plan.kernels.kernels[0].formula.system.model.equations
    ]


def _difference(expression: Expression, minus: set[str]) -> Expression:
    """Return -1 times a term plus another term as a difference."""
    match expression:
        case Binary("+", Binary("*", Name(text), first), second) if text in minus:
            return Binary("-", second, first)
    return expression


def further_meanings(plan: CurvePlan) -> list[Equation]:
    """Return what the variables mean that are neither in x nor in y, such as T."""
    meanings = plan.kernels.kernels[0].formula.system.meanings
    return [m for m in meanings if not isinstance(m.left, Name) or m.left.text not in "xy"]


def point_tests(
    plan: CurvePlan, calls: Calls, places: Mapping[str, str], affine: Mapping[str, Fraction] | None
) -> Iterator[tuple[str, str]]:
    """Yield pairs of places whose values are equal for coordinates of a point of the curve.

    ``places`` are for parameters and the point's variables, ``affine`` fractions for x and y that are
    not the coordinate system's. No denominator is 0.
    """
    ratios = plan.representation.ratios
    names: dict[str, Fraction] = {name: (place, None) for name, place in places.items()}
    names |= affine or {name: quotient(ratio, calls, places) for name, ratio in ratios.items()}
    for equation in (*model_equations(plan), *further_meanings(plan)):
        yield equal_sides(equation, calls, names)
