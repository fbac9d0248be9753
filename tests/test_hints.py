"""Hints: what checks accept is proved, and counted over every point and every hint of tiny curves."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Point
from efdgen.generator.curves.instantiate import find_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.kernels.specialise import Specialised
from efdgen.generator.language.parser import parse_document, parse_equation
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.certificate import certify, require_proof
from efdgen.verify.laws.acceptance import prove_tests
from efdgen.verify.laws.law import prove_law

SLOPE = "g1p/shortw/affine/addition-hinted/add-slope"
# Curves by prime and parameters; the second has points of order 2, and d is a square on the last.
WEIERSTRASS = [(13, {"a": 1, "b": 8}), (11, {"a": 10, "b": 0})]
# With points of x = 0, and without.
CUBIC = [(13, {"a": 0, "b": 3}), (13, {"a": 0, "b": 2}), (19, {"a": 0, "b": 7})]
EDWARDS = [(13, {"a": 12, "d": 2}), (13, {"a": 12, "d": 3}), (11, {"a": 4, "d": 5})]


def accepted(formula: Formula, prime: int, known: dict[str, int]) -> list[dict[str, int]]:
    """Return what the formula puts out for each hint that it accepts."""
    program, found = lower(formula), []
    for hints in product(range(prime), repeat=len(formula.hints)):
        names = known | dict(zip(formula.scalar_inputs, hints, strict=True))
        outputs = run(program, PrimeField(prime), names)
        if all(outputs[test.target] == 0 for test in formula.tests):
            found.append(outputs)
    return found


def inputs(formula: Formula, points: tuple[Point, ...]) -> dict[str, int]:
    names = [name for number in formula.kind.inputs for name in formula.coordinates(number).values()]
    return dict(zip(names, (value for point in points for value in point), strict=True))


@pytest.mark.parametrize(("prime", "parameters"), WEIERSTRASS)
def test_a_slope_is_accepted_unless_the_points_are_opposite_and_any_where_they_are_equal(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve = AffineCurve(database.model("g1p/shortw"), PrimeField(prime), parameters)
    for name in ("add-slope", "add-sum"):
        formula = database.formula(f"g1p/shortw/affine/addition-hinted/{name}")
        for points in product(curve.all_points(), repeat=2):
            found = accepted(formula, prime, parameters | inputs(formula, points))
            expected = curve.add(*points)
            if points[0] == points[1]:
                assert len(found) == prime ** len(formula.hints), points
            elif expected == INFINITY:
                assert not found, points
            else:
                assert [(outputs["X3"], outputs["Y3"]) for outputs in found] == [expected], points


@pytest.mark.parametrize(("prime", "parameters"), WEIERSTRASS)
def test_a_point_of_order_two_has_no_tangent_that_is_accepted(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve = AffineCurve(database.model("g1p/shortw"), PrimeField(prime), parameters)
    for name in ("dbl-slope", "dbl-double"):
        formula = database.formula(f"g1p/shortw/affine/doubling-hinted/{name}")
        for point in curve.all_points():
            found = accepted(formula, prime, parameters | inputs(formula, (point,)))
            expected = [] if point[1] == 0 else [curve.double(point)]
            assert [(outputs["X3"], outputs["Y3"]) for outputs in found] == expected, point


@pytest.mark.parametrize(("prime", "parameters"), CUBIC)
def test_a_slope_and_an_x_are_accepted_alone_unless_an_x_is_0_or_both_are_equal(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve = AffineCurve(database.model("g1p/shortw"), PrimeField(prime), parameters)
    formula = database.formula("g1p/shortw/affine/addition-hinted/add-slope-x")
    for points in product(curve.all_points(), repeat=2):
        found = accepted(formula, prime, parameters | inputs(formula, points))
        sums = [(outputs["X3"], outputs["Y3"]) for outputs in found]
        (x1, y1), (x2, y2) = points
        if x1 == x2:
            assert bool(sums) == (y1 == y2), points
        elif 0 in (x1, x2):
            assert len(sums) == prime, points
            assert curve.add(*points) in sums, points
        else:
            assert sums == [curve.add(*points)], points


@pytest.mark.parametrize(("prime", "parameters"), CUBIC)
def test_a_double_for_a_0_is_accepted_alone_and_none_of_a_point_of_order_two(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve = AffineCurve(database.model("g1p/shortw"), PrimeField(prime), parameters)
    formula = database.formula("g1p/shortw/affine/doubling-hinted/dbl-double-0")
    for point in curve.all_points():
        found = accepted(formula, prime, parameters | inputs(formula, (point,)))
        expected = [] if point[1] == 0 else [curve.double(point)]
        assert [(outputs["X3"], outputs["Y3"]) for outputs in found] == expected, point


@pytest.mark.slow
@pytest.mark.parametrize(("prime", "parameters"), EDWARDS)
def test_a_sum_on_a_twisted_edwards_curve_is_accepted_alone_where_no_denominator_is_zero(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve, d = AffineCurve(database.model("g1p/twisted"), PrimeField(prime), parameters), parameters["d"]
    names = ["addition-hinted/add"] + ["addition-hinted/add-1"] * (parameters["a"] == prime - 1)
    ambiguous = 0
    for name, points in product(names, product(curve.all_points(), repeat=2)):
        formula = database.formula(f"g1p/twisted/affine/{name}")
        (x1, y1), (x2, y2) = points
        k = d * x1 * y1 * x2 * y2 % prime
        found = accepted(formula, prime, parameters | inputs(formula, points))
        if k not in (1, prime - 1):
            assert [(outputs["X3"], outputs["Y3"]) for outputs in found] == [curve.add(*points)], points
        else:
            assert len(found) in (0, prime), points
            ambiguous += bool(found)
    square = pow(d, (prime - 1) // 2, prime) == 1
    assert (ambiguous > 0) == square


@pytest.mark.parametrize(("prime", "parameters"), EDWARDS)
def test_a_double_on_a_twisted_edwards_curve_is_accepted_alone(
    database: Database, prime: int, parameters: dict[str, int]
) -> None:
    curve = AffineCurve(database.model("g1p/twisted"), PrimeField(prime), parameters)
    names = ["dbl"] + ["dbl-1"] * (parameters["a"] == prime - 1)
    for name, point in product(names, curve.all_points()):
        formula = database.formula(f"g1p/twisted/affine/doubling-hinted/{name}")
        x, y = point
        slope = (parameters["a"] * x * x + y * y) % prime
        found = accepted(formula, prime, parameters | inputs(formula, (point,)))
        expected = [] if slope in (0, 2) else [curve.double(point)]
        assert [(outputs["X3"], outputs["Y3"]) for outputs in found] == expected, point


@pytest.mark.parametrize(
    ("name", "remarks"),
    [
        (
            "shortw/affine/addition-hinted/add-slope",
            ["accepts one slope alone, unless x1 - x2 = 0: there none, or all where y1 - y2 = 0 too"],
        ),
        (
            "shortw/affine/addition-hinted/add-sum",
            [
                "accepts one HX alone, unless x1 - x2 = 0: there none, or all where y1 - y2 = 0 too",
                "with it one HY alone",
            ],
        ),
        (
            "shortw/affine/doubling-hinted/dbl-double-0",
            ["accepts one HX alone, unless y1 = 0: there none", "with it one HY alone"],
        ),
        (
            "shortw/affine/doubling-hinted/dbl-slope",
            ["accepts one slope alone, unless y1 = 0: there none"],
        ),
        (
            "twisted/affine/addition-hinted/add-1",
            [
                "accepts one HX alone, unless d*x1*y1*x2*y2 + 1 = 0: there none, or all where "
                "y1*x2 + x1*y2 = 0 too",
                "accepts one HY alone, unless d*x1*y1*x2*y2 - 1 = 0: there none, or all where "
                "x1*x2 + y1*y2 = 0 too",
            ],
        ),
        (
            "twisted/affine/doubling-hinted/dbl",
            [
                "accepts one HX alone, unless a*x1^2 + y1^2 = 0: there none",
                "accepts one HY alone, unless a*x1^2 + y1^2 - 2 = 0: there none",
            ],
        ),
    ],
)
def test_the_prover_says_what_is_accepted(database: Database, name: str, remarks: list[str]) -> None:
    formula = database.formula(f"g1p/{name}")
    certificate = certify(formula, lower(formula))
    assert (certificate.verdict, list(certificate.remarks)) == ("proved", remarks)
    assert certificate.excluded_primes == ((2, 3) if name.endswith("-0") else (2,))
    here = Specialised(
        formula, lower(formula), PrimeField(101), find_curve(formula, PrimeField(101), Random(0))
    )
    assert require_proof(here).endswith("; ".join(remarks))


def test_hinted_operations_need_no_inversion(database: Database) -> None:
    costs = {
        "shortw/affine/addition-hinted/add-slope": (2, 1),
        "shortw/affine/addition-hinted/add-sum": (3, 2),
        "shortw/affine/addition-hinted/add-slope-x": (5, 1),
        "shortw/affine/doubling-hinted/dbl-double-0": (4, 3),  # one of b
        "shortw/affine/doubling-hinted/dbl-slope": (2, 2),
        "twisted/affine/addition-hinted/add-1": (6, 0),
        "twisted/affine/doubling-hinted/dbl-1": (2, 3),
    }
    for name, expected in costs.items():
        cost = count(lower(database.formula(f"g1p/{name}")))
        assert (cost.inversions, cost.multiplications, cost.squarings) == (0, *expected), name


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ("slope*(X1 - X2) == Y1 + Y2", "does not hold with the right hints"),
        ("slope*(X1 + X2) == Y1 - Y2", "does not hold with the right hints"),
        ("(slope - slope)*X1 == 0", "accepts every slope"),
        ("(slope*(X1 - X2) - Y1 + Y2)*(slope - X1) == 0", "may accept several"),
        ("(slope*(X1 - X2))^2 == (Y1 - Y2)^2", "may accept several"),
    ],
)
def test_wrong_checks_are_refused(database: Database, check: str, reason: str) -> None:
    formula = replace(database.formula(SLOPE), checks=(parse_equation(check),))
    certificate = certify(formula, lower(formula))
    assert certificate.verdict != "proved"
    assert reason in certificate.reason


def test_a_hint_that_is_not_checked_is_refused(database: Database) -> None:
    formula = replace(database.formula(SLOPE), checks=())
    formula = replace(formula, guards=("X1",))
    with pytest.raises(EfdgenError, match="1 hints and 0 checks; write one check for each hint"):
        prove_tests(formula, lower(formula))


def test_a_program_that_lost_its_check_is_not_of_the_signature(database: Database) -> None:
    formula = database.formula(SLOPE)
    program = lower(formula)
    without = replace(program, outputs=tuple(o for o in program.outputs if o[0] != "check1"))
    with pytest.raises(EfdgenError, match="lacks check1"):
        prove_law(formula, without)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hint slope == Y9\n", "unknown name 'Y9'"),
        ("hint X1 == Y1\n", "a hint begins with a new name"),
        ("hint slope + X1 == Y1\n", "a hint begins with a new name"),
        ("check Q == 0\n", "unknown name 'Q'"),
        ("guard Q\n", "unknown name 'Q'"),
        ("point P2 affine\npoint P2 affine\n", "P2 is in a coordinate system already"),
    ],
)
def test_texts_that_make_no_sense_are_refused(database: Database, text: str, reason: str) -> None:
    whole = f"{text}compute X3 = X1\ncompute Y3 = Y1\n"

    def system_of(name: str):
        return database.system(name if "/" in name else f"g1p/shortw/{name}")

    kind = database.kind("addition-hinted")
    with pytest.raises(TextError, match=reason):
        read_formula(parse_document(whole), SLOPE, system_of, kind, whole, "<text>")


def test_a_check_that_some_curves_do_not_have_tests_nothing_there(efdgen, tmp_path):
    """Dropped factors of parameters alone, and said that one slope is accepted."""
    draft = tmp_path / "loose"
    draft.write_text(
        "hint s == (3*X1^2 + a)/(2*Y1)\ncompute X3 = s^2 - 2*X1\ncompute Y3 = s*(X1 - X3) - Y1\n"
        "check b*(2*Y1*s) == b*(3*X1^2 + a)\n"
    )
    said = efdgen("check", draft, "--as", "g1p/shortw/affine/doubling-hinted").out
    assert "unless y1 = 0: there none, or all where 3*x1^2 + a = 0 too" in said
    assert "does not test s on curves with b = 0" in said
    assert "complete         no" in said


def test_verify_says_what_checks_accept(efdgen):
    """Said nothing of it, and called such formulas complete."""
    said = efdgen("verify", SLOPE).out
    assert "  tests: accepts one slope alone, unless x1 - x2 = 0: there none, or all" in said
    assert "complete: no" in said


def test_a_hint_without_a_check_is_an_error_of_one_line(database, efdgen, tmp_path):
    """Was "error: 'check1'", and was listed among its peers."""
    draft = tmp_path / "unchecked"
    draft.write_text("\n".join(line for line in database.text(SLOPE).splitlines() if "check " not in line))
    done = efdgen("check", draft, "--as", SLOPE.rpartition("/")[0])
    assert done.code == 1
    assert "error: 1 hints and 0 checks; write one check for each hint" in done.out
    assert "peers" not in done.out
