"""Recodings and splits of scalars against plain integers; proofs of them, which refuse what is wrong."""

import json
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from whole_curves import subject

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.scalars.comb import Comb, combs
from efdgen.generator.scalars.digits import OddWindows, wnaf, wnaf_entries
from efdgen.generator.scalars.endomorphism import Split, find_endomorphism, reduced_basis, split
from efdgen.generator.scalars.reach import (
    comb_additions,
    comb_doublings,
    half_additions,
    safe_odd_multiples,
    window_additions,
    window_doublings,
)
from efdgen.generator.scalars.reduction import reduction
from efdgen.verify.scalars.combs import comb_reason
from efdgen.verify.scalars.formulas import require_exact, require_formulas, require_neutral
from efdgen.verify.scalars.halves import half_bounds, odd_half_bounds, shortest_vector, split_reason
from efdgen.verify.scalars.orders import least_order
from efdgen.verify.scalars.windows import window_reason


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_odd_windows_make_up_every_odd_number(width):
    windows = OddWindows(width, 255)
    for scalar in range(1, 256, 2):
        digits = windows.digits(scalar)
        assert len(digits) == windows.count
        assert sum(d << (width * i) for i, d in enumerate(digits)) == scalar
        assert all(d % 2 and abs(d) < 1 << width for d in digits)
        assert digits[-1] > 0
        for remaining in range(windows.count):
            least, most = windows.prefixes(remaining)
            prefix = sum(d << (width * i) for i, d in enumerate(digits[remaining:]))
            assert least <= prefix <= most
    for wrong in (0, 2, 256, 257, -1):
        with pytest.raises(ValueError, match="not odd"):
            windows.digits(wrong)


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6])
def test_non_adjacent_forms(width):
    for scalar in [*range(-300, 300), (1 << 256) - 1]:
        digits = wnaf(scalar, width)
        assert sum(d << i for i, d in enumerate(digits)) == scalar
        assert all(d == 0 or (d % 2 and abs(d) < 1 << (width - 1)) for d in digits)
        places = [i for i, d in enumerate(digits) if d]
        assert all(after - before >= width for before, after in pairwise(places))
        assert max((abs(d) for d in digits), default=1) <= 2 * wnaf_entries(width) - 1


def test_combs_make_up_every_odd_number():
    for comb in combs(8, 16):
        tables = [comb.multiples(block) for block in range(comb.blocks)]
        assert sum(map(len, tables)) == comb.entries <= 16
        assert comb.bits >= 8
        for scalar in range(1, 256, 2):
            total = 0
            for added in comb.steps(scalar):
                total = 2 * total + sum(sign * tables[block][entry] for block, entry, sign in added)
            assert total == scalar, (comb, scalar)


def test_combs_are_the_leanest_of_their_shape():
    shapes = {(comb.blocks, comb.teeth) for comb in combs(256, 1 << 10)}
    assert (11, 6) in shapes
    assert (43, 6) not in {(c.blocks, c.teeth) for c in combs(256, 1 << 10)}
    assert all((c.blocks - 1) * c.teeth * c.spacing < 256 for c in combs(256, 1 << 10) if c.blocks > 1)


def test_reductions_by_subtraction():
    for modulus in (5, 13, 100, 251, 255, 256, 1000):
        small = reduction(modulus)
        for scalar in {0, 1, modulus - 1, modulus, modulus + 1, (1 << 8 * small.bytes) - 1}:
            assert small.reduce(scalar) == scalar % modulus
    assert reduction(2**521 - 1).shifts == (7, 6, 5, 4, 3, 2, 1, 0)


def exceptional_additions(digits: OddWindows, order: int) -> set[int]:
    """Return the numbers of digits to come at which some odd scalar meets an exceptional addition."""
    found = set()
    for scalar in range(1, digits.bound + 1, 2):
        *low, accumulator = digits.digits(scalar)
        for remaining, digit in reversed(list(enumerate(low))):
            accumulator <<= digits.width
            if not all(value % order for value in (accumulator, accumulator - digit, accumulator + digit)):
                found.add(remaining)
            accumulator += digit
    return found


def test_unsafe_additions_are_never_fewer_than_the_exceptional_ones():
    tight = 0
    for order in filter(is_prime, range(5, 300)):
        for width in (2, 3, 4):
            digits = OddWindows(width, order)
            claimed, real = window_additions(digits, order), exceptional_additions(digits, order)
            assert all(remaining < claimed for remaining in real), (order, width)
            tight += bool(real) and claimed == max(real) + 1
    assert tight > 50


