"""The parts that exceptional inputs are derived by, each against what is known of it."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from own_systems import own

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.exceptions.condition import ALWAYS, NEVER, Condition, simplest
from efdgen.verify.exceptions.features import features, is_power
from efdgen.verify.exceptions.laurent import PRECISION, LaurentSeries
from efdgen.verify.exceptions.naming import fewest, joined
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.exceptions.representatives import Representatives
from efdgen.verify.exceptions.tiny_curve import TinyCurve
from efdgen.verify.exceptions.tiny_field import Lanes, TinyField


@pytest.mark.parametrize("order", [2, 3, 4, 7, 8, 16, 17])
def test_a_tiny_field_is_a_field(order: int):
    field = TinyField(order)
    for a, b, c in product(range(order), repeat=3):
        assert field.mul(a, field.add(b, c)) == field.add(field.mul(a, b), field.mul(a, c))
        assert field.mul(a, field.mul(b, c)) == field.mul(field.mul(a, b), c)
        assert field.add(field.sub(a, b), b) == a
    assert all(field.mul(a, field.inv(a)) == 1 for a in range(1, order))
    assert all(field.power(a, order) == a for a in range(order))


@pytest.mark.parametrize("order", [1, 6, 9, 128])
def test_other_orders_are_refused(order: int):
    with pytest.raises(ValueError, match=f"no tables for a field of {order} elements"):
        TinyField(order)


def test_lanes_divide_by_zero_without_an_end():
    lanes = Lanes(TinyField(7), 3)
    assert lanes.inv([1, 0, 3]) == [1, 0, 5]
    assert lanes.undefined == {1}


def test_series_are_inverted_as_far_as_they_are_known():
    series = LaurentSeries(TinyField(7))
    inverse = series.inv(series.polynomial(0, 1, 6))
    assert (inverse.valuation, set(inverse.coefficients)) == (-1, {1})
    assert len(inverse.coefficients) == PRECISION - 1
    assert inverse.constant_term is None
    assert series.sub(series.constant(Fraction(1, 2)), series.polynomial(4)).constant_term == 0


@pytest.fixture(scope="module")
def textbook(database: Database) -> TinyCurve:
    """y^2 = x^3 + 2*x + 2 over GF(17), a group of 19 elements that textbooks list."""
    return TinyCurve(database.model("g1p/shortw"), TinyField(17), {"a": 2, "b": 2})


def test_a_group_is_the_one_that_textbooks_list(textbook: TinyCurve):
    multiples = [(5, 1), (6, 3), (10, 6), (3, 1), (9, 16), (16, 13), (0, 6), (13, 7), (7, 6), (7, 11)]
    group = textbook.group
    assert len(group) == 19
    assert set(group.orders) == {1, 19}
    point = first = group.number(*multiples[0])
    for expected in multiples:
        assert group.points[point] == expected
        point = group.sums[point][first]
    assert group.sums[first][group.negatives[first]] == 0


def test_jacobian_representatives_are_scaled_by_squares_and_cubes(database: Database, textbook: TinyCurve):
    known = Representatives(database.system("g1p/shortw/jacobian"), textbook, {})
    assert sorted(known.of_point[0]) == sorted({(s**2 % 17, s**3 % 17, 0) for s in range(1, 17)})
    number = textbook.group.number(5, 1)
    assert sorted(known.of_point[number]) == sorted({(5 * s**2 % 17, s**3 % 17, s) for s in range(1, 17)})
    assert known.points((5, 1, 1)) == {number}
    assert known.degenerate((0, 0, 0))
    assert not known.degenerate((1, 1, 0))


def test_a_singular_point_represents_none_of_those_that_share_it(database: Database):
    curve = TinyCurve(database.model("g1p/edwards"), TinyField(13), {"c": 1, "d": 3})
    known = Representatives(database.system("g1p/edwards/projective"), curve, {})
    assert known.ambiguous == {frozenset("XZ"), frozenset("YZ")}
    assert known.points((1, 0, 0)) == set()
    assert known.points((0, 1, 1)) == {0}


@pytest.mark.parametrize(
    ("system", "scalings"),
    [
        ("g1p/shortw/jacobian", {(2, 3, 1)}),
        ("g1p/shortw/modified", {(2, 3, 1, 4)}),
        ("g1p/shortw/xyzz", {(2, 3, 2, 3)}),
        ("g1p/jquartic/xyz", {(1, 2, 1)}),
        ("g1p/twisted/completed", {(1, 0, 1, 0), (0, 1, 0, 1)}),
        ("g1p/shortw/affine", set()),
    ],
)
def test_scalings_come_of_what_the_variables_mean(database: Database, system: str, scalings):
    assert set(representation(database.system(system)).scalings) == scalings


def test_the_fewest_names_are_those_that_cover_exactly():
    names = {"too much": 0b11111, "all": 0b01110, "same": 0b01110, "part": 0b00110, "other": 0b01000}
    assert fewest(names, 0b01110) == (("all",), 0)
    assert fewest({k: names[k] for k in ("part", "other")}, 0b01110) == (("part", "other"), 0)
    assert fewest(names, 0b01111) == (("all",), 0b00001)
    assert fewest(names, 0) == ((), 0)
    assert joined([(0b01, 2), (0b1, 3), (0b0, 1)]) == 0b000101


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (lambda a, d: True, "always"),
        (lambda a, d: False, "no"),
        (lambda a, d: not d, "when d is not a square"),
        (lambda a, d: a and not d, "when a is a square and d is not"),
        (lambda a, d: not (a and d), "unless a and d are squares"),
    ],
)
def test_conditions_are_found_and_said(wanted, text: str):
    curves = [
        ({"the order is odd": False, "a is a square": a, "d is a square": d}, wanted(a, d))
        for a, d in product((True, False), repeat=2)
    ]
    found = simplest(curves)
    assert str(found) == text
    assert all(found.holds(known) is asked for known, asked in curves)


def test_no_condition_is_invented():
    curves = [
        ({"a is a square": a, "d is a square": d, "b is a square": b}, (a + d + b) % 2 == 0)
        for a, b, d in product((True, False), repeat=3)
    ]
    assert simplest(curves) is None


def test_an_unknown_feature_is_no_reason():
    assert not Condition((("the order is odd", True),)).holds({})
    assert ALWAYS.holds({})
    assert not NEVER.holds({})


def test_features_of_published_curves():
    p256, ed25519 = load_curve("P-256"), load_curve("edwards25519")
    known = features(p256.field, p256.parameters, p256.order)
    assert known["the order is odd"]
    field = ed25519.field
    known = features(field, ed25519.parameters, 8 * ed25519.order)
    assert (known["a is a square"], known["d is a square"], known["-1 is a square"]) == (True, False, True)
    assert not known["the order is odd"]
    assert [is_power(TinyField(7), x, 3) for x in range(7)] == [True, True, False, False, False, False, True]


def test_a_condition_names_parameters_that_follow_from_the_curve(tmp_path: Path):
    """s = a + 2 and t = a - 2 where b = 1: Edwards curves are complete if s is a square and t is not."""
    found = conclude(own(tmp_path).formula("g1p/montgom/defined/addition/add-b1"))
    assert str(found.complete) == "when s is a square and t is not"


def test_a_condition_names_no_parameter_that_has_several_values(database: Database):
    """Tiny curves have one value of k each; what is true for it need not be for others."""
    assert conclude(database.formula("g12o/shortw/affine/conversion/to-edwards-xy")).complete == NEVER
