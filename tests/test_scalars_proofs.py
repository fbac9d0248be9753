"""Proofs of plans for scalars: what they say, and what is wrong is refused."""

from dataclasses import replace

import pytest
from whole_curves import subject

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.scalar_words import scalar_words
from efdgen.generator.scalars.comb import Comb
from efdgen.generator.scalars.endomorphism import split
from efdgen.verify.scalars.buckets import bucket_reason, require_windows
from efdgen.verify.scalars.combs import comb_reason
from efdgen.verify.scalars.formulas import require_exact, require_formulas, require_neutral
from efdgen.verify.scalars.halves import odd_half_bounds, shortest_vector, split_reason
from efdgen.verify.scalars.orders import least_order
from efdgen.verify.scalars.windows import window_reason


def test_wrong_windows_of_halves_are_refused():
    plan = subject("secp256k1").plan
    window, own = plan.variable, plan.endomorphism
    assert window.halves
    assert "u·P + v·λ·P" in window_reason(plan)
    assert odd_half_bounds(plan) <= own.split.odd_bounds()
    digits = window.digits
    first, second = own.split.basis
    long = (second[0] + first[0], second[1] + first[1])
    for wrong, why in (
        ({"variable": replace(window, complete_additions=1)}, "may meet an exceptional input"),
        ({"variable": replace(window, digits=replace(digits, bound=digits.bound >> 9))}, "cannot hold"),
    ):
        with pytest.raises(EfdgenError, match=why):
            window_reason(replace(plan, **wrong))
    with pytest.raises(EfdgenError, match="reduced"):
        shortest_vector(
            replace(plan, endomorphism=replace(own, split=replace(own.split, basis=(long, second))))
        )


def test_wrong_windows_are_refused():
    plan = subject("P-256").plan
    assert plan.variable.complete_additions == 1
    assert "Out of reach" in window_reason(plan)
    digits = plan.variable.digits
    for wrong, why in (
        ({"complete_additions": 0}, "right for every input"),
        ({"digits": replace(digits, bound=plan.order >> 8)}, "cannot hold"),
        ({"digits": replace(digits, bound=plan.order - 2)}, "planned for numbers up to"),
    ):
        with pytest.raises(EfdgenError, match=why):
            window_reason(replace(plan, variable=replace(plan.variable, **wrong)))
    with pytest.raises(EfdgenError, match="only where the modulus is odd"):
        window_reason(
            replace(
                plan,
                cofactor=8,
                variable=replace(plan.variable, digits=replace(digits, bound=plan.order * 8)),
            )
        )


def test_points_that_formulas_do_not_know_are_met_by_none():
    plan = subject("edwards25519", "inverted").plan
    window, fixed = plan.variable, plan.generator
    assert window.apart
    assert window.complete_additions == 1
    assert "Apart" in window_reason(plan)
    assert "Out of reach" in comb_reason(plan)
    wide = replace(window, digits=replace(window.digits, width=2), complete_additions=2)
    for wrong, cofactor, why in (
        (replace(window, apart=False), 8, "do not know them"),
        (replace(window, apart=False, complete_additions=window.digits.count - 1), 8, "do not know them"),
        (replace(window, complete_additions=0), 8, "right for every input"),
        (wide, 8, "may be doubled"),
        (replace(window, digits=replace(window.digits, bound=12 * plan.order)), 12, "cannot be served apart"),
    ):
        with pytest.raises(EfdgenError, match=why):
            window_reason(replace(plan, cofactor=cofactor, variable=wrong))
    assert fixed.complete_doublings > 0
    with pytest.raises(EfdgenError, match="doubling of the comb"):
        comb_reason(replace(plan, generator=replace(fixed, complete_doublings=0)))


def test_windows_on_points_of_small_order_are_refused():
    plan = subject("P-256").plan
    wide = replace(plan.variable.digits, bound=3 * plan.order)
    with pytest.raises(EfdgenError, match="P of order 3"):
        window_reason(replace(plan, cofactor=3, variable=replace(plan.variable, digits=wide)))
    every = replace(plan.variable, digits=wide, complete_additions=wide.count - 1)
    with pytest.raises(EfdgenError, match="odd multiples meet"):
        window_reason(replace(plan, cofactor=3, variable=every))


def test_wrong_buckets_are_refused():
    for curve in ("secp256k1", "P-256"):
        plan = subject(curve).plan
        assert "half of every window" in bucket_reason(plan)
        greatest, bits, count = plan.order - 1, plan.order.bit_length(), scalar_words(plan).count
        require_windows(greatest, bits, 8, count)
        for wrong, why in (
            ((greatest, bits - 16, 8, count), "do not hold 256 bits"),
            ((greatest, bits, 8, 9), "words do not hold"),
        ):
            with pytest.raises(EfdgenError, match=why):
                require_windows(*wrong)


