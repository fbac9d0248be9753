"""The limits of representatives of points that tend to the identity.

A model's identity is the point at infinity of its Weierstrass form. There t = u/v is a uniformiser,
and w = 1/v is a power series in t; so affine coordinates, and with them one representative of the point, are
Laurent series, whose scalings have limits for t to 0 [2009-silverman] IV.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.laws.singular import fraction_field, to_fraction
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import System
    from efdgen.verify.laws.algebra import Ratio, RationalFunctions

_PRECISION = 16

Series = Any  # Sage's series carry no types
Element = Any


class _Series:
    """Laurent series in t over a field; satisfies :class:`efdgen.generator.programs.interpreter.Field`."""

    def __init__(self, base: Any) -> None:  # noqa: ANN401 - a field of Sage
        from sage.rings.laurent_series_ring import LaurentSeriesRing

        self.ring = LaurentSeriesRing(base, "t", default_prec=_PRECISION)
        self.t = self.ring.gen()

    def constant(self, value: Fraction) -> Series:
        """Return a rational number."""
        return self.ring(value.numerator) / self.ring(value.denominator)

    def add(self, left: Series, right: Series) -> Series:
        """Return left + right."""
        return left + right

    def sub(self, left: Series, right: Series) -> Series:
        """Return left - right."""
        return left - right

    def mul(self, left: Series, right: Series) -> Series:
        """Return left · right."""
        return left * right

    def inv(self, value: Series) -> Series:
        """Return 1/value; raise ZeroDivisionError where no coefficient other than 0 is known."""
        if value.is_zero():
            raise ZeroDivisionError
        return 1 / value


def neutral_limit(
    system: System, field: RationalFunctions, parameters: Mapping[str, Ratio]
) -> tuple[dict[str, Element], tuple[int, ...]]:
    """Return the limit of representatives, variable by variable, and the weights of its scalings.

    Raises :class:`UndecidedError` where a system has not one scaling, and where the series are not known far
    enough.
    """
    base = fraction_field(field)
    series = _Series(base)
    names = {name: series.ring(to_fraction(base, r)) for name, r in parameters.items()}
    point = _near_infinity(system, series, names)
    known = {**names, **point}
    found = representation(system)
    if len(found.scalings) != 1:
        raise UndecidedError("the limit of representatives", "one scaling")
    for variable, value in found.section:
        known[variable] = evaluate(value, series, known)
    (weights,) = found.scalings
    values = [known[variable] for variable in system.variables]
    powers = [Fraction(-v.valuation(), w) for v, w in zip(values, weights, strict=True) if w and v]
    power = max(powers)
    limit = {}
    for variable, value, weight in zip(system.variables, values, weights, strict=True):
        order = value.valuation() + power * weight if value else value.prec() + power * weight
        if order < 0 or (order == 0 and not value):
            raise UndecidedError(f"the limit of {variable}", f"{_PRECISION} terms of series")
        limit[variable] = value[value.valuation()] if order == 0 else base(0)
    return limit, weights


def _near_infinity(system: System, series: _Series, parameters: Mapping[str, Series]) -> dict[str, Series]:
    """Return the affine coordinates of the point with the uniformiser t = u/v."""
    model, t = system.model, series.t
    a = {name: evaluate(value, series, parameters) for name, value in model.weierstrass.items()}
    w = series.ring(0).add_bigoh(3)
    while w.prec() < _PRECISION + 3:
        # Each turn knows more of w, which begins with t^3: every w on the right is multiplied by t or w.
        cubic = t**3 + a["a2"] * t**2 * w + a["a4"] * t * w**2 + a["a6"] * w**3
        better = (cubic - a["a1"] * t * w - a["a3"] * w**2) / a["a0"]
        if better.prec() <= w.prec():
            break
        w = better
    names = dict(zip(model.to_weierstrass, (t / w, 1 / w), strict=True))
    known = {**parameters, **names}
    return {name: evaluate(value, series, known) for name, value in model.from_weierstrass.items()}


def is_scaled(values: Mapping[str, Element], limit: Mapping[str, Element], weights: tuple[int, ...]) -> bool:
    """Return whether values are a scaled limit: there is an s with value == s^weight * limit for each."""
    pairs = [(values[name], limit[name], w) for (name, w) in zip(limit, weights, strict=True)]
    if any((value == 0) != (other == 0) for value, other, _ in pairs):
        return False
    ratios = [(value / other, weight) for value, other, weight in pairs if other != 0]
    root, power = ratios[0][0] ** 0, 0  # a product of the ratios, and the power of s that it is
    for ratio, weight in ratios:
        divisor, first, second = _bezout(power, weight)
        root, power = root**first * ratio**second, divisor
    if power == 0:
        return all(ratio == 1 for ratio, _ in ratios)
    return all(ratio == root ** (weight // power) for ratio, weight in ratios)


def _bezout(left: int, right: int) -> tuple[int, int, int]:
    """Return the greatest common divisor of two numbers, and what it is made of them."""
    if right == 0:
        return left, 1, 0
    divisor, first, second = _bezout(right, left % right)
    return divisor, second, first - left // right * second
