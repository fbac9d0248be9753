"""Proof of the test at half length, for any vector; refusal of each edit."""

from dataclasses import replace
from functools import cache

import pytest
from edits import once, table
from mutants.sources import Routines
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.routines.half import prove_half
from efdgen.verify.routines.scalars import ScalarContracts

EDITS = table("half")


@cache
def plan(name: str) -> CurvePlan:
    return plan_of(name, None)


def prove(own: CurvePlan) -> None:
    module = curve_module(own)
    prove_half(own, module, ScalarContracts(own, module))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["edwards25519", "Ed448"])
def test_the_sum_decides_for_every_scalar_and_point(name):
    prove(plan(name))


@pytest.mark.slow
@pytest.mark.drawn(6)
@pytest.mark.parametrize("at", range(len(EDITS)))
def test_an_edit_is_refused(at):
    name, file, right, wrong = EDITS[at]
    own, source = plan(name), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises(EfdgenError):
        prove(own)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("double_multiply_var(a, b, q)", "double_multiply_var(b, a, q)"),
        ("double_multiply_var(a, b, q)", "double_multiply_var(a, b, p)"),
        ("equal(sum, p)", "equal(sum, q)"),
        ("return equal(sum, p)", "return ~equal(sum, p)"),
    ],
)
def test_an_edit_of_the_test_by_the_sum_is_refused(right, wrong):
    own, source = replace(plan("edwards25519"), half=None), Routines("equals")
    prove(own)
    with (
        source.replaced(once(right, wrong)(source.text)),
        pytest.raises(EfdgenError, match=r"another sum|given"),
    ):
        prove(own)
