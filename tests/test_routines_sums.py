"""Sums of digits at places: proved for every number of forms and places; each edit of them is refused."""

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_followed import plan

from efdgen.generator.errors import EfdgenError
from efdgen.verify.routines.curve import follower, multiplication_reasons

EDITS = table("sums")


@pytest.mark.slow
@pytest.mark.drawn(8)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{EDITS[at][1]}-{at}")
def test_an_edit_of_a_sum_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    edited = once(right, wrong)(source.text)
    with source.replaced(edited), pytest.raises(EfdgenError):
        multiplication_reasons(own, follower(own))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P-256", "secp256k1", "secp256k1, co-z", "edwards25519"])
def test_sums_of_any_scalars_and_points_are_claimed(name):
    own = plan(name)
    _, claims = multiplication_reasons(own, follower(own))
    assert claims["multiply_var"].startswith("Proved: k·P for every k and P; ")
    assert claims["double_multiply_var"].startswith("Proved: a·G + b·Q for every a, b and Q; ")
