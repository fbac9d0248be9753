"""The Weierstrass form of a curve: singularity, the number of points, and the image of infinity."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.polynomial import RationalFunctions
from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Model
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.ground import Ground


@dataclass(frozen=True)
class WeierstrassCurve:
    """The curve y² + a1·xy + a3·y = x³ + a2·x² + a4·x + a6 over a finite field."""

    field: Ground
    a1: int
    a2: int
    a3: int
    a4: int
    a6: int

    @property
    def discriminant(self) -> int:
        """Return the discriminant; the curve is singular where it is 0 [2009-silverman] III.1."""
        a1, a2, a3, a4, a6 = self.a1, self.a2, self.a3, self.a4, self.a6
        b2 = self._sum((1, a1, a1), (4, a2))
        b4 = self._sum((2, a4), (1, a1, a3))
        b6 = self._sum((1, a3, a3), (4, a6))
        b8 = self._sum((1, a1, a1, a6), (4, a2, a6), (-1, a1, a3, a4), (1, a2, a3, a3), (-1, a4, a4))
        return self._sum((-1, b2, b2, b8), (-8, b4, b4, b4), (-27, b6, b6), (9, b2, b4, b6))

    def _sum(self, *terms: tuple[int, ...]) -> int:
        """Return a sum of products of elements, each with an integer before them."""
        field, total = self.field, 0
        for number, *elements in terms:
            total = field.add(total, reduce(field.mul, elements, field.constant(Fraction(number))))
        return total

    def count_points(self) -> int:
        """Return the number of points, infinity included, in time and space linear in the field's order."""
        if self.field.is_binary:
            return self._count_binary(self.field)
        p = self.field.prime
        a1, a3 = self.a1, self.a3
        squares = bytearray(p)
        for y in range(1, p):
            squares[y * y % p] = 2
        squares[0] = 1
        # (2y + a1·x + a3)² = 4(x³ + a2·x² + a4·x + a6) + (a1·x + a3)²
        return 1 + sum(
            squares[(4 * (((x + self.a2) * x + self.a4) * x + self.a6) + (a1 * x + a3) ** 2) % p]
            for x in range(p)
        )

    def _count_binary(self, field: BinaryField) -> int:
        """Return the number of points over GF(2^m): y = h·z, where h = a1·x + a3 and z² + z = g/h²."""
        found = 1
        for x in range(field.order):
            h = self._sum((1, self.a1, x), (1, self.a3))
            g = self._sum((1, x, x, x), (1, self.a2, x, x), (1, self.a4, x), (1, self.a6))
            if h == 0:
                found += 1
            elif field.trace(field.mul(g, field.square(field.inv(h)))) == 0:
                found += 2
        return found


def weierstrass_curve(model: Model, field: Ground, parameters: Mapping[str, int]) -> WeierstrassCurve:
    """Return a curve's Weierstrass form with the leading coefficients made 1.

    Raises ZeroDivisionError where a coefficient has a vanishing denominator; such a curve is singular, or
    the model does not fit the characteristic.
    """
    a = {name: evaluate(value, field, parameters) for name, value in model.weierstrass.items()}
    # a0·v² + … = u³ + … times a0³ is a curve in y = a0²·v and x = a0·u.
    a0 = a["a0"]
    square = field.mul(a0, a0)
    return WeierstrassCurve(
        field,
        a["a1"],
        field.mul(a["a2"], a0),
        field.mul(a["a3"], a0),
        field.mul(a["a4"], square),
        field.mul(a["a6"], field.mul(square, a0)),
    )


def is_singular(model: Model, field: Ground, parameters: Mapping[str, int]) -> bool:
    """Return whether parameters give no elliptic curve, or no Weierstrass form in this characteristic."""
    try:
        return weierstrass_curve(model, field, parameters).discriminant == 0
    except ZeroDivisionError:
        return True


def image_of_infinity(model: Model, field: Ground, parameters: Mapping[str, int]) -> tuple[int, ...] | None:
    """Return the affine point to which the map from the Weierstrass form takes infinity, None for none.

    Near infinity u = a0/t² and v = a0/t³ up to terms of higher order in t; the map is evaluated at
    these and t set to 0.
    """
    functions = RationalFunctions(field)
    a0 = evaluate(model.weierstrass["a0"], field, parameters)
    inverse = functions.inv(functions.unknown)
    square = functions.mul(inverse, inverse)
    u, v = model.to_weierstrass
    names = {name: functions.element(value) for name, value in parameters.items()}
    names[u] = functions.mul(functions.element(a0), square)
    names[v] = functions.mul(names[u], inverse)
    point: list[int] = []
    for coordinate in model.coordinates:
        value = functions.value(evaluate(model.from_weierstrass[coordinate], functions, names), 0)
        if value is None:
            return None
        point.append(value)
    return tuple(point)
