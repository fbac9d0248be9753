"""Requests at the edges of digits: k and n - k for small k, and n ± 40; points on the axes."""

from __future__ import annotations

from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import square_root

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

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
    of_scalars, of_points = curve.functions_of("scalar"), curve.functions_of("scalar", "point")
    for k in sorted({*scalars, *near}):
        scalar, answer = curve.scalar(k), curve.point(of_generator.near_order(k))
        yield from ((name, scalar, answer) for name in of_scalars)
        answer = curve.point(of_point.near_order(k))
        yield from ((name, scalar, curve.point(point), answer) for name in of_points)


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
    if curve.model == "montgom":
        yield 0, 0
    elif curve.model == "shortw":
        yield from islice(curve.affine.points_with(0, 0), 1)
        yield from curve.affine.points_with(1, 0)
    else:
        prime, parameters = curve.curve.prime, curve.curve.parameters
        _, y = curve.affine.neutral
        yield from ((0, y), (0, -y % prime))
        squared = y * y * pow(parameters.get("a", 1), -1, prime) % prime
        if (x := square_root(squared, prime)) is not None:
            yield x, 0
