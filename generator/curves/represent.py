"""Coordinates of an affine point in a coordinate system, and whether coordinates represent a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY
from efdgen.generator.programs.solve import holds, solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import System
    from efdgen.generator.mathematics.ground import Ground

_TRIES = 64


class NotRepresentable(ValueError):  # noqa: N818 - says what the point is
    """A point has no coordinates in a system, such as x = 0 in inverted coordinates."""


def represent(
    system: System,
    field: Ground,
    parameters: Mapping[str, int],
    point: Point,
    rng: Random,
    fixed: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return a random representative of an affine point, by variable, in the order of the system.

    ``parameters`` are those of the model and of the system; ``fixed`` gives variables that are to have
    a certain value: ``{"Z": 1}``. A variable that nothing determines gets a random value other than 0.
    Raises :class:`NotRepresentable` if there is none, and for the point at infinity.
    """
    if point == INFINITY:
        raise NotRepresentable(f"the point at infinity has no affine coordinates for {system.id}")
    known = _names(system, parameters, point) | dict(fixed or {})

    def choices(_: str) -> Iterator[int]:
        order = field.order
        if order <= _TRIES:
            yield from rng.sample(range(1, order), order - 1)
        else:
            yield from (rng.randrange(1, order) for _ in range(_TRIES))

    for names in solutions(system.meanings, known, system.variables, field, choices):
        return {variable: names[variable] for variable in system.variables}
    raise NotRepresentable(f"{point} has no representative in {system.id} with {dict(fixed or {})}")


def means(
    system: System, field: Ground, parameters: Mapping[str, int], coordinates: Mapping[str, int], point: Point
) -> bool:
    """Return whether coordinates represent an affine point: every definition is defined and holds."""
    if point == INFINITY:
        return False
    names = _names(system, parameters, point) | dict(coordinates)
    return all(holds(equation, names, field) for equation in system.meanings)


def _names(system: System, parameters: Mapping[str, int], point: Point) -> dict[str, int]:
    needed = (*system.model.parameters, *system.parameters)
    affine = dict(zip(system.model.coordinates, point, strict=True))
    return {name: parameters[name] for name in needed} | affine
