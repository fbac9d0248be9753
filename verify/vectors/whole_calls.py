"""Calls of the functions of a whole curve by the kinds of arguments: with all values, or with edges."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.curves.affine import INFINITY
from efdgen.verify.vectors.whole_edges import on_axes
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from random import Random

    from efdgen.verify.vectors.whole_curve import WholeCurve

    Rows: TypeAlias = Iterator[tuple[str, ...]]
    Domains: TypeAlias = Mapping[str, Sequence[Any]]

_MOST_CALLS = 40_000
_MOST_AT_EDGES = 150
"""Calls of a function with all combinations of values; of more, some are drawn for each first value."""

_DRAWN = 5


def every_call(curve: WholeCurve, rng: Random) -> Rows:
    """Yield calls of a tiny curve's functions with all values, but of many points and of encodings."""
    yield from _calls(curve, rng, _all_values(curve), _MOST_CALLS)


def calls_at_edges(curve: WholeCurve, rng: Random) -> Rows:
    """Yield calls of a large curve's functions with values at edges and random ones."""
    yield from _calls(curve, rng, _edges(curve, rng), _MOST_AT_EDGES)


def calls_of(*names: str) -> Callable[[WholeCurve, Random], Rows]:
    """Return the calls of a tiny curve's functions of some names, by all values."""

    def rows(curve: WholeCurve, rng: Random) -> Rows:
        yield from _calls(curve, rng, _all_values(curve), _MOST_CALLS, names)

    return rows


def _calls(curve: WholeCurve, rng: Random, domains: Domains, most: int, names: Collection[str] = ()) -> Rows:
    for function in curve.functions.values():
        if (names and function.name not in names) or not {*function.kinds} <= domains.keys():
            continue
        values = [domains[kind] for kind in function.kinds]
        if prod(map(len, values)) <= most:
            chosen: Iterator[tuple[Any, ...]] = product(*values)
        else:
            chosen = ((first, *map(rng.choice, values[1:])) for first in values[0] for _ in range(_DRAWN))
        yield from (row(curve, function.name, *given) for given in chosen)


def _all_values(curve: WholeCurve) -> Domains:
    elements = curve.field.order
    return {
        "point": [p for p in curve.points if not (curve.is_ladder and p == INFINITY)],
        "affine": [*product(range(elements + 1), repeat=2)],
        "scalar": range(1 << 8 * curve.scalar_bytes),
        "element": range(elements),
        "bit": (0, 1),
        **dict.fromkeys(("comb", "table"), curve.points),
    }


def _edges(curve: WholeCurve, rng: Random) -> Domains:
    affine, elements, order = curve.affine, curve.field.order, curve.order
    other = affine.random_point(rng)
    points = [curve.generator, affine.negate(curve.generator), other, *on_axes(curve)]
    count, top = order * curve.cofactor, (1 << 8 * curve.scalar_bytes) - 1
    around = (number + e for number in (order, count) for e in (-1, 0, 1))
    scalars = (0, 1, 2, 3, *around, top, rng.randrange(order))
    x, y = other
    wrong = [(x, (y + 1) % elements), (x + elements, y), (x, y + elements), (x, elements)]
    neutral = [] if curve.is_ladder else [affine.neutral]
    return {
        "point": [*neutral, *(p for p in points if p != affine.neutral)],
        "affine": [p for p in (*points, *wrong) if max(p) < 256**curve.field_bytes],
        "scalar": sorted({k for k in scalars if k <= top}),
        "element": [curve.coordinate_of_none, *dict.fromkeys(p[curve.is_edwards] for p in points)],
        "bit": (0, 1),
        "comb": [affine.neutral, *points],
        "table": [affine.neutral, *points],
    }
