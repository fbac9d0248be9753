"""Proofs of plans for scalars: what they say, and what is wrong is refused."""

from dataclasses import replace

import pytest
from whole_curves import subject, tiny_file

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.scalar_words import scalar_words
from efdgen.generator.scalars.comb import Comb
from efdgen.generator.scalars.endomorphism import split
from efdgen.generator.scalars.reduction import reduction
from efdgen.verify.lemmas.cases import pairs, single
from efdgen.verify.routines.curve import follower, multiplication_reasons, split_reason
from efdgen.verify.scalars.buckets import bucket_reason, require_windows
from efdgen.verify.scalars.formulas import require_exact
from efdgen.verify.scalars.orders import least_order


def reasons(plan: CurvePlan) -> dict[str, str]:
    """Return what the follower proves of a plan's multiplications."""
    return multiplication_reasons(plan, follower(plan))[0]


@pytest.mark.slow
def test_wrong_windows_of_halves_are_refused():
    plan = subject("secp256k1").plan
    window, own = plan.variable, plan.endomorphism
    assert window.halves
    assert "u·P + v·λ·P" in reasons(plan)["multiply"]
    first, second = own.split.basis
    digits = window.digits
    for wrong, why in (
        (
            replace(plan, variable=replace(window, complete_additions=0)),
            "addition 50 may meet an exceptional",
        ),
        (
            replace(plan, variable=replace(window, digits=replace(digits, bound=digits.bound >> 9))),
            "signs of a number that may be even, or may not be below",
        ),
        (with_split(plan, basis=((first[0] + 2, first[1]), second)), "not a basis of the lattice"),
        (with_split(plan, basis=(first, (3 * second[0], 3 * second[1]))), "not a basis of the lattice"),
    ):
        with pytest.raises(EfdgenError, match=why):
            reasons(wrong)


def with_split(plan: CurvePlan, **changed: object) -> CurvePlan:
    """Return a plan that splits scalars otherwise."""
    own = plan.endomorphism
    return replace(plan, endomorphism=replace(own, split=replace(own.split, **changed)))


@pytest.mark.slow
def test_wrong_windows_are_refused():
    plan = subject("P-256").plan
    assert plan.variable.complete_additions == 1
    assert "Out of reach" in reasons(plan)["multiply"]
    digits = plan.variable.digits
    for wrong, why in (
        ({"complete_additions": 0}, "addition 63 may meet an exceptional input"),
        ({"digits": replace(digits, bound=plan.order >> 8)}, r"may not be below 2\^248"),
    ):
        with pytest.raises(EfdgenError, match=why):
            reasons(replace(plan, variable=replace(plan.variable, **wrong)))
    with pytest.raises(EfdgenError, match="that may be even"):
        reasons(replace(plan, reduction=reduction(2 * plan.order)))


@pytest.mark.long
@pytest.mark.slow
def test_points_that_formulas_do_not_know_are_met_by_none():
    plan = subject("edwards25519", "inverted").plan
    window = plan.variable
    assert window.apart
    assert window.complete_additions == 1
    found = reasons(plan)
    assert "Apart" in found["multiply"]
    assert "Out of reach" in found["multiply_generator"]
    wide = replace(window, digits=replace(window.digits, width=2), complete_additions=2)
    for wrong, why in (
        (replace(window, apart=False), "a doubling may meet a point of small order"),
        (replace(window, apart=False, complete_additions=window.digits.count - 1), "a doubling may meet"),
        (replace(window, complete_additions=0), "may meet an exceptional input"),
        (wide, "a doubling may meet"),
    ):
        with pytest.raises(EfdgenError, match=why):
            reasons(replace(plan, variable=wrong))


@pytest.mark.slow
def test_doublings_of_combs_that_formulas_do_not_know_are_met_by_none(tmp_path):
    plan = subject(tiny_file(tmp_path, "edwards"), "inverted").plan
    fixed = replace(plan.generator, comb=Comb(2, 1, 4), complete_additions=7, complete_doublings=3)
    assert "right for every input" in reasons(replace(plan, generator=fixed))["multiply_generator"]
    with pytest.raises(EfdgenError, match=r"multiply_generator is not proved, for .*: a doubling may meet"):
        reasons(replace(plan, generator=replace(fixed, complete_doublings=0)))


@pytest.mark.slow
@pytest.mark.long
def test_windows_on_points_of_small_order_are_refused(tmp_path):
    plan = subject(tiny_file(tmp_path, "odd"), "jacobian").plan
    assert plan.cofactor == 3
    window = plan.variable
    with pytest.raises(EfdgenError, match="may meet an exceptional input"):
        reasons(replace(plan, variable=replace(window, complete_additions=window.digits.count - 2)))
    with pytest.raises(EfdgenError, match="odd multiples meet points of order 3"):
        reasons(replace(plan, variable=replace(window, safe_table=True)))


