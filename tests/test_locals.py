"""Variables of kernels have the formula's names, and no two values that are needed share one."""

import re
from dataclasses import replace

import pytest

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.programs.kernel import Coordinate, Kernel, Step, Store, Temporary
from efdgen.generator.render.locals import with_variables
from efdgen.generator.text import keywords

# The variable of a step and the name of its value.
LINE = re.compile(r"^    (\w+) = .*  # (?:(\w+) = )?.*$", re.M)
CALL = re.compile(r"^    toy_fe_\w+\(&(\w+), .*/\* (?:(\w+) = )?.*$", re.M)
LET = re.compile(r"^    let (\w+) = .* // (?:(\w+) = )?.*$", re.M)
PATTERNS = {"c": ("toy.h", CALL), "rust": ("src/lib.rs", LET), "python": ("toy.py", LINE)}


X = Coordinate("p1", "X")


def toy(steps: tuple[Step, ...]) -> Kernel:
    """Return a kernel that stores the value of its last step."""
    request = Request("c", "secp256k1", formulas=("jacobian-0/doubling/dbl-sum",))
    double = make_bundle(Database(), request, Prover()).groups[0].kernels[0]
    return replace(double, steps=steps, stores=(Store("p3", "X", steps[-1].target),))


def kernel(curve: str, formula: str, language: str = "python") -> str:
    request = Request(language, curve, formulas=(formula,), prefix="toy", lowering="calls")
    return render(make_bundle(Database(), request, Prover()), request)[PATTERNS[language][0]]


@pytest.mark.parametrize("language", PATTERNS)
def test_values_have_the_names_of_the_formula(language):
    lines = PATTERNS[language][1].findall(kernel("secp256k1", "jacobian-0/addition/add-1998-cmo", language))
    assert {name for _, name in lines if name} >= {"U1", "U2", "S1", "S2", "H", "r", "X3", "Y3", "Z3"}
    assert all(variable == name.lower() for variable, name in lines if name)
    assert all(re.fullmatch(r"t\d+", variable) for variable, name in lines if not name)


def test_numbered_variables_keep_away_from_those_of_the_formula():
    """Izu and Takagi call values of their own T1, T2 and so on."""
    lines = LINE.findall(kernel("P-256", "xz/doubling/dbl-2002-it-2"))
    named = [variable for variable, name in lines if name]
    assert {"t1", "t2"} <= {*named}
    assert len(named) == len({*named})
    assert all(re.fullmatch(r"v\d+", variable) for variable, name in lines if not name)


def test_a_value_that_is_assigned_again_keeps_its_variable():
    """Hankerson and others assign to T1, T2, T3 and T4 throughout."""
    text = kernel("secp256k1", "jacobian-0/addition/madd-2004-hmv", "c")
    assert "    toy_fe t1, t2, z3, t3, t4, x3, y3;\n" in text
    assert {(variable, name) for variable, name in CALL.findall(text) if variable == "t2"} == {
        ("t2", "T2"),
        ("t2", "T2_2"),
        ("t2", "T2_3"),
    }


def test_a_variable_that_is_needed_is_not_taken_by_a_value_of_its_name():
    steps = (
        Step("sqr", Temporary(0), (X,), "A = X^2"),
        Step("sqr", Temporary(1), (Temporary(0),), "A_2 = A^2"),
        Step("mul", Temporary(0), (Temporary(0), Temporary(1)), "A*A_2"),
    )
    moved, names = with_variables(toy(steps), ())
    assert names == ("a", "a_2", "t0")
    assert moved.steps[2].operands == (Temporary(0), Temporary(1))
    assert moved.stores[0].value == moved.steps[2].target == Temporary(2)


@pytest.mark.parametrize(
    ("words", "word"), [(keywords.C, "class"), (keywords.RUST, "match"), (keywords.PYTHON, "if")]
)
def test_a_keyword_names_no_variable(words, word):
    steps = (Step("sqr", Temporary(0), (X,), f"{word.title()} = X^2"),)
    assert with_variables(toy(steps), words)[1] == ("t0",)
    assert with_variables(toy(steps), ())[1] == (word,)


def test_small_integers_are_written_as_they_are():
    text = kernel("P-256", "jacobian/dblu/dblu-2011-gjmrv")
    assert "number_" not in text
    assert " + -3  # M = " in text


def test_names_that_differ_in_case_alone_are_of_two_variables():
    """The conjugate addition of Goundar and others has values U and u, G and g."""
    lines = LINE.findall(kernel("P-256", "jacobian/zacau/zacau-2011-gjmrv"))
    variables = {name: variable for variable, name in lines if name}
    assert {"U", "u", "G", "g"} <= variables.keys()
    assert variables["U"] != variables["u"]
    assert variables["G"] != variables["g"]


def test_a_coordinate_that_is_an_integer_is_its_residue():
    """Was: -3 % P and 2 were returned, which the reader of the text does not take for reduced."""
    text = kernel("P-256", "affine/conversion/to-modified")
    assert "CONSTANT_number_minus_3 = 0xFFFFFFFF00000001" in text
    assert "Point(t0, t1, 1, CONSTANT_number_minus_3)" in text
