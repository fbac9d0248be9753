"""False models, maps, kinds and systems of a user are refused by every command, and right ones proved."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import BUILT_IN, Database, built_in
from efdgen.generator.formulas.foundations import own_foundations
from efdgen.generator.formulas.layers import Layers
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.exceptions.chord_curve import ChordCurve
from efdgen.verify.exceptions.fields import exponents, tiny_orders
from efdgen.verify.laws.foundations import prove_foundations
from efdgen.verify.laws.trial import try_map, try_model

DOUBLING = "g1p/own/jacobian/doubling/mine"
ADDITION = "g1p/own/jacobian/addition/mine"
CONVERSION = "g1p/edwards/projective/conversion/mine"
OWN_CURVE = """
name = "own"
model = "g1p/own"
prime = "2^61 - 1"

[parameters]
a = 5
b = 7
"""
SECP256K1 = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"


def text(name: str, *edits: tuple[str, str]) -> str:
    """Return the text of a built-in file, edited."""
    found = (BUILT_IN / name).read_text(encoding="utf-8")
    for old, new in edits:
        assert old in found, old
        found = found.replace(old, new)
    return found


def model(*edits: tuple[str, str]) -> dict[str, str]:
    """Return short Weierstrass curves as a model of the user, edited, with a system, formulas and a curve."""
    return {
        "g1p/own/coordinates": text("g1p/shortw/coordinates", *edits),
        "g1p/own/jacobian/variables": text("g1p/shortw/jacobian/variables"),
        DOUBLING: text("g1p/shortw/jacobian/doubling/dbl-2007-bl"),
        ADDITION: text("g1p/shortw/jacobian/addition/add-2007-bl"),
        "curves/own.toml": OWN_CURVE,
    }


def conversion(*edits: tuple[str, str], inverse: str = "edwards") -> dict[str, str]:
    """Return a map of the user's from Edwards to Montgomery curves, edited, with a conversion by it."""
    own = text("g1p/edwards/maps/montgom", ("inverse edwards", f"inverse {inverse}"), *edits)
    steps = "compute X3 = c*Z1 + Y1\ncompute Z3 = c*Z1 - Y1\n"
    if "(y - c)" in own:
        steps = "compute X3 = Y1 - c*Z1\ncompute Z3 = Y1 + c*Z1\n"
    return {"g1p/edwards/maps/own": own, CONVERSION: f"point P3 g1p/montgom/xz\nmap own\n{steps}"}


SHIFTED = (
    ("curve a = 2*", "curve a = -2*"),
    ("curve b = 4/", "curve b = -4/"),
    ("image x = (c + y)/(c - y)", "image x = (y - c)/(y + c)"),
    ("image y = s*c*(c + y)/((c - y)*x)", "image y = s*c*(y - c)/((y + c)*x)"),
)

