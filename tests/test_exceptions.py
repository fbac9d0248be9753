"""Exceptional inputs as the literature has them, and formulas edited to have others."""

from dataclasses import replace

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions import investigation
from efdgen.verify.exceptions.conclude import conclude
from efdgen.verify.exceptions.investigation import Investigation
from efdgen.verify.exceptions.laboratory import Laboratory
from efdgen.verify.laws.law import prove_law

SHORTW, TWISTED = "g1p/shortw", "g1p/twisted"
NO_O = {"P=O", "Q=O"}
BRIER_JOYE = "y(P) + y(Q)=0 and x(P)^2 + x(P)*x(Q) + x(Q)^2 + a=0"
COMPLETE_TWISTED = "when a is a square and d is not"

# A formula's exceptions, inputs that it cannot be given, whether it adds equal points, where it is complete.
# [2015-renes-costello-batina] for complete addition on short Weierstrass curves, [2007-bernstein-lange] and
# [2008-bernstein-birkner-joye-lange-peters] on Edwards curves, [2008-hisil-wong-carter-dawson] for extended
# coordinates, [2008-bernstein-lange-rezaeian-farashahi] on binary Edwards curves, Bernstein, Chuengsatiansup,
# Kohel and Lange for twisted Hessian ones, Montgomery for x-coordinates, Meloni and Goundar et al. for co-Z.
KNOWN = {
    f"{SHORTW}/jacobian/addition/add-2007-bl": ({"P=Q", "P=O", "Q=O"}, set(), False, "no"),
    f"{SHORTW}/jacobian/addition/madd-2007-bl": ({"P=Q", "P=O"}, {"Q=O"}, False, "no"),
    f"{SHORTW}/jacobian/addition/mmadd-2007-bl": ({"P=Q"}, NO_O, False, "no"),
    f"{SHORTW}/jacobian/doubling/dbl-2007-bl": (set(), set(), None, "always"),
    f"{SHORTW}/projective/addition/add-2015-rcb": (
        {"P-Q of order 2"},
        set(),
        True,
        "on curves of odd order",
    ),
    f"{SHORTW}/projective-0/addition/madd-2015-rcb": (
        {"P-Q of order 2"},
        {"Q=O"},
        True,
        "on curves of odd order",
    ),
    f"{SHORTW}/projective/addition/add-2002-bj": ({"P=O", "Q=O", BRIER_JOYE}, set(), True, "no"),
    f"{SHORTW}/projective/doubling/dbl-2007-bl": ({"P=O"}, set(), None, "no"),
    f"{SHORTW}/affine/addition/add": ({"P=Q", "P=-Q"}, NO_O, False, "no"),
    f"{SHORTW}/affine/doubling/dbl": ({"2P=O"}, {"P=O"}, None, "on curves of odd order"),
    f"{SHORTW}/jacobian/zaddu/zaddu-2007-m": ({"P=Q", "P=-Q"}, set(), False, "no"),
    f"{SHORTW}/jacobian/zaddc/zaddc-2010-gjm": ({"P=Q", "P=-Q"}, set(), False, "no"),
    f"{SHORTW}/jacobian/zacau/zacau-2011-gjmrv": (
        {"P=Q", "P=-Q", "2P=O", "Q of order 2"},
        set(),
        False,
        "no",
    ),
    "g1p/montgom/xz/diffadd/dadd-1987-m": ({"P=Q", "x(P-Q)=0"}, set(), None, "no"),
    "g1p/montgom/xz/ladder/mladd-1987-m": ({"x(P-Q)=0"}, {"P=Q"}, None, "no"),
    "g1p/montgom/xz/doubling/dbl-1987-m": (set(), set(), None, "always"),
    "g1p/edwards/projective/addition/add-2007-bl": (
        {"P-Q at infinity", "P+Q at infinity"},
        {"P at infinity", "Q at infinity"},
        True,
        "when d is not a square",
    ),
    f"{TWISTED}/projective/addition/add-2008-bbjlp": (
        {"P-Q at infinity", "P+Q at infinity"},
        {"P at infinity", "Q at infinity"},
        True,
        COMPLETE_TWISTED,
    ),
    f"{TWISTED}/extended-1/addition/add-2008-hwcd-3": ({"P-Q at infinity"}, set(), True, COMPLETE_TWISTED),
    f"{TWISTED}/extended-1/addition/add-2008-hwcd-4": ({"x(P-Q)=0", "y(P-Q)=0"}, set(), False, "no"),
    "g1p/hessian/standard/addition/add-2001-jq": ({"P-Q at infinity"}, set(), False, "no"),
    "g1p/hessian/standard/addition/add-2009-bkl": ({"y(P-Q)=0"}, set(), True, "no"),
    "g1p/twistedhessian/projective/addition/add-2009-bkl": (
        {"P-Q at infinity"},
        set(),
        True,
        "when a is not a cube",
    ),
    "g12o/shortw/jacobian/addition/add-2005-dl": ({"P=Q", "P=O", "Q=O"}, set(), False, "no"),
    "g12o/edwards/xyz/addition/add-2008-blr-1": (
        {"P-Q at infinity", "P+Q at infinity"},
        {"P at infinity", "Q at infinity"},
        True,
        "when the trace of d2 is 1",
    ),
}


