"""Requests for random scalars and points, with the bytes that they are drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.vectors.whole_calls import TINY
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve


def draws(curve: WholeCurve, rng: Random) -> Rows:
    """Yield random scalars and points with the bytes that they are drawn from, and others before these."""
    tiny = curve.curve.prime < TINY
    for drawn in _all_first_bytes(curve) if tiny else _numbers(curve, rng):
        yield row(curve, "random_scalar", drawn)
        if not curve.is_ladder:
            yield row(curve, "random_point", drawn)
    if not curve.is_ladder:
        for drawn in _all_coordinates(curve) if tiny else _coordinates(curve, rng):
            yield row(curve, "random_point_by_lift", drawn)


def _all_first_bytes(curve: WholeCurve) -> Iterator[bytes]:
    other = min(5, curve.order - 1) << -curve.order.bit_length() % 8
    yield from (bytes((first, other)) for first in range(256))


def _numbers(curve: WholeCurve, rng: Random) -> Iterator[bytes]:
    """Yield numbers in [1, n) after others that are not, with random bits below them."""
    order = curve.order
    size, surplus = -(-order.bit_length() // 8), -order.bit_length() % 8
    top = (1 << order.bit_length()) - 1
    accepted = [1, 2, 255, 256, order - 1, 1 << order.bit_length() - 1, rng.randrange(1, order)]
    for at, k in enumerate(k for k in accepted if k < order):
        before = [(0,), (order,), (order + 1, top), (), (top, 0)][at % 5]
        numbers = ((v << surplus) + rng.randrange(1 << surplus) for v in (*before, k, rng.randrange(order)))
        yield b"".join(number.to_bytes(size, "big") for number in numbers)


def _all_coordinates(curve: WholeCurve) -> Iterator[bytes]:
    for value in range(curve.curve.prime):
        for odd in (0, 1):
            if curve.lifted(value, odd) is not None:
                yield bytes((0xFF, odd, value, odd))


def _coordinates(curve: WholeCurve, rng: Random) -> Iterator[bytes]:
    """Yield coordinates and bits of points after others of none; bits above those of p are not to count."""
    prime, size = curve.curve.prime, curve.field_bytes
    high = range(prime, min(prime + 2, 1 << prime.bit_length()))
    above = (1 << 8 * size) - (1 << prime.bit_length())
    for odd in (0, 1):
        point = curve.affine.random_point(rng)
        drawn = b""
        for value in (*high, curve.coordinate_of_none, point[curve.is_edwards]):
            drawn += (value | above).to_bytes(size, "big") + bytes([1 if odd else 0xFE])
        yield drawn
