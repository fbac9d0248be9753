"""Encodings: proved to be inverse to decoding for every point and all bytes; each edit is refused."""

from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_ladders import plan as ladder_plan
from test_routines_ladders import prove as prove_ladder
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.encoding_routines import encoding_roots
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.lemmas.table import LEMMAS, prove_lemmas

EDITS = table("encodings")
CURVES = "P-256", "edwards25519", "Ed448", "E-222", "Jubjub"


@cache
def plan(name: str) -> CurvePlan | LadderPlan:
    return ladder_plan(name) if name == "Curve25519" else plan_of(name, None)


def prove(own: CurvePlan | LadderPlan) -> None:
    if isinstance(own, LadderPlan):
        prove_ladder(own)
    else:
        prove_lemmas(own, curve_module(own))


@pytest.mark.slow
@pytest.mark.parametrize("name", CURVES)
def test_every_encoding_has_a_proof(name):
    own = plan(name)
    assert isinstance(own, CurvePlan)
    assert LEMMAS.keys() >= {*encoding_roots(own)}
    prove(own)


@pytest.mark.slow
@pytest.mark.drawn(12)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_an_encoding_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)
