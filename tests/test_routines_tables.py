"""Tables of odd multiples: proved for every point; each edit of what makes them is refused."""

from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_followed import plan as known_plan
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.table_routines import instances
from efdgen.verify.lemmas.table import prove_lemmas
from efdgen.verify.routines.curve import staged
from efdgen.verify.routines.tables import prove_tables

EDITS = table("tables")
METHODS = "additions", "co-z", "effective-affine"


@cache
def plan(name: str) -> CurvePlan:
    if name in METHODS:
        return plan_of("secp256k1", "jacobian-0", odd_multiples=name, table="large")
    return known_plan(name)


def prove(own: CurvePlan) -> None:
    module = staged(own)
    prove_lemmas(own, module)
    prove_tables(own, module)


@pytest.mark.slow
@pytest.mark.drawn(8)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_a_table_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_tables_of_each_method_are_made_once_for_each_length(method):
    own = plan(method)
    made = instances(own)
    assert {each.method for each in made.values()} >= {method}
    assert len(set(made.values())) == len(made)
    names = curve_module(own).routines.keys()
    entries = "entries_of_one_z" if method == "effective-affine" else "entries"
    assert f"window_{entries}" in names
    prove(own)
