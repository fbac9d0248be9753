"""Keys of kept proofs: whatever a verdict depends on changes them, and nothing else does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from efdgen.verify import store
from efdgen.verify.imports import Package

ROOT = Path(store.__file__).resolve().parent.parent
LAWS, EXCEPTIONS, LIMBS = (
    "efdgen.verify.laws.proof",
    "efdgen.verify.exceptions.conclude",
    "efdgen.verify.limbs.prove",
)
FORMULAS, DIVISION = "efdgen.verify.examination", "efdgen.verify.fields.division"
PROVERS = (LAWS, EXCEPTIONS, LIMBS, FORMULAS, DIVISION)
# The imports of texts, by their hashes: all tests parse a text once.
IMPORTED: dict[str, list[str]] = {}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of all code, which may be edited."""
    for folder in ("generator", "verify"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", tmp_path)
    return tmp_path


def digests(directory: Path) -> dict[str, store.Digest]:
    package = Package(directory, IMPORTED)
    return {prover: store.digest(package.closure(prover)) for prover in PROVERS}


@pytest.mark.parametrize(
    ("edited", "affected"),
    [
        ("verify/laws/algebra.py", {LAWS, EXCEPTIONS, FORMULAS}),
        ("verify/laws/proof.py", {LAWS}),
        ("verify/exceptions/laboratory.py", {EXCEPTIONS, FORMULAS}),
        ("verify/solver.py", {LIMBS, DIVISION}),
        ("verify/fields/turns.py", {DIVISION}),
        ("verify/verdicts.py", set(PROVERS)),
        ("generator/language/syntax.py", {LAWS, EXCEPTIONS, FORMULAS, LIMBS}),
        ("verify/__init__.py", set(PROVERS)),
        ("generator/language/normalised.lark", {EXCEPTIONS, FORMULAS}),
        ("generator/language/upstream.lark", {EXCEPTIONS, FORMULAS}),
        ("generator/programs/interpreter.py", {LAWS, EXCEPTIONS, FORMULAS, LIMBS}),
        ("generator/reports/tables.py", set()),
        ("generator/reports/weights.py", set()),
        ("generator/render/c/bundle.py", set()),
        ("verify/hosts/solve.py", set()),
        ("verify/vectors/runner.py", set()),
        ("verify/report.py", set()),
    ],
)
def test_an_edit_changes_the_keys_of_those_that_import_it(copy: Path, edited: str, affected: set[str]):
    before = digests(copy)
    assert before == digests(ROOT)
    (copy / edited).write_text((copy / edited).read_text() + "\n# edited\n")
    after = digests(copy)
    assert {prover for prover in PROVERS if before[prover] != after[prover]} == affected


def test_a_grammar_that_is_added_changes_keys(copy: Path):
    before = digests(copy)
    (copy / "generator/language/another.lark").write_text("start: \n")
    assert {p for p in PROVERS if digests(copy)[p] != before[p]} == {EXCEPTIONS, FORMULAS}


@pytest.mark.parametrize(
    ("package", "affected"),
    [
        ("flint", {LAWS, EXCEPTIONS, FORMULAS}),
        ("sage", {LAWS, EXCEPTIONS, FORMULAS}),
        ("z3", {LIMBS, DIVISION}),
    ],
)
def test_another_version_changes_keys(monkeypatch: pytest.MonkeyPatch, package: str, affected: set[str]):
    before = digests(ROOT)
    real = store.installed
    monkeypatch.setattr(store, "installed", lambda name: ["another"] if name == package else real(name))
    after = digests(ROOT)
    assert {p for p in PROVERS if after[p].versions != before[p].versions} == affected
    assert [after[p].files for p in PROVERS] == [before[p].files for p in PROVERS]


def test_another_python_changes_every_key(monkeypatch: pytest.MonkeyPatch):
    before = digests(ROOT)
    monkeypatch.setattr(sys, "version", "4.0.0")
    assert not {d.versions for d in digests(ROOT).values()} & {d.versions for d in before.values()}


def test_versions_are_those_that_are_installed():
    sage = store.installed("sage")
    assert any(name.startswith("passagemath_singular-") for name in sage)
    assert any(name.startswith("libSingular-") for name in sage)
    (z3,), (lark,) = store.installed("z3"), store.installed("lark")
    assert z3.startswith("z3_solver-")
    assert lark.startswith("lark-")


def test_a_claim_is_part_of_its_key():
    assert store.key(LAWS, "a", "b") == store.key(LAWS, "a", "b")
    others = [store.key(LAWS, "a"), store.key(LAWS, "ab"), store.key(LIMBS, "a", "b")]
    assert len({store.key(LAWS, "a", "b"), *others}) == 4


IMPORTS = """
import sys
from efdgen.generator.formulas.database import Database
from efdgen.generator.programs.lower import lower
formula = Database().formula("g1p/twisted/extended-1/addition/add-2008-hwcd-3")
before = set(sys.modules)
{run}
print("\\n".join(name for name in sys.modules if name.startswith("efdgen.")))
"""
RUNS = {
    LAWS: "from efdgen.verify.laws.proof import prove_program; prove_program(formula, lower(formula))",
    EXCEPTIONS: "from efdgen.verify.exceptions.conclude import conclude; conclude(formula)",
    FORMULAS: "from efdgen.verify.examination import examine; examine(Database(), formula.id)",
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("prover", RUNS)
def test_whatever_a_proof_loads_is_in_its_key(prover: str, tmp_path: Path):
    """The modules that are loaded when a proof has run, but for those that the test itself loads."""
    environment = {**os.environ, "EFDGEN_CACHE": str(tmp_path)}

    def loaded(run: str) -> set[str]:
        command = [sys.executable, "-c", IMPORTS.format(run=run)]
        return set(subprocess.check_output(command, text=True, env=environment).split())

    files = Package(ROOT, {}).closure(prover).files
    assert "__init__.py" in files
    assert not any(name.startswith("api/") for name in files)
    names = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in files}
    missing = {name.removeprefix("efdgen.") for name in loaded(RUNS[prover]) - loaded("pass")} - names
    assert missing == set()


def test_imports_are_found_wherever_they_stand(tmp_path: Path):
    (tmp_path / "top.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from efdgen import hidden\nelse:\n    from efdgen import seen\n"
        "def f():\n    from efdgen.folder.inner import name\n    import z3.z3util\n"
        "def g():\n    return importlib.import_module('efdgen.dynamic')\n"
    )
    for name in ("hidden", "seen", "folder/__init__", "folder/inner", "dynamic", "other"):
        (tmp_path / f"{name}.py").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text("import lark\n" if name == "dynamic" else "")
    closure = Package(tmp_path, {}).closure("efdgen.top")
    files = {"top.py", "seen.py", "folder/__init__.py", "folder/inner.py", "dynamic.py"}
    assert set(closure.files) == files
    assert closure.others >= {"z3", "lark", "typing"}


def test_keys_take_no_time():
    """All keys of a command, in a new process that has parsed the texts once: 50 ms on an idle machine."""
    code = (
        "from efdgen.verify import store; import time; start = time.process_time(); "
        f"[store.fingerprint(p) for p in {PROVERS}]; print(time.process_time() - start)"
    )
    times = [float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(4)]
    assert min(times[1:]) < 0.15


WRITES = """
from efdgen.verify import store
store.store("a", 1)
store.store("b", 2)
print(store.load("a"))
"""


def test_a_store_that_cannot_be_written_says_so_once(tmp_path: Path):
    """Was D10: everything was proved again in each run, without a word."""
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "EFDGEN_CACHE": str(tmp_path / "file/below")}
    found = subprocess.run(
        [sys.executable, "-c", WRITES], capture_output=True, text=True, env=environment, check=True
    )
    assert found.stdout == "None\n"
    assert found.stderr == (
        f"results are not cached: {tmp_path}/file/below: Not a directory; set EFDGEN_CACHE to a directory\n"
    )


def test_a_command_without_a_store_goes_on_and_says_so_once(tmp_path: Path):
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "EFDGEN_CACHE": str(tmp_path / "file/below")}
    command = [sys.executable, "-m", "efdgen", "verify", "g1p/shortw/jacobian/doubling", "--jobs", "2"]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert found.returncode == 0
    assert found.stderr.count("\n") == 1
    assert "are not cached" in found.stderr
