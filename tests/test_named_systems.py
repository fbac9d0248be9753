"""Coordinate systems that only who names them gets: no curve is planned in one of them otherwise."""

import pytest

from efdgen.generator.compile import DEFAULT_WEIGHTS, Request
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import BY_NAME, cheapest_system
from efdgen.generator.planning.request import draft_request
from efdgen.generator.reports.weights import parse_weights

DATABASE = Database()
CURVES = "edwards25519", "Ed448", "sect233r1", "Curve25519"


def test_systems_are_in_the_database():
    models = {system.rpartition("/")[0] for system in BY_NAME}
    assert {system for model in models for system in DATABASE.systems(model)} >= BY_NAME


@pytest.mark.parametrize("curve", CURVES)
def test_the_cheapest_system_needs_no_name(curve):
    assert cheapest_system(DATABASE, checked_curve(curve), parse_weights(DEFAULT_WEIGHTS)) not in BY_NAME


@pytest.mark.parametrize("curve", CURVES[:2])
def test_plans_of_curves_need_no_named_system(curve):
    for plan in draft_request(DATABASE, Request("c", curve, set="curve")):
        assert {kernel.formula.system.id for kernel in plan.kernels.kernels}.isdisjoint(BY_NAME)


def test_a_system_that_cannot_be_followed_is_refused(efdgen, tmp_path):
    options = "compile --lang c --curve edwards25519 --set curve --coords extended-split --out"
    done = efdgen(*options.split(), tmp_path / "made")
    assert done.code == 2
    assert "coordinates g1p/twisted/extended-split leave several cases of one point" in done.err
