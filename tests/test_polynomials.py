"""Polynomials by FLINT and bases by Buchberger's algorithm, against Sage and Singular."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from efdgen.generator.programs.lower import lower
from efdgen.verify.effort import set_effort
from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.laws.basis import dimension, groebner_basis
from efdgen.verify.laws.polynomials import Polynomial, Ring
from efdgen.verify.laws.proof import prove_program
from efdgen.verify.laws.singular import singular_ring, to_singular
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.database import Database

NAMES = 4


def monic(polynomial: Any) -> Any:
    """Return a polynomial of Sage with the leading coefficient 1."""
    return polynomial / polynomial.lc()


def draw(rng: random.Random, ring: Ring, terms: int = 5, degree: int = 3) -> Polynomial:
    """Return a polynomial that is not 0; over Q with fractions."""
    found = ring.zero()
    while found == 0:
        found = ring(
            {
                tuple(rng.randrange(degree) for _ in range(NAMES)): Fraction(
                    rng.randint(-9, 9), 1 if ring.modulus else rng.randint(1, 4)
                )
                for _ in range(terms)
            }
        )
    return found


@pytest.mark.parametrize("modulus", [0, 2, 32003])
def test_operations_are_those_of_sage(modulus: int, rng: random.Random):
    ring, sage = Ring(NAMES, modulus), singular_ring(NAMES, modulus)

    def there(polynomial: Polynomial) -> Any:
        return to_singular(sage, polynomial)

    for _ in range(20):
        p, q, r = (draw(rng, ring) for _ in range(3))
        assert there(p * q + r - p**2) == there(p) * there(q) + there(r) - there(p) ** 2
        assert list(map(str, p.monomials())) == list(map(str, there(p).monomials()))
        assert modulus > 2 or str(p) == str(there(p))
        assert there(p.lm()) == there(p).lm()
        assert there((p * q) // q) == there(p)
        assert monic(there((p * r).gcd(q * r))) == monic(there(p * r).gcd(there(q * r)))
        assert p.degree() == there(p).degree()
        for name in ring.gens():
            assert p.degree(name) == there(p).degree(there(name))
            assert there(p.derivative(name)) == there(p).derivative(there(name))
            for power in range(3):
                assert there(p.coefficient({name: power})) == there(p).coefficient({there(name): power})
        assert {there(name) for name in p.variables()} == {*there(p).variables()}
        quotient, rest = divmod(p, q)
        assert quotient * q + rest == p
        assert not any(there(q).lm().divides(there(monomial)) for monomial in rest.monomials())


@pytest.mark.parametrize("modulus", [0, 2])
def test_factors_are_those_of_singular_by_degree(modulus: int, rng: random.Random):
    ring, sage = Ring(NAMES, modulus), singular_ring(NAMES, modulus)
    for _ in range(20):
        product = draw(rng, ring, 3) * draw(rng, ring, 2) ** 2
        whole = ring(product.unit())
        for factor, exponent in product.factor():
            whole *= factor**exponent
        assert whole == product
        theirs = {(monic(factor), exponent) for factor, exponent in to_singular(sage, product).factor()}
        found = product.factor()
        assert {(monic(to_singular(sage, factor)), exponent) for factor, exponent in found} == theirs
        degrees = [(factor.degree(), exponent) for factor, exponent in found]
        assert degrees == sorted(degrees)


def require_basis(ring: Ring, relations: Sequence[Polynomial]) -> None:
    """Hold a basis against Singular's reduced one, and its elements against their cofactors."""
    sage = singular_ring(ring.ngens(), ring.modulus)
    found = groebner_basis(ring, relations)
    theirs = sage.ideal([to_singular(sage, relation) for relation in relations]).groebner_basis()
    assert {monic(to_singular(sage, element.polynomial)) for element in found} == {*map(monic, theirs)}
    for element in found:
        parts = zip(element.cofactors, relations, strict=True)
        assert (
            sum((cofactor * relation for cofactor, relation in parts), start=ring.zero())
            == element.polynomial
        )


def test_bases_of_the_database_are_those_of_singular(database: Database, monkeypatch: pytest.MonkeyPatch):
    seen: dict[tuple[int, tuple[str, ...]], tuple[Ring, list[Polynomial]]] = {}
    real = RationalFunctions.impose

    def impose(field: RationalFunctions, relations: Sequence[Polynomial]) -> None:
        key = field.ring.ngens(), tuple(map(str, relations))
        seen[key] = field.ring, [relation for relation in relations if relation != 0]
        real(field, relations)

    monkeypatch.setattr(RationalFunctions, "impose", impose)
    for name in database.ids:
        _, system, kind, _ = name.rsplit("/", 3)
        if kind in {"diffadd", "ladder", "scaling"} or (kind, system) == ("addition", "affine"):
            formula = database.formula(name)
            prove_program(formula, lower(formula))
    hard = [
        (ring, relations)
        for ring, relations in seen.values()
        if any(one.lm().gcd(other.lm()) != 1 for one, other in combinations(relations, 2))
    ]
    assert len(hard) > 20
    for ring, relations in hard:
        require_basis(ring, relations)


@pytest.mark.parametrize("modulus", [0, 2, 2**31 - 1])
def test_bases_of_random_ideals_are_those_of_singular(modulus: int, rng: random.Random):
    ring, sage = Ring(NAMES, modulus), singular_ring(NAMES, modulus)
    for count in (1, 2, 2, 3, 3):
        relations = [draw(rng, ring, 3, 2) for _ in range(count)]
        require_basis(ring, relations)
        leading = [element.polynomial.lm() for element in groebner_basis(ring, relations)]
        theirs = sage.ideal([to_singular(sage, relation) for relation in relations]).dimension()
        assert dimension(leading, NAMES) == theirs


def test_a_basis_beyond_its_budget_is_undecided():
    x, y, z, _ = (ring := Ring(NAMES)).gens()
    relations = [x**3 + y * z - 1, x * y**2 + z, x * z**2 - y]
    with pytest.raises(UndecidedError, match="4 pairs"):
        groebner_basis(ring, relations, 4)
    set_effort(100)
    try:
        assert groebner_basis(ring, relations, 4) == groebner_basis(ring, relations)
    finally:
        set_effort(1)
