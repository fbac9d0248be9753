"""The curve secp256k1 by efdgen's own affine law, its endomorphism, and integers of Q(sqrt(-3)) acting on it.

An integer a + b·w, for w = (-1 + sqrt(-3))/2, is a pair. It multiplies a point as a + b·LAMBDA does, and
LAMBDA·(x, y) = (BETA·x, y).
"""

from __future__ import annotations

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database

Point = tuple[int, ...]
Integer = tuple[int, int]

CURVE = load_curve("secp256k1")
LAW = AffineCurve(Database().model(CURVE.model), CURVE.field, CURVE.parameters)
assert CURVE.order is not None and CURVE.generator is not None
PRIME, ORDER = CURVE.prime, CURVE.order
GENERATOR: Point = tuple(CURVE.generator[name] for name in ("x", "y"))


def cube_root_of_1(prime: int) -> int:
    """Return a cube root of 1 modulo a prime, other than 1."""
    return next(root for g in range(2, 99) if (root := pow(g, (prime - 1) // 3, prime)) != 1)


LAMBDA = cube_root_of_1(ORDER)
_ROOT = cube_root_of_1(PRIME)
# One of the two roots belongs to LAMBDA.
BETA = next(
    beta
    for beta in (_ROOT, _ROOT**2 % PRIME)
    if LAW.multiple(LAMBDA, GENERATOR) == (beta * GENERATOR[0] % PRIME, GENERATOR[1])
)


def image(point: Point) -> Point:
    """Return LAMBDA times a point."""
    return BETA * point[0] % PRIME, point[1]


def times(one: Integer, other: Integer) -> Integer:
    """Return a product: w^2 = -1 - w."""
    (a, b), (c, d) = one, other
    return a * c - b * d, a * d + b * c - b * d


def conjugate(number: Integer) -> Integer:
    """Return the conjugate; w has -1 - w."""
    a, b = number
    return a - b, -b


def plus(one: Integer, other: Integer) -> Integer:
    """Return a sum."""
    return one[0] + other[0], one[1] + other[1]


def minus(one: Integer, other: Integer) -> Integer:
    """Return a difference."""
    return one[0] - other[0], one[1] - other[1]


def norm(number: Integer) -> int:
    """Return the square of the absolute value."""
    a, b = number
    return a * a - a * b + b * b


def quotient(number: Integer, divisor: Integer | int) -> Integer:
    """Return an integer near a quotient."""
    if not isinstance(divisor, int):
        number, divisor = times(number, conjugate(divisor)), norm(divisor)
    return (2 * number[0] + divisor) // (2 * divisor), (2 * number[1] + divisor) // (2 * divisor)


def remainder(number: Integer, divisor: Integer) -> Integer:
    """Return a small integer that is congruent modulo a divisor."""
    return minus(number, times(quotient(number, divisor), divisor))
