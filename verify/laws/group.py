"""The affine group law of a model on points whose coordinates are rational functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.laws.algebra import Ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Map, Model
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.laws.algebra import RationalFunctions

Point: TypeAlias = dict[str, Ratio]


class AffineGroup:
    """Points are coordinates by name; the laws hold for points in general position.

    Every method raises ZeroDivisionError where a law divides by zero.
    """

    def __init__(self, model: Model, field: Field[Ratio], parameters: Mapping[str, Ratio]) -> None:
        self.model, self.field, self.parameters = model, field, parameters

    def evaluate(self, law: Expression, points: Mapping[int, Point]) -> Point:
        """Return the value of a group expression over P1, P2, …; the identity has no name."""
        match law:
            case Name():
                return points[point_number(law)]
            case Group(inner):
                return self.evaluate(inner, points)
            case Negative(inner):
                return self.negate(self.evaluate(inner, points))
            case Binary("+", left, right):
                return self.add(self.evaluate(left, points), self.evaluate(right, points))
            case Binary("-", left, right):
                return self.evaluate(Binary("+", left, Negative(right)), points)
            case Binary("*", Number(factor), right):
                return self.multiple(factor, self.evaluate(right, points))
        raise ValueError(f"not a group expression: {law}")

    def add(self, left: Point, right: Point) -> Point:
        """Return left + right by the addition law."""
        return self._apply(self.model.addition, left, right)

    def double(self, point: Point) -> Point:
        """Return 2 · point by the doubling law."""
        return self._apply(self.model.doubling, point)

    def negate(self, point: Point) -> Point:
        """Return -point by the negation law."""
        return self._apply(self.model.negation, point)

    def multiple(self, factor: int, point: Point) -> Point:
        """Return factor · point for a factor of 1 or more."""
        if factor == 1:
            return point
        if factor % 2:
            return self.add(self.multiple(factor - 1, point), point)
        return self.double(self.multiple(factor // 2, point))

    def _apply(self, law: Mapping[str, Expression], *points: Point) -> Point:
        names = dict(self.parameters)
        for number, point in enumerate(points, start=1):
            names |= {f"{coordinate}{number}": value for coordinate, value in point.items()}
        missing = set(self.model.coordinates) - set(law)
        if missing:
            raise EfdgenError(f"{self.model.id}: a law does not say what becomes of {min(missing)}")
        return {
            coordinate: evaluate(law[coordinate], self.field, names) for coordinate in self.model.coordinates
        }


def image(between: Map, field: RationalFunctions, parameters: Mapping[str, Ratio], point: Point) -> Point:
    """Return the image of a point of a map's source, given the parameters of source and map.

    Raises ZeroDivisionError where the map divides by zero.
    """
    names = {**parameters, **point}
    return {name: evaluate(between.image[name], field, names) for name in between.target.coordinates}
