"""Formulas beyond the published database: what their papers claim of costs and of exceptional inputs."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Point
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

SHORTW = "g1p/shortw"
PRIME = 2**61 - 1
FIELD = PrimeField(PRIME)

# Renes, Costello and Batina, eprint 2015/1060, Table 1: 3b is one constant, and x + x is an addition.
COMPLETE = {
    "projective/addition/add-2015-rcb": "12M + 3*a + 2*b3 + 23add",
    "projective/addition/madd-2015-rcb": "11M + 3*a + 2*b3 + 17add",
    "projective/doubling/dbl-2015-rcb": "8M + 3S + 3*a + 2*b3 + 15add",
    "projective-3/addition/add-2015-rcb": "12M + 2*b + 29add",
    "projective-3/addition/madd-2015-rcb": "11M + 2*b + 23add",
    "projective-3/doubling/dbl-2015-rcb": "8M + 3S + 2*b + 21add",
    "projective-0/addition/add-2015-rcb": "12M + 2*b3 + 19add",
    "projective-0/addition/madd-2015-rcb": "11M + 2*b3 + 13add",
    "projective-0/doubling/dbl-2015-rcb": "6M + 2S + 1*b3 + 9add",
}

# Inversions, multiplications, squarings. Itoh et al. count the product by a as a multiplication.
LITERATURE = {
    "affine/addition/add": (1, 2, 1),
    "affine/doubling/dbl": (1, 2, 2),
    "affine/tripling/tpl-2006-cjlm": (1, 7, 4),
    "affine/doubleadd/da-2003-elm": (2, 3, 2),
    "affine/doubleadd/da-2006-cjlm": (1, 9, 2),
    "jacobian/doubleadd/mda-2008-lm": (0, 11, 7),
    "jacobian/doubleadd/da-2008-lm": (0, 14, 9),
    "jacobian/doubling2/dbl2-1999-ittkt": (0, 8, 10),
    "jacobian-0/doubling4/dbl4-2004-hmv": (0, 12, 16),
}

# Co-Z as the papers have it; DBLU and TPLU for any Z as the doubling or the tripling they are made of.
CO_Z = {
    "jacobian/dblu/dblu-2011-gjmrv": "1M + 5S",
    "jacobian/dblu/dblu-2007-bl": "1M + 8S + 1*a",
    "jacobian-3/dblu/dblu-2001-b": "3M + 5S",
    "jacobian-0/dblu/dblu": "3M + 4S",
    "jacobian/tplu/tplu-2011-gjmrv": "6M + 7S",
    "jacobian/tplu/tplu-2007-bl": "6M + 10S + 1*a",  # the tripling's 5M + 10S + 1*a, and Y of P
    "jacobian-3/tplu/tplu": "8M + 7S",
    "jacobian-0/tplu/tplu": "7M + 7S",
    "jacobian/zaddu/zaddu-2007-m": "5M + 2S",
    "jacobian/zaddu-xy/zaddu-2007-m": "4M + 2S",
    "jacobian/zaddu/mzaddu-2007-m": "4M + 2S",  # with Z = 1 before
    "jacobian/zaddc/zaddc-2010-gjm": "6M + 3S",
    "jacobian/zaddc-xy/zaddc-2010-gjm": "5M + 3S",
    "jacobian/zdau/zdau-2011-gjmrv": "9M + 7S",
    "jacobian/zdau-xy/zdau-2011-gjmrv": "8M + 6S",
    "jacobian/zacau/zacau-2011-gjmrv": "9M + 7S",
    "jacobian/zacau-xy/zacau-2011-gjmrv": "8M + 6S",
    # Scaling P by z, doubling it, and giving P the Z of 2P, one after another, takes 10M + 6S where a = -3.
    "jacobian/dblu-z/dblu": "6M + 3S",
    "jacobian/dblu-z-xy/dblu": "6M + 3S",
    "jacobian/tplu-z/tplu": "11M + 5S",
    "jacobian/tplu-z-xy/tplu": "10M + 5S",
    "jacobian/recovery-z/rec": "7M + 1S",
    # Both points over one Z take 7M + 2S, the tangent 1S if a = 0; the sum is that of chords alone.
    "jacobian-0/slopes/add": "7M + 3S",
    "jacobian-0/slopes/madd": "3M + 2S",
    "jacobian-3/slopes/add": "8M + 3S",
    "jacobian-3/slopes/madd": "4M + 1S",
    "jacobian/slopes/madd": "3M + 3S + 1*a",
    "jacobian/addition-given-chord/add": "5M + 2S",
    "jacobian/addition-given-tangent/add": "5M + 2S",
    "xz/ladder-coz/mladd-2011-hjs": "9M + 5S + 1*a + 1*b4",
    "xz/ladder-coz-carried/mladd-2011-hjs": "11M + 5S",
}

# A system, a prime, and a curve of it with an odd number of points.
ODD_ORDER = [("projective", 13, 1, 8), ("projective-3", 17, 14, 3), ("projective-0", 13, 0, 2)]


@pytest.mark.parametrize("name", COMPLETE)
def test_complete_formulas_cost_what_their_paper_says(database: Database, name: str) -> None:
    assert str(count(lower(database.formula(f"{SHORTW}/{name}")))) == COMPLETE[name]


@pytest.mark.parametrize("name", LITERATURE)
def test_costs_are_those_of_the_literature(database: Database, name: str) -> None:
    cost = count(lower(database.formula(f"{SHORTW}/{name}")))
    by_a = cost.by_parameter.get("a", 0) if name.startswith("jacobian/doubling2") else 0
    assert (cost.inversions, cost.multiplications + by_a, cost.squarings) == LITERATURE[name]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("jacobian-0/doubling/dbl-2021-d", "3M + 4S + 1*half + 6add"),
        ("jacobian-3/doubling/dbl-2021-d", "4M + 4S + 1*half + 8add"),
    ],
)
def test_doublings_scaled_by_a_half_have_few_additions(database: Database, name: str, expected: str) -> None:
    assert str(count(lower(database.formula(f"{SHORTW}/{name}")))) == expected


def test_the_mixed_addition_in_lambda_coordinates_costs_what_is_said(database: Database) -> None:
    mixed = database.formula("g12o/shortw/lambda/addition/madd-2013-olar")
    cost = count(lower(mixed))
    assert (cost.multiplications, cost.squarings, cost.inversions) == (8, 2, 0)


@pytest.mark.parametrize("name", CO_Z)
def test_co_z_operations_cost_what_is_said(database: Database, name: str) -> None:
    cost = count(lower(database.formula(f"{SHORTW}/{name}")))
    parameters = "".join(f" + {number}*{name}" for name, number in cost.by_parameter.items())
    assert f"{cost.multiplications}M + {cost.squarings}S{parameters}" == CO_Z[name]


def test_every_coordinate_system_has_a_negation(database: Database) -> None:
    systems = {path.parent.relative_to(BUILT_IN).as_posix() for path in BUILT_IN.glob("*/*/*/variables")}
    assert len(systems) > 60
    assert systems == {name.rsplit("/", 2)[0] for name in database.ids if "/negation/" in name}


def test_points_of_every_coordinate_system_can_be_scaled(database: Database) -> None:
    for system in {path.parent.relative_to(BUILT_IN).as_posix() for path in BUILT_IN.glob("*/*/*/variables")}:
        assert any("/scaling/" in name for name in database.formulas_for(system)), system


def test_every_model_of_odd_characteristic_has_affine_laws(database: Database) -> None:
    for path in BUILT_IN.glob("g1p/*/coordinates"):
        model = path.parent.relative_to(BUILT_IN).as_posix()
        kinds = {name.split("/")[3] for name in database.ids if name.startswith(f"{model}/affine/")}
        assert {"addition", "doubling", "negation"} <= kinds, model


def failures(formula: Formula, curve: AffineCurve) -> set[tuple[Point, ...]]:
    """Return the inputs on which a projective formula is wrong, (0 : 1 : 0) being the neutral element."""
    program, prime = lower(formula), curve.prime
    parameters = curve.parameters | {"b3": 3 * curve.parameters["b"] % prime}
    points = [INFINITY, *curve.all_points()]
    fixed = {point for point in formula.kind.inputs if formula.input_assumptions and point == 2}
    found = set()
    for inputs in product(points, repeat=len(formula.kind.inputs)):
        if any(inputs[point - 1] == INFINITY for point in fixed):
            continue
        names = dict(parameters)
        for number, point in enumerate(inputs, start=1):
            x, y, z = (*point, 1) if point else (0, 1, 0)
            scale = 1 if number in fixed else 2 + number
            values = (x * scale % prime, y * scale % prime, z * scale % prime)
            names |= dict(zip((f"X{number}", f"Y{number}", f"Z{number}"), values, strict=True))
        got = run(program, PrimeField(prime), names)
        expected = curve.evaluate(formula.kind.outputs[0].law, dict(enumerate(inputs, start=1)))
        if not same(got, expected, prime):
            found.add(inputs)
    return found


def same(got: dict[str, int], expected: Point, prime: int) -> bool:
    x, y, z = (*expected, 1) if expected else (0, 1, 0)
    x3, y3, z3 = got["X3"], got["Y3"], got["Z3"]
    zero = ((x3 * z - z3 * x) % prime, (y3 * z - z3 * y) % prime, (x3 * y - y3 * x) % prime)
    return zero == (0, 0, 0) and (x3, y3, z3) != (0, 0, 0)


@pytest.mark.parametrize(("system", "prime", "a", "b"), ODD_ORDER)
def test_complete_formulas_have_no_exceptions_on_a_curve_of_odd_order(
    database: Database, system: str, prime: int, a: int, b: int
) -> None:
    curve = AffineCurve(database.model(SHORTW), PrimeField(prime), {"a": a, "b": b})
    assert len(list(curve.all_points())) % 2 == 0  # with the neutral element an odd number
    for name in ("addition/add", "addition/madd", "doubling/dbl"):
        formula = database.formula(f"{SHORTW}/{system}/{name}-2015-rcb")
        assert failures(formula, curve) == set(), formula.id


def test_complete_formulas_fail_where_the_difference_has_order_two_alone(database: Database) -> None:
    curve = AffineCurve(database.model(SHORTW), PrimeField(13), {"a": 1, "b": 0})
    points = [INFINITY, *curve.all_points()]
    of_order_two = {point for point in points[1:] if curve.double(point) == INFINITY}
    assert len(of_order_two) in (1, 3)
    apart = {(p, q) for p in points for q in points if curve.add(p, curve.negate(q)) in of_order_two}
    failed = failures(database.formula(f"{SHORTW}/projective/addition/add-2015-rcb"), curve)
    assert failed == apart
    assert failures(database.formula(f"{SHORTW}/projective/doubling/dbl-2015-rcb"), curve) == set()


def test_an_incomplete_formula_is_told_from_a_complete_one(database: Database) -> None:
    curve = AffineCurve(database.model(SHORTW), PrimeField(13), {"a": 1, "b": 8})
    failed = failures(database.formula(f"{SHORTW}/projective/addition/add-1998-cmo-2"), curve)
    assert (INFINITY, INFINITY) in failed
    assert {(point, point) for point in curve.all_points()} <= failed


@pytest.mark.parametrize(
    ("model", "steps", "parameters", "expected"),
    [
        (
            SHORTW,
            ("jacobian", "dbl-to-modified", "modified", "dbl-1998-cmo-2", "dbl-to-jacobian"),
            {"a": 3, "b": 8},
            # Itoh et al.: 4nM + (4n + 2)S for n doublings, of which a multiplication is by a.
            lambda n: (4 * n - 1, 4 * n + 2, {"a": 1}),
        ),
        (
            "g1p/twisted",
            ("extended", "dbl-to-projective", "projective", "dbl-2008-bbjlp", "dbl-to-extended-2"),
            {"a": 1, "d": 2},
            # Hisil et al.: doublings in projective coordinates, and T in the last one alone.
            lambda n: (3 * n + 1, 4 * n, {"a": n}),
        ),
    ],
    ids=["jacobian", "extended"],
)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_doublings_in_a_row_hand_on_what_the_next_one_needs(
    database: Database, rng: Random, model: str, steps, parameters, expected, n: int
) -> None:
    outer, first, inner, middle, last = steps
    names = [f"{model}/{outer}/doubling/{first}", *[f"{model}/{inner}/doubling/{middle}"] * (n - 2)]
    formulas = [database.formula(name) for name in [*names, f"{model}/{inner}/doubling/{last}"]]
    curve = AffineCurve(database.model(model), FIELD, parameters)
    point, system = curve.random_point(rng), database.system(f"{model}/{outer}")
    values = represent(system, FIELD, parameters, point, rng)
    total: Counter[str] = Counter()
    for formula in formulas:
        assert set(formula.system.variables) == values.keys()
        known = parameters | {f"{variable}1": value for variable, value in values.items()}
        outputs = run(lower(formula), FIELD, known)
        values = {variable: outputs[f"{variable}3"] for variable in formula.system_of(3).variables}
        cost = count(lower(formula))
        total.update(M=cost.multiplications, S=cost.squarings, **cost.by_parameter)
    assert means(system, FIELD, parameters, values, curve.multiple(2**n, point))
    multiplications, squarings, by_parameter = expected(n)
    assert total == {"M": multiplications, "S": squarings, **by_parameter}
