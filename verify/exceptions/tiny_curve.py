"""A curve over a tiny field: its whole group, and the affine coordinates of every point, poles included."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.group import NEUTRAL, CurveGroup
from efdgen.verify.exceptions.laurent import LaurentSeries
from efdgen.verify.exceptions.tiny_field import Lanes, satisfied

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Map, Model
    from efdgen.generator.programs.interpreter import Field
    from efdgen.verify.exceptions.laurent import Laurent
    from efdgen.verify.exceptions.tiny_field import TinyField

Affine = tuple[int | None, ...]

T = TypeVar("T")


class TinyCurve:
    """A curve of a model, given by the values of the model's parameters; more names do no harm.

    Points are numbers, as :class:`CurveGroup` has them. Raises what :class:`CurveGroup` raises.
    """

    def __init__(self, model: Model, field: TinyField, parameters: Mapping[str, int]) -> None:
        self.model, self.field = model, field
        self.parameters = {name: parameters[name] for name in model.parameters}
        self.group = CurveGroup(model, field, self.parameters)
        self._near: dict[int, dict[str, Laurent]] = {}

    @cached_property
    def affine(self) -> tuple[Affine, ...]:
        """The affine coordinates of every point, None for a coordinate that has a pole there.

        Raises :class:`EfdgenError` where the model's maps do not lead from its Weierstrass form to the curve.
        """
        for point in filter(None, self._plain):
            names = self.parameters | dict(zip(self.model.coordinates, point, strict=True))
            if not all(satisfied(equation, self.field, names) for equation in self.model.equations):
                raise EfdgenError(
                    f"{self.model.id}: the maps to and from the Weierstrass form do not fit the curve"
                )
        return tuple(
            plain or tuple(self.near(number)[c].constant_term for c in self.model.coordinates)
            for number, plain in enumerate(self._plain)
        )

    def near(self, number: int) -> dict[str, Laurent]:
        """Return parameters and affine coordinates as series in a local parameter at a point."""
        if number not in self._near:
            self._near[number] = self._expanded(number)
        return self._near[number]

    def images(self, between: Map, parameters: Mapping[str, int]) -> tuple[TinyCurve, list[int]]:
        """Return the curve that a map leads to, and every point's image; ``parameters`` are all of the map's.

        Raises what :class:`CurveGroup` raises of that curve.
        """
        values = {name: evaluate(value, self.field, parameters) for name, value in between.curve.items()}
        target, series = TinyCurve(between.target, self.field, values), LaurentSeries(self.field)
        constants = {name: series.polynomial(value) for name, value in parameters.items()}
        found = []
        for number, point in enumerate(self._plain):
            try:
                u, v = _mapped(between, self.field, parameters, self._names(point))
                found.append(target.group.number(u, v))
            except ZeroDivisionError:
                limits = _mapped(between, series, constants, self.near(number))
                found.append(target.group.number(*(limit.constant_term for limit in limits)))
        return target, found

    def _names(self, point: tuple[int, ...] | None) -> dict[str, int]:
        """Return affine coordinates by name; raise ZeroDivisionError if there are none."""
        if point is None:
            raise ZeroDivisionError
        return dict(zip(self.model.coordinates, point, strict=True))

    def _expanded(self, number: int) -> dict[str, Laurent]:
        series = LaurentSeries(self.field)
        known = {name: series.polynomial(value) for name, value in self.parameters.items()}
        names = known | dict(zip(self.model.to_weierstrass, self.group.near(number), strict=True))
        return known | {c: evaluate(value, series, names) for c, value in self.model.from_weierstrass.items()}

    @cached_property
    def _plain(self) -> tuple[tuple[int, ...] | None, ...]:
        """Affine coordinates by the model's maps, point by point, None where these divide by zero."""
        points = [point or (0, 0) for point in self.group.points]
        lanes = Lanes(self.field, len(points))
        columns = map(list, zip(*points, strict=True))
        names = lanes.columns(self.parameters) | dict(zip(self.model.to_weierstrass, columns, strict=True))
        found = [evaluate(self.model.from_weierstrass[c], lanes, names) for c in self.model.coordinates]
        undefined = {NEUTRAL, *lanes.undefined}
        return tuple(None if n in undefined else point for n, point in enumerate(zip(*found, strict=True)))


def _mapped(between: Map, field: Field[T], parameters: Mapping[str, T], point: Mapping[str, T]) -> list[T]:
    """Return a point's image by a map, in the coordinates of the target's Weierstrass form."""
    names = {**parameters, **point}
    curve = {name: evaluate(value, field, names) for name, value in between.curve.items()}
    image = {name: evaluate(value, field, names) for name, value in between.image.items()}
    return [evaluate(value, field, curve | image) for value in between.target.to_weierstrass.values()]
