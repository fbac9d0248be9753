"""Checks of the claims of a curve file: shape, generator, order, cofactor."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.curves.weierstrass import is_singular, weierstrass_curve
from efdgen.generator.mathematics.primes import is_prime

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Model

COUNTABLE = 1 << 16
"""Below this prime points are counted; above it Hasse's interval decides."""


class Fault(NamedTuple):
    """A claim that is false or cannot be checked: the key that makes it, and what is wrong."""

    key: str
    reason: str


def find_fault(curve: Curve, model: Model) -> Fault | None:
    """Return the first fault of a curve, None for a curve whose every claim holds."""
    if not is_prime(curve.field.characteristic):
        return Fault("prime", "the prime is not prime")
    if is_singular(model, curve.field, curve.parameters):
        return Fault("parameters", "the curve is singular, or its model does not fit this characteristic")
    return _generator_fault(curve, model) or _order_fault(curve, model) or _cofactor_fault(curve, model)


def _generator_fault(curve: Curve, model: Model) -> Fault | None:
    if curve.generator is None:
        return None
    group = AffineCurve(model, curve.field, curve.parameters)
    point = tuple(curve.generator[coordinate] for coordinate in model.coordinates)
    if not group.on_curve(point):
        return Fault("generator", "the generator is not on the curve")
    if point == group.neutral:
        return Fault("generator", "the generator is the identity")
    return None


def _order_fault(curve: Curve, model: Model) -> Fault | None:
    """Check that n·G is the identity and n is prime, so that n is the order of G."""
    if curve.order is None:
        return None
    if curve.generator is None:
        return Fault("order", "an order needs a generator that has it; add one or leave the order out")
    if not is_prime(curve.order):
        return Fault("order", "the order is not prime")
    group = AffineCurve(model, curve.field, curve.parameters)
    point = tuple(curve.generator[coordinate] for coordinate in model.coordinates)
    try:
        right = group.multiple(curve.order, point) == group.neutral
    except Undefined:
        # No sum of two points of a group of odd prime order is at infinity unless it is the identity.
        right = False
    return None if right else Fault("order", "the order is wrong: order times generator is not the identity")


def _cofactor_fault(curve: Curve, model: Model) -> Fault | None:
    """Check that cofactor times order is the number of points of the curve."""
    if curve.cofactor is None:
        return None
    if curve.order is None:
        return Fault("cofactor", "a cofactor needs the order that it belongs to; add it or leave both out")
    order = curve.field.order
    if order < COUNTABLE:
        points = weierstrass_curve(model, curve.field, curve.parameters).count_points()
        wrong = f"the cofactor is wrong: the curve has {points} points"
        return None if curve.cofactor * curve.order == points else Fault("cofactor", wrong)
    # Hasse: the number of points, a multiple of the order, differs from q + 1 by at most 2·sqrt(q).
    radius = isqrt(4 * order)
    least = -(-(order + 1 - radius) // curve.order)
    most = (order + 1 + radius) // curve.order
    if least < most:
        return Fault("cofactor", "the order is too small to tell the cofactor by; leave the cofactor out")
    wrong = f"the cofactor is wrong; by Hasse's theorem it is {most}"
    return None if curve.cofactor == most else Fault("cofactor", wrong)
