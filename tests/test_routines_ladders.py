"""The ladder of Montgomery curves: proved for every scalar and x; each edit of it is refused."""

from dataclasses import replace
from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from whole_curves import tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.ladder_routines import ladder_module
from efdgen.generator.planning.request import draft_ladder
from efdgen.verify.routines.ladder import prove_ladder

EDITS = table("ladders")
CURVES = "Curve25519", "Curve448", "M-221", "M-383", "M-511"


@cache
def plan(curve: str) -> LadderPlan:
    found = draft_ladder(Database(), Request("c", curve, set="curve"))
    assert found is not None
    return found


def prove(own: LadderPlan) -> dict[str, str]:
    return prove_ladder(own, ladder_module(own))


@pytest.mark.parametrize("curve", CURVES)
def test_every_multiplication_is_claimed(curve):
    claims = prove(plan(curve))
    assert claims["x_multiply"].startswith("Proved: x(k·P) for every k and every x")
    assert claims["multiply"] == claims["ladder_multiply"] == "Proved: k·P for every k and P"
    assert claims["multiply_generator"] == "Proved: k·G for every k"


@pytest.mark.parametrize("name", ["ladder47", "ladder47of8", "ladder53", "ladder59"])
def test_ladders_of_other_curves_are_proved(name, tmp_path):
    assert prove(plan(tiny_file(tmp_path, name)))


@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][0]}-{at}")
def test_an_edit_of_a_ladder_is_refused(at, tmp_path):
    name, right, wrong = EDITS[at]
    own = plan(tiny_file(tmp_path, "ladder53") if name == "scaled" else name)
    source = Routines("ladder")
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)


@pytest.mark.parametrize("curve", CURVES)
def test_a_step_with_another_constant_is_refused(curve):
    own = plan(curve)
    ((name, value),) = own.kernels.constants.items()
    kernels = replace(own.kernels, constants={name: value + 1})
    with pytest.raises(EfdgenError, match=r"mladd-1987-m is not proved, for .*it makes other points"):
        prove(replace(own, kernels=kernels))
