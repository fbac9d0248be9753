"""The Weierstrass form of a curve: singularity, the number of points, and the image of infinity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.polynomial import RationalFunctions
from efdgen.generator.programs.interpreter import PrimeField, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Model


@dataclass(frozen=True)
class WeierstrassCurve:
    """The curve y² + a1·xy + a3·y = x³ + a2·x² + a4·x + a6 over GF(p), p odd."""

    prime: int
    a1: int
    a2: int
    a3: int
    a4: int
    a6: int

    @property
    def _cubic(self) -> tuple[int, int, int]:
        """Return b2, b4, b6 of (2y + a1·x + a3)² = 4x³ + b2·x² + 2·b4·x + b6 [2009-silverman] III.1."""
        a1, a3 = self.a1, self.a3
        return a1 * a1 + 4 * self.a2, 2 * self.a4 + a1 * a3, a3 * a3 + 4 * self.a6

    @property
    def discriminant(self) -> int:
        """Return the discriminant mod p; the curve is singular where it is 0."""
        b2, b4, b6 = self._cubic
        # 4·b8 = b2·b6 - b4², and 4 is invertible.
        b8 = (b2 * b6 - b4 * b4) * pow(4, -1, self.prime)
        return (-b2 * b2 * b8 - 8 * b4**3 - 27 * b6 * b6 + 9 * b2 * b4 * b6) % self.prime

    def count_points(self) -> int:
        """Return the number of points, infinity included, in time and space linear in p."""
        p = self.prime
        b2, b4, b6 = (value % p for value in self._cubic)
        squares = bytearray(p)
        for y in range(1, p):
            squares[y * y % p] = 2
        squares[0] = 1
        return 1 + sum(squares[(((4 * x + b2) * x + 2 * b4) * x + b6) % p] for x in range(p))


def weierstrass_curve(model: Model, prime: int, parameters: Mapping[str, int]) -> WeierstrassCurve:
    """Return a curve's Weierstrass form with the leading coefficients made 1.

    Raises ZeroDivisionError where a coefficient has a vanishing denominator; such a curve is singular, or
    the model does not fit the characteristic.
    """
    field = PrimeField(prime)
    a = {name: evaluate(value, field, parameters) for name, value in model.weierstrass.items()}
    # a0·v² + … = u³ + … times a0³ is a curve in y = a0²·v and x = a0·u.
    a0 = a["a0"]
    return WeierstrassCurve(
        prime,
        a["a1"],
        a["a2"] * a0 % prime,
        a["a3"] * a0 % prime,
        a["a4"] * a0**2 % prime,
        a["a6"] * a0**3 % prime,
    )


def is_singular(model: Model, prime: int, parameters: Mapping[str, int]) -> bool:
    """Return whether parameters give no elliptic curve, or no Weierstrass form in this characteristic."""
    try:
        return weierstrass_curve(model, prime, parameters).discriminant == 0
    except ZeroDivisionError:
        return True


def image_of_infinity(model: Model, prime: int, parameters: Mapping[str, int]) -> tuple[int, ...] | None:
    """Return the affine point to which the map from the Weierstrass form takes infinity, None for none.

    Near infinity u = a0/t² and v = a0/t³ up to terms of higher order in t; the map is evaluated at
    these and t set to 0.
    """
    field = RationalFunctions(prime)
    a0 = evaluate(model.weierstrass["a0"], PrimeField(prime), parameters)
    inverse = field.inv(field.unknown)
    square = field.mul(inverse, inverse)
    u, v = model.to_weierstrass
    names = {name: field.element(value) for name, value in parameters.items()}
    names[u] = field.mul(field.element(a0), square)
    names[v] = field.mul(names[u], inverse)
    point = []
    for coordinate in model.coordinates:
        numerator, denominator = field.reduced(evaluate(model.from_weierstrass[coordinate], field, names))
        if denominator[0] == 0:
            return None
        point.append(field.ring.value(numerator, 0) * pow(denominator[0], -1, prime) % prime)
    return tuple(point)
