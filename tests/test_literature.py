"""Formulas of the literature beyond the published database: costs, completeness, wrong texts, real curves."""

from itertools import product
from random import Random

import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.exceptions.derived import exceptions_on
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import Refuted

MONTGOM, HESSIAN, QUARTIC = "g1p/montgom", "g1p/twistedhessian/projective", "g1p/extendedjquartic/extended"
SPLIT, XS = "g1p/twisted/extended-split", "g12o/shortw/xs"

# Multiplications, squarings, and products by parameters, as the works count them; mixed and table forms save
# the products by Z2, which is 1.
COSTS = {
    f"{MONTGOM}/extended/addition/add": "9M + 1*s + 1*t",
    f"{MONTGOM}/extended/addition/add-2": "9M + 1*s + 1*t",
    f"{MONTGOM}/extended/doubling/dbl": "4M + 4S + 1*s",
    f"{MONTGOM}/extended-1/addition/add": "8M + 1*k",
    f"{MONTGOM}/extended-1/addition/add-cached": "8M",
    f"{MONTGOM}/extended-1/addition/madd-cached": "7M",
    f"{MONTGOM}/extended-1/doubling/dbl": "4M + 4S",
    f"{MONTGOM}/xz/recovery/rec-2001-os": "10M + 1S + 1*a2 + 1*b2",
    f"{HESSIAN}/addition/add-2010-h": "11M + 1*a",
    f"{HESSIAN}/addition/madd-2010-h": "9M + 1*a",
    f"{HESSIAN}/doubling/dbl-2015-bckl": "6M + 2S + 1*d",
    f"{HESSIAN}/tripling/tpl-2015-bckl": "6M + 6S + 1*a + 1*f + 1*t + 2*w",
    f"{HESSIAN}/tripling/tpl": "7M + 5S + 1*a + 1*c + 1*n",
    f"{QUARTIC}/addition/add-2009-hwcd": "8M + 3S + 1*a2 + 1*d + 1*d2",
    f"{QUARTIC}/addition/madd-2009-hwcd": "7M + 3S + 1*a2 + 1*d + 1*d2",
    f"{QUARTIC}/doubling/dbl-2022-p-a-0": "1M + 6S",
    f"{SPLIT}/doubling/dbl-2015-cl-2": "3M + 4S",
    f"{SPLIT}/addition/add-2015-cl": "9M + 1*k",
    f"{SPLIT}/addition/add-cached": "8M",
    f"{SPLIT}/addition/add-niels": "7M",
    f"{XS}/addition/add-2022-p": "8M + 2S + 2*c + 1*e",
    f"{XS}/addition/madd-2022-p": "7M + 2S + 2*c + 1*e",
    f"{XS}/doubling/dbl-2022-p": "3M + 4S + 2*a2 + 4*c",
}


@pytest.mark.parametrize("name", COSTS)
def test_costs_are_those_of_the_literature(database: Database, name: str) -> None:
    cost = count(lower(database.formula(name)))
    counts = {"M": cost.multiplications, "S": cost.squarings}
    products = [f"{number}*{parameter}" for parameter, number in sorted(cost.by_parameter.items())]
    assert " + ".join([*(f"{n}{what}" for what, n in counts.items() if n), *products]) == COSTS[name]


# A system, its curve's parameters modulo 13, and the additions that are complete there.
COMPLETE = [
    (f"{MONTGOM}/extended", {"a": 7, "b": 1}, ("addition/add", "doubling/dbl")),
    (f"{MONTGOM}/extended", {"a": 6, "b": 1}, ("addition/add-2", "doubling/dbl")),
    (f"{MONTGOM}/extended-1", {"a": 7, "b": 1}, ("addition/add", "doubling/dbl")),
    (QUARTIC, {"a": 3, "d": 2}, ("addition/add-2009-hwcd", "doubling/dbl")),
    (HESSIAN, {"a": 2, "d": 1}, ("addition/add-2010-h", "doubling/dbl-2015-bckl", "tripling/tpl-2015-bckl")),
    (HESSIAN, {"a": 2, "d": 1}, ("tripling/tpl",)),
    (SPLIT, {"a": 12, "d": 2}, ("addition/add-2015-cl", "doubling/dbl-2015-cl")),
]


@pytest.mark.parametrize(("system", "parameters", "names"), COMPLETE)
def test_laws_are_right_for_all_points_of_a_complete_curve(
    database: Database, rng: Random, system: str, parameters: dict[str, int], names: tuple[str, ...]
) -> None:
    """Points with affine coordinates in the model; its group may have one at infinity as a sum too."""
    curve = AffineCurve(database.model(system.rpartition("/")[0]), PrimeField(13), parameters)
    points = [p for p in curve.all_points() if "montgom" not in system or p[1]]
    assert len(points) > 5
    for name in names:
        formula = database.formula(f"{system}/{name}")
        values, program = instantiate(formula, curve.field, parameters), lower(formula)
        (law,) = [output.law for output in formula.kind.outputs]
        for inputs in product(points, repeat=len(formula.kind.inputs)):
            given = dict(values)
            for number, point in enumerate(inputs, start=1):
                found = represent(formula.system, curve.field, values, point, rng)
                given |= {f"{variable}{number}": value for variable, value in found.items()}
            outputs = run(program, curve.field, given)
            result = {v: outputs[f"{v}3"] for v in formula.system.variables}
            expected = curve.evaluate(law, dict(enumerate(inputs, start=1)))
            assert any(result.values()), (name, inputs)
            if expected and ("montgom" not in system or expected[1]):
                assert means(formula.system, curve.field, values, result, expected), (name, inputs)


