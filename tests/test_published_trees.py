"""Trees in the form of the site of today, and what it has since 2019 as docs/published-trees.md has it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from published_trees import SINCE_2019, site_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.importing.importer import import_tree
from efdgen.generator.programs.lower import lower

TREE = {
    "coordinates": "name lines\nparameter a\ncoordinate x\ncoordinate y\nsatisfying y^2 = x^3 + a x\n",
    "xz/variables": "name XZ\nvariable X\nvariable Z\nsatisfying x = X/Z\n",
    "xz/scaling/z": "source 1987 Montgomery\ncompute X3 = X1/Z1\ncompute Z3 = 1\n",
    "xz/scaling/z.op3": "X3 = X1/Z1\nZ3 = 1\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree in the form of 2019, of one formula."""
    for name, text in TREE.items():
        path = tmp_path / "2019/g1p/lines" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "2019"


def test_a_copy_of_the_site_is_the_tree_in_other_folders(tree: Path, tmp_path: Path) -> None:
    site = site_of(tree, tmp_path / "EFD")
    assert list(import_tree(Database(site, "upstream"))) == list(import_tree(Database(tree, "upstream")))
    name = "g1p/lines/xz/scaling/z"
    (found,) = Database(site, "upstream")
    assert found == name
    assert Database(site, "upstream").path(f"{name}.op3") == site / "g1p/auto-code/lines/xz/scaling/z.op3"
    assert Database(site, "upstream").three_operand(name)


def test_errors_name_the_file_of_the_site(tree: Path, tmp_path: Path) -> None:
    site = site_of(tree, tmp_path / "EFD")
    formula = site / "g1p/data/lines/xz/scaling/z"
    formula.write_text("compute X3 = X1/(Z1\n", encoding="utf-8")
    with pytest.raises(EfdgenError, match=f"^{re.escape(str(formula))}:1:"):
        Database(site, "upstream").formula("g1p/lines/xz/scaling/z")


def test_what_the_site_has_since_2019_is_here(database: Database) -> None:
    assert len(SINCE_2019) == 16
    for name, (_, here) in SINCE_2019.items():
        cost = count(lower(database.formula(name)))
        counts = {"M": cost.multiplications, "S": cost.squarings}
        products = [f"{number}*{parameter}" for parameter, number in sorted(cost.by_parameter.items())]
        assert " + ".join([*(f"{n}{what}" for what, n in counts.items() if n), *products]) == here, name


@pytest.mark.parametrize("name", SINCE_2019)
def test_no_formula_here_costs_more_than_the_one_of_the_site(name: str) -> None:
    """A squaring counts as a multiplication, a product by any parameter as one."""

    def sums(text: str) -> tuple[int, int]:
        terms = [re.fullmatch(r"(\d+)(?:([MS])|\*\w+)", term) for term in text.split(" + ")]
        found = [(int(term[1]), term[2]) for term in terms if term]
        assert len(found) == len(terms)
        return sum(n for n, what in found if what), sum(n for n, what in found if not what)

    site, here = map(sums, SINCE_2019[name])
    assert here[0] == site[0]
    assert here[1] <= site[1]


def test_the_archive_in_the_folders_of_the_site_has_the_same_findings(
    efdgen: Callable, upstream: Path, tmp_path: Path
) -> None:
    site = site_of(upstream, tmp_path / "EFD")
    assert list(import_tree(Database(site, "upstream"))) == list(import_tree(Database(upstream, "upstream")))
    place = "g1p/jintersect/extended/doubling"
    here, there = (json.loads(efdgen("verify", "--from", t, place, "--json").out) for t in (upstream, site))
    assert [f["verdict_op3"] for f in there] == [f["verdict_op3"] for f in here]
    assert "refuted" in {f["verdict_op3"] for f in there}


def test_a_published_tree_has_no_formula_that_is_not_here(
    efdgen: Callable, database: Database, published_tree: Path, upstream: Path
) -> None:
    names = set(Database(published_tree, "upstream"))
    assert not names - set(database)
    added = names - set(Database(upstream, "upstream"))
    assert added <= SINCE_2019.keys()
    if added:
        found = json.loads(efdgen("verify", "--from", published_tree, *sorted(added), "--json").out)
        likeness = [finding["likeness"] for finding in found if "likeness" in finding]
        assert len(likeness) == len(added)
        assert set(likeness) <= {"same text", "same values"}
