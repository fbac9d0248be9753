"""Proofs that a wheel ships: found by their claim, for the files of their prover, as they were made."""

import json
import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from efdgen.verify import shipped, store

ROOT = Path(store.__file__).resolve().parent.parent
LAWS, LIMBS = "efdgen.verify.laws.proof", "efdgen.verify.limbs.prove"


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, object]], Path]:
    """Write the file of shipped proofs with values under keys, and an empty cache."""
    file = tmp_path / "shipped"
    monkeypatch.setattr(shipped, "FILE", file)
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "cache"))

    def write(values: dict[str, object]) -> Path:
        texts = {name.partition("-")[0]: json.dumps(value) for name, value in values.items()}
        lines = [f"{name} {store.seal_of(name, text.encode())} {text}" for name, text in texts.items()]
        file.write_text("\n".join([json.dumps(store.versions()), *sorted(lines)]))
        shipped._content.cache_clear()
        return file

    yield write
    shipped._content.cache_clear()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 50])
def test_every_shipped_proof_is_found_and_nothing_else(ship, rng: random.Random, count: int):
    values = {
        store.key(LAWS, f"claim {n}"): {"n": n, "text": "a b  c" * rng.randrange(40)} for n in range(count)
    }
    ship(values)
    assert {name: store.load(name) for name in values} == values
    others = [store.key(LAWS, f"claim {n}") for n in range(count, count + 50)]
    assert [name for name in [*others, store.key(LIMBS, "claim 0")] if store.load(name) is not None] == []


def test_other_versions_find_it_and_another_prover_does_not(ship, monkeypatch: pytest.MonkeyPatch):
    ship({store.key(LAWS, "claim"): "proved"})
    files = store.fingerprint(LAWS).files
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest(files, "no Sage"))
    assert store.load(store.key(LAWS, "claim")) == "proved"
    monkeypatch.setattr(store, "fingerprint", lambda _: store.Digest(files[::-1], "no Sage"))
    assert store.load(store.key(LAWS, "claim")) is None


def test_a_shipped_proof_that_was_edited_is_reported_and_ignored(
    ship, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(store, "_told", set())
    names = [store.key(LAWS, claim) for claim in ("one", "two")]
    file = ship({names[0]: "refuted", names[1]: "proved"})
    file.write_text(file.read_text().replace('"refuted"', '"proved"'))
    shipped._content.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert [store.load(name) for name in names] == [None, "proved"]
    assert "was edited or damaged" in caplog.text
    lines = file.read_text().splitlines()
    (other,) = (line for line in lines if line.startswith(names[1].partition("-")[0]))
    file.write_text(
        "\n".join([lines[0], other.replace(names[1].partition("-")[0], names[0].partition("-")[0])])
    )
    shipped._content.cache_clear()
    assert store.load(names[0]) is None  # the verdict on another claim


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


def test_verify_again_proves_what_was_proved(
    efdgen: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "_again", False)
    formula = "g1p/shortw/jacobian/doubling/dbl-2007-bl"

    def earlier(*options: str) -> bool:
        (found,) = json.loads(efdgen("verify", formula, "--json", *options).out)
        return found["earlier"]

    assert [earlier(), earlier(), earlier("--again")] == [False, True, False]


NEEDS_SAGE = "efdgen: needs Sage: pip install 'efdgen[prove]'\n"
WITHOUT_SAGE = "import sys; sys.modules['sage'] = None; from efdgen.cli import main; main()"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("check FILE", 2, NEEDS_SAGE),
        (
            "verify g1p/shortw/jacobian/doubling/dbl-2007-bl",
            2,
            "efdgen: needs Sage: pip install 'efdgen[prove]'\n",
        ),
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
    environment = {**os.environ, "EFDGEN_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SAGE, "--quiet", *command],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (status, said)
