"""A map between models on one curve: the target curve, and the images of points, by elements of its field."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.language.syntax import Equation, Name
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.programs.solve import solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Map
    from efdgen.generator.mathematics.ground import Ground


class CurveMap:
    """A map on a curve over a finite field, given the parameters of the source and of the map.

    More names do no harm. Raises ZeroDivisionError for parameters that give no target curve.
    """

    def __init__(self, between: Map, field: Ground, parameters: Mapping[str, int]) -> None:
        self.map, self.field = between, field
        names = (*between.model.parameters, *between.parameters)
        self.parameters = {name: parameters[name] for name in names}
        self.target_parameters = {
            name: evaluate(value, self.field, self.parameters) for name, value in between.curve.items()
        }

    @property
    def prime(self) -> int:
        """The prime p, of a curve over GF(p)."""
        return self.source.prime

    @cached_property
    def source(self) -> AffineCurve:
        """The curve that points come from."""
        return AffineCurve(self.map.model, self.field, self.parameters)

    @cached_property
    def target(self) -> AffineCurve:
        """The curve that images are on."""
        return AffineCurve(self.map.target, self.field, self.target_parameters)

    def image(self, point: Point) -> Point:
        """Return the image of a point; raise :class:`Undefined` where the map divides by zero.

        The image of the identity is the identity, whatever the map divides by there.
        """
        if point == self.source.neutral:
            return self.target.neutral
        if point == INFINITY:
            raise Undefined
        names = {**self.parameters, **dict(zip(self.map.model.coordinates, point, strict=True))}
        try:
            return tuple(
                evaluate(self.map.image[coordinate], self.field, names)
                for coordinate in self.map.target.coordinates
            )
        except ZeroDivisionError:
            raise Undefined from None


def maps_between(between: Map, curve: Curve, target: Curve) -> Iterator[CurveMap]:
    """Yield the ways in which a map leads from a curve to a curve: one for each choice of its parameters.

    There is none where the curves are over different fields, or not related by the map.
    """
    if (between.model.id, between.target.id, curve.field) != (curve.model, target.model, target.field):
        return
    equations = [
        *between.assumptions,
        *(Equation(value, Name(f"target {name}")) for name, value in between.curve.items()),
    ]
    names = (*between.model.parameters, *between.parameters)
    # An element of GF(2^m) is no number in an equation, and no name in a file has a space.
    known = {**curve.parameters, **{f"target {name}": target.parameters[name] for name in between.curve}}
    for found in solutions(equations, known, names, curve.field, lambda _: ()):
        yield CurveMap(between, curve.field, found)


def map_between(between: Map, curve: Curve, target: Curve) -> CurveMap | None:
    """Return the way in which a map leads from a curve to a curve, None where it does not.

    Several ways differ by an automorphism: one is taken that maps the generator to the generator, or to the
    degree times it, else the one of the smallest parameters.
    """
    found = list(maps_between(between, curve, target))
    return next((way for way in found if _keeps_generators(way, curve, target)), next(iter(found), None))


def _keeps_generators(way: CurveMap, curve: Curve, target: Curve) -> bool:
    if curve.generator is None or target.generator is None:
        return False
    start, end = (
        tuple(generator[coordinate] for coordinate in model.coordinates)
        for generator, model in ((curve.generator, way.map.model), (target.generator, way.map.target))
    )
    try:
        return way.image(start) in (end, way.target.multiple(way.map.degree, end))
    except Undefined:
        return False