# Files of an overlay, a formula that rests on them, a curve to compile it for, and what is said.
FALSE = {
    "a model whose addition has a term that vanishes in tiny fields": (
        model(("/(x2 - x1)^2 - x1 - x2", "/(x2 - x1)^2 - x1 - x2 + (x1^241 - x1)")),
        *(DOUBLING, "own", "the model g1p/own, which is not built in, is not proved: its addition is not"),
    ),
    "a model whose doubling is another": (
        model(("doubling y = (2*x1 + x1)", "doubling y = -(2*x1 + x1)")),
        *(ADDITION, "own", "its doubling is not that of the Weierstrass form"),
    ),
    "a model whose negation is the identity": (
        model(("negation y = -y1", "negation y = y1")),
        *(DOUBLING, "own", "its negation is not that of the Weierstrass form"),
    ),
    "a model that is no elliptic curve": (
        model(("y^2 == x^3 + a*x + b", "y^2 == (x^3 + a*x + b)^2")),
        *(DOUBLING, "own", "the model g1p/own"),
    ),
    "a map that adds a point of order 2": (
        conversion(*SHIFTED),
        *(CONVERSION, "edwards448", "the map g1p/edwards/maps/own"),
    ),
    "a map that multiplies by -1 what its inverse does not": (
        conversion(("image y = s*c", "image y = -s*c")),
        *(CONVERSION, "edwards448", "the inverse after the map is not multiplication by 1"),
    ),
    "a map whose inverse leads elsewhere": (
        conversion(inverse="twisted"),
        *(CONVERSION, "edwards448", "the map g1p/edwards/maps/own"),
    ),
    "a map without an inverse": (
        conversion(inverse="nowhere"),
        *(CONVERSION, "edwards448", "nowhere: No such file"),
    ),
    "a kind that hides addition as a subtraction": (
        {
            "kinds/addition": text("kinds/addition", ("P1 + P2", "P1 - P2")),
            "g1p/shortw/jacobian-0/addition/mine": text(
                "g1p/shortw/jacobian-0/addition/add-2007-bl", ("compute", "compute")
            ),
        },
        *(
            "g1p/shortw/jacobian-0/addition/mine",
            "secp256k1",
            "kinds/addition has another meaning",
        ),
    ),
    "a model that hides a built-in one": (
        {
            "g1p/shortw/coordinates": text("g1p/shortw/coordinates", ("negation y = -y1", "negation y = y1")),
            "g1p/shortw/jacobian-0/doubling/mine": text(SECP256K1),
        },
        *("g1p/shortw/jacobian-0/doubling/mine", "secp256k1", "g1p/shortw/coordinates has another meaning"),
    ),
    "a system that hides a built-in one": (
        {
            "g1p/shortw/jacobian-0/variables": text("g1p/shortw/jacobian-0/variables", ("X/Z^2", "X/Z")),
            "g1p/shortw/jacobian-0/doubling/mine": text(SECP256K1),
        },
        *("g1p/shortw/jacobian-0/doubling/mine", "secp256k1", "jacobian-0/variables has another meaning"),
    ),
    "a map that hides a built-in one": (
        {
            "g1p/edwards/maps/montgom": text("g1p/edwards/maps/montgom", *SHIFTED),
            **{CONVERSION: conversion(*SHIFTED)[CONVERSION].replace("map own", "map montgom")},
        },
        *(CONVERSION, "edwards448", "the built-in g1p/edwards/maps/montgom has another meaning"),
    ),
    "a formula that hides a built-in one": (
        {SECP256K1: text(SECP256K1, ("E = 3*A", "E = 3*B"))},
        *(SECP256K1, "secp256k1", "does not hold"),
    ),
}


def lay(root: Path, texts: dict[str, str]) -> Path:
    for name, found in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(found, encoding="utf-8")
    return root


@pytest.mark.slow
@pytest.mark.parametrize("name", FALSE)
def test_a_false_overlay_is_refused_by_every_command(name, tmp_path, efdgen, monkeypatch):
    """Were called proved by all four: maps that are no homomorphisms, and laws that are none of a group."""
    texts, formula, curve, said = FALSE[name]
    own = lay(tmp_path / "own", texts)
    verified = efdgen("verify", "--database", own, formula, "--json")
    checked = efdgen("check", own / formula, "--json")
    out = tmp_path / "out"
    choice = ("--database", own, "--lang", "python", "--curve", curve, "--formulas", formula)
    compiled = efdgen("compile", *choice, "--out", out)
    tested = efdgen("test", *choice)
    # A false formula is refuted by vectors, and runs; what it is false of is not.
    assert (verified.code, compiled.code) == (1, 2)
    assert tested.code == (1 if name.startswith("a formula") else 2)
    assert checked.code in (1, 2)
    for found in (verified, checked, compiled):
        assert said in found.out + found.err, found
    assert json.loads(verified.out)[0]["verdict"] in ("error", "refuted")
    assert not out.exists()


def test_a_right_model_and_a_right_map_are_proved_and_named_in_headers(tmp_path, efdgen):
    own = lay(tmp_path / "own", {**model(), **conversion()})
    for formula in (DOUBLING, CONVERSION):
        assert efdgen("check", own / formula).code == 0
    done = efdgen(
        *("compile", "--database", own, "--lang", "python", "--curve", "own", "--formulas", DOUBLING),
        *("--out", tmp_path / "out"),
    )
    assert done.code == 0, done.err
    header = (tmp_path / "out/own.py").read_text()[:2000]
    assert "--database own" in header
    for name in (DOUBLING, "g1p/own/coordinates", "g1p/own/jacobian/variables", "curves/own.toml"):
        assert f"#   {name} sha256:" in header, name
    assert f"#   {DOUBLING} sha256:" in header
    assert ", not built in" in header
    assert efdgen("regenerate", tmp_path / "out", "--check").code == 0
    assert efdgen("test", "--lang", "python", tmp_path / "out").code == 0


