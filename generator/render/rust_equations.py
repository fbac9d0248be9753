"""Equations of curves as calls of a field's methods in Rust, without divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.language.syntax import Equation, Expression

_METHODS = {"+": "add", "-": "sub", "*": "mul"}


class StraightLine:
    """Statements that compute expressions of ``names``, which are places in Rust."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self.lines: list[str] = []

    def test(self, equation: Equation) -> str:
        """Return a call that tells whether an equation holds; a divisor is multiplied out."""
        left, right = equation.left, equation.right
        if isinstance(right, Binary) and right.operator == "/":
            left, right = Binary("*", left, right.right), right.left
        return f"{self.value(left)}.ct_eq(&{self.value(right)})"

    def value(self, expression: Expression) -> str:
        """Return the place of an expression without divisions."""
        match expression:
            case Name(text):
                return self._names[text]
            case Number(1):
                return "FieldElement::ONE"
            case Group(inner):
                return self.value(inner)
            case Negative(inner):
                return self._call("neg", self.value(inner))
            case Binary("^", base, Number(power)):
                value = result = self.value(base)
                for _ in range(power - 1):
                    square = result == value
                    result = self._call("square", value) if square else self._call("mul", result, value)
                return result
            case Binary(operator, left, right) if operator in _METHODS:
                return self._call(_METHODS[operator], self.value(left), self.value(right))
        raise ValueError(f"no calls for {expression}")

    def _call(self, method: str, first: str, *rest: str) -> str:
        result = f"v{len(self.lines)}"
        self.lines.append(f"let {result} = {first}.{method}({', '.join(f'&{place}' for place in rest)});")
        return result


def test_lines(equations: Sequence[Equation], names: Mapping[str, str]) -> list[str]:
    """Return statements and an expression, which tells whether equations hold."""
    program = StraightLine(names)
    tests = " & ".join([program.test(equation) for equation in equations])
    return [*program.lines, tests]
