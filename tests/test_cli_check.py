"""`efdgen check`: a formula from a file or from standard input, without a tree around it."""

import io
import json
import os
import signal
import subprocess
import sys

import pytest

from efdgen.generator.formulas.cost import Cost
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import BUILT_IN
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
    """Was D12: the line of another step was named, and nothing else said; and D5: no file could be proved."""
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
        (
            ("check", "{file}", "--as", "g1p/shortw/jacobean/doubling"),
            "no coordinate system is 'g1p/shortw/jacobean'; did you mean g1p/shortw/jacobian",
        ),
    ],
)
def test_what_cannot_be_checked_is_said(efdgen, draft, arguments, said):
    file = str(draft(RIGHT))
    done = efdgen(*(each.format(file=file) for each in arguments))
    assert done.code == 2
    assert said.format(file=file) in done.err


SAGE = """# as Sage has it
A = X1^2; B = Y1**2
C = B^2
D = 2*((X1 + B)^2 - A - C)
E = 3*A; F = E**2
X3 = F - 2*D
Y3 = E*(D - X3) - 8*C
Z3 = 2*Y1*Z1
"""
MAGMA = """// as Magma has it
A := X1^2; B := Y1^2; /* two
squares */ C := B^2;
D := 2*((X1 + B)^2 - A - C); E := 3*A;
F := E^2; X3 := F - 2*D; Y3 := E*(D - X3) - 8*C; Z3 := 2*Y1*Z1;
"""
PRINTED = """A = X1^2
B = Y1^2
C = B^2
D = 2((X1+B)^2-A-C)
E = 3 A
F = E^2
X3 = F-2 D
Y3 = E(D-X3)-8 C
Z3 = 2 Y1 Z1
"""


@pytest.mark.parametrize("text", [SAGE, MAGMA, PRINTED])
def test_a_pasted_formula_is_normalised(efdgen, draft, text):
    """Was: "a statement begins with a keyword", "a power is written with '^'", "an operator is missing"."""
    plain = "".join(RIGHT.splitlines(keepends=True)[1:])
    done = efdgen("check", draft(text), "--as", PLACE, "--print")
    assert (done.code, done.out, done.err) == (0, plain, "")
    found = json.loads(efdgen("check", draft(text), "--as", PLACE, "--json").out)
    assert (found["verdict"], found["normalised"]) == ("proved", plain)
    assert "normalised" not in json.loads(efdgen("check", draft(plain), "--as", PLACE, "--json").out)


def test_a_pasted_formula_is_shown_as_efd_would_hold_it(efdgen, draft):
    path = draft(MAGMA.replace("F - 2*D", "F + 2 D"))
    done = efdgen("check", path, "--as", PLACE)
    assert done.code == 1
    assert done.out.startswith(f"{path} in the language of efd/\n  compute A = X1^2\n")
    assert "proved with line 5 as X3 = F - 2*D, now X3 = F + 2*D" in done.out  # the line of the user's file


def test_pasted_three_operand_code_is_accepted(efdgen, draft):
    """The sum of a differential addition is point 5 in published code, and point 4 of the kind."""
    code = """t0 = X3+Z3
t1 = X3-Z3
t2 = X2+Z2
t3 = X2-Z2
DA = t1*t2
CB = t0*t3
t4 = DA+CB
t5 = t4^2
X5 = Z1*t5
t6 = DA-CB
t7 = t6^2
Z5 = X1*t7
"""
    done = efdgen("check", draft(code), "--as", "g1p/montgom/xz/diffadd", "--json")
    assert json.loads(done.out)["verdict"] == "proved"
    assert "compute X4 = Z1*t5\n" in json.loads(done.out)["normalised"]


def test_every_bad_line_of_a_pasted_formula_is_told_with_its_place(efdgen, draft):
    path = draft(
        "A := X1^2;\nB = Y1 +* 3\nX3 = (A\ncomput D = 3\nassume a 3\n /* a\n b */ X3 := A.B; Z3 = 2 Q\n"
    )
    done = efdgen("check", path, "--as", PLACE)
    heads = [line.removeprefix("efdgen: ") for line in done.err.splitlines() if f"{path}:" in line]
    assert done.code == 2
    assert [head.removeprefix(f"{path}:") for head in heads] == [
        "2:9: an expression is missing before '*'",
        "3:6: this parenthesis is never closed",
        "4:1: 'comput' begins no statement; did you mean compute?",
        "5:11: expected '==' or an operator, found the end of the line",
        "7:14: unexpected character '.': a number is an integer; write 5/2 for 2.5",
    ]


class Watched:
    """`efdgen check --watch` of a file, as a process."""

    def __init__(self, path):
        command = [sys.executable, "-m", "efdgen", "check", path, "--as", PLACE, "--watch"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until(self, text: str) -> str:
        """Return what is printed up to a line that holds a text."""
        said = ""
        for line in self.process.stdout:
            said += line
            if text in line:
                return said
        pytest.fail(f"the process ended before it said {text!r}:\n{said}")


def test_a_watched_formula_is_checked_again_on_each_save(draft):
    path = draft(WRONG)
    watched = Watched(path)
    try:
        watched.until("proved with line 8 as X3 = F - 2*D")
        draft("compute X3 = (X1\n")
        assert f"--- {path} was saved" in watched.until(":1:14: this parenthesis is never closed")
        other = path.with_name("other")
        other.write_text(RIGHT, encoding="utf-8")
        os.replace(other, path)  # editors save so
        assert "proved for every p but 2, 3" in watched.until("same values")
        watched.process.send_signal(signal.SIGINT)
        assert "efdgen: interrupted" in watched.until("interrupted")
        assert watched.process.wait(timeout=60) == 130
    finally:
        watched.process.kill()
        watched.process.wait()
        watched.process.stdout.close()


def test_standard_input_is_not_watched(efdgen):
    done = efdgen("check", "-", "--as", PLACE, "--watch")
    assert (done.code, done.err) == (2, "efdgen: --watch needs a file, not standard input\n")


def test_a_file_that_is_not_there_is_not_watched(efdgen, tmp_path):
    done = efdgen("check", tmp_path / "none", "--as", PLACE, "--watch")
    assert done.code == 2
    assert "No such file" in done.err


def test_a_key_of_no_reference_is_said(efdgen, draft):
    """Was D21: it was proved and shown without a word."""
    text = RIGHT.replace(RIGHT.splitlines()[0], "source [nokey] p 1")
    assert "nokey is not a key of references.bib" in efdgen("check", draft(text), "--as", PLACE).out


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


def test_a_line_is_shown_without_what_a_terminal_obeys(efdgen, draft):
    """Escape sequences and NUL characters of a file came out as they stood."""
    done = efdgen("check", draft("compute \x1b[31mX3 = X1\0\n"), "--as", PLACE)
    assert done.code == 2
    assert "\n  compute �[31mX3 = X1�\n          ^\n" in done.err
    assert {"\x1b", "\0"}.isdisjoint(done.err)
