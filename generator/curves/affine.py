"""The group of a curve by its model's affine laws: an oracle that is independent of formulas."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.curves.weierstrass import image_of_infinity
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number
from efdgen.generator.programs.compiled import compiled
from efdgen.generator.programs.solve import holds, solutions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from random import Random

    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground

# Half of all tries find a point of an elliptic curve.
_TRIES = 256

Point: TypeAlias = tuple[int, ...]

_Law: TypeAlias = Literal["neutral", "negation", "addition", "doubling"]

INFINITY: Point = ()
"""The identity where no affine point is: the point without coordinates."""


class Undefined(ArithmeticError):  # noqa: N818 - says what the sum is
    """The affine law divides by zero: the result is at infinity, or the law is not complete."""


class AffineCurve:
    """A curve over a finite field and its group; points are tuples in the order of the model's coordinates.

    ``parameters`` are the model's, in the field; more names do no harm. The curve has to be non-singular.
    Add and double raise :class:`Undefined` where a denominator of the law vanishes.
    """

    def __init__(self, model: Model, field: Ground, parameters: Mapping[str, int]) -> None:
        self.model, self.field = model, field
        self.parameters = {name: parameters[name] for name in model.parameters}
        self._functions: dict[str, Callable[..., Point]] = {}

    @property
    def prime(self) -> int:
        """The prime p, of a curve over GF(p)."""
        assert not self.field.is_binary
        return self.field.prime

    @cached_property
    def neutral(self) -> Point:
        """The identity: as the model has it, or where the Weierstrass form's infinity goes.

        The second gives twisted Hessian curves their (0, -1), which the database leaves out.
        """
        if self.model.neutral:
            return self._apply("neutral")
        return image_of_infinity(self.model, self.field, self.parameters) or INFINITY

    def on_curve(self, point: Point) -> bool:
        """Return whether a point is on the curve; INFINITY is where it is the identity."""
        if point == INFINITY:
            return self.neutral == INFINITY
        names = self.parameters | dict(zip(self.model.coordinates, point, strict=True))
        return all(holds(equation, names, self.field) for equation in self.model.equations)

    def negate(self, point: Point) -> Point:
        """Return -point; raise Undefined where that is not affine."""
        return point if point == self.neutral else self._apply("negation", point)

    def add(self, left: Point, right: Point) -> Point:
        """Return left + right, doubling included."""
        if left == self.neutral:
            return right
        if right == self.neutral:
            return left
        if self._opposite(left, right):
            return self.neutral
        if left == right:
            return self.double(left)
        return self._apply("addition", left, right)

    def double(self, point: Point) -> Point:
        """Return 2·point."""
        if self._opposite(point, point):
            return self.neutral
        return self._apply("doubling", point)

    def multiple(self, factor: int, point: Point) -> Point:
        """Return factor·point for any integer, by doubling and adding from the top bit."""
        if factor < 0:
            return self.multiple(-factor, self.negate(point))
        result = self.neutral
        for bit in f"{factor:b}":
            result = self.double(result)
            if bit == "1":
                result = self.add(result, point)
        return result

    def evaluate(self, law: Expression, points: Mapping[int, Point]) -> Point:
        """Return the value of a kind's group expression over P1, P2, …: ``2*P2``, ``P2 + P3``."""
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
                return self.add(self.evaluate(left, points), self.negate(self.evaluate(right, points)))
            case Binary("*", Number(factor), right):
                return self.multiple(factor, self.evaluate(right, points))
        raise ValueError(f"not a group expression: {law}")

    def all_points(self) -> Iterator[Point]:
        """Yield every affine point once, in a fixed order; for a small field."""
        return self._points(lambda _: range(self.field.order))

    def random_point(self, rng: Random) -> Point:
        """Return a random affine point; raise :class:`EfdgenError` if none is found in many tries."""
        for _ in range(_TRIES):
            found = list(self._points(lambda _: [rng.randrange(self.field.order)]))
            if found:
                return rng.choice(found)
        raise EfdgenError(f"{self.model.id}: no point of a curve over {self.field} in {_TRIES} tries")

    def points_with(self, place: int, value: int) -> Iterator[Point]:
        """Yield the affine points of which one coordinate, by its place, has a value."""
        return self._points(lambda _: (), {self.model.coordinates[place]: value})

    def _points(
        self, choices: Callable[[str], Iterable[int]], known: Mapping[str, int] | None = None
    ) -> Iterator[Point]:
        coordinates, names = self.model.coordinates, {**self.parameters, **(known or {})}
        for found in solutions(self.model.equations, names, coordinates, self.field, choices):
            yield tuple(found[coordinate] for coordinate in coordinates)

    def _opposite(self, left: Point, right: Point) -> bool:
        try:
            return left == self.negate(right)
        except Undefined:
            return False

    def _apply(self, law: _Law, *points: Point) -> Point:
        function = self._functions.get(law) or self._compiled(law, len(points))
        try:
            return function(*chain.from_iterable(points))
        except ZeroDivisionError:
            raise Undefined from None

    def _compiled(self, law: _Law, points: int) -> Callable[..., Point]:
        coordinates, values = self.model.coordinates, getattr(self.model, law)
        names = [f"{c}{number}" for number in range(1, points + 1) for c in coordinates]
        function = compiled((values[c] for c in coordinates), self.field, self.parameters, names)
        self._functions[law] = function
        return function
