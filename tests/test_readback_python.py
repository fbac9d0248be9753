"""Kernels in Python are read back from the module, and single edits of them are refused."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from collected import Collected

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.printed import PythonText
from efdgen.generator.files import render, render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.planning.request import plan_curve
from efdgen.verify import readback
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.read import Readback

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

# Halves, constants, an inverse, a batch; two outputs and tests of what is returned.
CURVES = {
    "secp256k1": (
        "*/addition/add-2007-bl",
        "*/doubling/dbl-sum",
        "*/zaddc/*",
        "*/scaling/z",
        "*/scaling-batch/*",
    ),
    "edwards25519": ("*/addition/add-2008-hwcd", "*/doubling/*", "*/scaling-batch/*"),
}


@cache
def printed(curve: str) -> tuple[str, Readback]:
    claims = Collected()
    request = Request("python", curve, formulas=CURVES[curve], prefix="toy")
    files = render(make_bundle(Database(), request, Prover()), request, claims)
    (text,) = claims.texts
    assert isinstance(text, PythonText)
    assert sum(bool(kernel.inverses) for kernel in text.kernels) == 1
    return files["toy.py"], Readback([text])


def differences(curve: str, text: str) -> list[str]:
    return [str(found) for found in printed(curve)[1].differences({"toy.py": text})]


@pytest.mark.parametrize("curve", CURVES)
def test_what_is_printed_is_what_was_proved(curve):
    text, _ = printed(curve)
    assert differences(curve, text) == []


def test_a_guard_is_read_too() -> None:
    """Was: no kernel with a guard was emitted in Python."""
    claims = Collected()
    request = Request("python", "Curve25519", formulas=("*/recovery/rec-2001-os",), prefix="toy")
    text = render(make_bundle(Database(), request, Prover()), request, claims)["toy.py"]
    assert text.endswith("return p4, z4 != 0\n")
    readback = Readback(claims.texts)
    assert readback.differences({"toy.py": text}) == []
    assert readback.differences({"toy.py": text.replace("p4, z4 != 0", "p4, z4 == 0")})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("curve", "backend"), [("secp256k1", None), ("edwards25519", None), ("X25519", None), ("X25519", "c")]
)
def test_whole_curves_are_what_was_proved(curve, backend):
    """Numbers of the type that gmpy2 has, if it is there; over C there are no formulas in Python."""
    claims = Collected()
    layout = "module" if backend else None
    options = {"prefix": "toy", "set": "curve", "table": "small", "layout": layout}
    request = Request("python", curve, backend=backend, **options)
    plan = plan_curve(Database(), request, SafePlans())
    files = render_plan(plan, request, claims)
    assert sum(isinstance(claim, PythonText) for claim in claims.every) == (backend is None)
    assert Readback(claims.every).differences(files) == []


def another(found: re.Match[str]) -> str:
    return f"{found[1]}{'Y' if found[2] == 'X' else 'X'}"


# Edits of a line: what they change, where, and to what; none of them leaves the results alone.
EDITS: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "a sum for a difference": (r" - (?=[^#\n]*#)", " + "),
    "a difference for a sum": (r" \+ (?=[^#\n]*#)", " - "),
    "a sum for a product": (r" \* (\w[\w.]*) % P(?=[^#\n]*#)", r" + \1"),
    "another coordinate is read": (r"(p\d\.)([XY])\b(?=[^#\n]*#)", another),
    "another value is read": (
        r"(?<== )t(\d+)(?= [-+*] [^#\n]*#)",
        lambda f: f"t{int(f[1]) + 1}",
    ),
    "a line is left out": (r"^    +(?:\w+ = |[a-z]\w*\.|product|for)[^\n]*\n", ""),
    "what is returned is not reduced": (r"(?<=[(,] )(\w+) % P(?=[,)])", r"\1"),
    "outputs change places": (r"Point\((?:X=)?([\w. %]+), (?:Y=)?([\w. %]+)(?=[,)])", r"Point(\2, \1"),
    "members change places": (r"^    X: int\n    Y: int\n", "    Y: int\n    X: int\n"),
    "an integer is another": (r"(?<=, )1(?=[,)])", "0"),
    "a number is another": (r"(?<= = 0x)[0-9A-F]+", lambda f: f"{int(f[0], 16) + 1:X}"),
    "what is not 0 is 1": (r" or 1\b", " or 0"),
    "an inverse of 0": (r" if (?=p\d)([^#\n]*) else 0", ""),
    "the inverse of 0 is 1": (r"else 0\b", "else 1"),
    "another power": (r"pow\((.*?), -1, P\)", r"pow(\1, -2, P)"),
    "points from the other end": (r"reversed\((\w+)\)", r"\1"),
    "any of all": (r"\ball\(", "any("),
    "a name is bound again": (r"^def ", "P = 7\n\n\ndef "),
    "a function is defined again": (r"^(def \w+\()(p1: [\s\S]*)\Z", r"\1\2\n\n\n\1):\n    pass\n"),
    "a name of a parameter": (r"\(p1: Point, p2: Point\)", "(p2: Point, p1: Point)"),
    "a loop": (r"^    return ", "    while True:\n        pass\n    return "),
}


def places(text: str) -> Iterator[tuple[str, str]]:
    """Each edit of each line, and the text with it."""
    for name, (pattern, replacement) in EDITS.items():
        for found in re.compile(pattern, re.M).finditer(text):
            edited = found.expand(replacement) if isinstance(replacement, str) else replacement(found)
            yield name, f"{text[: found.start()]}{edited}{text[found.end() :]}"


@pytest.mark.slow
@pytest.mark.parametrize("curve", CURVES)
def test_single_edits_are_refused(curve, rng: random.Random):
    text, _ = printed(curve)
    by_edit: dict[str, list[str]] = {}
    for edit, edited in places(text):
        by_edit.setdefault(edit, []).append(edited)
    assert len(by_edit) > 15, EDITS.keys() - by_edit.keys()
    for edit, texts in by_edit.items():
        for edited in rng.sample(texts, min(4, len(texts))):
            changed = [line for line in edited.splitlines() if line not in text.splitlines()]
            assert differences(curve, edited), (edit, changed)


# Expressions with effects, and expressions that tell a stand-in from an integer.
HOSTILE = (
    "open('PWNED', 'w')",
    "__import__('pathlib').Path('PWNED').touch()",
    "exec(\"open('PWNED', 'w')\")",
    "p1.__class__",
    "p1._fields",
    "type(p1)",
    "repr(p1.X)",
    "f'{p1.X}'",
    "p1.X.__mod__",
    "(lambda: p1)",
    "[p1 for _ in (1,)]",
    "{p1}",
    "p1[0]",
    "p1 is p1",
    "p1.X < 5",
    "p1.X ** 2",
    "(p1 := p1)",
    "True",
    "1.0",
    "b''",
    "pow",
    "p1._replace",
    "p1",
    "(1,) * 2",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_not_arithmetic_is_refused_and_not_executed(text, tmp_path, monkeypatch):
    """Was: the function of the text was executed with stand-ins, which it could tell from integers."""
    monkeypatch.chdir(tmp_path)
    printed_text, _ = printed("edwards25519")
    found = re.search(r"^def \w+\(p1: Point, p2: Point\)(?:.*\n)*?    (\w+) = ", printed_text, re.M)
    assert found
    at = found.start(1)
    hostile = f"unused = 0 + {text}\n    "
    assert differences("edwards25519", f"{printed_text[:at]}{hostile}{printed_text[at:]}")
    assert not list(tmp_path.iterdir())
    assert not differences("edwards25519", f"{printed_text[:at]}unused = 0 + p1.X\n    {printed_text[at:]}")


def test_readers_execute_nothing():
    sources = Path(readback.__file__).parent.glob("*.py")
    calls = [
        node
        for path in sources
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    ]
    assert not {"exec", "eval", "compile", "__import__"} & {ast.unparse(call.func) for call in calls}
    assert len(calls) > 1000
