"""All representatives of the points of a tiny curve in a coordinate system, and the reverse map."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.laurent import LaurentSeries
from efdgen.verify.exceptions.representation import limits, representation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import System
    from efdgen.verify.exceptions.representation import Vanishing
    from efdgen.verify.exceptions.tiny_curve import TinyCurve

Coordinates = tuple[int, ...]


class Representatives:
    """The representatives of every point, as tuples in the order of the system's variables.

    ``parameters`` are those of the system. A point where affine coordinates have poles, or the system's
    variables, is represented by limits of what represents the points nearby. Limits that several points
    share, as they do (1:0:0) on a projective Edwards curve, represent none of them.
    """

    def __init__(self, system: System, curve: TinyCurve, parameters: Mapping[str, int]) -> None:
        self.system, self.curve = system, curve
        self._parameters = curve.parameters | {name: parameters[name] for name in system.parameters}
        self._representation = representation(system)

    @cached_property
    def of_point(self) -> tuple[tuple[Coordinates, ...], ...]:
        """For every point all of its representatives, none where it has none of its own."""
        return tuple(() if number in self._confused else orbit for number, orbit in enumerate(self._orbits))

    @cached_property
    def points(self) -> Mapping[Coordinates, frozenset[int]]:
        """The points that a tuple represents: several where the system does not tell them apart."""
        return _owners(self.of_point)

    @cached_property
    def ambiguous(self) -> frozenset[Vanishing]:
        """The variables that vanish in limits which represent no point, because they belong to too many."""
        return frozenset(self._vanishing(c) for number in self._confused for c in self._orbits[number])

    @cached_property
    def _orbits(self) -> tuple[tuple[Coordinates, ...], ...]:
        """The scaled tuples of the section or of limits, point by point."""
        return tuple(
            tuple(dict.fromkeys(scaled for limit in self._limits(number) for scaled in self._scaled(limit)))
            for number in range(len(self.curve.group))
        )

    @cached_property
    def _confused(self) -> frozenset[int]:
        """The points that share a limit with others that the system tells apart in general.

        What it does not tell apart are P and ±P + T, for the signs and T for which that is so at every point.
        """
        group, everything = self.curve.group, range(len(self.curve.group))
        owners = _owners(self._orbits)
        alike = [frozenset().union(*(owners[c] for c in orbit)) for orbit in self._orbits]
        maps = [
            [group.sums[p][shift] for p in points]
            for points in (everything, group.negatives)
            for shift in everything
        ]
        symmetries = [
            m for m in maps if all(m[point] in others for point, others in enumerate(alike) if others)
        ]
        return frozenset(p for p in everything if not alike[p] <= {m[p] for m in symmetries})

    def degenerate(self, coordinates: Coordinates) -> bool:
        """Return whether a tuple represents nothing because a scaling changes nothing in it."""
        zero = self._vanishing(coordinates)
        return any(variables <= zero for variables in self._representation.degenerate)

    def _vanishing(self, coordinates: Coordinates) -> Vanishing:
        return frozenset(v for v, x in zip(self.system.variables, coordinates, strict=True) if x == 0)

    def _limits(self, number: int) -> Iterator[Coordinates]:
        """Yield representatives of a point, one for each orbit, from the section or from points nearby."""
        model, section = self.curve.model, self._representation.section
        point = self.curve.affine[number]
        names = self._parameters | {
            c: x for c, x in zip(model.coordinates, point, strict=True) if x is not None
        }
        try:
            for variable, value in section:
                names[variable] = evaluate(value, self.curve.field, names)
        except (KeyError, ZeroDivisionError):
            series = LaurentSeries(self.curve.field)
            near = {name: series.polynomial(value) for name, value in self._parameters.items()}
            near |= self.curve.near(number)
            for variable, value in section:
                near[variable] = evaluate(value, series, near)
            yield from limits([near[v] for v in self.system.variables], self._representation.scalings)
        else:
            yield tuple(names[variable] for variable in self.system.variables)

    def _scaled(self, coordinates: Coordinates) -> Iterator[Coordinates]:
        field, scalings = self.curve.field, self._representation.scalings
        for scales in product(range(1, field.order), repeat=len(scalings)):
            scaled = coordinates
            for scale, weights in zip(scales, scalings, strict=True):
                scaled = tuple(
                    field.mul(field.power(scale, w), x) for w, x in zip(weights, scaled, strict=True)
                )
            yield scaled


def _owners(orbits: Sequence[tuple[Coordinates, ...]]) -> dict[Coordinates, frozenset[int]]:
    owners: dict[Coordinates, set[int]] = {}
    for number, orbit in enumerate(orbits):
        for coordinates in orbit:
            owners.setdefault(coordinates, set()).add(number)
    return {coordinates: frozenset(numbers) for coordinates, numbers in owners.items()}
