"""Equations of curves as calls of field functions, without divisions; each language prints its calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.language.syntax import Equation, Expression

_OPERATIONS = {"+": "add", "-": "sub", "*": "mul"}


class Calls(ABC):
    """Calls that compute expressions of ``names``, which are places; ``one`` is that of 1.

    What was computed already is not computed again, and nothing is multiplied by 1.
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
        if operation in ("add", "mul"):
            operands = tuple(sorted(operands))
        key = (operation, *operands)
        if key not in self._results:
            self._results[key] = self.append(operation, *operands)
        return self._results[key]

    def sides(self, equation: Equation) -> tuple[str, str]:
        """Return the places of both sides of an equation; a divisor is multiplied out."""
        left, right = equation.left, equation.right
        if isinstance(right, Binary) and right.operator == "/":
            left, right = Binary("*", left, right.right), right.left
        return self.value(left), self.value(right)

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
                return self._multiple(times, self.value(inner))
            case Binary("^", base, Number(power)):
                value = result = self.value(base)
                for _ in range(power - 1):
                    square = result == value
                    result = self.call(self._square, value) if square else self.call("mul", result, value)
                return result
            case Binary(operator, left, right) if operator in _OPERATIONS:
                return self.call(_OPERATIONS[operator], self.value(left), self.value(right))
        raise ValueError(f"no calls for {expression}")

    def _multiple(self, times: int, place: str) -> str:
        """Return the place of a positive multiple, by doublings and additions."""
        if times == 1:
            return place
        half = self._multiple(times // 2, place)
        twice = self.call("add", half, half)
        return self.call("add", twice, place) if times % 2 else twice
