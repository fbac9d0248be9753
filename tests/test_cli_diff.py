"""`efdgen diff`, `efdgen graph` and `efdgen new`: what they print and write, and what they refuse."""

import json
import re
import shutil

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.graph import Flow

PLACE = "g1p/shortw/jacobian-0/doubling"


def test_formulas_with_the_same_values_differ_in_cost(efdgen):
    done = efdgen("diff", f"{PLACE}/dbl-2009-l", f"{PLACE}/dbl-2009-alnr")
    assert done.code == 0
    assert "values       the same, proved" in done.out
    assert "one multiplication more, 2 squarings fewer, 2 additions fewer" in done.out
    assert "- Z3 = 2*Y1*Z1" in done.out
    assert "+ Z3 = (Y1 + Z1)^2 - B - ZZ" in done.out.replace("YY", "B")


@pytest.mark.parametrize(
    ("other", "same"),
    [("dbl-2009-l", True), ("dbl-2009-alnr", True), ("dbl-sum", False), ("mdbl-2007-bl", False)],
)
def test_json_says_whether_values_are_the_same(efdgen, other, same):
    done = efdgen("diff", f"{PLACE}/dbl-2009-l", f"{PLACE}/{other}", "--json")
    found = json.loads(done.out)
    assert (found["same_values"], done.code) == (same, 0 if same else 1)
    assert (found["equations"] == []) is (other == "dbl-2009-l")


def test_values_of_different_kinds_are_not_held_against_each_other(efdgen):
    done = efdgen("diff", f"{PLACE}/dbl-2009-l", "g1p/shortw/jacobian/addition/add-2007-bl")
    assert "values       not compared: one is of doubling, one of addition of two points" in done.out
    assert done.code == 1


def test_values_in_other_coordinates_are_not_held_against_each_other(efdgen):
    done = efdgen("diff", f"{PLACE}/dbl-2009-l", "g1p/shortw/projective/doubling/dbl-2007-bl", "--json")
    reason = "not compared: coordinates are those of g1p/shortw/jacobian-0 and of g1p/shortw/projective"
    assert (done.code, json.loads(done.out)["undecided"]) == (1, reason)


def test_depth_and_width_count_products(database):
    """dbl-2009-l: squares of X1, Y1; then C, the square of X1 + B, and E^2; then the product with D - X3."""
    flow = Flow("f", lower(database.formula(f"{PLACE}/dbl-2009-l")))
    assert (flow.depth, flow.width) == (3, 3)


def test_a_graph_has_a_node_for_each_value_and_an_edge_for_each_operand(efdgen):
    dot = efdgen("graph", f"{PLACE}/dbl-2009-l", "--published").out
    program = lower(Database().formula(f"{PLACE}/dbl-2009-l"))
    assert len(re.findall(r"^  v\d+ \[", dot, re.M)) == len(program.instructions)
    for name in program.inputs:
        assert f'[label="{name}"]' in dot
    mermaid = efdgen("graph", f"{PLACE}/dbl-2009-l", "--published", "--format", "mermaid").out
    assert mermaid.count(" --> ") == dot.count(" -> ")


def test_a_drawing_needs_graphviz(efdgen, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    done = efdgen("graph", f"{PLACE}/dbl-2009-l", "--format", "svg")
    assert (done.code, done.err) == (
        2,
        "efdgen: Graphviz is not installed; --format dot writes its input\n",
    )


def test_a_new_formula_is_read_and_lacks_its_steps(efdgen, tmp_path):
    done = efdgen("new", f"{PLACE}/dbl-mine", "--in", tmp_path / "efd")
    path = tmp_path / "efd" / PLACE / "dbl-mine"
    assert done.out.split() == [str(path)]
    text = path.read_text(encoding="utf-8")
    assert "# inputs     X1, Y1, Z1\n" in text
    assert "# assuming   a == 0\n" in text
    assert "# compute X3 = …\n" in text
    assert "X3" in efdgen("check", path).err
    again = efdgen("new", f"{PLACE}/dbl-mine", "--in", tmp_path / "efd")
    assert (again.code, again.err) == (2, f"efdgen: {path}: the file exists already\n")


def test_every_kind_in_a_system_can_be_begun(database, efdgen):
    """A skeleton is a comment but for its source, whatever is shared, implicit or handed over."""
    places = {formula_id.rpartition("/")[0] for formula_id in database.ids}
    for place in sorted(places):
        done = efdgen("new", f"{place}/mine", "--in", "-")
        assert done.code == 0, place
        kept = [line for line in done.out.splitlines() if line and not line.startswith("#")]
        assert kept == ["source unpublished"]


@pytest.mark.parametrize(
    "name", ["dbl", "g1p/shortw/jacobian-0/doubling", "g1p/shortw/jacobian-0/doubling/x~"]
)
def test_what_is_no_id_is_refused(efdgen, name):
    done = efdgen("new", name)
    assert (done.code, done.err.startswith(f"efdgen: {name!r} is not an id")) == (2, True)


def test_a_file_is_read_as_a_formula_of_a_place(efdgen, tmp_path):
    """Took ids alone: a draft had to be put into a database to be shown."""
    draft = tmp_path / "mine"
    draft.write_text(Database().text(f"{PLACE}/dbl-2009-l").replace("E = 3*A", "E = A"))
    shown = efdgen("show", draft, "--as", PLACE)
    assert shown.out.startswith("refutation\n")
    assert f"\n{PLACE}/mine\n" in shown.out
    done = efdgen("diff", draft, f"{PLACE}/dbl-2009-l", "--as", PLACE)
    assert (done.code, "+ E = 3*A" in done.out) == (1, True)
    assert f'digraph "{PLACE}/mine"' in efdgen("graph", draft, "--as", PLACE).out
    refused = efdgen("show", draft)
    assert refused.code == 2
    assert "is a path, and formulas are named by ids" in refused.err


def test_a_new_formula_of_a_built_in_name_brings_a_warning(efdgen, tmp_path):
    """Shadowed the built-in formula, and nothing said so."""
    done = efdgen("new", f"{PLACE}/dbl-2009-l", "--in", tmp_path)
    assert (done.code, "hides the formula of this name" in done.err) == (0, True)
    assert "hides" not in efdgen("new", f"{PLACE}/dbl-mine", "--in", tmp_path).err
