"""Requests whether a sum of multiples is a point: scalars without short vectors, points of small order."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve


def tested_sums(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums of two multiples, and points that are them or differ by one of small order or of any."""
    if "double_multiply_equals_var" not in curve.functions:
        return
    affine, order = curve.affine, curve.order
    point = next(p for y in count(2) for p in affine.points_with(1, y) if not curve.is_in_subgroup(p))
    small = affine.multiple(order, point)
    own = curve.multiple(rng.randrange(order), curve.generator)
    points = [affine.neutral, small, point, own, affine.add(own, small), affine.negate(curve.generator)]
    for b in hard_scalars(order, curve.cofactor, rng):
        a, q = rng.choice([0, 1, order - 1, order, rng.randrange(order)]), rng.choice(points)
        total = affine.add(curve.multiple(a, curve.generator), curve.multiple(b, q))
        for difference in (affine.neutral, small, point):
            other = affine.add(total, difference)
            yield row(curve, "double_multiply_equals_var", a, b, q, other)


def hard_scalars(order: int, cofactor: int, rng: Random) -> list[int]:
    """Return scalars of which short vectors have no inverse, or which have none, and random ones.

    They are next to fractions of the group's order, or multiples of a fraction with an even denominator.
    """
    whole = order * cofactor
    half = 1 << order.bit_length() // 2
    found = {(i * whole // 8 + e) % whole for i in range(8) for e in (-1, 0, 1)}
    for _ in range(4):
        even = 2 * rng.randrange(1, half)
        found.add((rng.randrange(half) * pow(even, -1, order) + order * rng.randrange(cofactor)) % whole)
        found |= {rng.randrange(order), rng.randrange(whole)}
    return sorted(found | {2, *exact_scalars(order, cofactor)})


def exact_scalars(order: int, cofactor: int) -> Iterator[int]:
    """Yield scalars b with -c·b = 2^m and 2^k·b = 8, modulo 8·n, for n = 2^j + c and m + k = j + 3.

    The remainder 8 divides the one before it, 2^m, and the factor of what is left, -c - 2^(m - 3)·2^k, is -n.
    """
    top = order.bit_length() - 1
    rest, whole = order - (1 << top), order * cofactor
    if cofactor == 8 and rest % 2 == 1:
        for m in range(top // 2, top // 2 + 8):
            yield -(1 << m) * pow(rest, -1, whole) % whole
