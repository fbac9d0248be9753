"""Requests for sums of many multiples, and whether many points are in the subgroup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.vectors.whole_encodings import some_points
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_SUMS = "multi_multiply", "multi_multiply_var", "multiply_tables_var"
"""Functions that return the sum of multiples of any number of points."""

_COUNTS = (0, 1, 2, 3, 4, 5, 9, 30)
"""Points of sums on tiny curves."""

_MANY = 400
"""Points of a sum that is made in buckets, whatever the plan."""

_MEMBERS = (0, 1, 3, 63, 64, 65, 300)
"""Points that are tested at once."""


def some_sums(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums of multiples of some points and of many, on a tiny curve."""
    top = 1 << 8 * curve.scalar_bytes
    for count in _COUNTS * 8:
        pairs = [v for _ in range(count) for v in (rng.randrange(top), rng.choice(curve.points))]
        yield from (row(curve, name, *pairs) for name in _SUMS if name in curve.functions)


def sums_at_edges(curve: WholeCurve, rng: Random, least: int = 1) -> Rows:
    """Yield sums of at least ``least`` multiples of m·G: of m that are equal, opposite, 0, 1, 2 and random.

    The scalars are edges and random too, and some sums are 0.
    """
    n, many = curve.order, rng.randrange(curve.order)
    scalars, factors = [0, 1, 2, n - 1, n, rng.randrange(n)], [1, n - 1, 0, 2, many, n - many]
    points = {m: curve.multiple(m, curve.generator) for m in factors}
    k = scalars[-1]
    for terms in (
        [(k, many)],
        [(k, many), (k, many)],
        [(k, many), (k, n - many)],
        [(1, 1), (n - 1, 1)],
        [(0, 1), (0, many)],
        [(k, 0), (1, 0)],
        [(k, 0), (0, many), (k, 1), (1, n - 1)],
        [(k, m) for k in scalars for m in factors],
    ):
        repeated = terms * -(-least // len(terms))
        given = [k for k, _ in repeated], [m for _, m in repeated], [points[m] for _, m in repeated]
        yield from (_sum(curve, *given, name=name) for name in _SUMS if name in curve.functions)


def sums_of_many(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums of enough multiples for buckets: random, with the identity among them, equal, opposite."""
    affine, first = curve.affine, rng.randrange(curve.order)
    points = [curve.multiple(first, curve.generator)]
    while len(points) < _MANY:
        points.append(affine.add(points[-1], curve.generator))
    scalars = [rng.randrange(1 << 8 * curve.scalar_bytes) for _ in points]
    k = rng.randrange(1, curve.order)
    factors = [first + number for number in range(_MANY)]
    yield _sum(curve, scalars, factors, points)
    points[1::2], factors[1::2] = [affine.neutral] * (_MANY // 2), [0] * (_MANY // 2)
    # Scalars that differ show that the scalar of the identity takes the place of no other.
    yield _sum(curve, scalars, factors, points)
    yield _sum(curve, [k] * _MANY, factors, points)
    points[1::2], factors[1::2] = [*map(affine.negate, points[::2])], [-m for m in factors[::2]]
    yield _sum(curve, [scalars[number // 2] for number in range(_MANY)], factors, points)


def _sum(
    curve: WholeCurve,
    scalars: Sequence[int],
    factors: Sequence[int],
    points: Sequence[Point],
    name: str = "multi_multiply_var",
) -> tuple[str, ...]:
    """Return the request for a sum of multiples of points, which are the generator's by factors."""
    total = sum(k * m for k, m in zip(scalars, factors, strict=True))
    pairs = (t for k, p in zip(scalars, points, strict=True) for t in (curve.scalar(k), curve.point(p)))
    return name, *pairs, curve.point(curve.multiple(total, curve.generator))


def subgroups_of_many(curve: WholeCurve, rng: Random) -> Rows:
    """Yield batches of multiples of the generator, and these with one or two points of another order.

    The first argument is a mask of the random bytes: with 0f the sums for the upper bits test nothing.
    """
    outside = [p for p in some_points(curve, rng) if not curve.is_in_subgroup(p)]
    inside = [curve.generator]
    for n in _MEMBERS:
        while len(inside) < n:
            inside.append(curve.affine.add(inside[-1], curve.generator))
        texts = [*map(curve.point, inside[:n])]
        yield "are_in_subgroup_var", "ff", *texts, "1"
        for p in outside if n else ():
            # Two of them may have a sum that is in the subgroup.
            at, other = rng.randrange(n), rng.randrange(n)
            pair = {at: curve.point(p), other: curve.point(curve.affine.negate(p))}
            for mask, wrong in (("ff", pair), ("0f", {at: curve.point(p)})):
                batch = (wrong.get(i, text) for i, text in enumerate(texts))
                yield "are_in_subgroup_var", mask, *batch, "0"


def sums(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums of many multiples of points of a curve of any size."""
    if curve.is_tiny:
        yield from some_sums(curve, rng)
    else:
        yield from sums_at_edges(curve, rng)
        yield from sums_of_many(curve, rng)
