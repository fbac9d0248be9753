"""The command `efdgen cost tables`."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from efdgen.generator.formulas.cost import Cost
from efdgen.generator.reports.table_formats import FORMATS, render
from efdgen.generator.reports.tables import Row, Table
from efdgen.generator.reports.weights import PRESETS, parse_weights

TRICKY = Table(
    "g1p/m/s: a & b < c | 100% of $x_1$ {~}",
    parse_weights("large-S0.8"),
    (
        Row(
            "g1p/m/s/doubling/dbl_1",
            ("Z1 == 1", "i^2 == -1"),
            (),
            Cost(1, 2, 0, 3, {"a_b": 4}, {"2": 5}, {3: 6}),
        ),
        Row("g1p/m/s/doubling/dbl-2", (), (), None, error='a, "b" & <c> | \\d'),
    ),
)


def test_rows_have_the_fields_that_readers_count_on(efdgen: Callable) -> None:
    result = efdgen("cost", "tables", "g1p/shortw/jacobian/addition/add-2007-bl", "--format", "json")
    assert (result.code, result.err) == (0, "")
    (row,) = json.loads(result.out)
    emitted = row.pop("emitted")
    assert row == {
        "id": "g1p/shortw/jacobian/addition/add-2007-bl",
        "kind": "addition",
        "model": "g1p/shortw",
        "system": "g1p/shortw/jacobian",
        "parameters": ["a", "b"],
        "assumptions": [],
        "cost": {
            "M": 11,
            "S": 5,
            "I": 0,
            "add": 9,
            "mul_param": {},
            "mul_const": {"2": 4},
            "pow": {},
            "text": "11M + 5S + 9add + 4*2",
            "weight": "15",
        },
    }
    assert emitted.keys() == row["cost"].keys()


def test_a_published_tree_is_counted_in_full(efdgen: Callable, upstream: Path) -> None:
    result = efdgen("cost", "tables", "--from", upstream, "--format", "json")
    assert (result.code, result.err) == (0, "")
    rows = json.loads(result.out)
    assert len(rows) == 589
    assert all(row["emitted"] is None for row in rows)
    assert sum("error" in row for row in rows) == 6


def test_code_that_cannot_be_read_does_not_stop_the_rest(
    efdgen: Callable, upstream: Path, tmp_path: Path
) -> None:
    copytree(upstream / "g1p/montgom", tmp_path / "g1p/montgom")
    doubling = tmp_path / "g1p/montgom/xz/doubling"
    doubling.chmod(0o755)
    code = doubling / "dbl-1987-m-3.op3"
    code.chmod(0o644)
    code.write_text("A = X1 +\n")
    result = efdgen("cost", "tables", "--from", tmp_path, "g1p/montgom/xz/doubling", "--format", "json")
    assert result.code == 1
    rows = {row["id"].rpartition("/")[2]: row for row in json.loads(result.out)}
    assert rows["dbl-1987-m-3"]["error"].startswith(f"{code}:1:9: an expression is missing")
    assert rows["dbl-1987-m-3"]["cost"] is None
    assert rows["dbl-1987-m"]["cost"]["text"] == "3M + 5S + 1*a + 3add + 1*4"
    table = efdgen("cost", "tables", "--from", tmp_path, "g1p/montgom/xz/doubling")
    assert f"† dbl-1987-m-3: {code}:1:9:" in table.out


def test_the_terminal_table_holds_published_and_emitted_cost(efdgen: Callable) -> None:
    result = efdgen("cost", "tables", "twistedhessian/projective/doubling/dbl-2009-bkl")
    title, _, header, _, kind, row = result.out.splitlines()[:6]
    assert title == "g1p/twistedhessian/projective: projective coordinates, twisted Hessian curves"
    assert re.split(r"\s{2,}", header.strip())[-4:] == ["Published", "Weight", "Emitted", "Weight"]
    assert kind == " doubling"
    assert "3M + 3^3 + 1*a + 3add" in row
    assert "6M + 3S + 1*a + 3add" in row
    assert "\x1b" not in result.out


def test_a_narrow_terminal_cuts_nothing_off(efdgen: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Was D19: cells of one character. A table wider than ``COLUMNS``, in a pipe too, is records of lines."""
    monkeypatch.setenv("COLUMNS", "40")
    lines = efdgen("cost", "tables", "g1p/twistedhessian/projective/doubling").out.splitlines()
    first = next(number for number, line in enumerate(lines) if line == "  dbl-2009-bkl")
    facts = dict(line.split(maxsplit=1) for line in lines[first + 1 : first + 5] if line.count("  "))
    assert facts.keys() == {"Published", "Weight", "Emitted"}
    assert facts["Weight"] == "8.4"
    assert max(map(len, lines[2:])) <= 40
    monkeypatch.setenv("COLUMNS", "200")
    assert (
        "Published" in efdgen("cost", "tables", "g1p/twistedhessian/projective/doubling").out.splitlines()[2]
    )


