"""Halved coordinates of twisted Edwards curves: costs, the affine law, and the choice by weights."""

from itertools import product
from random import Random

import pytest

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import cheapest_system
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.quotients import Ratio
from efdgen.generator.planning.representation import quotient
from efdgen.generator.planning.request import draft_request
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.weights import parse_weights

MODEL = "g1p/twisted"
WEIGHTS = "M=1,S=1,add=4.5,param=1,const=1,I=100"
HOST = parse_weights(WEIGHTS)

# Counted by hand: a doubling has X^2, Y^2, Z^2, X*Y, H, G and F = ZZ - 2*G; an addition has C, D if an entry
# has Z, four products and two sums in E and H, then F and G. X, Y, Z, T are a product each: of a result, and
# of an input in completed coordinates.
COSTS = {
    "halved-projective/doubling/dbl": "4M + 3S + 3add + 1*2",
    "halved-projective/doubling/dbl-to-halved-completed": "1M + 3S + 3add + 1*2",
    "halved-projective/addition/add-affine": "10M + 1S + 1*d4 + 4add",
    "halved-extended/doubling/dbl": "5M + 3S + 3add + 1*2",
    "halved-extended/addition/add": "10M + 1*d8 + 4add + 1*1/2",
    "halved-extended/addition/add-affine": "10M + 1*d4 + 4add",
    "halved-extended/addition/add-products": "9M + 4add",
    "halved-extended/addition/add-products-z-to-halved-projective": "9M + 4add",
    "halved-extended/subtraction/sub-products-to-halved-completed": "5M + 4add",
    "halved-completed/doubling/dbl": "4M + 3S + 3add + 1*2",
    "halved-completed/addition/add-products": "9M + 4add",
    "halved-completed/addition/add-products-z": "10M + 4add",
    "halved-completed/subtraction/sub-affine": "10M + 1*d4 + 4add",
    "halved-completed/negation/neg": "1add",
    "halved-completed/conversion/to-halved-extended": "4M",
    "halved-completed/conversion/to-products-z": "4M + 1*d8 + 1*1/2",
}

OPERATIONS = ("addition", "subtraction", "doubling")


@pytest.mark.parametrize("name", COSTS)
def test_costs_are_those_counted_by_hand(database: Database, name: str) -> None:
    assert str(count(lower(database.formula(f"{MODEL}/{name}")))) == COSTS[name]


def formulas_of(database: Database, system: str) -> list[str]:
    return [name for name in database.formulas_for(f"{MODEL}/{system}") if name.split("/")[3] in OPERATIONS]


@pytest.mark.parametrize(
    ("system", "number"), [("halved-projective", 5), ("halved-extended", 22), ("halved-completed", 8)]
)
def test_every_operation_is_right_for_all_points_of_a_complete_curve(
    database: Database, rng: Random, system: str, number: int
) -> None:
    """GF(13), where -1 is a square and d = 2 is not: the affine law is defined everywhere."""
    curve = AffineCurve(database.model(MODEL), PrimeField(13), {"a": 12, "d": 2})
    points = list(curve.all_points())
    assert {(0, 1), (0, 12)} <= set(points)  # the identity, and the point of order 2
    names = formulas_of(database, system)
    assert len(names) == number
    for name in names:
        formula = database.formula(name)
        values, program = instantiate(formula, curve.field, curve.parameters), lower(formula)
        (law,) = [output.law for output in formula.kind.outputs]
        for inputs in product(points, repeat=len(formula.kind.inputs)):
            given = dict(values)
            for place, point in enumerate(inputs, start=1):
                found = represent(formula.system_of(place), curve.field, values, point, rng)
                given |= {f"{variable}{place}": value for variable, value in found.items()}
            got = run(program, PrimeField(curve.prime), given)
            result = {variable: got[f"{variable}3"] for variable in formula.system_of(3).variables}
            expected = curve.evaluate(law, dict(enumerate(inputs, start=1)))
            assert means(formula.system_of(3), curve.field, values, result, expected), (name, inputs)


def test_published_weights_leave_the_system_as_it_was_and_those_of_dear_sums_choose_a_halved_one(
    database: Database,
) -> None:
    usual, curve = parse_weights("S=0.8,I=100,param=1,const=0.2,add=0.2"), load_curve("edwards25519")
    assert cheapest_system(database, curve, usual) == f"{MODEL}/extended-1"
    assert cheapest_system(database, curve, HOST) == f"{MODEL}/halved-extended"


def test_doublings_of_halved_points_come_first_where_sums_are_dear(database: Database) -> None:
    """Within the systems of a = -1 and of any a: both as they give points of any system, and of their own."""
    names = [name for name in database.select([MODEL]) if name.split("/")[3] == "doubling"]
    price = {name: HOST.price(count(lower(database.formula(name)))) for name in names}
    own = [name for name in names if database.formula(name).self_contained]
    assert "halved" in min(names, key=price.__getitem__).split("/")[2]
    halved = [price[name] for name in own if "halved" in name]
    assert max(halved) < min(price[name] for name in own if "halved" not in name)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["small", "medium", "large"])
@pytest.mark.parametrize("name", ["edwards25519", "jubjub"])
def test_plans_of_curves_are_halved_where_sums_are_dear_alone(
    database: Database, name: str, table: str
) -> None:
    def systems(weights: str | None) -> list[str]:
        asked = Request("python", name, prefix="tiny", weights=weights, set="curve", table=table)
        return [plan.representation.system for plan in draft_request(database, asked)]

    usual = systems(None)
    assert usual[0] == f"{MODEL}/extended-1"
    assert {f"{MODEL}/halved-extended", f"{MODEL}/halved-completed"} <= {*usual}
    assert systems(WEIGHTS)[0] == f"{MODEL}/halved-extended"


def test_tables_of_halved_points_are_products_and_doublings_have_no_product_of_x_and_y(
    database: Database,
) -> None:
    asked = Request("python", "edwards25519", f"{MODEL}/halved-extended", prefix="tiny", set="curve")
    (plan,) = draft_request(database, asked)
    roles = plan.roles
    names = (roles.chain_double, roles.entry.add, roles.entry.chain_add, roles.fixed_entry.add)
    assert [plan.kernel(name or "").formula.id.removeprefix(f"{MODEL}/halved-") for name in names] == [
        "projective/doubling/dbl",
        "extended/addition/add-products-z",
        "extended/addition/add-products-z-to-halved-projective",
        "extended/addition/add-products",
    ]


@pytest.mark.parametrize(
    ("meaning", "found"),
    [
        ("X", Ratio("X", None, 1)),
        ("3*X", Ratio("X", None, 1, 3)),
        ("X/Z", Ratio("X", "Z", 1)),
        ("2*X/Z", Ratio("X", "Z", 1, 2)),
        ("5*X/Z^3", Ratio("X", "Z", 3, 5)),
        ("a*X/Z", None),
        ("2*X*Y/Z", None),
        ("X + Y", None),
        ("X/2", None),
    ],
)
def test_a_coordinate_is_a_multiple_of_a_quotient(meaning: str, found: Ratio | None) -> None:
    assert quotient(parse_equation(f"x == {meaning}").right) == found