@pytest.mark.slow
def test_wrong_buckets_are_refused():
    for curve in ("secp256k1", "P-256"):
        plan = subject(curve).plan
        assert "half of every window" in bucket_reason(plan, follower(plan).half_bound)
        greatest, bits, count = plan.order - 1, plan.order.bit_length(), scalar_words(plan).count
        require_windows(greatest, bits, 8, count)
        for wrong, why in (
            ((greatest, bits - 16, 8, count), "do not hold 256 bits"),
            ((greatest, bits, 8, 9), "words do not hold"),
        ):
            with pytest.raises(EfdgenError, match=why):
                require_windows(*wrong)


@pytest.mark.slow
def test_wrong_combs_are_refused():
    plan = subject("secp256k1").plan
    fixed = plan.generator
    assert fixed.complete_additions > 0
    assert "Out of reach" in reasons(plan)["multiply_generator"]
    with pytest.raises(EfdgenError, match="may meet an exceptional input"):
        reasons(replace(plan, generator=replace(fixed, complete_additions=fixed.complete_additions - 1)))
    with pytest.raises(EfdgenError, match=r"comb_signs, line .*: signs of a number that may"):
        reasons(
            replace(plan, generator=replace(fixed, comb=replace(fixed.comb, spacing=fixed.comb.spacing - 1)))
        )
    with pytest.raises(EfdgenError, match="identity"):
        reasons(replace(plan, order=5, generator=replace(fixed, comb=Comb(1, 4, 1))))


@pytest.mark.slow
def test_wrong_halves_are_refused(database):
    plan = subject("secp256k1").plan
    assert "2^128" in split_reason(plan, database, follower(plan))
    own = plan.endomorphism
    other = plan.order - 1 - own.eigenvalue
    g1, g2 = own.split.multipliers
    (a1, b1), second = own.split.basis
    for wrong, why in (
        (replace(own, eigenvalue=other), "another λ"),
        (replace(own, eigenvalue=other, split=split(plan.order, other)), "is not"),
        (replace(own, beta=own.beta + 1), "β³ = 1"),
        (replace(own, split=replace(own.split, basis=((a1 + 2, b1), second))), "not a basis"),
    ):
        found = replace(plan, endomorphism=wrong)
        with pytest.raises(EfdgenError, match=why):
            split_reason(found, database, follower(found))
    with pytest.raises(EfdgenError, match="may not be below"):
        reasons(with_split(plan, multipliers=(g1, g2 >> 3)))


def test_orders_of_points():
    assert least_order(43, 1) == 43
    assert least_order(13, 4) == 2
    assert least_order(17, 3) == 3
    with pytest.raises(EfdgenError, match="not prime"):
        least_order(15, 1)


@pytest.mark.slow
@pytest.mark.long
def test_formulas_that_fail_elsewhere_are_refused(database):
    """The dedicated addition of extended coordinates fails for equal points, where the law is defined."""
    from efdgen.generator.kernels.candidate import candidate

    edwards = subject("edwards25519").plan.curve
    unified = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-3")
    require_exact(candidate(unified, edwards.field, edwards.parameters).specialised, edwards.prime)
    dedicated = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-4")
    with pytest.raises(EfdgenError, match="may be 0 where the law is defined"):
        require_exact(candidate(dedicated, edwards.field, edwards.parameters).specialised, edwards.prime)
    weierstrass = subject("secp256k1").plan.curve
    complete = database.formula("g1p/shortw/projective/addition/add-2015-rcb")
    with pytest.raises(EfdgenError, match="Z3"):
        require_exact(
            candidate(complete, weierstrass.field, weierstrass.parameters).specialised, weierstrass.prime
        )


@pytest.mark.slow
def test_additions_before_doublings_are_counted():
    """Only one of 63 additions to a window's doublings computes T."""
    plan = subject("edwards25519").plan
    assert plan.chain_add == "add_cached_to_projective"
    chosen = next(c for c in plan.candidates["variable-base"] if c.chosen)
    times = {step.id: step.times for step in chosen.steps}
    assert plan.variable.digits.count == 64
    assert times["g1p/twisted/extended-1/addition/add-cached-to-projective"] == 62
    assert times["g1p/twisted/extended-1/addition/add-cached"] == 1
    # 1/8 of 256 places have a digit of the generator, added last, and 1/6 of the others one of the point.
    assert (plan.double.width, plan.double.fixed_width, plan.reduction.modulus.bit_length()) == (5, 7, 256)
    chosen = next(c for c in plan.candidates["double-base"] if c.chosen)
    times = {step.id.rpartition("/")[2]: step.times for step in chosen.steps}
    assert times["add-niels-to-projective"] == 256 // 8
    assert times["add-cached-to-projective"] == (256 - 256 // 8) // 6
    assert "add-niels" not in times
    assert plan.chains_sums


def test_a_law_with_exceptions_is_refused():
    plan = subject("edwards25519").plan
    square = replace(plan.curve, parameters={**plan.curve.parameters, "d": 4})
    for cases in (single, pairs):
        with pytest.raises(EfdgenError, match="exceptional inputs"):
            cases(replace(plan, curve=square))