def test_unsafe_additions_of_combs_are_never_fewer_than_the_exceptional_ones():
    met = 0
    for order in filter(is_prime, range(17, 200)):
        for comb in combs(order.bit_length(), 16):
            tables = [comb.multiples(block) for block in range(comb.blocks)]
            safe = comb.additions - comb_additions(comb, order)
            for scalar in range(1, order + 1, 2):
                total, number = 0, -1
                for added in comb.steps(scalar):
                    total *= 2
                    for block, entry, sign in added:
                        term = sign * tables[block][entry]
                        exceptional = not all(v % order for v in (total, total - term, total + term))
                        if number >= 0 and exceptional:
                            met += 1
                            assert number >= safe, (order, comb, scalar)
                        total, number = total + term, number + 1
    assert met > 1000


def test_unsafe_doublings_are_never_fewer_than_those_of_multiples_of_the_order():
    """A point of order 4n has multiples m·P that formulas do not know where n divides m."""
    met = 0
    for order in filter(is_prime, range(3, 300)):
        for cofactor in (4, 8):
            for width in (2, 3, 4):
                digits = OddWindows(width, cofactor * order)
                claimed = window_doublings(digits, order)
                for scalar in range(1, digits.bound, 2):
                    *low, total = digits.digits(scalar)
                    for remaining, digit in reversed(list(enumerate(low))):
                        met += total % order == 0
                        assert total % order or remaining < claimed, (order, width, scalar)
                        total = (total << width) + digit
    assert met > 500
    assert window_doublings(OddWindows(4, 8 * 1009), 1009) == 0


def test_unsafe_doublings_of_combs_are_never_fewer_than_those_of_multiples_of_the_order():
    met = 0
    for order in filter(is_prime, range(17, 200)):
        for comb in combs(order.bit_length(), 16):
            tables = [comb.multiples(block) for block in range(comb.blocks)]
            claimed = comb_doublings(comb, order)
            for scalar in range(1, order + 1, 2):
                total = 0
                for number, added in enumerate(comb.steps(scalar)):
                    if number and total % order == 0:
                        met += 1
                        assert comb.spacing - 1 - number < claimed, (order, comb, scalar)
                    total = 2 * total + sum(sign * tables[block][entry] for block, entry, sign in added)
    assert met > 10


def exceptional_half_additions(halves: Split, digits: OddWindows) -> set[int]:
    """Return how many additions are to come when some scalar meets an exceptional one, that one included."""
    found, n = set(), halves.order
    for scalar in range(n):
        pair = halves.odd_halves(scalar)
        rows = [[d if k > 0 else -d for d in digits.digits(abs(k))] for k in pair]
        total, left = rows[0][-1], 2 * digits.count - 1
        terms = [(0, halves.eigenvalue * rows[1][-1])]
        for i in reversed(range(digits.count - 1)):
            terms += [(digits.width, rows[0][i]), (0, halves.eigenvalue * rows[1][i])]
        for shift, term in terms:
            total <<= shift
            if not all(value % n for value in (total, total - term, total + term)):
                found.add(left)
            total, left = total + term, left - 1
        assert (total - scalar) % n == 0
    return found


def test_unsafe_additions_of_halves_are_never_fewer_than_the_exceptional_ones():
    met = safe = 0
    for order in filter(is_prime, range(7, 1200)):
        for eigenvalue in (
            [z for z in range(2, order) if (z * z + z + 1) % order == 0] if order % 3 == 1 else []
        ):
            halves = split(order, eigenvalue)
            for width in (1, 2, 3) if order < 300 else (2,):
                digits = OddWindows(width, max(halves.odd_bounds()))
                claimed, real = (
                    half_additions(digits, halves.shortest),
                    exceptional_half_additions(halves, digits),
                )
                assert all(left <= claimed for left in real), (order, eigenvalue, width)
                met += bool(real)
                safe += claimed < 2 * digits.count - 1
    assert met > 50
    assert safe > 50


def test_halves_are_made_odd():
    for order, eigenvalue in ((31, 5), (37, 10), (43, 6), (10009, 2001)):
        halves = split(order, eigenvalue)
        most = halves.odd_bounds()
        for k in range(order):
            k1, k2 = halves.odd_halves(k)
            assert k1 % 2 == k2 % 2 == 1
            assert (k1 + k2 * eigenvalue - k) % order == 0
            assert abs(k1) <= most[0]
            assert abs(k2) <= most[1]


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


def test_tables_of_odd_multiples_are_safe_only_below_the_order():
    for order in filter(is_prime, range(5, 100)):
        for entries in (1, 2, 4, 8, 16):
            odd = range(1, 2 * entries, 2)
            if safe_odd_multiples(entries, order):
                assert all(
                    (m + 2) % order and (m - 2) % order and m % order for m in odd if m > 1 or order > 3
                )


