"""Requests at the edges of digits and coordinates: k and n - k for small k, n ± 40, points on the axes."""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.polynomial import PolynomialRing
from efdgen.generator.mathematics.primes import square_root
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows

_DIGIT = 5
"""Bits of the digits of most windows: every scalar below is tried."""

_DIGITS = range(_DIGIT + 1, 11)
"""Bits of longer digits, of tables of the generator; edges of each are tried."""

_NEAR = 40
"""The distance from n up to which scalars are tried."""


def edges_of_digits(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiples by k and n - k for every k of a digit, and by n ± 40: of G, and of a random point."""
    small = {
        *range(1 << _DIGIT),
        *(k for bits in _DIGITS for k in ((1 << bits) - 1, 1 << bits, (1 << bits) + 1)),
    }
    scalars = {k % curve.order for k in small} | {-k % curve.order for k in small}
    top = (1 << 8 * curve.scalar_bytes) - 1
    near = range(max(0, curve.order - _NEAR), min(top, curve.order + _NEAR) + 1)
    point = curve.multiple(rng.randrange(1, curve.order), curve.generator)
    of_generator, of_point = (_Multiples(curve, base, max(small)) for base in (curve.generator, point))
    for k in sorted({*scalars, *near}):
        scalar, answer = curve.scalar(k), curve.point(of_generator.near_order(k))
        for name in ("multiply_generator", *(["multiply_generator_var"] * (curve.model != "montgom"))):
            yield name, scalar, answer
        answer = curve.point(of_point.near_order(k))
        for name in _multiplications(curve):
            yield name, scalar, curve.point(point), answer


def _multiplications(curve: WholeCurve) -> tuple[str, ...]:
    if curve.model == "montgom":
        return "multiply", "ladder_multiply"
    return "multiply", "multiply_var", *(["coz_multiply"] * curve.coz)


class _Multiples:
    """The multiples of a point of the generator's order by small numbers, and by those near the order."""

    def __init__(self, curve: WholeCurve, point: Point, most: int) -> None:
        self._curve = curve
        self._found = [*accumulate(repeat(point, most), curve.affine.add, initial=curve.affine.neutral)]

    def near_order(self, k: int) -> Point:
        """Return k·P for a k whose distance from 0 or from the order is small."""
        distance = k % self._curve.order
        if distance < len(self._found):
            return self._found[distance]
        return self._curve.affine.negate(self._found[self._curve.order - distance])


def on_axes(curve: WholeCurve) -> Iterator[Point]:
    """Yield points with x = 0 or y = 0, one of each pair of opposite ones."""
    prime, parameters = curve.curve.prime, curve.curve.parameters
    if curve.model == "montgom":
        yield 0, 0
    elif curve.model == "shortw":
        a, b = parameters["a"], parameters["b"]
        if (y := square_root(b, prime)) is not None:
            yield 0, y
        yield from ((x, 0) for x in PolynomialRing(prime).roots((b % prime, a % prime, 0, 1)))
    else:
        _, y = curve.affine.neutral
        yield from ((0, y), (0, -y % prime))
        squared = y * y * pow(parameters.get("a", 1), -1, prime) % prime
        if (x := square_root(squared, prime)) is not None:
            yield x, 0


def axes(curve: WholeCurve, _: Random) -> Rows:
    """Yield points with x = 0 or y = 0 by the other coordinate and each sign, of which 0 has only one."""
    prime = curve.curve.prime
    lift = "lift_x" if curve.model == "montgom" else "lift"
    for x, y in on_axes(curve):
        given, other = (y, x) if curve.is_edwards else (x, y)
        for odd in (0, 1):
            found = other if other % 2 == odd else -other % prime
            there = found % 2 == odd and (other != 0 or odd == 0)
            point = (found, y) if curve.is_edwards else (x, found)
            answer = curve.point(point) if there else REFUSED
            yield lift, curve.element(given), str(odd), answer
            if curve.model != "montgom":
                tagged = curve.encoded_by(given, odd)
                yield "decode", tagged.hex(), answer
                if there:
                    yield "encode", answer, tagged.hex()


def sums_on_axes(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums and multiples of points with x = 0 or y = 0: with each other, equal, opposite and random."""
    affine, found = curve.affine, [*on_axes(curve)]
    yield from (("from_affine", curve.point(p), curve.point(p)) for p in found)
    if curve.model == "montgom":
        return
    others = [*found, *map(affine.negate, found), affine.neutral, affine.random_point(rng)]
    for p in found:
        text, inside = curve.point(p), curve.is_in_subgroup(p)
        yield "double", text, curve.point(affine.double(p))
        yield "negate", text, curve.point(affine.negate(p))
        yield "is_identity", text, str(int(p == affine.neutral))
        yield "is_in_subgroup", text, str(int(inside))
        yield "validate", text, text if inside and p != affine.neutral else REFUSED
        for q in others:
            other, total, rest = curve.point(q), affine.add(p, q), affine.add(p, affine.negate(q))
            for suffix in ("", "_var"):
                yield f"add{suffix}", text, other, curve.point(total)
                yield f"subtract{suffix}", text, other, curve.point(rest)
            yield "equal", text, other, str(int(p == q))
        for k in (0, 1, 2, 3, curve.order - 1, curve.order, rng.randrange(curve.order)):
            for name in _multiplications(curve):
                yield name, curve.scalar(k), text, curve.point(curve.multiple(k, p))


EDGES = (edges_of_digits, axes, sums_on_axes)
