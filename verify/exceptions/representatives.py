"""All representatives of the points of a tiny curve in a coordinate system, and the reverse map.

Coordinates represent a point if scalings lead to them from a limit of representatives near the point, over
any extension of the field: where the same variables are zero, and monomials in the others that no scaling
changes have the same values.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import chain, product
from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.laurent import LaurentSeries
from efdgen.verify.exceptions.representation import limits, representation
from efdgen.verify.exceptions.weights import whole_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.formulas.formula import System
    from efdgen.verify.exceptions.representation import Vanishing
    from efdgen.verify.exceptions.tiny_curve import TinyCurve

Coordinates = tuple[int, ...]
Invariants = tuple[frozenset[str], tuple[int, ...]]


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
        return tuple(tuple(chain(*orbits)) for orbits in self.orbits)

    @cached_property
    def orbits(self) -> tuple[tuple[tuple[Coordinates, ...], ...], ...]:
        """For every point its representatives, those together that scalings lead to from the first of them.

        There are several such orbits where the point does not determine its coordinates.
        """
        return tuple(
            ()
            if number in self._confused
            else tuple(tuple(dict.fromkeys(self._scaled(limit))) for limit in unscaled)
            for number, unscaled in enumerate(self._limits)
        )

    def points(self, coordinates: Coordinates) -> frozenset[int]:
        """Return the points that a tuple represents: several where the system does not tell them apart."""
        return self._owners.get(self._invariants(coordinates), frozenset()) - self._confused

    @cached_property
    def ambiguous(self) -> frozenset[Vanishing]:
        """The variables that vanish in limits which represent no point, because they belong to too many."""
        return frozenset(self._vanishing(c) for number in self._confused for c in self._limits[number])

    @cached_property
    def _limits(self) -> tuple[tuple[Coordinates, ...], ...]:
        """The section or the limits of representatives, point by point."""
        return tuple(tuple(self._limits_at(number)) for number in range(len(self.curve.group)))

    @cached_property
    def _owners(self) -> dict[Invariants, frozenset[int]]:
        """The points that share a limit, by its invariants."""
        owners: dict[Invariants, set[int]] = {}
        for number, unscaled in enumerate(self._limits):
            for coordinates in unscaled:
                owners.setdefault(self._invariants(coordinates), set()).add(number)
        return {invariants: frozenset(numbers) for invariants, numbers in owners.items()}

    @cached_property
    def _confused(self) -> frozenset[int]:
        """The points that share a limit with others that the system tells apart in general.

        The system does not tell P from ±P + T, for the signs and T for which this is so at every point.
        """
        group, everything = self.curve.group, range(len(self.curve.group))
        alike = [
            frozenset().union(*(self._owners[self._invariants(c)] for c in unscaled))
            for unscaled in self._limits
        ]
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

    def _invariants(self, coordinates: Coordinates) -> Invariants:
        """Return what coordinates have in common with all to which scalings lead from them."""
        field, vanishing = self.curve.field, self._vanishing(coordinates)
        values = []
        for exponents in _monomials(self.system.variables, self._representation.scalings, vanishing):
            value = 1
            for x, exponent in zip(coordinates, exponents, strict=True):
                value = field.mul(value, field.power(x, exponent))
            values.append(value)
        return vanishing, tuple(values)

    def _limits_at(self, number: int) -> Iterator[Coordinates]:
        """Yield representatives of a point, one for each orbit, from the section or from points nearby."""
        try:
            names = self._section(number)
        except (KeyError, ZeroDivisionError):
            yield from self._near(number)
        else:
            found = tuple(names[variable] for variable in self.system.variables)
            yield found
            if 0 in found and not self._representation.is_closed:
                own = self._vanishing(found)
                yield from (c for c in self._near(number) if self._vanishing(c) != own)

    def _section(self, number: int) -> dict[str, int]:
        """Return names with the variables in the section; raise ZeroDivisionError or KeyError at a pole."""
        point = self.curve.affine[number]
        names = self._parameters | {
            c: x for c, x in zip(self.curve.model.coordinates, point, strict=True) if x is not None
        }
        for variable, value in self._representation.section:
            names[variable] = evaluate(value, self.curve.field, names)
        return names

    def _near(self, number: int) -> Iterator[Coordinates]:
        """Yield the limits of representatives of the points near one."""
        series = LaurentSeries(self.curve.field)
        near = {name: series.polynomial(value) for name, value in self._parameters.items()}
        near |= self.curve.near(number)
        for variable, value in self._representation.section:
            near[variable] = evaluate(value, series, near)
        found = limits(self._representation, {v: near[v] for v in self.system.variables})
        yield from (tuple(limit.values()) for limit in found)

    def _scaled(self, coordinates: Coordinates) -> Iterator[Coordinates]:
        field, scalings = self.curve.field, self._representation.scalings
        for scales in product(range(1, field.order), repeat=len(scalings)):
            scaled = coordinates
            for scale, weights in zip(scales, scalings, strict=True):
                scaled = tuple(
                    field.mul(field.power(scale, w), x) for w, x in zip(weights, scaled, strict=True)
                )
            yield scaled


@cache
def _monomials(
    variables: tuple[str, ...], scalings: tuple[tuple[int, ...], ...], vanishing: Vanishing
) -> tuple[tuple[int, ...], ...]:
    """Return exponents of the monomials, without certain variables, that no scaling changes."""
    others = [place for place, variable in enumerate(variables) if variable not in vanishing]
    rows = [[weights[place] for place in others] for weights in scalings]
    found = []
    for exponents in whole_kernel(rows, len(others)):
        known = dict(zip(others, exponents, strict=True))
        found.append(tuple(known.get(place, 0) for place in range(len(variables))))
    return tuple(found)
