"""Tests of sums at half length: short vectors with an inverse, as a routine and on integers."""

from dataclasses import replace
from functools import cache
from math import gcd

import pytest
from test_routines_multiples import Multiples, plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.planning import curve_routines
from efdgen.generator.planning.scalar_words import words_of
from efdgen.generator.routines.parser import library, parse
from efdgen.verify.scalars.lattice import half_reason
from efdgen.verify.vectors.whole_half import exact_scalars, hard_scalars

CURVES = {"edwards25519": "extended-1", "Ed448": "projective"}
DRAWN = 20


@cache
def multiples_of(curve: str) -> Multiples:
    return Multiples(plan_of(curve, CURVES[curve]))


def vector(multiples: Multiples, b: int) -> tuple[int, int]:
    """Return the factor and the remainder for a reduced scalar."""
    count = len(multiples.routines.module.constants["GROUP_ORDER"].value[0])
    (rows,) = multiples.routines.call("half_vector_var", list(words_of(b, count)))
    v, w = (sum(word << 32 * i for i, word in enumerate(row)) for row in rows)
    return v - (v >> 32 * count - 1 << 32 * count), w


@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.slow
def test_vectors_are_of_the_lattice_and_have_an_inverse(curve, rng):
    multiples = multiples_of(curve)
    count, order, bits = multiples.count, multiples.plan.order, multiples.plan.half.bits
    lengths = []
    for b in (*hard_scalars(order, count // order, rng), *(rng.randrange(order) for _ in range(DRAWN))):
        v, w = vector(multiples, b)
        assert (v * b - w) % count == 0, b
        assert gcd(v, count) == 1, b
        assert abs(v) <= count, b
        assert 0 <= w <= count, b
        lengths.append(max(abs(v).bit_length(), w.bit_length()))
    assert sum(length <= bits + 3 for length in lengths) >= DRAWN


@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.slow
def test_sums_are_equal_only_to_themselves(curve, rng):
    """Also where they differ by a point of small order, which a v that is even does not see."""
    multiples = multiples_of(curve)
    count, plan = multiples.count, multiples.plan
    some = [0, 1, plan.order - 1, 4 * plan.order - 4, rng.randrange(plan.order), rng.randrange(count)]
    for a, b in zip(some, rng.sample(some, len(some)), strict=True):
        q = rng.choice([0, plan.order, rng.randrange(count)])
        right = (a * plan.cofactor + b * q) % count
        wrong = {plan.order, count // 2, -plan.order, plan.cofactor, rng.randrange(1, count)}
        assert multiples.combined("double_multiply_equals_var", [a, b], q, right) == 1
        for other in wrong:
            assert multiples.combined("double_multiply_equals_var", [a, b], q, right + other) == 0, (a, b, q)


# Steps that give vectors without an inverse, or of another lattice.
MUTANTS = {
    "a factor that is even": ("t[1][0] & 1 == 1", "t[1][0] & 1 == 1 or t[1][0] & 1 == 0"),
    "a remainder that is 0": (" or scalar_length_var(rest) == 0", ""),
    "another lattice": ("    t[1][0] = 1", "    t[1][0] = 3"),
    "no remainder": ("vector[1] = r[1]", "vector[1] = t[1]"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("line", "other"), MUTANTS.values(), ids=MUTANTS)
def test_a_wrong_vector_is_not_used(line, other, monkeypatch, rng):
    """Was the sum made of such a vector, it would be 0 for sums that differ."""
    plan = multiples_of("edwards25519").plan
    text = (BUILT_IN.parent / "generator/routines/library/half.routine").read_text("utf-8")
    assert text.count(line) == 1
    changed = parse(text.replace(line, other))
    monkeypatch.setattr(
        curve_routines, "library", lambda name, *kind: changed if name == "half" else library(name, *kind)
    )
    wrong = Multiples(plan)
    order, count, found = plan.order, multiples_of("edwards25519").count, 0
    for b in [*exact_scalars(order, 8), *(rng.randrange(order) for _ in range(8))]:
        v, w = vector(wrong, b)
        if gcd(v, count) == 1 and (v * b - w) % count == 0:
            continue
        found += 1
        a, q = rng.randrange(order), rng.randrange(count)
        right = 8 * a + b * q
        assert wrong.combined("double_multiply_equals_var", [a, b], q, right % count) == 1
        other_sum = right + count // (gcd(v, count) if gcd(v, count) > 1 else 8)
        assert wrong.combined("double_multiply_equals_var", [a, b], q, other_sum % count) == 0
    assert found


@pytest.mark.slow
@pytest.mark.long
def test_plans_without_a_proof_are_refused():
    plan = plan_of("edwards25519", "extended-1")
    half = plan.half
    assert half is not None
    assert half_reason(plan) == plan.reasons["half"]
    for wrong, why in (
        (replace(half, bits=half.bits + 125), "w may be a multiple"),
        (replace(half, bits=3), "v may be a multiple"),
        (replace(half, least=31), "may make r less"),
        (replace(half, leading=63), "do not fit"),
        (replace(half, split=half.split - 1), "is not the middle"),
        (replace(half, split=400), "digits are too few"),
    ):
        with pytest.raises(EfdgenError, match=why):
            half_reason(replace(plan, half=wrong))
    for order, cofactor in ((plan.order, 12), (plan.order - 1, 8), (plan.order - 2, 8)):
        with pytest.raises(EfdgenError, match="power of 2"):
            half_reason(replace(plan, order=order, cofactor=cofactor))