def test_only_what_is_not_built_in_is_proved(tmp_path):
    database = Database(Layers((lay(tmp_path, model()), BUILT_IN)))
    assert own_foundations(built_in().formula(SECP256K1)) == []
    found = own_foundations(database.formula(DOUBLING))
    assert [each.id for each in found] == ["g1p/own", "g1p/own/jacobian"]
    assert prove_foundations(database.formula(DOUBLING)) == (2,)


def test_the_same_text_may_lie_over_a_built_in_one(tmp_path):
    name = "g1p/shortw/coordinates"
    own = lay(tmp_path, {name: text(name, ("name short Weierstrass curves", "name mine"))})
    assert Database(Layers((own, BUILT_IN))).model("g1p/shortw").title == "mine"


@pytest.mark.parametrize("name", ["shortw", "twisted", "hessian", "jquartic", "montgom", "3dik"])
def test_built_in_laws_are_those_of_the_weierstrass_form(name):
    try_model(built_in().model(f"g1p/{name}"))


def test_a_law_of_the_weierstrass_form_is_a_group_law(rng):
    for name, parameters in (("shortw", {"a": 5, "b": 7}), ("twisted", {"a": 3, "d": 9})):
        curve = ChordCurve(built_in().model(f"g1p/{name}"), PrimeField(2**61 - 1), parameters)
        p, q, r = (curve.random_point(rng) for _ in range(3))
        assert curve.add(curve.add(p, q), r) == curve.add(p, curve.add(q, r))
        assert curve.add(p, q) == curve.add(q, p)
        assert curve.on_curve(curve.add(p, curve.double(q)))


def test_a_map_to_a_translate_is_found_by_random_points(tmp_path):
    own = lay(tmp_path, conversion(*SHIFTED))
    database = Database(Layers((own, BUILT_IN)))
    try_map(built_in().map("g1p/edwards/maps/montgom"))
    with pytest.raises(EfdgenError, match="the image of a sum is not the sum of images"):
        try_map(database.map("g1p/edwards/maps/own"))


def test_no_tiny_field_is_blind_to_a_power():
    """x^241 - x is 0 in GF(11) and GF(13), on which the formula was tried."""
    formula = built_in().formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    assert {11, 13} < {*tiny_orders(formula)}
    (step,) = parse_document("compute Z4 = X1^241 - X1\n")
    longer = replace(formula, assignments=(*formula.assignments, step.content))
    assert exponents(longer) == exponents(formula) | {241}
    assert all(240 % (order - 1) for order in tiny_orders(longer))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (("b = 7", "b = 8"), "the generator is not on the curve"),
        (("cofactor = 1", "cofactor = 2"), "the cofactor is wrong"),
        (("d0364141", "d0364143"), "order"),
        (("- 977", "- 979"), "is not prime"),
    ],
)
def test_a_false_curve_of_an_overlay_is_refused(edit, said, tmp_path, efdgen):
    own = lay(tmp_path / "own", {"curves/mine.toml": text("curves/secp256k1.toml", edit)})
    choice = ("--database", own, "--lang", "python", "--curve", own / "curves/mine.toml")
    for command in (("compile", *choice, "--out", tmp_path / "out"), ("test", *choice)):
        done = efdgen(*command)
        assert (done.code, said in done.err) == (2, True), done
    assert efdgen("curves", "check", own / "curves/mine.toml").code != 0
    assert not (tmp_path / "out").exists()


def test_rules_of_a_host_that_is_not_built_in_are_named(tmp_path, efdgen):
    """Stood in no header: code for rules that the library does not keep looked like any other."""
    name = "hosts/libsecp256k1.toml"
    own = lay(tmp_path / "own", {name: text(name, ("a + b <= 32", "a + b <= 64"))})
    choice = ("--field-api", "libsecp256k1", "--curve", "secp256k1", "--formulas", SECP256K1)
    done = efdgen("compile", "--database", own, *choice, "--out", tmp_path / "out")
    assert (done.code, "libsecp256k1.toml hides" in done.err) == (0, True)
    header = (tmp_path / "out/secp256k1_formula.h").read_text()[:1000]
    assert "Not built in" in header
    assert f"{name} sha256:" in header


def test_a_term_that_is_always_zero_is_no_division(tmp_path, efdgen):
    """Ended with a traceback: k is 0 in every tiny field, and X3 = X1*k/k was divided."""
    draft = tmp_path / "fermat"
    draft.write_text("compute k = X1^11 - X1\ncompute X3 = X1*k/k\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    done = efdgen("check", draft, "--as", "g1p/shortw/jacobian-0/doubling")
    assert done.code == 1
    assert "refuted: P3: x == X/Z^2 does not hold" in done.out
