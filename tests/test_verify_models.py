"""The affine laws of the models are the group law, and a law with one wrong sign is not."""

from dataclasses import replace

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.language.parser import parse_document
from efdgen.generator.language.syntax import Binary, Expression, Group, Negative, Number
from efdgen.verify.laws.model import prove_model
from efdgen.verify.verdicts import Refuted

MODELS = [
    *("g12o/edwards", "g12o/shortw", "g1p/2dik", "g1p/3dik", "g1p/edwards", "g1p/hessian", "g1p/jintersect"),
    *("g1p/jquartic", "g1p/montgom", "g1p/shortw", "g1p/twisted", "g1p/twistedhessian"),
]
LAWS = ("addition", "doubling", "negation", "neutral", "to_weierstrass", "from_weierstrass")


def expression(text: str) -> Expression:
    (statement,) = parse_document(f"compute x = {text}\n")
    return statement.content.value


@pytest.mark.parametrize("model_id", MODELS)
def test_the_affine_laws_are_the_group_law(database: Database, model_id: str):
    prove_model(database.model(model_id))


def test_the_published_map_of_binary_hessian_curves_needs_another_coefficient(database: Database):
    model = database.model("g12o/hessian")
    published, right = ({**model.weierstrass, "a3": Number(value)} for value in (0, 1))
    with pytest.raises(Refuted, match="toweierstrass does not lead to the weierstrass curve"):
        prove_model(replace(model, weierstrass=published))
    prove_model(replace(model, weierstrass=right))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("model_id", [name for name in MODELS if name.startswith("g1p")])
def test_a_wrong_sign_in_any_law_is_refuted(database: Database, model_id: str, law: str):
    model = database.model(model_id)
    for name, value in getattr(model, law).items():
        if value == Number(0):
            continue
        wrong = {**getattr(model, law), name: Negative(Group(value))}
        with pytest.raises((Refuted, ZeroDivisionError)):
            prove_model(replace(model, **{law: wrong}))


@pytest.mark.parametrize("model_id", [name for name in MODELS if name.startswith("g12o")])
def test_a_wrong_term_in_any_binary_law_is_refuted(database: Database, model_id: str):
    model = database.model(model_id)
    for law in ("addition", "doubling", "negation", "to_weierstrass", "from_weierstrass"):
        name, value = next(iter(getattr(model, law).items()))
        wrong = {**getattr(model, law), name: Binary("+", value, Number(1))}
        with pytest.raises((Refuted, ZeroDivisionError)):
            prove_model(replace(model, **{law: wrong}))


@pytest.mark.parametrize(
    ("law", "values", "reason"),
    [
        ("addition", {"x": "x1", "y": "y1"}, "addition is not that of the weierstrass curve"),
        ("addition", {"x": "x1", "y": "-y1"}, "addition gives back the negative of what comes in"),
        ("addition", {"x": "x1 + x2", "y": "y1"}, "addition leaves the curve"),
        ("doubling", {"x": "x1", "y": "-y1"}, "doubling gives back the negative of what comes in"),
        ("negation", {"x": "x1", "y": "y1"}, "negation is not the reflection"),
        ("weierstrass", {"a6": "a"}, "toweierstrass does not lead to the weierstrass curve"),
        ("from_weierstrass", {"y": "-weiery"}, "fromweierstrass y does not undo toweierstrass"),
    ],
)
def test_each_way_to_be_wrong_has_its_reason(
    database: Database, law: str, values: dict[str, str], reason: str
):
    model = database.model("g1p/shortw")
    changed = {**getattr(model, law), **{name: expression(text) for name, text in values.items()}}
    with pytest.raises(Refuted, match=reason):
        prove_model(replace(model, **{law: changed}))


def test_a_law_that_is_right_for_another_sum_is_refuted(database: Database):
    model = database.model("g1p/shortw")
    negative = {"x": model.addition["x"], "y": Negative(Group(model.addition["y"]))}
    with pytest.raises(Refuted, match="addition is not that of the weierstrass curve"):
        prove_model(replace(model, addition=negative))


def test_a_neutral_element_that_changes_points_is_refuted(database: Database):
    model = database.model("g1p/twisted")
    with pytest.raises(Refuted, match="the neutral element changes what it is added to"):
        prove_model(replace(model, neutral={"x": Number(0), "y": Negative(Number(1))}))


def test_a_curve_of_several_components_is_refuted(database: Database):
    model = database.model("g1p/shortw")
    (equation,) = parse_document("satisfying y^2 == x^2\n")
    with pytest.raises(Refuted, match="the curve is not irreducible"):
        prove_model(replace(model, equations=(equation.content,)))
