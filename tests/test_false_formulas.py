"""Formulas that are false, or false on one curve, in the spirit of an adversary: none of them compiles.

Each stands for a way in which a proof could be about something else than the program on the curve at hand.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from efdgen.generator.compile import Request, ranking
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula, read_kind
from efdgen.generator.kernels.bundle import cheapest_formulas
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.specialise import specialise
from efdgen.generator.language.parser import parse_document
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower
from efdgen.verify.certificate import require_proof
from efdgen.verify.curve_prover import CurveProver
from efdgen.verify.exceptions.derived import derive, exceptions_on
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import judge

DOUBLING = "g1p/shortw/jacobian/doubling/dbl-2007-bl"
PRIME = 2**255 - 19
FIELD = PrimeField(PRIME)
LARGE = 0x3B5D_9F21_7C64_E0A8_1D39
"""A number that is no small one: a parameter with this value stays a parameter."""
LARGER = LARGE**2 % PRIME


def jacobian(*lines: str, before: str = "") -> str:
    """Return the text of a doubling with more steps after its own, and more statements before them."""
    return "\n".join([before, Database().text(DOUBLING), *(f"compute {line}" for line in lines), ""])


def read(text: str, formula_id: str = DOUBLING, kind: str = "doubling") -> Formula:
    database = Database()
    return read_formula(
        parse_document(text), formula_id, database.system, database.kind(kind), text, "<text>"
    )


def compiled_values(formula: Formula, a: int, b: int) -> bool:
    """Compile a formula for a curve as ``efdgen compile`` does; return whether it is right at a point."""
    found = candidate(formula, FIELD, {"a": a, "b": b}).specialised
    require_proof(found)
    rng, curve = Random(5), AffineCurve(formula.system.model, FIELD, {"a": a, "b": b})
    point = curve.random_point(rng)
    values = represent(formula.system, FIELD, {"a": a, "b": b}, point, rng)
    names = {f"{variable}1": value for variable, value in values.items()}
    outputs = run(found.program, FIELD, {**found.values, **names})
    result = {variable: outputs[f"{variable}3"] for variable in formula.system.variables}
    return means(formula.system, FIELD, {"a": a, "b": b}, result, curve.double(point))


CURVE = "Y1^2 - X1^3 - a*X1*Z1^4 - {}*Z1^6"

# Names of steps and parameters; a value of parameters alone has its name when it is folded.
NAMES = {
    "a step is called like a parameter that is not read": jacobian(
        "b = a - 1", f"X3 = X3 + {CURVE.format('b')}"
    ),
    "a step is called like a parameter, by a product": jacobian("b = 3*a", f"Z3 = Z3 + {CURVE.format('b')}"),
    "a step is called like a parameter, by a square": jacobian("b = a^2", f"Y3 = Y3 + {CURVE.format('b')}"),
    "a step is called like a parameter, by a quotient": jacobian(
        "b = 1/a", f"X3 = X3*(1 + {CURVE.format('b')})"
    ),
    "two steps are called like a parameter": jacobian(
        "b = a - 1", "b = b - 1", f"X3 = X3 + {CURVE.format('b')}"
    ),
    "a temporary is called like a parameter": jacobian(
        f"X3 = X3 + {CURVE.format('(a - 1)')}", before="parameter t0\nassume t0 == b"
    ),
    "a temporary is called like a parameter of an assumption": jacobian(
        f"X3 = X3 + t0*({CURVE.format('(a + 5)')})", before="parameter t0\nparameter t1\nassume t0*b == t1*a"
    ),
}


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES.keys())
def test_a_folded_value_claims_nothing_about_the_curve(text: str) -> None:
    with pytest.raises(EfdgenError):
        compiled_values(read(text), LARGE, LARGER)


def test_a_folded_value_has_a_name_of_its_own() -> None:
    formula = read(jacobian("b = a - 1", "X3 = X3*b/(a - 1)"))
    found = specialise(formula, FIELD, {"a": LARGE, "b": LARGER})
    assert found.values["b"] == LARGER
    assert compiled_values(formula, LARGE, LARGER)


# Names that stand for two values, in a formula, its kind or its system.
TWICE = {
    "an output": ("parameter X3\nassume X3 == a\n", ""),
    "an input": ("parameter X1\nassume X1 == a\n", ""),
    "a parameter of the model": ("parameter a\nassume a == b\n", ""),
    "a scalar": ("parameter C\nassume C == a\n", "scalar C == X1^2\n"),
    "a free scalar": ("parameter l\nassume l == a\n", "free l\n"),
    "a scalar that is a parameter of the model": ("", "scalar b == X1^2\n"),
    "a scalar that is an output": ("", "scalar X3 == X1^2\n"),
}


@pytest.mark.parametrize(("statements", "scalars"), TWICE.values(), ids=TWICE.keys())
def test_a_name_has_one_meaning(statements: str, scalars: str) -> None:
    database = Database()
    text, kind = statements + database.text(DOUBLING), f"{KIND}{scalars}"
    own = read_kind(parse_document(kind), "own", kind, "<kind>")
    with pytest.raises(EfdgenError, match="is declared already"):
        read_formula(parse_document(text), DOUBLING, database.system, own, text, "<text>")


def test_the_prover_refuses_a_name_with_two_meanings() -> None:
    formula = replace(read(Database().text(DOUBLING)), parameters=("b",))
    with pytest.raises(EfdgenError, match="b names two values"):
        prove_law(formula, lower(formula))


KIND = "name doubling\nfunction double\ninput P1\noutput P3 == 2*P1\n"


# Assumptions with a component that solving by division does not reach, and a step that is wrong there alone:
# the root that is taken of t is +R, and -R everywhere else. The curve at hand lies on that component.
ROOT = LARGE // 3
S, R = f"(b - {LARGER})", f"(a - {LARGE})^2"
ROOTS = (f"t^2 == {ROOT}^2", f"u == -{ROOT}")
WRONG = f"X3 = -X3*t/{ROOT}"

COMPONENTS = {
    "s*t == r, r == s*u": ([f"{S}*t == {R}", f"{R} == {S}*u", *ROOTS], WRONG),
    "r == s*u, s*t == r": ([f"{R} == {S}*u", f"{S}*t == {R}", *ROOTS], WRONG),
    "the roots are first": ([*ROOTS, f"{S}*t == {R}", f"{R} == {S}*u"], WRONG),
    "s*t == s*u": ([f"{S}*t == {S}*u", *ROOTS], WRONG),
    "s^2*t == s^2*u": ([f"{S}^2*t == {S}^2*u", *ROOTS], WRONG),
    "s*t == r*w, r*w == s*u": ([f"{S}*t == {R}*w", f"{R}*w == {S}*u", "w == a", *ROOTS], WRONG),
    "s*t == r*w, w is free": ([f"{S}*t == {R}*w", f"{R}*w == {S}*u", "w == 3", *ROOTS], WRONG),
    "s*t == r^3, s*u == r^3": ([f"{S}*t == {R}*{R}", f"{S}*u == {R}*{R}", *ROOTS], WRONG),
    "a divided equation": ([f"{S}*t/(a + 1) == {R}", f"{R}*(a + 1) == {S}*u", *ROOTS], WRONG),
    "r*s*t == r*s*u": ([f"{R}*{S}*t == {R}*{S}*u", *ROOTS], WRONG),
    "s*t + r == s*u + r": ([f"{S}*t + {R} == {S}*u + {R}", *ROOTS], WRONG),
    "in three names": ([f"{S}*t == {R}", f"{S}*w == {R}", f"{S}*u == {R}", "w == u", *ROOTS], WRONG),
    "by another coordinate": ([f"{S}*t == {R}", f"{R} == {S}*u", *ROOTS], f"Y3 = -Y3*t/{ROOT}"),
    "by the scale": ([f"{S}*t == {R}", f"{R} == {S}*u", *ROOTS], f"Z3 = Z3*(1 + t/{ROOT})"),
    "a root of either sign": (ROOTS, WRONG),
    "tied to a coordinate": ([f"{S}*t*X1 == {S}*u*X1", *ROOTS], WRONG),
    "tied to a scale": ([f"{S}*t == {R}*Z1", f"{R}*Z1 == {S}*u", *ROOTS], WRONG),
}


def with_roots(assumptions: Sequence[str], step: str) -> Formula:
    declared = "".join(f"parameter {name}\n" for name in "tuw" if any(name in line for line in assumptions))
    return read(jacobian(step, before=declared + "".join(f"assume {line}\n" for line in assumptions)))


@pytest.mark.parametrize(("assumptions", "step"), COMPONENTS.values(), ids=COMPONENTS.keys())
def test_every_component_is_looked_at(assumptions: Sequence[str], step: str) -> None:
    formula = with_roots(assumptions, step)
    with pytest.raises(EfdgenError):
        compiled_values(formula, LARGE, LARGER)
    assert judge(lambda: prove_law(formula, lower(formula)) and None)[0] != "proved"


@pytest.mark.slow
def test_a_component_of_its_own_may_be_proved() -> None:
    formula = with_roots(COMPONENTS["s*t == r, r == s*u"][0], f"X3 = X3*t^2/{ROOT}^2")
    assert len(prove_law(formula, lower(formula)).instances) == 3
    assert compiled_values(formula, LARGE, LARGER)


def test_a_case_in_the_closure_of_others_is_no_component() -> None:
    formula = with_roots([f"{S}*t == {R}", f"w == {S}*t"], f"X3 = X3*w/{R}")
    assert len(prove_law(formula, lower(formula)).instances) == 1
    assert compiled_values(formula, LARGE + 1, LARGER + 1)


# Conditions on parameters alone: what makes them fail, and a curve on which they do.
CONDITIONS = {
    "a divisor": (["X3 = X3*(b - 1)/(b - 1)"], (LARGE, 1)),
    "a divisor that is no small number": ([f"X3 = X3*(b - {LARGE})/(b - {LARGE})"], (3, LARGE)),
    "a divisor of a step that is not read": (["Q = 1/(a - 3)", "X3 = X3 + 0*Q"], (3, LARGE)),
    "a divisor in two parameters": (["X3 = X3*(a - b^2)/(a - b^2)"], (LARGE**2 % PRIME, LARGE)),
    "a divisor in coordinates too": (["X3 = X3*(X1*(b - 1))/((b - 1)*X1)"], (LARGE, 1)),
    "a divisor with several coefficients": (
        ["Q = (b - 1)*X1 + (a - 3)*Z1^2", "X3 = X3*Q/Q"],
        (3, 1),
    ),
    "a divisor that the curve equation makes zero": (
        [f"Q = Y1^2 - X1^3 - a*X1*Z1^4 - {LARGE}*Z1^6", "X3 = X3*Q/Q"],
        (3, LARGE),
    ),
    "outputs that are all zero": (
        ["X3 = X3*(b - 1)^2", "Y3 = Y3*(b - 1)^3", "Z3 = Z3*(b - 1)"],
        (LARGE, 1),
    ),
    "outputs that are all zero for a number that is no small one": (
        [f"X3 = X3*(b - {LARGE})^2", f"Y3 = Y3*(b - {LARGE})^3", f"Z3 = Z3*(b - {LARGE})"],
        (5, LARGE),
    ),
    "outputs that the curve equation makes zero": (
        [
            f"Q = Y1^2 - X1^3 - a*X1*Z1^4 - {LARGE}*Z1^6",
            "X3 = X3*Q^2",
            "Y3 = Y3*Q^3",
            "Z3 = Z3*Q",
        ],
        (5, LARGE),
    ),
}


@pytest.mark.parametrize(("steps", "curve"), CONDITIONS.values(), ids=CONDITIONS.keys())
def test_a_condition_on_parameters_is_evaluated_on_the_curve(
    steps: list[str], curve: tuple[int, int]
) -> None:
    formula = read(jacobian(*steps))
    assert compiled_values(formula, LARGER, LARGE + 1)
    with pytest.raises(EfdgenError):
        compiled_values(formula, *curve)


@pytest.mark.parametrize("number", [1, LARGE])
def test_an_exceptional_curve_is_no_remark_on_others(number: int) -> None:
    steps = (f"X3 = X3*(b - {number})^2", f"Y3 = Y3*(b - {number})^3", f"Z3 = Z3*(b - {number})")
    formula = read(jacobian(*steps))
    texts = [text for text in derive(formula).exceptions if f"b - {number}=0" in text]
    curve = load_curve("brainpoolP256r1")
    assert texts
    assert not exceptions_on(formula, curve).inputs
    there = replace(curve, parameters={**curve.parameters, "b": number})
    assert exceptions_on(formula, there).inputs == tuple(texts)


HINTED = "g1p/shortw/affine/addition-hinted/add-slope"


def test_a_check_that_accepts_everything_on_one_curve_is_refused_there() -> None:
    check = "check slope*(X1 - X2) == Y1 - Y2"
    text = Database().text(HINTED)
    assert check in text
    factor = f"(b - {LARGE})"
    text = text.replace(check, f"check {factor}*slope*(X1 - X2) == {factor}*(Y1 - Y2)")
    formula = read(text, HINTED, "addition-hinted")
    proof = require_proof(candidate(formula, FIELD, {"a": LARGER, "b": LARGE + 1}).specialised)
    assert str(LARGE) not in proof
    with pytest.raises(EfdgenError, match="undefined or wrong"):
        require_proof(candidate(formula, FIELD, {"a": LARGER, "b": LARGE}).specialised)


def test_a_formula_that_is_refused_on_the_curve_gives_way_to_the_next(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    curve = tmp_path / "hessian.toml"
    curve.write_text('name = "h"\nmodel = "g1p/hessian"\nprime = "2^255-19"\n[parameters]\nd = 0\n')
    order = ranking(Request("python", str(curve)), load_curve(str(curve)))
    found = cheapest_formulas(
        Database(), load_curve(str(curve)), "g1p/hessian/standard", order, CurveProver()
    )
    names = [each.formula.name for each in found]
    assert "tpl-2007-hcd" not in names
    assert {"add-2009-bkl", "dbl-2007-hcd"} & set(names)
    assert "left out on this curve: g1p/hessian/standard/tripling/tpl-2007-hcd is not proved" in caplog.text
