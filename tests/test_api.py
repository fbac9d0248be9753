"""The Python API: the tutorial as a session, its arguments beside the command's options, and refusals."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import efdgen as api
from efdgen.commands.compile import compile_command

PAGE = Path(__file__).resolve().parents[1] / "docs/python-api.md"
CURVE = ("--curve", "secp256k1")
DOUBLING = "g1p/shortw/jacobian-0/doubling"
# Arguments that have another name than the option's value in a request; options that the API lacks.
NAMES = {"language": "lang", "host": "field_api", "coordinates": "coords", "destination": "to"}
ELSEWHERE = {"out", "as_json"}


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


def test_arguments_of_compile_are_the_options_of_the_command() -> None:
    params = [each for each in compile_command.params if each.expose_value]
    options = {NAMES.get(f"{each.name}", each.name): each.default for each in params}
    arguments = inspect.signature(api.compile).parameters
    assert arguments.keys() == options.keys() - ELSEWHERE
    for name in ("set", "table", "lowering"):
        assert arguments[name].default == options[name]


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
        ({}, "give --lang, or --field-api for another project's field"),
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
