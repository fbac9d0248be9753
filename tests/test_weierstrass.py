"""Discriminants, against what is known of each model; point counts, against exhaustive search."""

import itertools

import pytest

from efdgen.generator.curves.weierstrass import (
    WeierstrassCurve,
    image_of_infinity,
    is_singular,
    weierstrass_curve,
)
from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.prime import PrimeField

# When is a curve of each model an elliptic curve, from the papers that introduce the models.
SMOOTH = {
    "shortw": lambda a, b: 4 * a**3 + 27 * b**2,
    "montgom": lambda a, b: b * (a**2 - 4),
    "edwards": lambda c, d: c * d * (1 - c**4 * d),
    "twisted": lambda a, d: a * d * (a - d),
    "hessian": lambda d: d**3 - 1,
    "twistedhessian": lambda a, d: a * (27 * a - d**3),
    "jintersect": lambda a: a * (1 - a),
    "jquartic": lambda a: a**2 - 1,
    "2dik": lambda a: a * (a - 64),
    "3dik": lambda a: a * (4 * a - 9),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("prime", [5, 7, 13])
def test_singular_curves_of_every_model(database: Database, name: str, prime: int) -> None:
    model = database.model(f"g1p/{name}")
    verdicts = set()
    for values in itertools.product(range(prime), repeat=len(model.parameters)):
        singular = is_singular(model, PrimeField(prime), dict(zip(model.parameters, values, strict=True)))
        assert singular == (SMOOTH[name](*values) % prime == 0), values
        verdicts.add(singular)
    assert verdicts == {True, False}


def has_singular_point(curve: WeierstrassCurve) -> bool:
    p, a1, a2, a3, a4, a6 = curve.field.order, curve.a1, curve.a2, curve.a3, curve.a4, curve.a6
    return any(
        (y * y + a1 * x * y + a3 * y - (x**3 + a2 * x * x + a4 * x + a6)) % p == 0
        and (2 * y + a1 * x + a3) % p == 0
        and (a1 * y - 3 * x * x - 2 * a2 * x - a4) % p == 0
        for x in range(p)
        for y in range(p)
    )


@pytest.mark.parametrize("prime", [3, 5, 7])
def test_a_curve_is_singular_where_both_derivatives_vanish(prime: int) -> None:
    # A cubic has at most one such point, so over GF(p) it is rational.
    verdicts = set()
    for a2, a3, a4, a6 in itertools.product(range(prime), repeat=4):
        for a1 in (0, 1):
            curve = WeierstrassCurve(PrimeField(prime), a1, a2, a3, a4, a6)
            assert (curve.discriminant == 0) == has_singular_point(curve)
            verdicts.add(curve.discriminant == 0)
    assert verdicts == {True, False}


@pytest.mark.parametrize("prime", [3, 5, 13, 31])
def test_point_counts_against_exhaustive_search(prime: int) -> None:
    for a1, a2, a3, a4, a6 in [(0, 0, 0, 2, 1), (1, 1, 1, 1, 1), (2, 0, 1, 2, 2), (0, 1, 0, 0, 1)]:
        curve = WeierstrassCurve(PrimeField(prime), a1, a2, a3, a4, a6)
        affine = sum(
            (y * y + a1 * x * y + a3 * y - (x**3 + a2 * x * x + a4 * x + a6)) % prime == 0
            for x in range(prime)
            for y in range(prime)
        )
        assert curve.count_points() == affine + 1


def test_leading_coefficients_are_made_one(database: Database) -> None:
    # b·y² = x³ + a·x² + x with b = 3, a = 1 mod 13, counted as it stands.
    prime, a, b = 13, 1, 3
    affine = sum(
        (b * y * y - (x**3 + a * x * x + x)) % prime == 0 for x in range(prime) for y in range(prime)
    )
    curve = weierstrass_curve(database.model("g1p/montgom"), PrimeField(prime), {"a": a, "b": b})
    assert curve.count_points() == affine + 1


def test_infinity_goes_to_the_neutral_element(database: Database) -> None:
    prime = 101
    parameters = {"a": 3, "b": 5, "c": 7, "d": 11}
    neutral = {"edwards": (0, 7), "twisted": (0, 1), "jintersect": (0, 1, 1), "jquartic": (0, 1)}
    neutral["twistedhessian"] = (0, 100)
    for name in SMOOTH:
        assert image_of_infinity(database.model(f"g1p/{name}"), PrimeField(prime), parameters) == neutral.get(
            name
        )
