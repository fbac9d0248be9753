"""The points of odd order on a binary curve, among which its code computes.

A point of y² + xy = x³ + a2·x² + a6 is twice another one if the traces of x and a2 are equal. If the number
of points is 2^j times an odd prime, the points of odd order are those that can be halved j times.
Source: [2004-hankerson-menezes-vanstone].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve

MOST_HALVINGS = 2


def halvings(curve: Curve) -> int:
    """Return how often a point can be halved if and only if its order is odd.

    Raises :class:`EfdgenError` for a curve whose cofactor is not 2 or 4.
    """
    assert curve.cofactor is not None
    count = curve.cofactor.bit_length() - 1
    if curve.cofactor != 1 << count or not 1 <= count <= MOST_HALVINGS:
        raise EfdgenError(
            f"--set curve needs a cofactor of 2 or 4 over {curve.field}; {curve.name} has {curve.cofactor}"
        )
    return count


def group_cofactor(curve: Curve) -> int:
    """Return the cofactor of the group that points of a curve's code form: 1 if they are of odd order."""
    assert curve.cofactor is not None
    return 1 if curve.field.is_binary else curve.cofactor


def is_odd(curve: Curve, point: Point) -> bool:
    """Return whether an affine point of a binary curve is of odd order."""
    assert curve.field.is_binary
    field, a2 = curve.field, curve.parameters["a2"]
    x, y = point
    for _ in range(halvings(curve)):
        slope = field.solve(x ^ a2)
        if slope is None:
            return False
        # 2·(u, v) = (x, y) for u² = y + (slope + 1)·x and v = (slope + u)·u.
        u = field.square_root(y ^ field.mul(slope ^ 1, x))
        x, y = u, field.mul(slope ^ u, u)
    return True
