"""Halves of scalars: an endomorphism that is multiplication by λ, and bounds for every scalar."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.plan import CurvePlan


def split_reason(plan: CurvePlan, database: Database) -> str:
    """Return what is proved of the halves of scalars; raise :class:`EfdgenError` where something is wrong."""
    endomorphism, curve = plan.endomorphism, plan.curve
    assert endomorphism is not None and curve.generator is not None
    if endomorphism.split.eigenvalue != endomorphism.eigenvalue:
        raise EfdgenError("the split is made for another λ")
    if curve.parameters["a"] or pow(endomorphism.beta, 3, curve.prime) != 1 or plan.cofactor != 1:
        raise EfdgenError(
            "(β·x, y) is a point of y² = x³ + b for β³ = 1, and λ acts on a group of prime order"
        )
    # Both sides are homomorphisms of a cyclic group, so equal everywhere where they are for a generator.
    affine = AffineCurve(database.model(curve.model), curve.prime, curve.parameters)
    x, y = curve.generator["x"], curve.generator["y"]
    if affine.multiple(endomorphism.eigenvalue, (x, y)) != (endomorphism.beta * x % curve.prime, y):
        raise EfdgenError("λ·G is not (β·x, y)")
    bits = max(half_bounds(plan)).bit_length()
    return (
        f"Both are below 2^{bits} in absolute value for every k in [0, ORDER): (k1, k2) is (k, 0) without "
        "the nearest vector of the lattice in which k1 + k2·λ is 0, and what rounding leaves is bounded by "
        "exact arithmetic. λ·(x, y) is (β·x, y), because it is for the generator."
    )


def odd_half_bounds(plan: CurvePlan) -> tuple[int, int]:
    """Return bounds of halves that are made odd; raise :class:`EfdgenError` where that fails."""
    assert plan.endomorphism is not None
    split = plan.endomorphism.split
    for parity, (u, v) in zip(((0, 0), (0, 1), (1, 0), (1, 1)), split.shifts, strict=True):
        if (u + v * split.eigenvalue) % plan.order or not ((parity[0] + u) % 2 and (parity[1] + v) % 2):
            raise EfdgenError(f"({u}, {v}) does not make halves of the parities {parity} odd")
    k1, k2 = half_bounds(plan)
    return k1 + max(abs(u) for u, _ in split.shifts), k2 + max(abs(v) for _, v in split.shifts)


def shortest_vector(plan: CurvePlan) -> int:
    """Return the square of the length of the lattice's shortest vector but 0.

    It is the first of a basis that is reduced in Lagrange's sense; raises :class:`EfdgenError` where it is
    not.
    """
    assert plan.endomorphism is not None
    (a1, b1), (a2, b2) = plan.endomorphism.split.basis
    first, second, product = a1 * a1 + b1 * b1, a2 * a2 + b2 * b2, a1 * a2 + b1 * b2
    if abs(a1 * b2 - a2 * b1) != plan.order or not (first <= second and 2 * abs(product) <= first):
        raise EfdgenError("the basis of the split is not a reduced one of the lattice")
    return first


def half_bounds(plan: CurvePlan) -> tuple[int, int]:
    """Return bounds of |k1| and |k2|; raise :class:`EfdgenError` where k1 + k2·λ is not k.

    With real c1 and c2 for which (k, 0) = c1·v1 + c2·v2, what is left is (c1 - c1')·v1 + (c2 - c2')·v2, and
    |c - c'| is at most 1/2 and what the multiplier's error makes of the largest k.
    """
    assert plan.endomorphism is not None
    split, order = plan.endomorphism.split, plan.order
    for u, v in split.basis:
        if (u + v * split.eigenvalue) % order:
            raise EfdgenError(f"({u}, {v}) is not in the lattice")
    (a1, b1), (a2, b2) = split.basis
    determinant = a1 * b2 - a2 * b1
    exact = (Fraction(b2, determinant), Fraction(-b1, determinant))
    errors = [
        Fraction(1, 2) + (order - 1) * abs(Fraction(g, 1 << split.shift) - e)
        for g, e in zip(split.multipliers, exact, strict=True)
    ]
    if max(errors) > 1:
        raise EfdgenError("the multipliers of the split are not good enough for scalars of this length")
    k1 = errors[0] * abs(a1) + errors[1] * abs(a2)
    k2 = errors[0] * abs(b1) + errors[1] * abs(b2)
    return int(k1), int(k2)
