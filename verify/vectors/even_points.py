"""Requests with points of even order on binary curves, which are refused wherever code reads a point."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY
from efdgen.verify.vectors.odd_points import OddPoints
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve


def even_points(curve: WholeCurve, rng: Random) -> Rows:
    """Yield points of even order, an x of no point at all, and wire encodings of points of any order."""
    group = curve.affine
    if not isinstance(group, OddPoints):
        return
    yield row(curve, "lift_x", next(x for x in count(1) if not any(group.every.points_with(0, x))), 0)
    own = [curve.generator, group.random_point(rng)]
    even = [*group.every.all_points()] if curve.is_tiny else [*points_of_even_order(group, own, rng)]
    for point in even:
        yield row(curve, "from_affine", point)
        yield from (row(curve, "lift_x", point[0], odd) for odd in (0, 1))
        yield from (row(curve, "decode", data) for data in (curve.encoded(point), b"\4" + curve.xy(point)))
        if not group.is_odd(point):
            batch = b"".join(map(curve.xy, (own[0], point, own[1])))
            yield "decode_xy_batch", batch.hex(), f"{REFUSED} 1"
    for point in (INFINITY, *own, *even):
        yield from _wires(curve, group, point, rng)


def points_of_even_order(group: OddPoints, own: list[Point], rng: Random) -> Iterator[Point]:
    """Yield the points other than 0 whose order is a power of 2, and their sums with other points."""
    top = group.cofactor // 2
    found = (group.multiple(group.order, group.every.random_point(rng)) for _ in count())
    base = next(point for point in found if group.multiple(top, point) != INFINITY)
    for factor in range(1, group.cofactor):
        small = group.multiple(factor, base)
        yield from (small, *(group.add(small, point) for point in own))


def _wires(curve: WholeCurve, group: OddPoints, point: Point, rng: Random) -> Rows:
    """Yield coordinates of a point, which are accepted if its order is odd, and wrong ones of it."""
    answer = curve.point(point) if group.is_odd(point) else REFUSED
    for number in range(1, curve.field.order) if curve.is_tiny else (1, rng.randrange(1, curve.field.order)):
        x, s, z, t = _members(curve, point, number)
        yield "decode_wire", _wire(curve, x, s, z, t), answer
        yield "decode_wire", _wire(curve, x, s, z, t ^ 1), REFUSED
        # With S + T in the place of S it is the opposite point.
        if t != 1:
            yield "decode_wire", _wire(curve, x, s ^ 1, z, t), REFUSED


def _members(curve: WholeCurve, point: Point, z: int) -> tuple[int, int, int, int]:
    """Return coordinates (X : S : Z : T) with Z = z, or of the point with x = 0 with X = z and Z = 0.

    X/Z is c/x, T is X*Z, and S/T is y/x + x + a2 + 1, for c^4 = a6. X is 0 of the identity alone.
    [2022-pornin-binary]
    """
    field, parameters = curve.field, curve.curve.parameters
    assert field.is_binary
    c = field.square_root(field.square_root(parameters["a6"]))
    if point == INFINITY:
        return 0, field.mul(c, field.square(z)), z, 0
    x, y = point
    if x == 0:
        return z, field.mul(c, field.square(z)), 0, 0
    inverse = field.inv(x)
    product = field.mul(field.mul(c, inverse), field.square(z))
    slope = field.mul(y, inverse) ^ x ^ parameters["a2"] ^ 1
    return field.mul(field.mul(c, inverse), z), field.mul(product, slope), z, product


def _wire(curve: WholeCurve, *members: int) -> str:
    return "".join(map(curve.element, members))
