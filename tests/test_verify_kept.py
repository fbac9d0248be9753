"""Findings that are kept: looked up without Sage, and never for another text or a wrong formula."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kept_proofs import kept

from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.verify import store
from efdgen.verify.finding import Finding
from efdgen.verify.kept import KeptFindings
from efdgen.verify.prover import examine_formulas, examine_models

FOLDER = "g1p/shortw/jacobian/doubling"
DOUBLING = f"{FOLDER}/dbl-2007-bl"
PROVER = "efdgen.verify.examination"

CODE = """
import sys
from efdgen.generator.formulas.database import Database
from efdgen.verify.prover import examine_formulas
(found,) = examine_formulas(Database(), [sys.argv[1]])
print(found.verdict, found.earlier, "sage" in sys.modules)
"""


@pytest.fixture(autouse=True)
def cache(unproved: Path) -> Path:
    """Keep the findings of a test to itself."""
    return unproved


@pytest.fixture
def tree(tmp_path: Path) -> Database:
    """A tree with one formula, which may be edited."""
    root = tmp_path / "tree"
    for name in ("g1p/shortw/coordinates", "g1p/shortw/jacobian/variables", DOUBLING):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUILT_IN / name, root / name)
    return Database(root)


def edited(tree: Database, name: str, old: str, new: str) -> Database:
    path = tree.layers.roots[0] / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return Database(tree.layers.roots[0])


def examined(database: Database) -> Finding:
    (found,) = examine_formulas(database, [DOUBLING])
    return found


def test_what_was_found_before_is_what_is_looked_up(tree: Database):
    first = examined(tree)
    assert (first.verdict, first.earlier) == ("proved", False)
    assert examined(Database(tree.layers.roots[0])) == replace(first, earlier=True)


def test_a_model_and_its_maps_are_looked_up(database: Database):
    ids = ["g1p/twisted/affine/negation/neg"]
    first = examine_models(database, ids)
    assert {finding.kind for finding in first} == {"model", "map"}
    assert examine_models(database, ids) == [replace(finding, earlier=True) for finding in first]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (DOUBLING, "Z3 = (Y1 + Z1)", "Z3 = (Y1 - Z1)"),
        ("g1p/shortw/jacobian/variables", "Y/Z^3", "Y/Z^2"),
        ("g1p/shortw/coordinates", "- x1 - x1", "- 2*x1"),
    ],
)
def test_another_text_is_another_formula(tree: Database, name: str, old: str, new: str):
    assert examined(tree).verdict == "proved"
    changed = edited(tree, name, old, new)
    assert KeptFindings(changed, PROVER).find(DOUBLING) is None
    assert (examined(changed).verdict == "proved") is (name == "g1p/shortw/coordinates")


def test_what_is_refuted_is_not_kept(tree: Database, cache: Path):
    wrong = edited(tree, DOUBLING, "Z3 = (Y1 + Z1)", "Z3 = (Y1 - Z1)")
    for _ in range(2):
        found = examined(wrong)
        assert (found.verdict, found.earlier) == ("refuted", False)
    assert not cache.exists() or KeptFindings(wrong, PROVER).find(DOUBLING) is None


def test_another_prover_knows_nothing(tree: Database, monkeypatch: pytest.MonkeyPatch):
    examined(tree)
    assert KeptFindings(tree, PROVER).find(DOUBLING) is not None
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest("another", ""))
    assert KeptFindings(tree, PROVER).find(DOUBLING) is None


def test_a_file_that_is_no_finding_is_not_read(tree: Database, cache: Path):
    examined(tree)
    for path in kept(cache):
        path.write_text("{}")
    assert examined(tree).earlier is False


def test_looking_up_needs_no_sage():
    for told in ("proved False True", "proved True False"):
        command = [sys.executable, "-c", CODE, DOUBLING]
        found = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
        assert found.stdout.strip() == told
