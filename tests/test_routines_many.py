"""Sums of many multiples, ladders on one Z, combs and tables: proved for any points; edits are refused."""

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_tables import METHODS, plan

from efdgen.generator.errors import EfdgenError
from efdgen.verify.lemmas.table import prove_lemmas
from efdgen.verify.routines.combs import prove_combs
from efdgen.verify.routines.coz import prove_coz
from efdgen.verify.routines.curve import follower, staged
from efdgen.verify.routines.many import prove_many
from efdgen.verify.routines.prepared import prove_prepared
from efdgen.verify.routines.shared import prove_shared

EDITS = [row for name in ("many", "shared", "prepared", "coz", "combs") for row in table(name)]


def prove(own):
    module = staged(own)
    prove_lemmas(own, module)
    prove_many(own, module)
    followed = follower(own, module)
    prove_shared(followed)
    prove_prepared(own, followed)
    prove_combs(own, module)
    if own.coz is not None:
        prove_coz(own, module)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*METHODS, "P-256", "edwards25519"])
def test_every_sum_has_a_proof(name):
    prove(plan(name))


@pytest.mark.slow
@pytest.mark.drawn(12)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_a_sum_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)
