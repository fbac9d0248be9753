"""Points of odd order on binary curves: functions and encodings are proved, and single edits are refused."""

import random
from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_multiples import plan_of

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import built_in_curves, checked_curve
from efdgen.generator.curves.odd import halvings, is_odd
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.encoding_routines import encoding_roots
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.lemmas.table import lemmas_of, prove_lemmas
from efdgen.verify.routines.combs import prove_combs
from efdgen.verify.routines.curve import FOLLOWED, multiplication_reasons, roots, staged
from efdgen.verify.routines.multiples import Follower
from efdgen.verify.routines.prepared import prove_prepared

EDITS = table("binary")
CURVES = sorted(c.name for c in built_in_curves() if c.model == "g12o/shortw")
DATABASE = Database()


@cache
def plan(name: str) -> CurvePlan:
    return plan_of(name, None)


def prove(own: CurvePlan) -> None:
    module = staged(own)
    prove_lemmas(own, module)
    prove_combs(own, module)
    prove_prepared(own, Follower(own, module))


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", CURVES)
def test_functions_and_multiplications_are_proved_on_every_curve(name):
    own = plan(name)
    assert own.roles.complete
    reasons, claims = multiplication_reasons(own, Follower(own, staged(own)))
    assert {*roots(own)} <= claims.keys() & reasons.keys()
    assert all("no addition meets an exceptional input" in claims[root] for root in roots(own))


@pytest.mark.slow
def test_every_function_is_part_of_a_lemma_or_followed():
    own = plan("sect233r1")
    module, lemmas = staged(own), lemmas_of(own)
    assert lemmas.keys() >= {*encoding_roots(own)}
    reached = module.reached([*roots(own), *(FOLLOWED & module.routines.keys())])
    assert {*module.routines} <= reached | module.reached(lemmas.keys() & module.routines.keys())


@pytest.mark.slow
@pytest.mark.drawn(8)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", CURVES)
def test_points_of_odd_order_are_those_that_the_order_makes_the_identity(name):
    seed = random.randrange(2**32)
    print(f"seed {seed} of {name}")
    curve, rng = checked_curve(name), random.Random(seed)
    affine = AffineCurve(DATABASE.model(curve.model), curve.field, curve.parameters)
    assert curve.order is not None
    orders = set()
    for _ in range(4 * 2 ** halvings(curve)):
        point = affine.random_point(rng)
        odd = affine.multiple(curve.order, point) == affine.neutral
        assert is_odd(curve, point) == odd, point
        orders.add(odd)
    assert False in orders


def test_a_curve_with_another_cofactor_is_refused():
    with pytest.raises(EfdgenError, match="supports"):
        plan_of("BBE251", None)
