"""Proof that the inverses from a shared inversion are correct, by induction on the number of points.

Let q be the product of what is inverted of the points before one, and z what is inverted of it. The first
pass keeps q with the point and goes on with q·z. The second comes to the point with u, where u·(q·z) = 1. So
u·q is the inverse of z; it goes on with u·z, for which (u·z)·q = 1, to the point before.
"""

from __future__ import annotations

from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.verdicts import Refuted


def prove_batch(length: str) -> tuple[str, ...]:
    """Prove the step of the induction, and say so; nothing for a function of single points.

    Raises :class:`Refuted`, which nothing but a mistake here would make true.
    """
    if not length:
        return ()
    field = RationalFunctions(["q", "z", "u"], binary=False)
    q, z, u = (field.name(name) for name in ("q", "z", "u"))
    one = field.inv(field.inv(u) * u)
    field.impose([(u * (q * z) - one).numerator])
    reciprocal, onward = u * q, u * z
    if not field.equal(reciprocal * z, one) or not field.equal(onward * q, one):
        raise Refuted("the inverses that are made from one are not right")
    return (f"the inverses by induction on {length}",)
