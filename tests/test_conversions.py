"""Formulas between coordinate systems: tables of points, conversions, and scaling with a given inverse."""

import pytest

from efdgen.generator.compile import Request
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.law import prove_law
from efdgen.verify.vectors.subjects import curve_subject
from efdgen.verify.vectors.suite import make_suite
from efdgen.verify.verdicts import Refuted

EXTENDED = "g1p/twisted/extended-1"


def short_name(system_id: str) -> str:
    return system_id.rpartition("/")[2]


def test_a_conversion_is_called_by_the_system_that_it_leads_to(database: Database) -> None:
    conversions = [database.formula(name) for name in database.select(["conversion"])]
    assert len(conversions) > 200
    for formula in conversions:
        way = f"{formula.map.name}-" if formula.map else ""
        assert formula.name == f"to-{way}{short_name(formula.systems[3].id)}"


@pytest.mark.parametrize(
    ("model", "systems"),
    [
        (
            "g1p/twisted",
            "affine projective inverted extended completed cached niels niels-halved",
        ),
        (
            "g1p/twisted",
            "affine projective extended completed products products-z halved-projective halved-extended"
            " halved-completed",
        ),
        ("g1p/edwards", "affine projective inverted"),
        ("g1p/shortw", "affine projective jacobian modified xyzz w12-0"),
        ("g1p/hessian", "affine standard extended"),
        ("g1p/jintersect", "affine standard extended"),
        ("g1p/jquartic", "affine xyz xxyzz xxyzzr"),
        ("g1p/twistedhessian", "affine projective"),
    ],
)
def test_there_is_a_conversion_between_any_two_systems(database: Database, model: str, systems: str) -> None:
    names = systems.split()
    for source in names:
        for target in set(names) - {source}:
            assert f"{model}/{source}/conversion/to-{target}" in database.ids


@pytest.mark.parametrize(
    ("formula_id", "old", "new"),
    [
        (f"{EXTENDED}/addition/add-cached", "*D2", "*S2"),
        (f"{EXTENDED}/addition/add-niels", "D = 2*Z1", "D = Z1"),
        (f"{EXTENDED}/addition/add-niels-halved", "point P2 niels-halved", "point P2 niels"),
        (f"{EXTENDED}/subtraction/sub-cached", "F = D + C", "F = D - C"),
        (f"{EXTENDED}/doubling/dbl-to-completed", "point P3 completed", "point P3 extended"),
        ("g1p/twisted/completed/conversion/to-extended", "T3 = X1*Y1", "T3 = Z1*T1"),
        ("g1p/twisted/extended/conversion/to-cached", "k == 2*d", "k == d"),
        ("g1p/twisted/halved-completed/conversion/to-products-z", "d8 == 8*d", "d8 == 4*d"),
        ("g1p/twisted/halved-completed/doubling/dbl", "2*G3", "G3"),
        ("g1p/twisted/halved-completed/addition/add-products-z", "F3 = D - C", "F3 = D + C"),
        ("g1p/twisted/halved-completed/addition/add-products", "X*Y2 + Y*X2", "X*Y2 - Y*X2"),
        ("g1p/twisted/halved-extended/addition/add", "Z1*Z2/2", "Z1*Z2"),
        ("g1p/twisted/halved-extended/subtraction/sub-affine", "d4 == 4*d", "d4 == d"),
        ("g1p/shortw/jacobian/conversion/to-modified", "*a", "*b"),
        ("g1p/shortw/jacobian/scaling-given-z/scale", "A*I1", "A*Z1"),
        ("g1p/shortw/jacobian/scaling-given-z/scale", "Z3 = 1", "Z3 = Z1*I1*2"),
    ],
)
def test_what_means_another_point_is_refused(database: Database, formula_id: str, old: str, new: str) -> None:
    text = database.text(formula_id)
    assert text.count(old) == 1
    wrong = text.replace(old, new)
    model, kind = "/".join(formula_id.split("/")[:2]), database.kind(formula_id.split("/")[-2])
    formula = read_formula(
        parse_document(wrong),
        formula_id,
        lambda name: database.system(name if "/" in name else f"{model}/{name}"),
        kind,
        wrong,
        "<text>",
    )
    with pytest.raises(Refuted):
        prove_law(formula, lower(formula))


def test_one_inversion_scales_many_points(database: Database) -> None:
    prime, formula = 1009, database.formula("g1p/shortw/jacobian/scaling-given-z/scale")
    affine = [(3, 7), (11, 500), (1008, 2), (17, 17)]
    factors = [5, 1, 999, 123]
    product, prefixes = 1, []
    for factor in factors:
        prefixes.append(product)
        product = product * factor % prime
    rest = pow(product, -1, prime)
    for (x, y), factor, prefix in reversed(list(zip(affine, factors, prefixes, strict=True))):
        point = {"X1": x * factor**2 % prime, "Y1": y * factor**3 % prime, "Z1": factor}
        inputs = {**point, "I1": rest * prefix % prime, "a": 1, "b": 1}
        assert run(lower(formula), PrimeField(prime), inputs) == {"X3": x, "Y3": y, "Z3": 1}
        rest = rest * factor % prime


def test_published_multiples_are_reached_within_one_system(database: Database) -> None:
    names = (f"{EXTENDED}/addition/add-cached", f"{EXTENDED}/doubling/dbl-2008-hwcd")
    request = Request("python", "edwards25519", "extended-1", names)
    suite = make_suite(curve_subject(database, request, ["python"]), seed=1)
    assert {case.origin for function in suite.functions for case in function.cases} == {
        "random",
        "edge",
        "equal",
        "opposite",
    }
