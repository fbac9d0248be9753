"""The whole group of an elliptic curve over a tiny field, infinity included, from its Weierstrass form.

This is the oracle of the exhaustive side: the chord and tangent law is complete by cases
[2009-silverman] III.2.3, and no formula and no other law of the model has a part in it.
"""

from __future__ import annotations

from functools import cached_property, reduce
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.syntax import Assignment, Binary, Group, Name, Negative, Number
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.laurent import PRECISION, LaurentSeries
from efdgen.verify.exceptions.tiny_field import Lanes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.exceptions.laurent import Laurent
    from efdgen.verify.exceptions.tiny_field import TinyField

T = TypeVar("T")

NEUTRAL = 0
"""The number of the identity among a group's points."""

Column = list[int]
"""Points by number, row by row."""

# The curve, its partial derivatives, and both near infinity in z = u/v and w = 1/v.
_TEXT = """
compute curve = a0*v^2 + a1*u*v + a3*v - u^3 - a2*u^2 - a4*u - a6
compute by_u = a1*v - 3*u^2 - 2*a2*u - a4
compute by_v = 2*a0*v + a1*u + a3
compute infinite = a0*w + a1*z*w + a3*w^2 - z^3 - a2*z^2*w - a4*z*w^2 - a6*w^3
compute by_w = a0 + a1*z + 2*a3*w - a2*z^2 - 2*a4*z*w - 3*a6*w^2
"""
_EXPRESSIONS = {
    statement.content.target: statement.content.value
    for statement in parse_document(_TEXT)
    if isinstance(statement.content, Assignment)
}


