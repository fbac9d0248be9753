"""Expressions in a field as statements of a routine, without divisions or products by small integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.language.syntax import Equation, Expression

Place: TypeAlias = "str | int"
"""A value: a variable or member of a routine, with a ``-`` before it for its negative, or a small integer."""

Fraction: TypeAlias = "tuple[Place, dict[str, int]]"
"""A numerator, and nonzero denominators with their exponents."""


class Statements:
    """Statements ``let v0 = fe_mul(…)`` without common subexpressions.

    ``constants`` are the names of small integers that occur as terms. Nothing is multiplied by an integer:
    0, 1 and -1 cost nothing, others are doublings and additions.
    """

    def __init__(self, constants: Mapping[int, str]) -> None:
        self.lines: list[str] = []
        self._constants = constants
        self._results: dict[tuple[str, ...], str] = {}

    def call(self, operation: str, *operands: str) -> str:
        """Return the place of the result of a call, which is appended where it has to be."""
        key = operation, *operands
        if key not in self._results:
            self._results[key] = f"v{len(self._results)}"
            self.lines.append(f"let {self._results[key]} = fe_{operation}({', '.join(operands)})")
        return self._results[key]

    def named(self, value: Place) -> str:
        """Return the variable or constant of a value."""
        if isinstance(value, int) and value in self._constants:
            return self._constants[value]
        if isinstance(value, int):
            return self.named(_negative(self._constants[-value]))
        return self.call("neg", value[1:]) if value.startswith("-") else value

    def product(self, a: Place, b: Place) -> Place:
        """Return the product of two values."""
        if isinstance(a, int):
            return self._multiple(a, b)
        if isinstance(b, int):
            return self._multiple(b, a)
        is_negative = a.startswith("-") != b.startswith("-")
        left, right = sorted((a.removeprefix("-"), b.removeprefix("-")))
        found = self.call("sqr", left) if left == right else self.call("mul", left, right)
        return _negative(found) if is_negative else found

    def sum(self, a: Place, b: Place) -> Place:
        """Return the sum of two values."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if 0 in (a, b):
            return b if a == 0 else a
        left, right = (value if isinstance(value, str) else self.named(value) for value in (a, b))
        match left.startswith("-"), right.startswith("-"):
            case False, False:
                return self.call("add", *sorted((left, right)))
            case True, True:
                return _negative(self.call("add", *sorted((left[1:], right[1:]))))
            case True, False:
                return self.call("sub", right, left[1:])
            case _:
                return self.call("sub", left, right[1:])

    def power(self, base: Place, exponent: int) -> Place:
        """Return a positive power: a product of squares of squares."""
        found: Place = 1
        while exponent:
            if exponent % 2:
                found = self.product(found, base)
            exponent //= 2
            base = self.product(base, base) if exponent else base
        return found

    def _multiple(self, times: int, value: Place) -> Place:
        if isinstance(value, int):
            return times * value
        if times < 0:
            return _negative(self._multiple(-times, value))
        if times < 2:
            return value if times else 0
        half = self._multiple(times // 2, value)
        twice = self.sum(half, half)
        return self.sum(twice, value) if times % 2 else twice

    def fraction(self, expression: Expression, names: Mapping[str, Fraction]) -> Fraction:
        """Return an expression as one fraction, with each denominator as often as it has to be."""
        match expression:
            case Name(text):
                return names[text]
            case Number(value):
                return value, {}
            case Group(inner):
                return self.fraction(inner, names)
            case Negative(inner):
                above, below = self.fraction(inner, names)
                return _negative(above), below
            case Binary("^", base, Number(exponent)):
                above, below = self.fraction(base, names)
                return self.power(above, exponent), {place: n * exponent for place, n in below.items()}
            case Binary("*", left, right):
                (a, b), (c, d) = self.fraction(left, names), self.fraction(right, names)
                return self.product(a, c), _together(b, d)
            case Binary("/", left, right):
                (a, b), (c, d) = self.fraction(left, names), self.fraction(right, names)
                is_negative = isinstance(c, str) and c.startswith("-")
                below = {} if c == 1 else {self.named(_negative(c) if is_negative else c): 1}
                above = self.product(a, self.monomial(d))
                return _negative(above) if is_negative else above, _together(b, below)
            case Binary(operator, left, right):
                left_above, right_above, below = self._alike(
                    self.fraction(left, names), self.fraction(right, names)
                )
                right_above = right_above if operator == "+" else _negative(right_above)
                return self.sum(left_above, right_above), below

    def sides(self, equation: Equation, names: Mapping[str, Fraction]) -> tuple[str, str]:
        """Return two places whose values are equal where an equation holds."""
        left, right, _ = self._alike(
            self.fraction(equation.left, names), self.fraction(equation.right, names)
        )
        return self.named(left), self.named(right)

    def monomial(self, powers: Mapping[str, int]) -> Place:
        """Return a product of powers."""
        found: Place = 1
        for place, exponent in sorted(powers.items()):
            found = self.product(found, self.power(place, exponent)) if exponent else found
        return found

    def _alike(self, left: Fraction, right: Fraction) -> tuple[Place, Place, dict[str, int]]:
        """Return the numerators of two fractions over the least common denominator, and that."""
        (a, b), (c, d) = left, right
        below = {place: max(b.get(place, 0), d.get(place, 0)) for place in {**b, **d}}
        above = (
            self.product(numerator, self.monomial({p: n - own.get(p, 0) for p, n in below.items()}))
            for numerator, own in ((a, b), (c, d))
        )
        return next(above), next(above), below

    def called(self, name: str, value: str) -> str:
        """Return the place of a value, which is called otherwise if it is the last that is computed."""
        head, equals, rest = self.lines[-1].partition(" = ")
        if head != f"let {value}":
            return value
        self.lines[-1] = f"let {name}{equals}{rest}"
        return name

    def returning(self, value: str) -> Iterator[str]:
        """Yield the lines of a routine that returns a value."""
        yield from (f"    {line}" for line in (*self.lines, f"return {value}"))


def _negative(value: Place) -> Place:
    if isinstance(value, int):
        return -value
    return value[1:] if value.startswith("-") else f"-{value}"


def _together(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {place: a.get(place, 0) + b.get(place, 0) for place in {**a, **b}}
