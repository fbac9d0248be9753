"""Functions for any curve of a model: right with the numbers of curves, and nothing said is of one alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from host_driver import c_driver
from host_packages import C_HOSTS
from host_provers import ProvedPrograms

from efdgen.generator.curves.any import ANY, any_curve
from efdgen.generator.curves.exceptional import in_words
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.compile import HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.derived import exceptions_on
from efdgen.verify.hosts.packages import crate_sources, run_tool
from efdgen.verify.hosts.trial import trial

ROOT = Path(__file__).parents[1]
PRIME = (
    "g1p/shortw/projective/addition/add-2015-rcb",
    "g1p/shortw/jacobian/doubling/dbl-2007-bl",
    "g1p/shortw/jacobian/addition/add-2007-bl",
)
BINARY = (
    "g12o/shortw/lopezdahab/doubling/dbl-2005-l",
    "g12o/shortw/xz/doubling/*",
    "g12o/shortw/xs/addition/*",
)
# Curves with programs in the folder of hosts, which have their fields.
CURVES = {
    "P-256": ("macros.c", PRIME),
    "sect233r1": ("macros-233.c", BINARY),
    "sect233k1": ("macros-233.c", BINARY),
}


@pytest.fixture
def bundle(database):
    """Return a function that makes functions for any curve."""
    return lambda formulas, host="macros": make_host_bundle(
        database, HostRequest(host, ANY, formulas=formulas), ProvedPrograms()
    )


def at_home(bundle, curve):
    """Return functions for any curve as tests call them on one: with its field and numbers."""
    constants, functions = {}, []
    for function in bundle.functions:
        known = instantiate(function.kernel.formula, curve.field, curve.parameters)
        for name in function.constants:
            meaning = parse_equation(f"0 == {function.meanings.get(name, name)}").right
            constants[bundle.constant(function, name)] = evaluate(meaning, curve.field, known)
        functions.append(replace(function, kernel=replace(function.kernel, parameters=known)))
    own = {function.kernel.name: function.kernel for function in functions}
    groups = tuple(
        replace(group, kernels=tuple(replace(k, parameters=own[k.name].parameters) for k in group.kernels))
        for group in bundle.bundle.groups
    )
    whole = replace(bundle.bundle, ground=curve.field, groups=groups)
    return replace(bundle, bundle=whole, functions=tuple(functions), constants=constants)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.usefixtures("gcc", "cxx", "cargo", "openssl")
def test_functions_are_right_on_curves(name, bundle, tmp_path):
    harness, formulas = CURVES[name]
    curve = checked_curve(name)
    made = bundle(formulas)
    (text,) = render(made).values()
    whole = at_home(made, curve)
    (tmp_path / "driver.c").write_text(
        c_driver(whole, (ROOT / "tests" / "hosts" / harness).read_text(), "FE")
    )
    boring = crate_sources(C_HOSTS, ROOT / "build" / "hosts" / "c") / "boring-sys" / "deps" / "boringssl"
    includes = [] if curve.field.is_binary else ["-DOPENSSL_NO_ASM", f"-I{boring}", f"-I{boring / 'include'}"]
    compiler = ["g++", "-O1", "-w", *includes, "-I.", "-x", "c++", "driver.c", "-o", "driver", "-lcrypto"]
    (tmp_path / "point.h").write_text(text)
    run_tool(compiler, tmp_path)
    driver = [str(tmp_path / "driver")]
    assert [result.function for result in trial(whole, curve, driver, seed=1) if not result.ok] == []
    # Another number in the place of a constant is seen in each function that has one.
    constants = {constant: value ^ 2 for constant, value in whole.constants.items()}
    other = c_driver(
        replace(whole, constants=constants), (ROOT / "tests" / "hosts" / harness).read_text(), "FE"
    )
    (tmp_path / "driver.c").write_text(other)
    run_tool(compiler, tmp_path)
    failed = [result.function for result in trial(whole, curve, driver, seed=1) if not result.ok]
    assert failed == [function.kernel.name for function in whole.functions if function.constants] != []


def test_what_is_said_holds_of_every_curve(bundle, database):
    names = (
        PRIME[0],
        "g1p/twisted/extended/addition/add-2008-hwcd",
        "g1p/edwards/inverted/doubling/dbl-2007-bl",
    )
    said = {}
    for name in names:
        curve, formula = any_curve(database, [name]), database.formula(name)
        said[name.split("/")[-1]] = in_words(exceptions_on(formula, curve), formula.kind)
    assert said == {
        "add-2015-rcb": "Undefined for p1 - p2 of order 2; not checked; complete on curves of odd order.",
        "add-2008-hwcd": "Undefined for p1 - p2 at infinity; not checked; "
        "complete when a is a square and d is not.",
        "dbl-2007-bl": "Undefined for x(2p1) = 0 and y(2p1) = 0; not checked; "
        "the identity has no representative; x = 0 and y = 0 has no representative.",
    }


@pytest.mark.slow
def test_constants_are_told_by_parameters(bundle):
    (text,) = render(bundle((PRIME[0], "g1p/edwards/inverted/doubling/dbl-2007-bl")[:1])).values()
    assert "Constants: curve_a = a, b3 = 3*b" in text
    (text,) = render(bundle(("g1p/edwards/inverted/doubling/dbl-2007-bl",))).values()
    assert "Constants: ccd2 = 2*c*c*d" in text
    (text,) = render(bundle(("g1p/shortw/jacobian-3/doubling/dbl-2001-b",))).values()
    assert "Requires:  a = -3" in text


@pytest.mark.slow
def test_a_map_is_told_by_parameters(bundle):
    """The curve that a map leads to depends on k, which is an argument."""
    way = "g12o/shortw/projective/conversion/to-edwards-xy"
    (text,) = render(bundle((way,))).values()
    assert "has d1 = k, d2 = k^2 + k + r/k^2; not defined" in text
    assert "const FE *k," in text
    assert not re.search(r"0x[0-9a-f]{8}|k = \d", text)


@pytest.mark.parametrize("field", ["g1p", "g12o"])
def test_no_number_of_a_curve_is_told(field, bundle, database, rng):
    for name in rng.sample([each for each in database if each.startswith(f"{field}/")], 3):
        if "many points at once" not in (text := said(bundle, name)):
            print(name)
            assert not re.search(r"0x[0-9a-f]{9}|\d{12}", text.partition("*/")[2])


def said(bundle, name):
    """Return the text of a formula's function, or why there is none."""
    try:
        (text,) = render(bundle((name,))).values()
    except EfdgenError as error:
        return str(error)
    return text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--field-api", "libsecp256k1"),
            "libsecp256k1 has primes or constants of its own; --curve any",
        ),
        (
            ("--field-api", "macros", "--coords", "jacobian"),
            "--curve any needs --formulas with their systems in",
        ),
        (("--lang", "c"), "--curve any is for --formulas with --field-api, such as macros"),
        (("--field-api", "macros", "--set", "curve"), "--curve any is for --formulas with --field-api"),
    ],
)
def test_what_takes_no_curve_is_refused(efdgen, options, said):
    formulas = () if "--set" in options else ("--formulas", PRIME[1])
    made = efdgen("compile", "--curve", ANY, *options, *formulas)
    assert made.code == 2
    assert said in made.err


def test_formulas_of_two_models_are_no_curve(database):
    with pytest.raises(EfdgenError, match="of one model; g1p/edwards and g1p/shortw are two"):
        any_curve(database, [PRIME[0], "g1p/edwards/inverted/doubling/dbl-2007-bl"])
