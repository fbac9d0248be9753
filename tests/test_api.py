"""The Python API: the tutorial as a session, its arguments beside the command's options, and refusals."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import efdgen as api

PAGE = Path(__file__).resolve().parents[1] / "docs/python-api.md"
CURVE = ("--curve", "secp256k1")
DOUBLING = "g1p/shortw/jacobian-0/doubling"


@pytest.mark.slow
def test_the_tutorial_is_a_session() -> None:
    text = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=said.append)
    assert result.attempted > 20
    assert not result.failed, "".join(said)


def test_every_name_is_documented() -> None:
    text = PAGE.read_text()
    assert [name for name in api.__all__ if name not in text] == []
    assert all(inspect.getdoc(getattr(api, name)) for name in api.__all__)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lang": "c", "curve": "Curve25519"}, ("--lang", "c", "--curve", "Curve25519")),
        (
            {"field_api": "libsecp256k1", "curve": "secp256k1", "formulas": ["jacobian-0/*/madd-2004-hmv"]},
            ("--field-api", "libsecp256k1", *CURVE, "--formulas", "jacobian-0/*/madd-2004-hmv"),
        ),
    ],
)
def test_texts_are_those_that_the_command_writes(efdgen, tmp_path, options, words) -> None:
    assert efdgen("compile", *words, "--out", tmp_path).code == 0
    written = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.*")}
    assert api.compile(**options) == written


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"lang": "go"}, "lang is c, rust or python, not 'go'"),
        ({"lang": "c", "set": "everything"}, "set is kernels, curve or protocols, not 'everything'"),
        ({"lang": "c", "table": "small"}, "--table has no effect without --set curve or protocols"),
        ({"lang": "c", "license": "MIT"}, "--in-bounds, --out-bounds and --license need --field-api"),
        ({}, "give lang, or field_api for another project's field"),
        ({"field_api": "libsecp256k1", "lang": "c"}, "for another project's field, not both"),
        ({"field_api": "libsecp256k1", "target": "gcc"}, "and --tuning need --lang"),
        ({"lang": "rust", "target": "gcc"}, "--target gcc does not compile --lang rust"),
        ({"lang": "c", "formulas": "dbl-2009-l"}, "formulas is a list of ids or globs, not one text"),
    ],
)
def test_arguments_are_refused_by_an_error(options, reason) -> None:
    with pytest.raises(api.EfdgenError, match=re.escape(reason)):
        api.compile(curve="secp256k1", **options)


def test_an_overlay_counts_for_a_while(tmp_path: Path) -> None:
    place = tmp_path / DOUBLING / "dbl-mine"
    place.parent.mkdir(parents=True)
    place.write_text(api.database().text(f"{DOUBLING}/dbl-2009-l"))
    with api.overlay(tmp_path):
        assert api.formula("dbl-mine").id == f"{DOUBLING}/dbl-mine"
    with pytest.raises(api.EfdgenError, match="no formula matches 'dbl-mine'"):
        api.formula("dbl-mine")


def test_one_formula_is_asked_for() -> None:
    with pytest.raises(api.EfdgenError, match="give one id"):
        api.formula("jacobian-0/doubling")


def test_a_database_is_a_collection_of_formulas() -> None:
    """Was: no length, no items, no iteration."""
    database = api.database()
    assert len(database) == len([*database]) == len(database.select([]))
    assert DOUBLING + "/dbl-2009-l" in database
    assert "nothing" not in database
    assert database[DOUBLING + "/dbl-2009-l"] == api.formula("jacobian-0/doubling/dbl-2009-l")
    with pytest.raises(KeyError):
        database["nothing"]


def test_a_notebook_prints_a_formula_in_one_line() -> None:
    """Was: several thousand characters."""
    written: list[str] = []

    class Printer:
        def text(self, text: str) -> None:
            written.append(text)

    api.formula("jacobian-0/doubling/dbl-2009-l")._repr_pretty_(Printer(), False)
    assert written == [f"<Formula {DOUBLING}/dbl-2009-l>"]


def test_a_formula_is_evaluated() -> None:
    """The affine law: 2·(x, y) on y^2 = x^3 + 7 modulo a prime, in coordinates with Z = 5."""
    prime = 2**61 - 1
    x = next(x for x in range(2**40, prime) if pow(x**3 + 7, (prime - 1) // 2, prime) == 1)
    y = pow(x**3 + 7, (prime + 1) // 4, prime)
    slope = 3 * x * x * pow(2 * y, -1, prime) % prime
    found = api.evaluate(f"{DOUBLING}/dbl-2009-l", prime, X1=25 * x, Y1=125 * y, Z1=5)
    scale = pow(found["Z3"], -1, prime)
    twice = (slope**2 - 2 * x) % prime
    assert found["X3"] * scale**2 % prime == twice
    assert found["Y3"] * scale**3 % prime == (slope * (x - twice) - y) % prime


@pytest.mark.parametrize(
    ("prime", "values", "reason"),
    [
        (2**61 - 1, {"X1": 1, "Y1": 2, "T1": 3}, "dbl-2009-l needs Z1 and has no T1"),
        (2**61, {"X1": 1, "Y1": 2, "Z1": 3}, f"{2**61} is not a prime"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(prime: int, values: dict[str, int], reason: str) -> None:
    with pytest.raises(api.EfdgenError, match=f"{reason}$"):
        api.evaluate(f"{DOUBLING}/dbl-2009-l", prime, **values)


def test_a_division_by_zero_is_an_error() -> None:
    with pytest.raises(api.EfdgenError, match="divides by zero modulo 101"):
        api.evaluate("g1p/shortw/affine/doubling/dbl", 101, X1=1, Y1=0, a=3)


def test_costs_are_added() -> None:
    once = api.cost(DOUBLING + "/dbl-2009-l")
    assert str(once + once) == "4M + 10S + 12add + 6*2 + 2*3 + 2*8"
    assert str(once + api.cost("jacobian-0/addition/madd-2004-hmv")).startswith("10M + 8S")


@pytest.mark.parametrize("wrong", [3, None, 2.5, ("a", "b")])
def test_what_is_no_formula_is_an_error_of_efdgen(wrong: object) -> None:
    """Was: AttributeError, 'int' object has no attribute 'tests'."""
    for function in (api.cost, api.exceptions):
        with pytest.raises(api.EfdgenError, match=r"^a formula is an id or what formula\(id\) returns"):
            function(wrong)  # type: ignore[operator]


def test_curves_are_found_by_their_names() -> None:
    names = [curve.name for curve in api.curves()]
    assert len(names) >= 92
    assert (api.curve("P256").name, api.curve("p-256").prime) == (
        "secp256r1",
        2**256 - 2**224 + 2**192 + 2**96 - 1,
    )
    assert api.curve("P256") in api.curves()
