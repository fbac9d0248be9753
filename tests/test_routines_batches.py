"""Batches: proved for any number of points, by what a loop does with any of them; each edit is refused."""

from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.lemmas.table import prove_lemmas

EDITS = table("batches")


@cache
def plan(name: str) -> CurvePlan:
    return plan_of(name, None)


@pytest.mark.slow
@pytest.mark.drawn(12)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_a_batch_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove_lemmas(own, curve_module(own))
