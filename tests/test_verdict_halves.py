"""The halves of a verdict on a formula: its law, and its exceptional inputs."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.verify import children
from efdgen.verify.exceptions import conclude
from efdgen.verify.exceptions.derived import exceptions_on
from efdgen.verify.finding import FormulaFinding
from efdgen.verify.report import objects, report
from efdgen.verify.verdicts import UndecidedError, Verdict, in_halves

PLACE = "g1p/shortw/jacobian/doubling"
DOUBLING = f"{PLACE}/dbl-2007-bl"
UNDECIDED = "law proved; exceptional inputs undecided"
FAILED = "law proved; exceptional inputs not derived"


def undecided(_: object) -> None:
    raise UndecidedError("which inputs?", "5 terms")


def wrong(_: object) -> None:
    raise EfdgenError("the degenerate locus and trials disagree")


def exhausted(_: object) -> None:
    os.kill(os.getpid(), signal.SIGXCPU)


# Ends of a derivation, the verdict that each leaves, and its message.
ENDS = {
    "a budget": (undecided, "undecided", UNDECIDED),
    "a disagreement": (wrong, "error", FAILED),
    "processor time": (exhausted, "undecided", UNDECIDED),
}


@pytest.fixture(params=ENDS.values(), ids=ENDS.keys())
def ended(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, unproved: Path):
    """Have the derivation of exceptional inputs end, in all processes; return its verdict, and the words."""
    end, verdict, words = request.param
    children._forget()  # the shared child is a copy from before
    monkeypatch.setattr(conclude, "conclude", end)
    yield verdict, words
    children._forget()


@pytest.mark.long
@pytest.mark.slow
def test_verify_names_the_half_that_is_known(efdgen: Callable, ended: tuple[Verdict, str]):
    verdict, words = ended
    found = efdgen("verify", DOUBLING)
    first, _, summary = found.out.splitlines()[0], *found.out.splitlines()[-2:]
    assert (found.code, first) == (1, f"{words} {DOUBLING}")
    assert summary.startswith("0 of 1 proved, and the law alone of 1 more, in ")
    (document,) = json.loads(efdgen("verify", DOUBLING, "--json").out)
    halves = document["verdict"], document["law"], document["exceptional_inputs"]
    assert halves == (verdict, "proved", verdict)


@pytest.mark.parametrize("command", ["show", "check"])
def test_show_and_check_name_the_half_that_is_known(
    efdgen: Callable, ended: tuple[Verdict, str], database: Database, tmp_path: Path, command: str
):
    verdict, words = ended
    (tmp_path / "own").write_text(database.text(DOUBLING))
    asked = [command, tmp_path / "own", "--as", PLACE] if command == "check" else [command, DOUBLING]
    found = efdgen(*asked)
    (line,) = (line for line in found.out.splitlines() if line.startswith("  verdict  "))
    said = words.replace("proved", "proved for every odd p")
    assert line.startswith(f"  verdict          {said}")
    assert "undecided: undecided" not in line
    assert found.code == (1 if command == "check" else 0)
    document = json.loads(efdgen(*asked, "--json").out)
    halves = document["verdict"], document["law"], document["exceptional_inputs"]
    assert halves == (verdict, "proved", verdict)


def test_compile_refuses_in_words_of_both_halves(
    efdgen: Callable, ended: tuple[Verdict, str], database: Database, tmp_path: Path
):
    formula_id = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"
    found = efdgen(
        *("compile", "--lang", "python", "--curve", "secp256k1"),
        *("--formulas", formula_id, "--out", tmp_path / "out"),
    )
    assert found.code == 2
    assert f"{formula_id}: {ended[1]}" in found.err
    assert not (tmp_path / "out").exists()
    with pytest.raises(EfdgenError, match=f"^{formula_id}: {ended[1]}"):
        exceptions_on(database.formula(formula_id), load_curve("secp256k1"))


def test_a_law_that_is_undecided_is_no_half(
    efdgen: Callable, monkeypatch: pytest.MonkeyPatch, unproved: Path
):
    monkeypatch.setattr("efdgen.verify.examination.generic_cases", undecided)
    found = efdgen("verify", DOUBLING, "--json", "--jobs", "1")
    (document,) = json.loads(found.out)
    halves = document["verdict"], document["law"], document["exceptional_inputs"]
    assert halves == ("undecided", "undecided", None)
    assert f"undecided {DOUBLING}" in found.err


@pytest.mark.parametrize(
    ("verdict", "law", "words"),
    [
        ("proved", "proved", "proved"),
        ("refuted", "refuted", "refuted"),
        ("undecided", "undecided", "undecided"),
        ("undecided", None, "undecided"),
        ("undecided", "proved", UNDECIDED),
        ("error", "proved", FAILED),
    ],
)
def test_words_for_a_verdict(verdict: Verdict, law: Verdict | None, words: str):
    assert in_halves(verdict, law) == words


def test_a_formula_that_is_proved_has_both_halves_in_json():
    (found,) = objects([FormulaFinding("g/m/s/k/name", "k", "proved")])
    assert (found["law"], found["exceptional_inputs"]) == ("proved", "proved")
    text = click.unstyle(
        "\n".join(report([FormulaFinding("g/m/s/k/name", "k", "undecided", law="undecided")], 1.0))
    )
    assert "undecided g/m/s/k/name\n" in text
    assert "law alone" not in text
