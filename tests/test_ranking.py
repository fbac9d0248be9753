"""The choice of formulas: those with the fewest instructions, as a stopwatch has it too."""

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.candidate import Candidate, candidate, candidates
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.kernels.ranking import by_instructions, by_weights, instructions
from efdgen.generator.limbs.plan import plan
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.reports.weights import parse_weights
from efdgen.generator.tuning.file import built_in
from efdgen.generator.tuning.order import Order, fingerprint
from efdgen.generator.tuning.tuning import FormulaChoice, OrderChoice, Tuning

WEIGHTS = parse_weights("S=0.9,const=1.2,add=0.11,param=1")


def doublings(database: Database, curve_name: str, system: str) -> list[Candidate]:
    curve = load_curve(curve_name)
    ids = [name for name in database.formulas_for(system) if "/doubling/" in name]
    return [c for c in candidates(database, curve, ids) if not c.formula.input_assumptions]


def names(found: list[Candidate]) -> list[str]:
    return list(dict.fromkeys(c.formula.name for c in found if c.formula.self_contained))


@pytest.mark.parametrize(
    ("curve", "system", "fastest", "slower"),
    [
        # Cycles of clang and gcc, of ten doublings in a row: 121 and 136, against 131 and 142, 148 and 166.
        ("secp256k1", "g1p/shortw/jacobian-0", "dbl-sum", ["dbl-1986-cc", "dbl-2009-l"]),
        # 183 and 201, against 206 and 218, 232 and 254.
        ("P-256", "g1p/shortw/jacobian-3", "dbl-1986-cc", ["dbl-2001-b", "dbl-1986-cc-2"]),
    ],
)
def test_the_doubling_that_was_measured_to_be_fastest_is_first(
    database: Database, curve: str, system: str, fastest: str, slower: list[str]
):
    ranked = names(
        by_instructions(WEIGHTS, load_curve(curve).prime, built_in("c"))(doublings(database, curve, system))
    )
    assert ranked[0] == fastest
    assert set(slower) < set(ranked)
    assert names(by_weights(WEIGHTS)(doublings(database, curve, system)))[0] in slower


def test_what_was_measured_comes_before_what_is_counted_to_be_as_fast(database: Database):
    curve, chosen = load_curve("secp256k1"), "g1p/shortw/jacobian-0/addition/add-1998-cmo-2"
    rivals = candidates(database, curve, database.select(["jacobian-0/addition/add-*"]))
    (found,) = (c for c in rivals if c.formula.id == chosen)
    key = fingerprint(remove_dead_code(found.specialised.program), plan(curve.prime))
    order = OrderChoice("secp256k1", chosen, key, Order((0,)))
    for measured in (True, False):
        tuning = Tuning("c", orders=(order,) if measured else ())
        ranked = by_instructions(WEIGHTS, curve.prime, tuning)(rivals)
        same = [c.formula.id for c in ranked if c.specialised.program == found.specialised.program]
        assert (ranked[0].formula.id in same) is measured


def test_a_formula_that_a_tuning_chose_for_the_curve_is_first(database: Database):
    chosen = "g1p/shortw/jacobian-0/addition/add-2007-bl"
    curve, rivals = load_curve("secp256k1"), database.select(["jacobian-0/addition/add-*"])
    tuning = Tuning("c", formulas=(FormulaChoice("secp256k1", "add", chosen),))
    for name, first in (("secp256k1", True), ("another", False)):
        ranked = by_instructions(WEIGHTS, curve.prime, tuning, name)(candidates(database, curve, rivals))
        assert (ranked[0].formula.id == chosen) is first
        assert len(ranked) == len(candidates(database, curve, rivals))


def test_a_ranking_holds_every_formula_once(database: Database):
    rivals = doublings(database, "P-256", "g1p/shortw/jacobian-3")
    ranked = by_instructions(WEIGHTS, load_curve("P-256").prime, built_in("c"))(rivals)
    assert sorted(c.formula.id for c in ranked) == sorted(c.formula.id for c in rivals)


def test_what_divides_is_ranked_by_weight(database: Database):
    curve = load_curve("secp256k1")
    rivals = candidates(database, curve, ["g1p/shortw/affine/doubling/dbl", "g1p/shortw/affine/addition/add"])
    assert by_instructions(WEIGHTS, curve.prime, built_in("c"))(rivals) == by_weights(WEIGHTS)(rivals)


def test_a_formula_with_more_in_it_takes_more_instructions(database: Database):
    curve = load_curve("secp256k1")
    once, twice = (
        candidate(database.formula(f"g1p/shortw/jacobian-0/{name}"), curve.field, curve.parameters)
        for name in ("doubling/dbl-sum", "doubling2/dbl2-2004-hmv")
    )
    counted = [instructions(found.specialised.program, curve.prime) for found in (once, twice)]
    assert counted[0] < counted[1]


@pytest.mark.parametrize(
    ("weights", "lowering", "doubling"),
    [
        (None, "whole", "dbl-sum"),
        ("const=0.2", "whole", "dbl-2021-d"),
        (None, "calls", "dbl-1986-cc"),
    ],
)
def test_weights_that_the_user_gives_decide_alone(
    database: Database, weights: str | None, lowering: str, doubling: str
):
    request = Request("c", "secp256k1", coords="jacobian-0", weights=weights, lowering=lowering)
    kernels = make_bundle(database, request, Prover()).groups[0].kernels
    assert [k.formula.name for k in kernels if k.name == "double"] == [doubling]