def test_a_short_basis_is_shortest():
    for order in (31, 37, 61, 1009, 10009):
        for eigenvalue in range(2, min(order, 60)):
            basis = reduced_basis(order, eigenvalue)
            assert all((u + v * eigenvalue) % order == 0 for u, v in basis)
            (a, b), (c, d) = basis
            assert abs(a * d - b * c) == order
            radius = range(-40, 41)
            others = [(u, v) for u in radius for v in radius if (u, v) != (0, 0)]
            lengths = [u * u + v * v for u, v in others if (u + v * eigenvalue) % order == 0]
            assert a * a + b * b <= min(lengths, default=order * order)


def test_halves_make_up_the_scalar_within_their_bounds():
    for order, eigenvalue in ((31, 5), (37, 10), (43, 6), (10009, 2001)):
        halves = split(order, eigenvalue)
        most = halves.bounds()
        for k in range(order):
            k1, k2 = halves.halves(k)
            assert (k1 + k2 * eigenvalue - k) % order == 0
            assert abs(k1) <= most[0]
            assert abs(k2) <= most[1]


def test_halves_of_secp256k1():
    plan = subject("secp256k1").plan
    rng = Random(3)
    halves, most = plan.endomorphism.split, plan.endomorphism.split.bounds()
    assert max(most) < 1 << 128
    assert find_endomorphism(47, 13, (1, 1), lambda *_: (0, 0)) is None  # no cube roots of 1
    assert half_bounds(plan) <= most
    for k in (0, 1, plan.order - 1, plan.order // 2, *(rng.randrange(plan.order) for _ in range(100))):
        k1, k2 = halves.halves(k)
        assert (k1 + k2 * halves.eigenvalue - k) % plan.order == 0
        assert abs(k1) <= most[0]
        assert abs(k2) <= most[1]


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
    with pytest.raises(EfdgenError, match="neutral element"):
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
    dedicated = database.formula("g1p/twisted/extended-1/addition/add-2008-hwcd-4")
    kernels = tuple(
        replace(kernel, formula=dedicated) if kernel.name == plan.chain_add else kernel
        for kernel in plan.kernels.kernels
    )
    require_formulas(plan)
    with pytest.raises(EfdgenError, match="may be 0 where the law is defined"):
        require_formulas(replace(plan, kernels=replace(plan.kernels, kernels=kernels)))


def test_a_law_with_exceptions_is_refused():
    plan = subject("edwards25519").plan
    square = replace(plan.curve, parameters={**plan.curve.parameters, "d": 4})
    with pytest.raises(EfdgenError, match="exceptional inputs"):
        require_formulas(replace(plan, curve=square))


def test_plans_side_by_side(efdgen):
    found = efdgen("plan", "--curve", "secp256k1", "--operation", "double-base", "--json")
    rows = json.loads(found.out)
    assert found.code == 0
    assert [row["chosen"] for row in rows].count(True) == 1
    chosen = next(row for row in rows if row["chosen"])
    assert chosen["system"] == "g1p/shortw/jacobian-0"
    assert chosen["weight"] == min(row["weight"] for row in rows)
    assert {row["system"].rpartition("/")[2] for row in rows} >= {
        "jacobian",
        "xyzz",
        "projective",
        "modified",
    }
    text = efdgen(
        "plan",
        "--curve",
        "secp256k1",
        "--coords",
        "jacobian",
        "--operation",
        "fixed-base",
        "--table",
        "small",
    )
    assert "comb of" in text.out
    assert text.out.count(" *  ") == 1
    weighed = ["plan", "--curve", "secp256k1", "--operation", "variable-base", "--weights", "I=10000"]
    for asked, inverts in ((), False), (("--odd-multiples", "co-z"), True):
        heavy = json.loads(efdgen(*weighed, "--json", *asked).out)
        first = next(row for row in heavy if row["chosen"])
        assert (first["weight"] > 10000) == inverts
        assert (first["odd_multiples"] == "co-z") == inverts


def test_what_no_plan_can_be_made_for_is_one_line(efdgen, tmp_path):
    for curve, why in (
        ("bandersnatch", "not complete"),
        ("stark-curve", ""),
    ):
        found = efdgen("plan", "--curve", curve, "--operation", "fixed-base", "--table", "small")
        assert (found.code, found.err.count("\n")) == ((2, 1) if why else (0, 0)), found.err
        assert why in found.err
    path = tmp_path / "curve.toml"
    path.write_text('name = "c"\nmodel = "g1p/shortw"\nprime = 37\nparameters = {a = 3, b = 7}\n')
    found = efdgen("plan", "--curve", str(path))
    assert (found.code, found.err) == (
        2,
        "efdgen: c has no generator; --set curve needs it in the curve's file\n",
    )
