"""Points of curves over one field, their representatives and their sums by the affine law."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.curves.represent import NotRepresentable, represent
from efdgen.generator.fields.edges import edges
from efdgen.generator.fields.field import Field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Kind, Model, System
    from efdgen.generator.mathematics.ground import Ground

EXHAUSTIVE = 64
"""Below this order of the field every point, and every pair of points, is an input."""

_RANDOM_POINTS = 16
_REPRESENTATIVES = 3
_DENOMINATORS = ("Z", "ZZ", "ZZZ")


class Sampler:
    """The source of inputs; everything is made once and shared between functions."""

    def __init__(self, ground: Ground, rng: Random) -> None:
        self.ground, self.rng = ground, rng
        self.order = ground.order
        self.exhaustive = self.order < EXHAUSTIVE
        self._curves: dict[object, tuple[AffineCurve, list[Point]]] = {}
        self._representatives: dict[object, list[dict[str, int]]] = {}
        self._results: dict[object, tuple[Point, ...]] = {}

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Edge values of the field, at the ends of 32-bit words."""
        return edges(Field(self.ground), 32)

    def curve(self, model: Model, parameters: Mapping[str, int]) -> tuple[AffineCurve, list[Point]]:
        """Return a curve with all of its affine points, or with random ones."""
        key = (model.id, *(parameters[name] for name in model.parameters))
        if key not in self._curves:
            curve = AffineCurve(model, self.ground, parameters)
            if self.exhaustive:
                points = list(curve.all_points())
            else:
                points = [curve.random_point(self.rng) for _ in range(_RANDOM_POINTS)]
            self._curves[key] = curve, points
        return self._curves[key]

    def representative(
        self, system: System, parameters: Mapping[str, int], point: Point, fixed: Mapping[str, int]
    ) -> dict[str, int]:
        """Return one of a few representatives of a point, the one with Z = 1 among them.

        Raises :class:`NotRepresentable` if there is none.
        """
        names = (*system.model.parameters, *system.parameters)
        key = (system.id, *(parameters[name] for name in names), point, *sorted(fixed.items()))
        if key not in self._representatives:
            unit = dict.fromkeys((name for name in _DENOMINATORS if name in system.variables), 1)
            found = []
            for wanted in ({**unit, **fixed}, *[fixed] * (_REPRESENTATIVES - 1)):
                try:
                    found.append(represent(system, self.ground, parameters, point, self.rng, wanted))
                except NotRepresentable:
                    continue
            self._representatives[key] = found
        if not self._representatives[key]:
            raise NotRepresentable(f"{point} in {system.id}")
        return self.rng.choice(self._representatives[key])

    def results(self, curve: AffineCurve, kind: Kind, points: Mapping[int, Point]) -> tuple[Point, ...]:
        """Return the outputs of a kind by the affine law; none where one of them is not affine."""
        key = (id(curve), kind.id, *points.values())
        if key not in self._results:
            try:
                found = tuple(curve.evaluate(output.law, points) for output in kind.outputs)
            except Undefined:
                found = ()
            self._results[key] = () if INFINITY in found else found
        return self._results[key]
