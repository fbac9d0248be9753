"""Proofs that are part of efdgen: found by their claim, for the files of their prover, as they were made."""

import json
import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kept_proofs import kept

from efdgen.generator.errors import MissingSageError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.kernels import rehomed
from efdgen.generator.planning.make import MODELS
from efdgen.verify import children, prover, shipped, shipping, store
from efdgen.verify.account import account
from efdgen.verify.kept import KeptFindings

ROOT = Path(store.__file__).resolve().parent.parent
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
LAWS, LIMBS = "efdgen.verify.laws.proof", "efdgen.verify.limbs.prove"
EXCEPTIONS, SINGULAR = "efdgen.verify.exceptions.conclude", "efdgen.verify.laws.singular"


@pytest.fixture
def ship(unproved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Write the file of shipped proofs with values under keys, and an empty cache."""
    monkeypatch.delenv("EFDGEN_SHIPPED_PROOFS")
    monkeypatch.setattr(shipped, "FILE", tmp_path / "shipped")

    def write(values: dict[str, object]) -> Path:
        shipped.FILE.write_text(shipped.text_of(values.items(), "provers"))
        shipped.shipped.cache_clear()
        return shipped.FILE

    yield write
    shipped.shipped.cache_clear()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 50])
def test_every_shipped_proof_is_found_and_nothing_else(ship, rng: random.Random, count: int):
    values = {
        store.key(LAWS, f"claim {n}"): {"n": n, "text": "a b  c" * rng.randrange(40)} for n in range(count)
    }
    ship(values)
    assert {name: store.load(name) for name in values} == values
    others = [store.key(LAWS, f"claim {n}") for n in range(count, count + 50)]
    others += [store.key(LIMBS, "claim 0"), store.answer_key("claim 0")]
    assert [name for name in others if store.load(name) is not None] == []


def test_other_versions_find_it_and_another_prover_does_not(ship, monkeypatch: pytest.MonkeyPatch):
    ship({store.key(LAWS, "claim"): "proved"})
    files = store.fingerprint(LAWS).files
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest(files, "no Sage"))
    assert store.load(store.key(LAWS, "claim")) == "proved"
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest(files[::-1], "no Sage"))
    assert store.load(store.key(LAWS, "claim")) is None


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace('"refuted"', '"proved"'),
        lambda text: text.replace("proved", "proved\n"),
        lambda text: text[:-1],
        lambda text: f"{text}{text.splitlines()[-1]}\n",
        lambda text: text.replace("# Hash of all", "<<<<<<< HEAD\n# Hash of all"),
        lambda _: "",
    ],
)
def test_shipped_proofs_that_were_edited_are_reported_and_ignored(
    ship, caplog: pytest.LogCaptureFixture, edit: Callable[[str], str]
):
    names = [store.key(LAWS, claim) for claim in ("one", "two")]
    file = ship({names[0]: "refuted", names[1]: "proved"})
    file.write_text(edit(file.read_text()))
    shipped.shipped.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert [store.load(name) for name in names] == [None, None]
    assert "was edited or damaged" in caplog.text


def test_a_proof_in_the_cache_comes_before_a_shipped_one_and_again_finds_neither(
    ship, monkeypatch: pytest.MonkeyPatch
):
    names = [store.key(LAWS, claim) for claim in ("one", "two")]
    ship(dict.fromkeys(names, "shipped"))
    store.store(names[0], "cached")
    assert [store.load(name) for name in names] == ["cached", "shipped"]
    monkeypatch.setattr(store, "_again", False)
    store.prove_again()
    assert [store.load(name) for name in names] == [None, None]


def test_the_committed_proofs_are_of_the_provers_and_versions_as_they_are():
    """A failure means that a prover or a version was changed: ``make prove`` writes the file again."""
    hashes = {
        store.joined("", *map(store.fingerprint, provers)).split("-")[1]
        for provers in (
            ("efdgen.verify.examination",),
            prover._OF_MODELS,
            (LAWS,),
            (EXCEPTIONS,),
            (SINGULAR,),
        )
    }
    assert shipped.shipped().provers == hashes, "verify/shipped-proofs is out of date: make prove"
    head = shipped.FILE.read_text().partition("\n")[0]
    pins = dict(line.split(" ;")[0].split("==") for line in CONSTRAINTS.splitlines() if "==" in line)
    made_with = dict(each.split(" ") for each in head.rpartition("with ")[2].rstrip(".").split(", "))
    assert made_with == {name: pins[name] for name in shipping._MADE_WITH}


def test_everything_in_the_database_is_among_the_committed_proofs(
    unproved: Path, monkeypatch: pytest.MonkeyPatch, database: Database
):
    monkeypatch.delenv("EFDGEN_SHIPPED_PROOFS")
    formulas, models = (KeptFindings(database, *names) for names in (prover._PROVERS, prover._OF_MODELS))
    assert [name for name in database.ids if formulas.find(name) is None] == []
    assert [name for name in prover.models_of(database, database.ids) if models.find(name) is None] == []
    assert not unproved.exists() or kept(unproved) == []


@pytest.mark.long
@pytest.mark.slow
def test_committed_proofs_are_proved_again(
    unproved: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random, database: Database
):
    """Prove some of them again; ``make prove`` does so with all, and CI compares."""
    names = rng.sample(database.ids, 12)
    found = [*prover.examine_formulas(database, names), *prover.examine_models(database, names[:2])]
    assert {(finding.verdict, finding.earlier) for finding in found} == {("proved", False)}
    for name in names:
        assert account(database.formula(name)).verdict == "proved"
    foreign = list(rehomed(database, rng.choice(list(MODELS))))
    for formula in rng.sample(foreign, 6):
        shipping._derive(formula)
    children._forget()
    proved = {path.stem: store.load(path.stem) for path in kept(unproved)}
    assert len(proved) >= 3 * len(names)
    monkeypatch.delenv("EFDGEN_SHIPPED_PROOFS")
    assert {name: shipped.value(name) for name in proved} == proved


def test_verify_again_proves_what_was_proved(
    efdgen: Callable, unproved: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "_again", False)
    formula = "g1p/shortw/jacobian/doubling/dbl-2007-bl"

    def earlier(*options: str) -> bool:
        (found,) = json.loads(efdgen("verify", formula, "--json", *options).out)
        return found["earlier"]

    assert [earlier(), earlier(), earlier("--again")] == [False, True, False]


NEEDS_SAGE = f"efdgen: {MissingSageError()}\n"
WITHOUT_SAGE = "import sys; sys.modules['sage'] = None; from efdgen.cli import main; main()"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("check FILE", 2, NEEDS_SAGE),
        ("verify g1p/shortw/jacobian/doubling/dbl-2007-bl", 2, NEEDS_SAGE),
        ("verify --models g1p/montgom", 0, ""),
    ],
)
def test_without_sage_exceptions_are_refused_in_one_line_and_laws_are_proved(
    tmp_path: Path, arguments: str, status: int, said: str
):
    place = tmp_path / "g1p/shortw/jacobian/doubling"
    place.mkdir(parents=True)
    text = (ROOT / "efd/g1p/shortw/jacobian/doubling/dbl-2007-bl").read_text()
    (place / "own").write_text(text)
    command = [arg.replace("FILE", str(place / "own")) for arg in arguments.split()]
    environment = {**os.environ, "EFDGEN_CACHE": str(tmp_path / "cache"), "EFDGEN_SHIPPED_PROOFS": "never"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SAGE, "--quiet", *command],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (status, said)
