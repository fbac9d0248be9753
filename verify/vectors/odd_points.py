"""The points of odd order on a binary curve by the affine law: all that the code of such a curve has."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.mathematics.ground import Ground


class OddPoints(AffineCurve):
    """The subgroup of an odd order on a curve over GF(2^m), of all points whose order is odd.

    ``order`` is their number, and ``cofactor`` a power of 2. Other points of the curve are none here;
    ``every`` has them.
    """

    def __init__(
        self, model: Model, field: Ground, parameters: Mapping[str, int], order: int, cofactor: int
    ) -> None:
        super().__init__(model, field, parameters)
        self.order, self.cofactor = order, cofactor
        self._odd = {INFINITY: True}

    @cached_property
    def every(self) -> AffineCurve:
        """The curve with all its points."""
        return AffineCurve(self.model, self.field, self.parameters)

    def on_curve(self, point: Point) -> bool:
        """Return whether a point is on the curve and of odd order."""
        return super().on_curve(point) and self.is_odd(point)

    def is_odd(self, point: Point) -> bool:
        """Return whether a point of the curve is of odd order: whether n·P is the identity."""
        if point not in self._odd:
            odd = self.multiple(self.order, point) == INFINITY
            self._odd |= dict.fromkeys((point, self.negate(point)), odd)
        return self._odd[point]

    def random_point(self, rng: Random) -> Point:
        """Return a random affine point of odd order."""
        while (found := self.multiple(self.cofactor, self.every.random_point(rng))) == INFINITY:
            pass
        return found

    def _points(
        self, choices: Callable[[str], Iterable[int]], known: Mapping[str, int] | None = None
    ) -> Iterator[Point]:
        yield from filter(self.is_odd, super()._points(choices, known))
