"""Requests to functions of whole curves that only C has: batches of affine coordinates.

The affine law answers, and Python's bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_tiny import TINY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows

_BATCH = 30


def xy_batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield batches of affine coordinates: written, read, and refused at some places."""
    points = [p for p in some_points(curve, rng) if p != INFINITY][:_BATCH]
    written = b"".join(map(curve.xy, points))
    yield "encode_xy_batch", *map(curve.point, points), written.hex()
    yield "decode_xy_batch", written.hex(), "".join(map(curve.point, points))
    if curve.curve.prime < TINY:
        yield from _every_pair(curve)
        return
    yield from _wrong_coordinates(curve, points)


def identity_in_xy_batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield a batch with the identity in it, which is refused where it is not affine; others are written."""
    points = [curve.generator, curve.affine.neutral, curve.affine.random_point(rng)]
    neutral = points[1] == INFINITY
    written = [bytes(2 * curve.field_bytes) if p == INFINITY else curve.xy(p) for p in points]
    answer = b"".join(written).hex()
    yield "encode_xy_batch", *map(curve.point, points), f"{REFUSED} {answer}" if neutral else answer


def _every_pair(curve: WholeCurve) -> Rows:
    """Yield all pairs of bytes, in batches of one x."""
    for x in range(256):
        pairs = [(x, y) for y in range(256)]
        refused = [y for y, pair in enumerate(pairs) if pair not in curve.points]
        yield "decode_xy_batch", bytes(v for p in pairs for v in p).hex(), _refusal(refused)


def _wrong_coordinates(curve: WholeCurve, points: Sequence[Point]) -> Rows:
    """Yield batches in which one point is none, or a coordinate is not below p."""
    prime = curve.curve.prime
    for at, (x, y) in enumerate(points):
        for wrong in ((x, (y + 1) % prime), (y, x), (x, y + prime), (x + prime, y), (prime, y), (x, prime)):
            is_point = max(wrong) < prime and curve.affine.on_curve(wrong)
            if max(wrong) < 256**curve.field_bytes and not is_point:
                batch = [*points[:at], wrong, *points[at + 1 :]]
                yield "decode_xy_batch", b"".join(map(curve.xy, batch)).hex(), _refusal([at])


def _refusal(places: Sequence[int]) -> str:
    return " ".join((REFUSED, *map(str, places)))


def some_points(curve: WholeCurve, rng: Random) -> list[Point]:
    """Return all points of a tiny curve; the generator, its negative and random points of a large one."""
    if curve.curve.prime < TINY:
        return list(curve.points)
    affine = curve.affine
    return [curve.generator, affine.negate(curve.generator), *(affine.random_point(rng) for _ in range(3))]


MANY = (xy_batches, identity_in_xy_batches)
ONLY_IN_C = frozenset({"encode_xy_batch", "decode_xy_batch"})
"""The functions that only C has."""