@pytest.mark.drawn(14)
@pytest.mark.parametrize("formula_id", KNOWN)
def test_exceptions_are_those_that_are_known(database: Database, formula_id: str):
    found = conclude(database.formula(formula_id))
    derived = set(found.exceptions), set(found.unrepresentable), found.unified, str(found.complete)
    assert derived == KNOWN[formula_id]
    assert found.homogeneous


def scaled(formula: Formula, factor: str, weights: dict[str, int]) -> Formula:
    """Return a formula whose outputs are scaled by one more factor, which changes no point."""
    lines = [f"compute extra = {factor}"]
    lines += [f"compute {name} = {name}*extra^{weight}" for name, weight in weights.items()]
    steps = tuple(statement.content for statement in parse_document("\n".join(lines) + "\n"))
    return replace(formula, assignments=(*formula.assignments, *steps))


@pytest.mark.parametrize(
    ("factor", "exceptions", "complete"),
    [
        ("1", (), "always"),
        ("X1", ("x=0",), "when b is not a square"),
        ("Y1", ("P of order 2",), "on curves of odd order"),
        ("Z1", ("P=O",), "no"),
        ("X1*Z1", ("P=O", "x=0"), "no"),
        ("X1 - Z1^2", ("x=1",), "no"),
        ("X1 - 2*Z1^2", ("x(P) - 2=0",), "no"),
    ],
)
def test_an_additional_exception_is_told_apart(
    database: Database, factor: str, exceptions: tuple[str, ...], complete: str
):
    formula = database.formula(f"{SHORTW}/jacobian/doubling/dbl-2007-bl")
    edited = scaled(formula, factor, {"X3": 2, "Y3": 3, "Z3": 1})
    prove_law(edited, lower(edited))
    found = conclude(edited)
    assert (found.exceptions, str(found.complete), found.homogeneous) == (exceptions, complete, True)


def test_a_result_that_depends_on_the_representative_is_seen(database: Database):
    formula = database.formula(f"{SHORTW}/jacobian/doubling/dbl-2007-bl")
    edited = scaled(formula, "X1 + 1", {"X3": 2, "Y3": 3, "Z3": 1})
    prove_law(edited, lower(edited))
    assert not conclude(edited).homogeneous


def test_the_sum_of_opposite_points_has_z_zero_and_represents_the_neutral_element():
    """add-2007-bl by hand on y^2 = x^3 + 2*x + 2 over GF(17): P = (5, 1), -P = (5, 16)."""
    p, (x1, y1, z1), (x2, y2, z2) = 17, (5, 1, 1), (5 * 4, 16 * 8, 2)
    u1, u2, s1, s2 = x1 * z2**2, x2 * z1**2, y1 * z2**3, y2 * z1**3
    h, r = u2 - u1, 2 * (s2 - s1)
    i, j = (2 * h) ** 2, h * (2 * h) ** 2
    x3 = (r**2 - j - 2 * u1 * i) % p
    y3 = (r * (u1 * i - x3) - 2 * s1 * j) % p
    z3 = ((z1 + z2) ** 2 - z1**2 - z2**2) * h % p
    assert z3 == 0
    assert y3 != 0
    assert y3**2 % p == x3**3 % p


@pytest.mark.parametrize("factor", ["X1", "Y1", "Z1", "X1 - Z1^2"])
def test_trials_refuse_a_locus_that_lacks_a_component(database: Database, monkeypatch, factor: str):
    formula = scaled(
        database.formula(f"{SHORTW}/jacobian/doubling/dbl-2007-bl"), factor, {"X3": 2, "Y3": 3, "Z3": 1}
    )
    parts = investigation.DegenerateLocus._parts
    monkeypatch.setattr(investigation.DegenerateLocus, "_parts", lambda *given: list(parts(*given))[:0])
    with pytest.raises(EfdgenError, match="the degenerate locus and trials disagree over the field of"):
        Investigation(formula, Laboratory())


def test_a_locus_refuses_trials_that_miss_a_wrong_row(database: Database, monkeypatch):
    formula = database.formula(f"{SHORTW}/jacobian/addition/add-2007-bl")
    outcome = investigation.outcome

    def forgetful(*given):
        found = outcome(*given)
        return found._replace(wrong_lanes=found.wrong_lanes - {min(found.wrong_lanes)})

    monkeypatch.setattr(investigation, "outcome", forgetful)
    with pytest.raises(EfdgenError, match="the degenerate locus and trials disagree over the field of"):
        Investigation(formula, Laboratory())


def test_every_genuine_component_turns_up_on_a_tiny_curve(database: Database):
    laboratory = Laboratory()
    for formula_id in database.select(["g1p/edwards/inverted", "g1p/jintersect/affine", "lambda/addition"]):
        assert Investigation(database.formula(formula_id), laboratory).unseen == [], formula_id


def test_a_formula_without_tiny_curves_is_an_error(database: Database):
    formula = database.formula(f"{SHORTW}/jacobian/doubling/dbl-2007-bl")
    (assumption,) = parse_document("assume a == a + 1\n")
    with pytest.raises(EfdgenError, match="no curve satisfies the assumptions"):
        conclude(replace(formula, assumptions=(assumption.content,)))
