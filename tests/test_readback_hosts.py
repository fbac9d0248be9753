"""Functions in a host's calls are read back from the file, and single edits of them are refused."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from host_formulas import DOUBLING
from host_provers import Bounds
from test_hosts import EXAMPLES

from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts import render as printer
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.readback import hosts as readback

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping

MIXED = "g1p/shortw/jacobian-0/addition/madd-2004-hmv"


@cache
def bundle(host: str) -> HostBundle:
    curve, formula = EXAMPLES[host]
    more = (MIXED,) if formula == DOUBLING else ()
    return make_host_bundle(Database(), HostRequest(host, curve, formulas=(formula, *more)), Bounds())


def differences(host: str, files: Mapping[str, str]) -> list[tuple[str, str]]:
    return list(readback.differences(bundle(host), files))


@pytest.mark.slow
@pytest.mark.parametrize("host", EXAMPLES)
def test_what_is_printed_is_what_was_proved(host):
    assert differences(host, render(bundle(host))) == []


def other(found: re.Match[str]) -> str:
    """Another coordinate, or another operation."""
    names = {"x": "y", "y": "x", "add": "sub", "ADD": "SUB"}
    return f"{found[1]}{names[found[2]]}"


def more(found: re.Match[str], by: int = 1) -> str:
    return f"{found[1]}{int(found[2]) + by}"


# Edits of a call: what they change, where, and to what; first in C, then in Rust.
EDITS: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "a difference for a sum": (r"^( +secp256k1_fe_| +FE_)(add|ADD)(?=\()", other),
    "a product for a square": (r"fe_sqr\((&\S+), (&\S+)\)", r"fe_mul(\1, \2, &t0)"),
    "another coordinate is read": (r"(?<=, )(&a->)([xy])\b", other),
    "another result": (r"(?<=\()(&r->)([xy])\b", other),
    "another variable is read": (r"(?<=, )(&t)(\d)\b", more),
    "a smaller bound": (r"(negate\(.*?)(\d)\)", lambda f: f"{more(f, -1)})"),
    "another factor": (r"(mul_int\(.*?)(\d)\)", lambda f: f"{more(f)})"),
    "a call is left out": (r"^    (?:secp256k1_fe_\w+\(|let )[^\n]*\n", ""),
    "calls change places": (
        r"^(    secp256k1_fe_\w+\((&[^,)]*)[^\n]*\n)(    [^\n]*, \2[,)][^\n]*\n)",
        r"\3\1",
    ),
    "something else is called": (r"^    secp256k1_fe_\w+\(&(\w)", r"    secp256k1_fe_clear(&\1);\n\g<0>"),
    "a sum for a difference": (r"(?<=let )(\w+ = \S+) - ", r"\1 + "),
    "a square for a value": (r"(?<=[\w.])\.square\(\)", ""),
    "another member is read": (r"(p1\.)([xy])\b", other),
    "another member is returned": (
        r"^        x: (\w+),\n        y: (\w+),",
        r"        x: \2,\n        y: \1,",
    ),
    "parameters change places": (r"(p1): (&\w+(?:<F>)?), (p2)", r"\3: \2, \1"),
}


def places(text: str) -> Iterator[tuple[str, str]]:
    """Each edit of each call, and the text with it."""
    for name, (pattern, replacement) in EDITS.items():
        for found in re.compile(pattern, re.M).finditer(text):
            edited = found.expand(replacement) if isinstance(replacement, str) else replacement(found)
            yield name, f"{text[: found.start()]}{edited}{text[found.end() :]}"


@pytest.mark.slow
@pytest.mark.parametrize("host", ["libsecp256k1", "ff", "k256", "macros"])
def test_single_edits_are_refused(host, rng: random.Random):
    ((name, text),) = render(bundle(host)).items()
    by_edit: dict[str, list[str]] = {}
    for edit, edited in places(text):
        by_edit.setdefault(edit, []).append(edited)
    assert len(by_edit) >= {"libsecp256k1": 8, "macros": 1}.get(host, 3), by_edit.keys()
    for edit, texts in by_edit.items():
        for edited in rng.sample(texts, min(6, len(texts))):
            changed = [line for line in edited.splitlines() if line not in text.splitlines()]
            assert differences(host, {name: edited}), (edit, changed)


@pytest.mark.usefixtures("made_again")
def test_a_text_that_differs_is_not_written(efdgen, monkeypatch, tmp_path):
    """A printer that takes operands from each other's places; the error is one line."""
    spelled = printer.HostPrinter.spelled

    def wrong(self: printer.HostPrinter, place: object, *, value: bool) -> str:
        return spelled(self, place, value=value).replace("->x", "->y")

    options = ("--field-api", "libsecp256k1", "--curve", "secp256k1", "--formulas", DOUBLING)
    assert efdgen("compile", *options, "--out", tmp_path / "right").code == 0
    monkeypatch.setattr(printer.HostPrinter, "spelled", wrong)
    outcome = efdgen("compile", *options, "--out", tmp_path / "wrong")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "the text differs from what was proved: double:" in outcome.err
    assert not (tmp_path / "wrong").exists()


def test_constants_of_rust_are_read():
    """They are in capitals and have no suffix of C."""
    given = bundle("ff")
    style = replace(given.host.style, constant="static {name}: [u32; 8] = [{words32}];")
    given = replace(given, host=replace(given.host, style=style), constants={"beta": 3**160})
    ((name, text),) = render(given).items()
    (digits,) = re.findall(r"^static BETA: \[u32; 8\] = \[((?:0x[0-9a-f]{8}(?:, )?){8})\];$", text, re.M)
    assert int(digits.replace(", 0x", ""), 16) == 3**160
    assert list(readback.differences(given, {name: text})) == []
    wrong = text.replace(digits, digits[::-1].replace("x0", "0x"))
    assert list(readback.differences(given, {name: wrong})) == [("beta", "it is not this number")]


@pytest.mark.parametrize("words", ["{words32}", "{words64}", "{montgomery64}", "0x{hex}"])
def test_constants_are_read(words):
    """In words of 32 bits the highest is first. A changed digit, a number that is there twice, or not."""
    given = bundle("libsecp256k1")
    style = replace(given.host.style, constant=f"static const fe {{name}} = {{{{ {words} }}}};")
    given = replace(given, host=replace(given.host, style=style), constants={"beta": 3**160})
    ((name, text),) = render(given).items()
    assert list(readback.differences(given, {name: text})) == []
    (line,) = re.findall(r"^static const fe \w+ = [^;]*;\n", text, re.M)
    digit = re.sub(r"([0-9a-f])(?=(?:UL)? \};)", lambda f: "0" if f[1] == "1" else "1", line)
    for edited in (digit, line + line, ""):
        assert edited != line
        wrong = list(readback.differences(given, {name: text.replace(line, edited)}))
        assert wrong == [("beta", "it is not this number")]
