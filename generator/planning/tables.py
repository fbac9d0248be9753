"""The precomputed multiples of a generator, by the affine law: coordinates of entries in [0, p)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.represent import means
from efdgen.generator.planning.representation import converted, normalized
from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.fields.field import Representation
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Coordinates


def fixed_tables(plan: CurvePlan) -> dict[str, list[Coordinates]]:
    """Return all tables of a plan by name: ``comb``, ``second`` for a second fixed point, ``odd``, ``half``.

    The last are odd multiples of G and of 2^split·G for a test at half length.
    """
    second = {} if plan.second is None else {"second": second_table(plan)}
    odd = odd_table(plan, plan.double.fixed_width)
    return {"comb": comb_table(plan), **second, "odd": odd, **_half_tables(plan)}


def _half_tables(plan: CurvePlan) -> dict[str, list[Coordinates]]:
    half = plan.half
    if half is None:
        return {}
    return {"half": [row for at in (0, half.split) for row in odd_table(plan, half.fixed_width, at)]}


def words_of(rows: Iterable[Coordinates], build: Representation) -> tuple[int, ...]:
    """Return the words of all elements of a table, in order."""
    return tuple(word for row in rows for value in row for word in build.element(value))


def comb_table(plan: CurvePlan, base: Point | None = None) -> list[Coordinates]:
    """Return the entries of a plan's comb, block by block, in the order of :meth:`Comb.multiples`.

    ``base`` is the affine point that they are multiples of; without it, the generator.
    """
    affine, comb = _affine(plan), plan.generator.comb
    powers = [base or _generator(plan)]
    while len(powers) < comb.blocks * comb.teeth:
        power = powers[-1]
        for _ in range(comb.spacing):
            power = affine.double(power)
        powers.append(power)
    found = []
    for block in range(comb.blocks):
        *low, top = powers[block * comb.teeth : (block + 1) * comb.teeth]
        sums = [top]
        for power in low:
            negative = affine.negate(power)
            sums = [affine.add(p, negative) for p in sums] + [affine.add(p, power) for p in sums]
        found += sums
    return _entries(plan, found)


def second_table(plan: CurvePlan) -> list[Coordinates]:
    """Return the entries of the comb for a plan's second fixed point."""
    assert plan.second is not None
    kernel = plan.kernel(plan.roles.to_affine)
    return comb_table(plan, converted(kernel.formula, plan.curve, plan.second))


def odd_table(plan: CurvePlan, width: int, shift: int = 0) -> list[Coordinates]:
    """Return entries for the odd multiples of 2^shift·G that non-adjacent forms of a width ask for."""
    affine = _affine(plan)
    base = affine.multiple(1 << shift, _generator(plan))
    twice, found = affine.double(base), [base]
    while len(found) < wnaf_entries(width):
        found.append(affine.add(found[-1], twice))
    return _entries(plan, found)


def _entries(plan: CurvePlan, points: Sequence[Point]) -> list[Coordinates]:
    """Return points as entries of tables for the generator; each is tested to represent its point.

    Points with x·y = 0 have coordinates of their own where x and y share a numerator.
    """
    entry, roles = plan.roles.fixed_entry, plan.roles
    kernel = plan.kernel(entry.from_affine or roles.from_affine)
    (output,) = kernel.outputs
    made, system = output.type.members, kernel.formula.system_of(output.number)
    members = next(t.members for t in plan.kernels.types if t.name == entry.type)
    found = []
    for point in points:
        values = (
            plan.representation.identity
            if point == INFINITY
            else converted(kernel.formula, plan.curve, point)
        )
        named = dict(zip(made, values, strict=True))
        if entry.normalized:
            named = normalized(plan.representation, plan.curve.field, named)
        special = not point or (shared_numerator(plan) and not all(point))
        assert special or means(system, plan.curve.field, kernel.parameters, named, point)
        found.append(tuple(named[member] for member in members))
    return found


def _affine(plan: CurvePlan) -> AffineCurve:
    system = plan.kernels.kernels[0].formula.system
    return AffineCurve(system.model, plan.curve.field, plan.curve.parameters)


def _generator(plan: CurvePlan) -> Point:
    assert plan.curve.generator is not None
    system = plan.kernels.kernels[0].formula.system
    return tuple(plan.curve.generator[coordinate] for coordinate in system.model.coordinates)
