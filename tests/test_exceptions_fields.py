"""The fields on which formulas are tried: wrong formulas that four fixed tiny fields let pass are refused.

The law's prover is not asked in these tests: they are about the second line of defence alone.
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import prod

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.programs.lower import lower
from efdgen.verify import effort
from efdgen.verify.exceptions import conclude as conclude_module
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.exceptions.fields import constants, large_primes, tiny_orders
from efdgen.verify.exceptions.investigation import Investigation
from efdgen.verify.exceptions.laboratory import Laboratory
from efdgen.verify.exceptions.random_points import require_right
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import Refuted, UndecidedError

OLD = 7 * 11 * 13 * 17
DOUBLING = "g1p/shortw/jacobian/doubling/dbl-2007-bl"
ADDITION = "g1p/edwards/projective/addition/add-2007-bl"
TINY = [p for p in range(7, 64) if is_prime(p)]


def edited(formula: Formula, *lines: str) -> Formula:
    """Return a formula with more steps behind its own."""
    steps = parse_document("".join(f"compute {line}\n" for line in lines)) if lines else ()
    return replace(formula, assignments=(*formula.assignments, *(step.content for step in steps)))


# Each is right over GF(7), GF(11), GF(13) and GF(17), and over no other large field.
WRONG = {
    "a factor of 1 + 17017": (DOUBLING, [f"X3 = {1 + OLD}*X3"]),
    "a factor of 1 - 17017": (DOUBLING, [f"Y3 = Y3 - {OLD}*Y3"]),
    "a summand of 17017": (DOUBLING, [f"X3 = X3 + {OLD}*Z1^2*X1"]),
    "a factor of -1, as 17016": (DOUBLING, [f"Y3 = -({OLD - 1}*Y3)"]),
    "a factor of 1/17018": (DOUBLING, [f"X3 = X3/{1 + OLD}"]),
    "2 as 17019": (DOUBLING, [f"X3 = {2 + OLD}*X3", "X3 = X3/2"]),
    "a product of constants": (DOUBLING, ["c = 7*11", "d = 13*17", "X3 = X3 + c*d*X1"]),
    "a constant made of others": (DOUBLING, ["c = 2^14", "d = 633", "X3 = X3 + (c + d)*Z1^2*X1"]),
    "Fermat's theorem": (DOUBLING, ["X3 = X3 + Y1*(X1^241 - X1)"]),
    "an addition": (ADDITION, [f"X3 = X3*(1 + {OLD}*X1*X2)"]),
    "an addition with a parameter": (ADDITION, [f"Z3 = Z3 + {OLD}*d*X1*Y2"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_formula_that_tiny_fields_let_pass_is_refused(database: Database, name: str):
    formula_id, lines = WRONG[name]
    wrong = edited(database.formula(formula_id), *lines)
    with pytest.raises(EfdgenError, match=r"the formula and the affine law disagree modulo \d+"):
        conclude(wrong)


@pytest.mark.parametrize("name", WRONG)
def test_these_formulas_are_right_over_the_fields_that_were_fixed(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str
):
    """Or the tests above would show nothing: over those four fields each does what the law says."""
    from efdgen.verify.exceptions import laboratory
    from efdgen.verify.exceptions.exhaustive import outcome

    formula_id, lines = WRONG[name]
    right = database.formula(formula_id)
    wrong = edited(right, *lines)
    monkeypatch.setattr(laboratory, "tiny_orders", lambda _: (7, 11, 13, 17))
    made = Laboratory()
    for specimen in made.specimens(right)[:6]:
        trials = made.trials(right, specimen)
        found = [outcome(f, [lower(f)], trials, specimen.parameters).wrong for f in (right, wrong)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", [name for name in WRONG if "Fermat" not in name])
def test_the_tiny_fields_alone_see_a_constant_that_vanished(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str
):
    """Without random points too, which only an exponent needs."""
    formula_id, lines = WRONG[name]
    wrong = edited(database.formula(formula_id), *lines)
    assert not set(tiny_orders(wrong)) & {7, 11, 13, 17}
    monkeypatch.setattr(conclude_module, "require_right", lambda _: None)
    with pytest.raises(EfdgenError, match="the degenerate locus and trials disagree"):
        Investigation(wrong, Laboratory())


@pytest.mark.parametrize("name", WRONG)
def test_the_law_refutes_them_too(database: Database, name: str):
    formula_id, lines = WRONG[name]
    wrong = edited(database.formula(formula_id), *lines)
    if name == "Fermat's theorem":
        wrong = edited(database.formula(formula_id), "X3 = X3 + Y1*(X1^13 - X1)")
    with pytest.raises(Refuted):
        prove_law(wrong, lower(wrong))


def differences(numbers: Iterable[Fraction]) -> set[Fraction]:
    known = list(numbers)
    return {one - other for one in known for other in known if one != other}


def test_no_field_divides_a_constant_or_a_difference(database: Database):
    """Every formula has such fields, and the four that were fixed are taken wherever they may be."""
    taken = set()
    for formula_id in database.ids[::7]:
        formula = database.formula(formula_id)
        if formula.system.model.binary:
            assert tiny_orders(formula) == (8, 16)
            continue
        orders = tiny_orders(formula)
        taken.add(orders)
        assert len(orders) == 4
        known = constants(formula)
        for value in {*known, *differences(known)} - {0}:
            for order in orders:
                assert value.numerator % order
                assert value.denominator % order
    assert (7, 11, 13, 17) in taken


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        ([], (11, 13, 17, 19)),  # 8 - 1 = 7
        (["t = 13*X3"], (17, 19, 23, 37)),  # 13 - 2 = 11
        (["t = 19*X3"], (13, 23, 29, 31)),  # 19 - 8 = 11, 19 - 2 = 17
        (["t = 1/13*X3"], (17, 23, 31, 37)),  # 3 - 1/13 = 38/13
        (["t = X3^13"], (11, 17, 19, 37)),  # 13 - 1 = 12
    ],
)
def test_fields_follow_from_constants(database: Database, lines: list[str], orders: tuple[int, ...]):
    assert tiny_orders(edited(database.formula(DOUBLING), *lines)) == orders


def test_a_formula_whose_constants_leave_no_field_is_undecided(database: Database):
    blind = edited(database.formula(DOUBLING), f"t = {prod(TINY)}*X3")
    with pytest.raises(UndecidedError, match="after fields of at most 64 elements"):
        conclude(blind)
    effort.set_effort(2)
    try:
        assert min(tiny_orders(blind)) > 64
    finally:
        effort.set_effort(1)


def test_the_large_prime_follows_from_the_formula(database: Database):
    formula = database.formula(DOUBLING)
    prime = next(large_primes(formula))
    assert prime.bit_length() == 127
    assert prime % 12 == 1
    assert is_prime(prime)
    assert prime == next(large_primes(database.formula(DOUBLING)))
    assert prime != next(large_primes(edited(formula, "t = X3")))
    assert require_right(formula) == prime


def test_a_prime_is_taken_modulo_which_the_assumptions_can_be_satisfied(database: Database):
    """Some of the numbers up to 61 are squares modulo a prime and some are not."""
    formula = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    found = set()
    for number in TINY:
        (assumption,) = parse_document(f"assume a^2 == {number}\n")
        assumed = replace(formula, assumptions=(assumption.content,))
        prime = require_right(assumed)
        assert pow(number, (prime - 1) // 2, prime) == 1
        found.add(prime == next(large_primes(assumed)))
    assert found == {True, False}


def test_a_conclusion_says_which_fields_were_tried(database: Database):
    formula = database.formula(DOUBLING)
    orders = [*tiny_orders(formula), next(large_primes(formula))]
    assert conclude(formula).tried_over == tuple(f"GF({order})" for order in orders)
    binary = database.formula("g12o/shortw/jacobian/doubling/dbl-2005-dl")
    assert conclude(binary).tried_over == ("GF(8)", "GF(16)")