class CurveGroup:
    """The points of a0·v² + a1·u·v + a3·v = u³ + a2·u² + a4·u + a6 by number, O being number 0.

    Raises ZeroDivisionError where a coefficient is not defined or a0 is 0, ValueError where the curve
    is singular.
    """

    def __init__(self, model: Model, field: TinyField, parameters: Mapping[str, int]) -> None:
        self.field = field
        self._a = {name: evaluate(value, field, parameters) for name, value in model.weierstrass.items()}
        if self._a["a0"] == 0:
            raise ZeroDivisionError
        plane = [(u, v) for u in range(field.order) for v in range(field.order)]
        lanes = Lanes(field, len(plane))
        names = {name: [value] * len(plane) for name, value in self._a.items()}
        names |= {"u": [u for u, _ in plane], "v": [v for _, v in plane]}
        values, *slopes = (_evaluate(part, lanes, names) for part in ("curve", "by_u", "by_v"))
        found = [lane for lane, value in enumerate(values) if value == 0]
        if any(slopes[0][lane] == slopes[1][lane] == 0 for lane in found):
            raise ValueError("the curve is singular")
        self.points: tuple[tuple[int, int] | None, ...] = (None, *(plane[lane] for lane in found))
        self._numbers = {point: number for number, point in enumerate(self.points)}

    def __len__(self) -> int:
        return len(self.points)

    def number(self, u: int | None, v: int | None) -> int:
        """Return the number of a point; None is a pole, which only O has."""
        return NEUTRAL if u is None or v is None else self._numbers[u, v]

    @cached_property
    def negatives(self) -> tuple[int, ...]:
        """-P for every point P."""
        return tuple(self._negate(number) for number in range(len(self)))

    @cached_property
    def sums(self) -> tuple[tuple[int, ...], ...]:
        """P + Q for every P and Q."""
        everything = range(len(self))
        return tuple(tuple(self._add(left, right) for right in everything) for left in everything)

    @cached_property
    def orders(self) -> tuple[int, ...]:
        """The order of every point."""
        return tuple(self._order(number) for number in range(len(self)))

    def evaluate(self, law: Expression, points: Mapping[int, Column]) -> Column:
        """Return a kind's group expression over P1, P2, …, such as ``2*P2`` or ``P2 + P3``, row by row."""
        match law:
            case Name():
                return points[point_number(law)]
            case Group(inner):
                return self.evaluate(inner, points)
            case Negative(inner):
                return [self.negatives[point] for point in self.evaluate(inner, points)]
            case Binary("+", left, right):
                return self._added(self.evaluate(left, points), self.evaluate(right, points))
            case Binary("-", left, right):
                return self.evaluate(Binary("+", left, Negative(right)), points)
            case Binary("*", Number(factor), right) if factor > 0:
                return reduce(self._added, [self.evaluate(right, points)] * factor)
        raise ValueError(f"not a group expression: {law}")

    def near(self, number: int) -> tuple[Laurent, Laurent]:
        """Return u and v as series in a local parameter at a point."""
        series = LaurentSeries(self.field)
        names = {name: series.polynomial(value) for name, value in self._a.items()}
        point = self.points[number]
        if point is None:
            names |= {"z": series.polynomial(0, 1), "w": series.polynomial()}
            v = series.inv(_root("infinite", "by_w", "w", series, names))
            return series.mul(names["z"], v), v
        u0, v0 = point
        if self._at("by_v", u=u0, v=v0):
            names |= {"u": series.polynomial(u0, 1), "v": series.polynomial(v0)}
            return names["u"], _root("curve", "by_v", "v", series, names)
        names |= {"u": series.polynomial(u0), "v": series.polynomial(v0, 1)}
        return _root("curve", "by_u", "u", series, names), names["v"]

    def _added(self, left: Column, right: Column) -> Column:
        return [self.sums[first][second] for first, second in zip(left, right, strict=True)]

    def _at(self, part: str, **names: int) -> int:
        return _evaluate(part, self.field, self._a | names)

    def _negate(self, number: int) -> int:
        point = self.points[number]
        return NEUTRAL if point is None else self._numbers[point[0], self._opposite(*point)]

    def _add(self, left: int, right: int) -> int:
        """Add by chord and tangent: a line of slope m through P and Q meets the curve in -(P + Q)."""
        field, a, p, q = self.field, self._a, self.points[left], self.points[right]
        if p is None or q is None:
            return right if p is None else left
        if right == self.negatives[left]:
            return NEUTRAL
        (u1, v1), (u2, v2) = p, q
        slope = (
            self._tangent(u1, v1)
            if left == right
            else field.mul(field.sub(v2, v1), field.inv(field.sub(u2, u1)))
        )
        roots = field.sub(field.mul(slope, field.add(field.mul(a["a0"], slope), a["a1"])), a["a2"])
        u3 = field.sub(roots, field.add(u1, u2))
        return self.negatives[self._numbers[u3, field.add(v1, field.mul(slope, field.sub(u3, u1)))]]

    def _tangent(self, u: int, v: int) -> int:
        by_u, by_v = (self._at(part, u=u, v=v) for part in ("by_u", "by_v"))
        return self.field.mul(self.field.sub(0, by_u), self.field.inv(by_v))

    def _opposite(self, u: int, v: int) -> int:
        field, a = self.field, self._a
        line = field.add(field.mul(a["a1"], u), a["a3"])
        return field.sub(field.sub(0, v), field.mul(line, field.inv(a["a0"])))

    def _order(self, number: int) -> int:
        order, multiple = 1, number
        while multiple != NEUTRAL:
            order, multiple = order + 1, self.sums[multiple][number]
        return order


def _evaluate(part: str, field: Field[T], names: Mapping[str, T]) -> T:
    return evaluate(_EXPRESSIONS[part], field, names)


def _root(
    part: str, derivative: str, unknown: str, series: LaurentSeries, names: Mapping[str, Laurent]
) -> Laurent:
    """Return the series of an unknown for which a part is 0, by Newton's method from its constant term."""
    value = names[unknown]
    for _ in range((PRECISION - 1).bit_length()):  # each doubles how many coefficients are right
        known = {**names, unknown: value}
        slope = _evaluate(derivative, series, known)
        value = series.sub(value, series.mul(_evaluate(part, series, known), series.inv(slope)))
    return value
