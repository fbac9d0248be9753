"""Requests to a large curve that random inputs hardly hit: draws, bucket sums, rare additions.

Each is there for code that other questions do not enter, or that they enter with values that hide a fault.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.scalars.comb import Comb
from efdgen.generator.scalars.endomorphism import find_endomorphism
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_edges import on_axes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows

_MANY = 400
"""Points of a sum that is made in buckets, whatever the plan."""

_LONG = 4
"""Scalars with long halves, for each pair of signs."""

_FINE = 40
"""Bits of a random part of 1/64."""

_NO_CHANCE = 64
"""Bits of a prime p from which on coordinates that are drawn at random are of no point."""

_MEMBERS = range(1, 7)
"""Possible numbers of coordinates of points, in any system, and one more."""

_TEETH, _BLOCKS, _WIDTHS = range(2, 9), range(1, 21), range(2, 9)


def draws(curve: WholeCurve, rng: Random) -> Rows:
    """Yield random scalars and points with the bytes that they are drawn from, and others before these."""
    order = curve.order
    size, surplus = -(-order.bit_length() // 8), -order.bit_length() % 8

    def drawn(*numbers: int) -> str:
        rubbish = ((number << surplus) + rng.randrange(1 << surplus) for number in numbers)
        return b"".join(number.to_bytes(size, "big") for number in rubbish).hex()

    top = (1 << order.bit_length()) - 1
    accepted = [1, 2, 255, 256, order - 1, 1 << order.bit_length() - 1, rng.randrange(1, order)]
    for number, k in enumerate(k for k in accepted if k < order):
        before = [(0,), (order,), (order + 1, top), (), (top, 0)][number % 5]
        yield "random_scalar", drawn(*before, k, rng.randrange(order)), curve.scalar(k)
    if curve.model != "montgom":
        k = rng.randrange(1, order)
        yield "random_point", drawn(0, order, k), curve.point(curve.multiple(k, curve.generator))
        yield from _drawn_points(curve, rng)


def _drawn_points(curve: WholeCurve, rng: Random) -> Rows:
    """Yield points by a coordinate and the bit after it; bits above those of p are not to count."""
    prime, size = curve.curve.prime, curve.field_bytes
    high = range(prime, min(prime + 2, 1 << prime.bit_length()))
    for odd in (0, 1):
        point = curve.affine.random_point(rng)
        given, other = _given_first(curve, point)
        if other % 2 != odd:
            point = curve.affine.negate(point)
        drawn = b""
        above = (1 << 8 * size) - (1 << prime.bit_length())
        for value in (*high, curve.coordinate_of_none, given):
            drawn += (value | above).to_bytes(size, "big") + bytes([1 if odd else 0xFE])
        yield "random_point_by_lift", drawn.hex(), curve.point(point)


def _given_first(curve: WholeCurve, point: Point) -> tuple[int, int]:
    """Return the coordinate by which points are lifted, and the other one."""
    x, y = point
    return (y, x) if curve.is_edwards else (x, y)


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
    curve: WholeCurve, scalars: Sequence[int], factors: Sequence[int], points: Sequence[Point]
) -> tuple[str, ...]:
    total = sum(k * m for k, m in zip(scalars, factors, strict=True))
    pairs = (t for k, p in zip(scalars, points, strict=True) for t in (curve.scalar(k), curve.point(p)))
    return "multi_multiply_var", *pairs, curve.point(curve.multiple(total, curve.generator))


def exceptional_scalars(order: int) -> list[int]:
    """Return scalars for which the last addition of a comb or of windows, of any shape, adds equal points.

    With all but the last digit e the accumulator of n itself is n - e, the same point as -e; so with the last
    digit turned round, for the scalar n - 2e, it is what the last entry is.
    """
    digits = []
    for teeth, blocks in product(_TEETH, _BLOCKS):
        comb = Comb(blocks, teeth, -(-order.bit_length() // (teeth * blocks)))
        block, entry, sign = comb.steps(order)[-1][-1]
        digits.append(sign * comb.multiples(block)[entry])
    for width in _WIDTHS:
        digits += [order % (1 << width), order % (2 << width) - (1 << width)]
    return sorted({order - 2 * e for e in digits if 0 < 2 * e < order})


def rare_additions(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiplications whose last addition needs a formula that is right for every input."""
    if curve.order % 2 == 0:
        return
    point = curve.affine.random_point(rng) if curve.cofactor == 1 else curve.generator
    for k in exceptional_scalars(curve.order):
        scalar = curve.scalar(k)
        yield "multiply_generator", scalar, curve.point(curve.multiple(k, curve.generator))
    for width in _WIDTHS:
        for e in (curve.order % (1 << width), curve.order % (1 << width) - (1 << width)):
            k = (curve.order - 2 * e) % curve.order
            yield "multiply", curve.scalar(k), curve.point(point), curve.point(curve.multiple(k, point))


def no_points(curve: WholeCurve, rng: Random) -> Rows:
    """Yield p in the place of a coordinate 0, and coordinates of no point, below p in any order of bytes."""
    prime = curve.curve.prime
    for x, y in on_axes(curve):
        yield "from_affine", curve.point((x or prime, y or prime)), REFUSED
    if curve.model != "montgom" and prime.bit_length() > _NO_CHANCE:
        for members in _MEMBERS:
            below = [b"\0" + rng.randbytes(curve.field_bytes - 2) + b"\0" for _ in range(members)]
            yield "decode_wire", b"".join(below).hex(), REFUSED


def long_halves(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiplications by scalars whose halves by an endomorphism are nearly as long as halves get.

    Such halves are half of each vector of the basis, added or subtracted, except for 1/64 at most: a quotient
    that is wrong by 1 makes one of them too long for its digits.
    """
    if curve.model != "shortw" or curve.curve.parameters["a"] or curve.cofactor != 1:
        return
    found = find_endomorphism(curve.curve.prime, curve.order, curve.generator, curve.affine.multiple)
    if found is None:
        return
    (a1, b1), (a2, b2) = found.split.basis
    point = curve.affine.random_point(rng)
    for one, other in product((-1, 1), repeat=2):
        for _ in range(_LONG):
            c1, c2 = (sign * rng.randrange(31 << _FINE, 32 << _FINE) for sign in (one, other))
            k1, k2 = ((c1 * u + c2 * v) >> _FINE + 6 for u, v in ((a1, a2), (b1, b2)))
            k = (k1 + k2 * found.eigenvalue) % curve.order
            multiple = curve.multiple(k, point)
            for function in ("multiply", "multiply_var", "multi_multiply_var"):
                yield function, curve.scalar(k), curve.point(point), curve.point(multiple)


RARE = (sums_of_many, draws, rare_additions, long_halves, no_points)
RARE_LADDER = (draws, no_points)
