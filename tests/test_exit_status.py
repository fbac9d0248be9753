"""Exit statuses: the table in the help, the one in the documentation, and each of them provoked."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from efdgen.cli import cli
from efdgen.generator.formulas.database import Database

PAGE = Path(__file__).resolve().parents[1] / "docs/command-line.md"
FALSE = "compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n"
PROVOKED = {0, 1, 2, 70, 130, 141}


def test_the_tables_have_the_same_rows():
    """And no row that is not provoked below."""
    helped = re.findall(r"^ +(\d+) +(.+)$", cli.help.partition("Exit status:")[2], re.MULTILINE)
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == helped
    assert {int(status) for status, _ in helped} == PROVOKED


def test_done(efdgen):
    assert efdgen("list", "jacobian/doubling") == (0, efdgen("list", "jacobian/doubling").out, "")


def test_what_does_not_hold(efdgen, tmp_path):
    (tmp_path / "draft").write_text(FALSE)
    done = efdgen("check", tmp_path / "draft", "--as", "g1p/shortw/jacobian-0/doubling")
    assert (done.code, done.err) == (1, "")
    assert "refuted" in done.out


@pytest.mark.parametrize("arguments", [("--nope",), ("show", "nope"), ("list", "--nope")])
def test_what_is_refused(efdgen, arguments):
    done = efdgen(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err


@pytest.mark.parametrize(
    ("error", "status"), [(ZeroDivisionError("of mine"), 70), (KeyboardInterrupt(), 130)]
)
def test_a_defect_and_an_interrupt(efdgen, monkeypatch, error, status):
    def select(*_: object) -> None:
        raise error

    monkeypatch.setattr(Database, "select", select)
    done = efdgen("list")
    assert (done.code, done.out) == (status, "")
    assert ("Traceback" in done.err and "ZeroDivisionError: of mine" in done.err) is (status == 70)
    said = {70: "efdgen: this is a defect in efdgen; please report it with the lines above\n"}
    assert done.err.endswith(said.get(status, "efdgen: interrupted\n"))


def test_output_that_nobody_reads():
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "efdgen", "list"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