@pytest.mark.parametrize(
    ("curve", "name", "inputs"),
    [
        # p = 1 mod 4, a + 2 is a square and a - 2 is not.
        ("Curve25519", "extended/addition/add", ()),
        ("Curve25519", "extended-1/addition/add", ()),
        ("Curve25519", "extended/addition/add-2", ("x(P-Q)=1", "P-Q of order 2 except where x=0")),
        # p = 3 mod 4, a - 2 is a square and a + 2 is not.
        ("Curve448", "extended/addition/add-2", ()),
        ("Curve448", "extended/addition/add", ("x(P-Q)=-1", "P-Q of order 2 except where x=0")),
        ("Curve448", "extended-1/addition/add", ("x(P-Q)=-1", "P-Q of order 2 except where x=0")),
        ("Curve448", "extended/doubling/dbl", ()),
    ],
)
def test_additions_on_curves_of_rfc_7748_are_complete_or_not(
    database: Database, curve: str, name: str, inputs: tuple[str, ...]
) -> None:
    found = exceptions_on(database.formula(f"{MONTGOM}/{name}"), load_curve(curve))
    assert found.complete_here is (not inputs)
    assert inputs in ((), found.inputs)


def test_curve448_has_a_point_where_the_incomplete_addition_fails() -> None:
    """Euler's criterion, apart from efdgen: y^2 = a - 2 at x = -1."""
    p, a = 2**448 - 2**224 - 1, 156326
    squares = [pow(value, (p - 1) // 2, p) == 1 for value in (a - 2, a + 2, a * a - 4)]
    assert squares == [True, False, False]
    p, a = 2**255 - 19, 486662
    squares = [pow(value, (p - 1) // 2, p) == 1 for value in (a - 2, a + 2, a * a - 4, -1 % p)]
    assert squares == [False, True, False, True]


@pytest.mark.parametrize(
    ("formula_id", "old", "new"),
    [
        (f"{MONTGOM}/extended/addition/add", "H = B - s*A", "H = B + s*A"),
        (f"{MONTGOM}/extended/addition/add-2", "M = H - F", "M = F - H"),
        (f"{MONTGOM}/extended-1/addition/add", "k == 2*d", "k == d"),
        (f"{MONTGOM}/extended-1/addition/add-cached", "*D2", "*S2"),
        (f"{MONTGOM}/extended-1/doubling/dbl", "H = -(A + B)", "H = A + B"),
        (f"{MONTGOM}/projective/conversion/to-extended", "Y3 = X1^2", "Y3 = Y1^2"),
        (f"{MONTGOM}/xz/recovery/rec-2001-os", "H = F*G - E*Z2", "H = F*G + E*Z2"),
        (f"{HESSIAN}/addition/add-2010-h", "- 2*(B - F)", "+ 2*(B - F)"),
        (f"{HESSIAN}/doubling/dbl-2015-bckl", "E = 3*C", "E = C"),
        (f"{HESSIAN}/tripling/tpl-2015-bckl", "w*(B - C)", "w*(C - B)"),
        (f"{HESSIAN}/tripling/tpl", "n*S^2 - Q", "n*S^2 + Q"),
        (f"{QUARTIC}/addition/add-2009-hwcd", "H = Q - D", "H = Q + D"),
        (f"{QUARTIC}/doubling/dbl-2022-p-a-0", "2*Z1^2 - E", "Z1^2 - E"),
        (f"{SPLIT}/doubling/dbl-2015-cl-2", "F = C - G", "F = C + G"),
        (f"{SPLIT}/addition/add-niels", "D = 2*Z1", "D = Z1"),
        (f"{XS}/addition/add-2022-p", "e == a2^2", "e == a2"),
        (f"{XS}/doubling/dbl-2022-p", "J = H + T1", "J = H + Z1"),
        (f"{XS}/conversion/to-affine", "n == a2 + 1", "n == a2"),
        ("g1p/shortw/projective-1/addition/add-2015-rcb", "b3 == 3*b", "b3 == b"),
    ],
)
def test_a_wrong_text_is_refused(database: Database, formula_id: str, old: str, new: str) -> None:
    text = database.text(formula_id)
    assert text.count(old) == 1
    model, kind = "/".join(formula_id.split("/")[:2]), database.kind(formula_id.split("/")[-2])
    wrong = read_formula(
        parse_document(text.replace(old, new)),
        formula_id,
        lambda name: database.system(name if "/" in name else f"{model}/{name}"),
        kind,
        text.replace(old, new),
        "<text>",
    )
    with pytest.raises(Refuted):
        prove_law(wrong, lower(wrong))


@pytest.mark.parametrize("kind", ["addition/add", "addition/madd", "doubling/dbl"])
def test_published_names_are_the_same_algorithms(database: Database, kind: str) -> None:
    """Today's site names the algorithms for a = -3 apart, and has the general ones for a = -1."""
    projective = "g1p/shortw/projective"
    assert database.text(f"{projective}-3/{kind}-2015-rcb-3") == database.text(
        f"{projective}-3/{kind}-2015-rcb"
    )
    assert database.text(f"{projective}-1/{kind}-2015-rcb") == database.text(f"{projective}/{kind}-2015-rcb")
