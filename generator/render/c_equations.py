"""Equations of curves as calls of field functions in C, without divisions."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.language.syntax import Equation, Expression

_CALLS = {"+": "add", "-": "sub", "*": "mul"}


class StraightLine:
    """Calls that compute expressions of ``names``, which are C lvalues, in numbered temporaries."""

    def __init__(self, prefix: str, names: Mapping[str, str]) -> None:
        self._prefix, self._names = prefix, names
        self._calls: list[str] = []
        self._temporaries = 0

    def lines(self, width: int) -> list[str]:
        """Return the declaration of the temporaries and the calls."""
        names = ", ".join(f"v{i}" for i in range(self._temporaries))
        return [*wrap(f"{self._prefix}_fe {names};", width, subsequent_indent="    "), *self._calls]

    def test(self, equation: Equation) -> str:
        """Return what is 1 where an equation holds, and 0 otherwise; a divisor is multiplied out."""
        left, right = equation.left, equation.right
        if isinstance(right, Binary) and right.operator == "/":
            left, right = Binary("*", left, right.right), right.left
        sides = [self.value(left), self.value(right)]
        return f"{self._prefix}_fe_equal(&{sides[0]}, &{sides[1]})"

    def value(self, expression: Expression) -> str:
        """Return the place of an expression without divisions."""
        match expression:
            case Name(text):
                return self._names[text]
            case Number(1):
                return f"{self._prefix}_constant_one"
            case Group(inner):
                return self.value(inner)
            case Negative(inner):
                return self._call("neg", self.value(inner))
            case Binary("^", base, Number(power)):
                value = result = self.value(base)
                for _ in range(power - 1):
                    square = result == value
                    result = self._call("sqr", value) if square else self._call("mul", result, value)
                return result
            case Binary(operator, left, right) if operator in _CALLS:
                return self._call(_CALLS[operator], self.value(left), self.value(right))
        raise ValueError(f"no calls for {expression}")

    def _call(self, operation: str, *operands: str) -> str:
        result = f"v{self._temporaries}"
        self._temporaries += 1
        arguments = ", ".join(f"&{place}" for place in (result, *operands))
        self._calls.append(f"{self._prefix}_fe_{operation}({arguments});")
        return result
