"""Parameters for every formula, on given curves and on found ones."""

import random
import re
from collections.abc import Mapping
from contextlib import suppress

import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import (
    NotApplicable,
    find_curve,
    instantiate,
    suitable_prime,
)
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.weierstrass import weierstrass_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.mathematics.binary import BinaryField
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import evaluate

P25519 = 2**255 - 19
TINY_PRIMES = (13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)


def formulas(database: Database) -> list[Formula]:
    found = [database.formula(name) for name in database.ids if name.startswith("g1p/")]
    assert len(found) >= 454
    return found


def check_assumptions(formula: Formula, prime: int, values: Mapping[str, int]) -> None:
    assert list(values) == list(formula.all_parameters)
    field = PrimeField(prime)
    for equation in formula.all_assumptions:
        if equation not in formula.input_assumptions:
            assert evaluate(equation.left, field, values) == evaluate(equation.right, field, values)


def check_curve(formula: Formula, prime: int, values: Mapping[str, int]) -> AffineCurve:
    check_assumptions(formula, prime, values)
    curve = AffineCurve(formula.system.model, PrimeField(prime), values)
    assert weierstrass_curve(curve.model, PrimeField(prime), values).discriminant != 0
    return curve


def test_a_large_curve_for_every_formula(database: Database) -> None:
    prime = suitable_prime(256)
    assert prime.bit_length() == 256
    for formula in formulas(database):
        curve = check_curve(formula, prime, find_curve(formula, PrimeField(prime), random.Random(1)))
        assert curve.on_curve(curve.random_point(random.Random(2)))


@pytest.mark.slow
def test_a_tiny_curve_for_every_formula(database: Database) -> None:
    for formula in formulas(database):
        for prime in TINY_PRIMES:
            with suppress(NotApplicable):
                curve = check_curve(formula, prime, find_curve(formula, PrimeField(prime), random.Random(1)))
                assert len(list(curve.all_points())) >= 8
                break
        else:
            raise AssertionError(formula.id)


def test_the_same_seed_finds_the_same_curve(database: Database) -> None:
    formula = database.formula("g1p/edwards/yz/ladder/ladd-2006-g")
    first, second, other = (
        find_curve(formula, PrimeField(P25519), random.Random(seed)) for seed in (1, 1, 2)
    )
    assert first == second != other


def test_instantiating_a_found_curve_from_its_model_parameters(
    database: Database, rng: random.Random
) -> None:
    prime = suitable_prime(256)
    for formula in formulas(database)[::5]:
        values = find_curve(formula, PrimeField(prime), rng)
        known = {name: values[name] for name in formula.system.model.parameters}
        again = instantiate(formula, PrimeField(prime), known)
        check_assumptions(formula, prime, again)
        assert {name: again[name] for name in known} == known


@pytest.mark.parametrize(
    ("formula_id", "curve", "expected"),
    [
        ("g1p/shortw/jacobian/doubling/dbl-1998-hnm", "secp256k1", {"half": (2**256 - 2**32 - 976) // 2}),
        ("g1p/montgom/xz/ladder/ladd-1987-m-3", "Curve25519", {"a24": 121666}),
        ("g1p/shortw/jacobian-3/doubling/dbl-2001-b", "P-256", {}),
        ("g1p/shortw/jacobian-0/doubling/dbl-2009-l", "secp256k1", {}),
        (
            "g1p/twisted/extended-1/addition/add-2008-hwcd-3",
            "edwards25519",
            # RFC 8032 gives d.
            {"k": 2 * 37095705934669439343138083508754565189542113879843219016388785533085940283555 % P25519},
        ),
    ],
)
def test_standard_curves(database: Database, formula_id: str, curve: str, expected: dict[str, int]) -> None:
    formula, chosen = database.formula(formula_id), load_curve(curve)
    values = instantiate(formula, chosen.field, chosen.parameters)
    check_assumptions(formula, chosen.prime, values)
    assert values == {**chosen.parameters, **expected}


def test_the_smallest_root_that_leads_to_a_solution(database: Database) -> None:
    formula = database.formula("g1p/edwards/yz/ladder/ladd-2006-g")
    values = instantiate(formula, PrimeField(13), {"c": 1, "d": 4})
    assert values == {"c": 1, "d": 4, "r": 2, "s": 3 * pow(-1, -1, 13) % 13}
    formula = database.formula("g1p/twistedhessian/projective/doubling/dbl-2009-bkl-3")
    assert instantiate(formula, PrimeField(13), {"a": 1, "d": 1})["i"] == 5


@pytest.mark.parametrize(
    ("formula_id", "prime", "known", "reason"),
    [
        (
            "g1p/shortw/jacobian-3/doubling/dbl-2001-b",
            2**256 - 2**32 - 977,
            {"a": 0, "b": 7},
            "needs a = -3, the curve has a = 0",
        ),
        ("g1p/edwards/yz/doubling/dbl-2006-g", 13, {"c": 2, "d": 4}, "needs c = 1, the curve has c = 2"),
        (
            "g1p/edwards/yz/doubling/dbl-2006-g",
            13,
            {"c": 1, "d": 2},
            "d = r\\^2 has no solution in GF\\(p\\)",
        ),
        (
            "g1p/twistedhessian/projective/doubling/dbl-2009-bkl-3",
            7,
            {"a": 1, "d": 1},
            "i\\^2 = -1 has no solution in GF\\(p\\)",
        ),
        (
            "g1p/jquartic/2xyz/doubling/dbl-2007-fw",
            13,
            {"a": 3},
            "a\\^2 \\+ c\\^2 = 1 has no solution in GF\\(p\\)",
        ),
        (
            "g1p/hessian/standard/tripling/tpl-2007-hcd-3",
            13,
            {"d": 0},
            "3\\*b\\*d = 1 has no solution in GF\\(p\\)",
        ),
        ("g1p/shortw/jacobian/doubling/dbl-2007-bl", 13, {"a": 1}, "nothing says what b is"),
    ],
)
def test_formulas_that_do_not_apply(
    database: Database, formula_id: str, prime: int, known: dict[str, int], reason: str
) -> None:
    with pytest.raises(NotApplicable, match=reason):
        instantiate(database.formula(formula_id), PrimeField(prime), known)


def test_primes_without_a_curve(database: Database, rng: random.Random) -> None:
    formula = database.formula("g1p/twistedhessian/projective/doubling/dbl-2009-bkl-3")
    with pytest.raises(NotApplicable, match="assumptions for p = 0x13"):
        find_curve(formula, PrimeField(19), rng)
    with pytest.raises(NotApplicable, match="assumptions for p = 0xd"):
        find_curve(formula, PrimeField(13), rng, points=100)


def test_formulas_of_another_characteristic_are_refused(database: Database, rng: random.Random) -> None:
    """Both models have a parameter d, and neither has a curve over the other's field."""
    binary, odd = (database.formula(f"{m}/hessian/standard/addition/mmadd") for m in ("g12o", "g1p"))
    for make in (lambda *given: find_curve(*given, rng), lambda *given: instantiate(*given, {"d": 5})):
        with pytest.raises(NotApplicable, match=re.escape("over GF(2^m), not over GF(p)")):
            make(binary, PrimeField(13))
        with pytest.raises(NotApplicable, match=re.escape("over GF(p), not over GF(2^4)")):
            make(odd, BinaryField(0b10011))


def test_suitable_primes() -> None:
    assert suitable_prime(4) == 13
    assert suitable_prime(6) == 61
    assert suitable_prime(7) == 109  # 121 = 11^2 is not prime
