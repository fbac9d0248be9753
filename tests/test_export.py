"""`efdgen export`: the schema is the documents', views answer by affine rivals alone, and bytes repeat."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from reference_overlay import (
    HOSTILE,
    HOSTILE_FORMULA,
    HOSTILE_SYSTEM,
    PROVED,
    REFUTED,
    SELECTORS,
    UNREADABLE,
    lay_overlay,
)

from efdgen.generator.formulas.layers import BUILT_IN, over
from efdgen.reference.document import collect
from efdgen.reference.export.forms import json_document
from efdgen.reference.export.latex import latex_files
from efdgen.reference.export.schema import MEMBERS, TABLES, VIEWS, meaning, schema_text
from efdgen.reference.export.sqlite import sqlite_bytes

ADD = "g1p/shortw/jacobian/addition/add-2007-bl"
BEST = "SELECT id FROM best WHERE ratio = ? AND system = ? AND kind = ? AND input_assumptions = ?"


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> dict:
    """The document of a few systems, one of them hostile, in the form in which it is written."""
    root = lay_overlay(tmp_path_factory.mktemp("own"))
    with over([root]):
        return json.loads(
            json_document(
                collect([*SELECTORS, "g1p/twisted/extended-1/addition", "conversion/to-montgom-xz"])
            )
        )


@pytest.fixture(scope="module")
def tables(document, tmp_path_factory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("tables") / "efdgen.sqlite"
    path.write_bytes(sqlite_bytes(document))
    with closing(sqlite3.connect(path)) as base:
        yield base


@pytest.fixture(scope="module")
def formulas(document) -> dict:
    return {each["id"]: each for each in document["formulas"]}


def test_every_member_is_documented_and_every_documented_one_is_there(document):
    assert document.keys() == MEMBERS["document"].keys()
    for name in MEMBERS.keys() - {"document"}:
        assert document[name], name
        for each in document[name]:
            assert each.keys() == MEMBERS[name].keys(), name
    assert all(text for members in MEMBERS.values() for text in members.values())


def test_tables_have_the_documented_columns(tables):
    for name, table in TABLES.items():
        found = [(row[1], row[2]) for row in tables.execute(f'PRAGMA table_info("{name}")')]
        assert found == [(column.name, column.type.split()[0]) for column in table.columns]
        assert all(meaning(name, column) for column in table.columns)
        assert tables.execute(f'SELECT count(*) FROM "{name}"').fetchone() > (0,), name
    made = {row[0] for row in tables.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}
    assert made == VIEWS.keys()
    text = schema_text()
    assert all(f"`{name}`" in text for name in (*MEMBERS["formulas"], *TABLES, *VIEWS))


def test_tables_keep_every_member(document, tables):
    """Each member of the document is in a column of its table, or in a table of its own."""
    apart = {"citations", "emitted_program", "equations", "program", "assumptions", "own_assumptions"}
    apart |= {"exceptions", "unrepresentable"}
    of_others = {
        "model",
        "system",
        "curve",
        "meanings",
        "laws",
    }  # columns of the system, the model and the kind
    for name in ("models", "systems", "kinds", "formulas", "unreadable", "sources"):
        columns = TABLES[name if name == "unreadable" else name.removesuffix("s")].columns
        kept = {column.member for column in columns}
        assert MEMBERS[name].keys() - kept == (apart | of_others if name == "formulas" else set())
    for each in document["formulas"]:
        rows = tables.execute(
            "SELECT text FROM line WHERE formula = ? AND stage = 'program' ORDER BY number", [each["id"]]
        )
        assert [text for (text,) in rows] == each["program"]
    (count,) = tables.execute("SELECT count(*) FROM citation").fetchone()
    assert count == sum(len(each["citations"]) for each in document["formulas"])


def test_views_compare_like_with_like(tables):
    jacobian = "g1p/shortw/jacobian"
    published = {  # operation counts of the Explicit-Formulas Database
        ("0.8", jacobian, "addition", "[]"): "add-2007-bl",
        ("1", jacobian, "addition", '["Z2 == 1"]'): "madd-2004-hmv",
        ("0.8", jacobian, "addition", '["Z1 == Z2"]'): "zadd-2007-m",
        ("0.67", "g1p/shortw/jacobian-0", "doubling", "[]"): "dbl-2009-l",
    }
    for asked, name in published.items():
        ((found,),) = tables.execute(BEST, asked).fetchall()
        assert found.endswith(f"/{name}")
    between = tables.execute("SELECT id FROM formula WHERE other_systems <> '[]'").fetchall()
    best = set(tables.execute("SELECT id FROM best"))
    assert between
    assert not best & set(between)
    assert ("g1p/shortw/xz/doubling/dbl-2002-bj-3", 1) in tables.execute(
        "SELECT id, x_only FROM best"
    ).fetchall()


def test_a_system_is_served_by_those_that_it_includes(tables):
    ((found,),) = tables.execute(BEST, ("0.8", HOSTILE_SYSTEM, "addition", "[]")).fetchall()
    assert found == ADD


def test_complete_laws_and_authors_are_views(tables):
    complete = dict(tables.execute("SELECT id, complete FROM complete_law"))
    assert complete["g1p/twisted/extended-1/addition/add-2008-hwcd"] == "when a is a square and d is not"
    assert ADD not in complete
    lange = {row for (row,) in tables.execute("SELECT formula FROM by_author WHERE name = 'Tanja Lange'")}
    assert {ADD, "g1p/shortw/jacobian-0/doubling/dbl-2009-l"} <= lange


def test_queries_of_the_documentation_find_something(tables):
    page = (Path(__file__).parents[1] / "docs/for-researchers.md").read_text(encoding="utf-8")
    queries = re.search(r"^```sql\n(.*?)^```$", page, re.M | re.S)[1].splitlines()
    assert len(queries) == len(VIEWS)
    assert all(tables.execute(query).fetchall() for query in queries)


def test_bytes_repeat(document):
    assert sqlite_bytes(document) == sqlite_bytes(json.loads(json.dumps(document)))
    assert latex_files(document) == latex_files(document)


def test_formulas_of_users_are_exported_with_their_verdicts(document, formulas, tables):
    assert formulas[PROVED]["verdict"] == "proved"
    wrong = formulas[REFUTED]
    assert (wrong["verdict"], wrong["exceptions"], wrong["built_in"]) == ("refuted", None, False)
    assert wrong["reason"].startswith(f"{REFUTED}:")
    assert wrong["refutation"]["counterexample"]["prime"] > 2
    ((unreadable),) = document["unreadable"]
    assert unreadable["id"] == UNREADABLE
    assert unreadable["reason"].startswith(f"{UNREADABLE}:1:1: ")
    assert tables.execute("SELECT id FROM unreadable").fetchall() == [(UNREADABLE,)]


def test_show_has_the_members_of_the_export(efdgen, formulas):
    shown = json.loads(efdgen("show", ADD, "--json").out)
    exported = formulas[ADD]
    assert exported.keys() - shown.keys() == {"map", "refutation", "text", "built_in"}
    assert {name: exported[name] for name in shown} == shown


def test_latex_takes_hostile_text_as_text(document):
    files = latex_files(document)
    table = files[f"{HOSTILE_SYSTEM}.tex"]
    assert r"<script>alert(1)</script> \& \$\textbackslash{}evil\{\}\$" in table
    assert "no-such-key" not in table
    for name, text in files.items():
        if name.endswith(".tex"):
            bare = re.sub(r"\\[{}\\]", "", text)
            assert bare.count("{") == bare.count("}"), name
            assert text.count("$") % 2 == 0 or HOSTILE_SYSTEM in name, name
            begun = re.findall(r"\\begin\{(\w+)\}", text)
            assert begun == re.findall(r"\\end\{(\w+)\}", text)[::-1], name
    assert "dbl-wrong" not in files["g1p/shortw/jacobian-0.tex"]
    assert "refuted" in files[f"{REFUTED}.tex"]


def test_an_algorithm_has_the_steps_of_its_formula(document, formulas):
    text = latex_files(document)[f"{ADD}.tex"]
    assert text.count(r"\gets") == len(formulas[ADD]["equations"])
    assert r"\State $Z_{3} \gets ({(Z_{1} + Z_{2})}^{2} - \mathrm{Z1Z1} - \mathrm{Z2Z2}) \cdot H$" in text
    assert r"\cite{2007-bernstein-lange,2001-bernstein}" in text
    assert r"$11\mathbf{M} + 5\mathbf{S} + 9\mathbf{add} + 4\mathbf{m}_{2}$" in text


def test_bibtex_is_the_bibliography(efdgen):
    text = efdgen("export", "g1p/shortw/xz/doubling", "--format", "bibtex", "--out", "-").out
    entries = re.findall(r"^@.*?^\}$", text, re.M | re.S)
    known = (BUILT_IN / "references.bib").read_text(encoding="utf-8")
    assert len(entries) > 60
    assert r"talks.html\#2001.10.29" in text
    assert all(
        re.sub(r"\\([#&%_])", r"\1", entry) in re.sub(r"\\([#&%_])", r"\1", known) for entry in entries
    )


def test_files_of_others_stay(efdgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("notes").write_text("mine")
    done = efdgen("export", "g1p/shortw/xz/doubling", "--out", "notes")
    assert (done.code, Path("notes").read_text()) == (2, "mine")
    assert "not an export in json" in done.err
    Path("paper").mkdir()
    Path("paper/paper.tex").touch()
    done = efdgen("export", "g1p/shortw/xz/doubling", "--format", "latex", "--out", "paper")
    assert (done.code, [*Path("paper").iterdir()]) == (2, [Path("paper/paper.tex")])
    assert "has files that efdgen did not write" in done.err


def test_a_directory_loses_what_is_no_longer_written(efdgen, tmp_path):
    out = tmp_path / "paper"
    latex = ("--format", "latex", "--out", str(out))
    assert efdgen("export", "g1p/shortw/xz/doubling", *latex).code == 0
    (out / "main.tex").write_text("mine")
    again = json.loads(efdgen("export", "dbl-2002-bj-3", *latex, "--json").out)["files"]
    states = {str(Path(each["path"]).relative_to(out)): each["state"] for each in again}
    assert states["g1p/shortw/xz/doubling/dbl-2002-bj.tex"] == "removed"
    assert states["g1p/shortw/xz/doubling/dbl-2002-bj-3.tex"] == "unchanged"
    assert states["g1p/shortw/xz.tex"] == "changed"
    left = {str(path.relative_to(out)) for path in out.rglob("*.tex")}
    assert left == {
        name for name, state in states.items() if state != "removed" and name.endswith(".tex")
    } | {"main.tex"}


def test_nothing_is_half_written(efdgen, tmp_path):
    out = tmp_path / "paper"
    latex = ("--format", "latex", "--out", str(out))
    assert efdgen("export", "dbl-2002-bj-3", *latex).code == 0
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (out / "g1p/shortw/jacobian").write_text("in the way of a directory")
    done = efdgen("export", "jacobian/doubling", *latex)
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1
    (out / "g1p/shortw/jacobian").unlink()
    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "sqlite", "--out", "-"), "give a path"),
        (("--out", "-", "--json"), "remove one"),
        (("--out", "missing/efdgen.json"), "missing is not a directory"),
    ],
)
def test_places_are_refused_in_a_line(efdgen, options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = efdgen("export", *options)
    assert done.code == 2
    assert said in done.err
    assert not [*tmp_path.iterdir()]


def test_hostile_text_is_in_the_overlay():
    assert "<script>" in HOSTILE
    assert HOSTILE_FORMULA.startswith(HOSTILE_SYSTEM)