def test_csv_reads_back(efdgen: Callable) -> None:
    result = efdgen("cost", "tables", "g1p/shortw/jacobian", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    row = next(row for row in rows if row["id"].endswith("tpl-2005-dim"))
    assert (row["M"], row["pow"], row["mul_const"]) == ("9", "3:1 4:2", "2:1 3:1 4:1 8:2 12:1")
    (_, wrong) = csv.DictReader(io.StringIO(render([TRICKY], "csv")))
    assert wrong["error"] == 'a, "b" & <c> | \\d'


def test_html_is_well_formed_and_escaped() -> None:
    text = render([TRICKY], "html")
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    assert root.findtext("body/table/caption") == TRICKY.title
    cells = [cell.text or "" for cell in root.findall("body/table/tbody/tr[1]/td")]
    cost = "1M + 2S + 6^3 + 4*a_b + 3add + 5*2"
    assert cells == ["doubling", "dbl_1", "Z1 == 1, i^2 == -1", cost, "13.4"]
    assert html.escape('a, "b" & <c> | \\d') in text


def test_markdown_rows_have_as_many_cells_as_the_header() -> None:
    text = render([TRICKY], "markdown")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
    assert r"4\*a\_b" in text
    assert "## g1p/m/s: a & b \\< c \\|" in text


def test_latex_escapes_what_latex_reads_and_closes_what_it_opens() -> None:
    text = render([TRICKY], "latex")
    assert r"a \& b \textless{} c \textbar{} 100\% of \$x\_1\$ \{\textasciitilde{}\}" in text
    assert r"6\textasciicircum{}3 + 4*a\_b" in text
    assert re.findall(r"(?<!\\)[#$%~^_|<>]", text) == []
    unescaped = re.sub(r"\\[{}]", "", text)
    assert unescaped.count("{") == unescaped.count("}")
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {4}


def test_every_format_is_offered_and_every_preset_explained(efdgen: Callable) -> None:
    text = efdgen("cost", "tables", "--help").out
    assert f"[{'|'.join(FORMATS)}]" in text
    assert all(name in text for name in PRESETS)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["no-such-formula"], "no formula matches 'no-such-formula'"),
        (["add-2007-bx"], "did you mean add-2007-bl"),
        (["--weights", "S=x"], "'x' is not a number of multiplications"),
        (["--weights", "large-S0.7"], "did you mean large-S0.67"),
        (["--from", "no/such/tree"], "no such directory"),
    ],
)
def test_mistakes_are_one_line_and_status_2(efdgen: Callable, arguments: list[str], reason: str) -> None:
    result = efdgen("cost", "tables", *arguments)
    assert (result.code, result.out) == (2, "")
    assert reason in result.err
    assert result.err.count("\n") == 1


def test_an_unknown_weight_is_told_before_anything_is_counted(efdgen, monkeypatch):
    """It took as long as counting all formulas."""
    monkeypatch.setattr("efdgen.generator.reports.tables._row", None)
    done = efdgen("cost", "tables", "--weights", "a25=1")
    assert done.code == 2
    assert done.err == "efdgen: --weights: no formula has a parameter a25; did you mean a2 or a24 or a21?\n"


def test_declared_parameters_are_those_of_the_formulas(database):
    assert database.parameters == {name for i in database.ids for name in database.formula(i).all_parameters}


def test_a_refuted_draft_is_marked_and_comes_last(efdgen: Callable, tmp_path: Path) -> None:
    """Stood first of its table, being cheapest, as if it were a formula."""
    mine = tmp_path / "g1p/shortw/jacobian-0/doubling/mine"
    mine.parent.mkdir(parents=True)
    mine.write_text("compute X3 = X1^2\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    done = efdgen("cost", "tables", "--database", tmp_path, "jacobian-0/doubling")
    rows, _, notes = done.out.partition("\n\n†")
    assert re.search(r"\n +mine +1S †", rows)
    assert rows.splitlines()[-1].split()[0] == "mine"
    assert "mine is not proved: P3: x == X/Z^2 does not hold" in notes
