"""`efdgen check`: a formula from a file or from standard input, without a tree around it."""

import io
import json
import sys

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.programs.cost import Cost
from efdgen.generator.reports.difference import saving
from efdgen.verify.peers import peers

PLACE = "g1p/shortw/jacobian-0/doubling"
RIGHT = (BUILT_IN / PLACE / "dbl-2009-l").read_text(encoding="utf-8")
WRONG = RIGHT.replace("F - 2*D", "F + 2*D")
SAME_FOR_LESS = RIGHT.replace("compute F = E^2\n", "").replace("X3 = F - 2*D", "X3 = E^2 - 2*D")


@pytest.fixture
def draft(tmp_path):
    """A file that is in no tree."""
    path = tmp_path / "dbl-mine"

    def written(text: str):
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_a_sign_error_is_refuted_and_its_line_named(efdgen, draft):
    done = efdgen("check", draft(WRONG), "--as", PLACE)
    assert done.code == 1
    assert "verdict          refuted: P3: x == X/Z^2 does not hold" in done.out
    assert "proved with line 8 as X3 = F - 2*D, now X3 = F + 2*D" in done.out
    assert "peers" not in done.out


def test_a_right_one_is_proved_counted_and_ranked(efdgen, draft):
    done = efdgen("check", draft(SAME_FOR_LESS), "--as", PLACE)
    assert done.code == 0
    assert "verdict          proved for every p but 2, 3" in done.out
    assert f"{PLACE}/dbl-2009-l " in done.out
    (line,) = [line for line in done.out.splitlines() if f"{PLACE}/dbl-2009-l " in line]
    assert line.endswith("same values; here at the same cost")
    assert any(line.startswith("*") and f"{PLACE}/dbl-mine" in line for line in done.out.splitlines())


def test_its_path_says_its_place_and_brings_its_own_system(efdgen, tmp_path):
    system = tmp_path / "g1p/shortw/mine"
    (system / "doubling").mkdir(parents=True)
    variables = (BUILT_IN / "g1p/shortw/jacobian-0/variables").read_text(encoding="utf-8")
    (system / "variables").write_text(variables, encoding="utf-8")
    (system / "doubling/dbl").write_text(RIGHT, encoding="utf-8")
    found = json.loads(efdgen("check", system / "doubling/dbl", "--json").out)
    assert (found["id"], found["verdict"]) == ("g1p/shortw/mine/doubling/dbl", "proved")
    assert [peer["same_values"] for peer in found["peers"] if peer["id"].endswith("/dbl")] == [True]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_standard_input_is_read(efdgen, monkeypatch, mark):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((mark + RIGHT).encode())))
    found = json.loads(efdgen("check", "-", "--as", f"{PLACE}/new", "--json").out)
    assert (found["id"], found["verdict"]) == (f"{PLACE}/new", "proved")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "{file}"), "say where {file} belongs: --as g1p/shortw/jacobian-0/doubling"),
        (("check", "{file}", "--as", "doubling"), "--as 'doubling': expected a kind of a system"),
        (("check", "{file}.no", "--as", PLACE), "{file}.no: No such file or directory"),
        (("check", "{file}", "--as", "g1p/shortw/jacobian-0/dobling"), "no kind is called 'dobling'"),
        (("check", "{file}", "--as", "g1p/shortw/nowhere/doubling"), "nowhere/variables: No such file"),
    ],
)
def test_what_cannot_be_checked_is_said(efdgen, draft, arguments, said):
    file = str(draft(RIGHT))
    done = efdgen(*(each.format(file=file) for each in arguments))
    assert done.code == 2
    assert said.format(file=file) in done.err


def test_a_key_of_no_reference_is_said(efdgen, draft):
    """Was D21: it was proved and shown without a word."""
    text = RIGHT.replace(RIGHT.splitlines()[0], "source [nokey] p 1")
    assert "nokey is no key of references.bib" in efdgen("check", draft(text), "--as", PLACE).out


def test_peers_with_other_values_are_told_apart():
    """Z3 = (Y1 + Z1)^2 - Y1^2 - Z1^2 has the same values, Z3 = Y1*Z1 has others."""
    database = Database()
    found = {
        peer.id.rpartition("/")[2]: peer.same
        for peer in peers(database, database.formula(f"{PLACE}/dbl-2009-l"))
    }
    assert found["dbl-2009-alnr"] is True
    assert found["dbl-sum"] is False
    assert found["dbl-2021-d"] is None  # it has a parameter, 1/2


@pytest.mark.parametrize(
    ("cost", "other", "said"),
    [
        (Cost(2, 5, 0, 13), Cost(2, 5, 0, 14), "one addition fewer"),
        (Cost(3, 3), Cost(1, 5), "2 multiplications more, 2 squarings fewer"),
        (Cost(1, by_parameter={"a": 3}), Cost(1, by_parameter={"a": 1}), "2 products by a more"),
        (Cost(1, inversions=1), Cost(1, inversions=1), "at the same cost"),
    ],
)
def test_a_saving_is_in_words(cost, other, said):
    assert saving(cost, other) == said
