"""Variables of kernels in Python have the formula's names, and no two values that are needed share one."""

import re

from efdgen.generator.compile import Request, make_bundle, render
from efdgen.generator.fields.bundle import unproved
from efdgen.generator.formulas.database import Database

LINE = re.compile(r"^    (\w+) = .*  # (?:(\w+) = )?.*$", re.M)


def kernel(curve: str, formula: str) -> str:
    request = Request("python", curve, formulas=(formula,), prefix="toy")
    return render(make_bundle(Database(), request, unproved), request)["toy.py"]


def test_values_have_the_names_of_the_formula():
    text = kernel("secp256k1", "jacobian-0/addition/add-1998-cmo")
    assert "    u2 = p2.X * t2 % P  # U2 = X2*Z1^2\n" in text
    lines = LINE.findall(text)
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
