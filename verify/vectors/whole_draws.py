"""Requests for random scalars and points, with the bytes that they are drawn from."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve


def draws(curve: WholeCurve, rng: Random) -> Rows:
    """Yield random scalars and points with the bytes that they are drawn from, and others before these."""
    for drawn in _all_first_bytes(curve) if curve.is_tiny else _numbers(curve, rng):
        yield row(curve, "random_scalar", drawn)
        if not curve.is_ladder:
            yield row(curve, "random_point", drawn)
    if not curve.is_ladder:
        for drawn in _coordinates(curve, rng):
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


def _coordinates(curve: WholeCurve, rng: Random) -> Iterator[bytes]:
    """Yield coordinates and bits of points after others of none; bits above the field's are not to count.

    They are of a random point, or of all points of a tiny curve.
    """
    field = curve.field
    top, bound = field.order, 1 << field.bits
    none = [*range(top, min(top + 2, bound)), curve.coordinate_of_none]
    above = (1 << 8 * field.bytes) - bound
    values = range(top) if curve.is_tiny else [curve.affine.random_point(rng)[curve.is_edwards]]
    for given, odd in product(values, (0, 1)):
        if curve.lifted(given, odd) is not None:
            numbers = ((value | above).to_bytes(field.bytes, "big") for value in (*none, given))
            yield b"".join(number + bytes([1 if odd else 0xFE]) for number in numbers)