def test_wrong_combs_are_refused():
    plan = subject("secp256k1").plan
    fixed = plan.generator
    assert fixed.complete_additions > 0
    assert "Out of reach" in comb_reason(plan)
    with pytest.raises(EfdgenError, match="may meet an exceptional input"):
        comb_reason(replace(plan, generator=replace(fixed, complete_additions=fixed.complete_additions - 1)))
    with pytest.raises(EfdgenError, match="too short"):
        comb_reason(
            replace(plan, generator=replace(fixed, comb=replace(fixed.comb, spacing=fixed.comb.spacing - 1)))
        )
    tiny = replace(plan, order=7, generator=replace(fixed, comb=Comb(1, 4, 1)))
    with pytest.raises(EfdgenError, match="identity"):
        comb_reason(tiny)


def test_wrong_halves_are_refused(database):
    plan = subject("secp256k1").plan
    assert "2^128" in split_reason(plan, database)
    own = plan.endomorphism
    other = plan.order - 1 - own.eigenvalue
    g1, g2 = own.split.multipliers
    (a1, b1), second = own.split.basis
    for wrong, why in (
        (replace(own, eigenvalue=other), "another λ"),
        (replace(own, eigenvalue=other, split=split(plan.order, other)), "is not"),
        (replace(own, beta=own.beta + 1), "β³ = 1"),
        (replace(own, split=replace(own.split, basis=((a1 + 1, b1), second))), "not in the lattice"),
        (replace(own, split=replace(own.split, multipliers=(g1, g2 >> 3))), "not good enough"),
    ):
        with pytest.raises(EfdgenError, match=why):
            split_reason(replace(plan, endomorphism=wrong), database)


def test_orders_of_points():
    assert least_order(43, 1) == 43
    assert least_order(13, 4) == 2
    assert least_order(17, 3) == 3
    with pytest.raises(EfdgenError, match="not prime"):
        least_order(15, 1)


def test_formulas_that_fail_elsewhere_are_refused(database):
    """The dedicated addition of extended coordinates fails for equal points, where the law is defined."""
    from efdgen.generator.kernels.candidate import candidate

    edwards = subject("edwards25519").plan.curve
    unified = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-3")
    require_exact(candidate(unified, edwards.prime, edwards.parameters).specialised, edwards.prime)
    dedicated = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-4")
    with pytest.raises(EfdgenError, match="may be 0 where the law is defined"):
        require_exact(candidate(dedicated, edwards.prime, edwards.parameters).specialised, edwards.prime)
    weierstrass = subject("secp256k1").plan.curve
    complete = database.formula("g1p/shortw/projective/addition/add-2015-rcb")
    with pytest.raises(EfdgenError, match="Z3"):
        require_exact(
            candidate(complete, weierstrass.prime, weierstrass.parameters).specialised, weierstrass.prime
        )
    found = candidate(complete, weierstrass.prime, weierstrass.parameters).specialised
    with pytest.raises(EfdgenError, match="neutral gives"):
        require_neutral(found)


def test_additions_before_doublings_are_counted_and_proved(database):
    """Of 63 additions to a window's doublings 62 leave T out; one that fails for equal points is refused."""
    plan = subject("edwards25519").plan
    assert plan.chain_add == "add_cached_to_projective"
    chosen = next(c for c in plan.candidates["variable-base"] if c.chosen)
    times = {step.id: step.times for step in chosen.steps}
    assert plan.variable.digits.count == 64
    assert times["g1p/twisted/extended-1/addition/add-cached-to-projective"] == 62
    assert times["g1p/twisted/extended-1/addition/add-cached"] == 1
    # Of 256 places 1/8 have a digit of the generator, added last, and 1/6 of the others one of the point.
    assert (plan.double.width, plan.double.fixed_width, plan.reduction.modulus.bit_length()) == (5, 7, 256)
    chosen = next(c for c in plan.candidates["double-base"] if c.chosen)
    times = {step.id.rpartition("/")[2]: step.times for step in chosen.steps}
    assert times["add-niels-to-projective"] == 256 // 8
    assert times["add-cached-to-projective"] == (256 - 256 // 8) // 6
    assert "add-niels" not in times
    dedicated = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-4")
    require_formulas(plan)
    assert plan.chains_sums
    for name in (plan.chain_add, plan.roles.fixed_entry.chain_add):
        kernels = tuple(
            replace(kernel, formula=dedicated) if kernel.name == name else kernel
            for kernel in plan.kernels.kernels
        )
        with pytest.raises(EfdgenError, match="may be 0 where the law is defined"):
            require_formulas(replace(plan, kernels=replace(plan.kernels, kernels=kernels)))


def test_a_law_with_exceptions_is_refused():
    plan = subject("edwards25519").plan
    square = replace(plan.curve, parameters={**plan.curve.parameters, "d": 4})
    with pytest.raises(EfdgenError, match="exceptional inputs"):
        require_formulas(replace(plan, curve=square))
