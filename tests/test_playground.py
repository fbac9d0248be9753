"""The playground without a browser: the archive proves in the words of the command, and the page is safe."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playing import answers, unpack
from reference_links import Page
from reference_overlay import HOSTILE, HOSTILE_SYSTEM, PLACE, PROVED, lay_overlay

from efdgen.generator.errors import EfdgenError, MissingSageError
from efdgen.generator.formulas.layers import over
from efdgen.generator.programs.lower import lower
from efdgen.reference.document import collect
from efdgen.reference.pages.play import Playground
from efdgen.reference.pages.site import Parts, site_files
from efdgen.reference.playground import parts
from efdgen.reference.playground.archive import archive
from efdgen.reference.playground.examples import examples
from efdgen.verify.certificate import certify

ROOT = Path(__file__).resolve().parents[1]
COMMAND = "import sys; sys.modules['sage'] = None; from efdgen.cli import main; main()"
WRONG = examples()[0].text
RIGHT = WRONG.replace("+ 2*D", "- 2*D")
PAGE = "play/index.html"
DRAWN = 12
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    return unpack(tmp_path_factory.mktemp("playground"))


def test_it_proves_what_is_shipped(unpacked, rng, database):
    """The law is proved, with the same fields, by FLINT and the shipped answers of Singular alone."""
    names = rng.sample(database.ids, DRAWN)
    found = answers(unpacked, [(database.text(name), name.rpartition("/")[0]) for name in names])
    for name, answer in zip(names, found, strict=True):
        formula = database.formula(name)
        certificate = certify(formula, lower(formula))
        assert certificate.verdict == "proved"
        law = f"law proved for {certificate.characteristic}; exceptional inputs undecided"
        assert (name, answer["law"], answer["headline"]) == (name, "proved", law)
        assert answer["error"] == f"efdgen: {MissingSageError()}\n"


def test_its_words_are_those_of_the_command(unpacked, tmp_path):
    """The command has no Sage either."""
    pasted, incomplete = WRONG.replace("compute ", ""), "A := X1^2; B := Y1**2\n"
    texts = [RIGHT, WRONG, "compute X3 = (\n", incomplete, pasted, "\ufeff", "é"]
    found = answers(unpacked, [(text, PLACE) for text in texts])
    for text, answer in zip(texts, found, strict=True):
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "check", "-", "--as", PLACE],
            input=text.encode(),
            cwd=tmp_path,
            env={**os.environ, "EFDGEN_CACHE": str(tmp_path / "cache"), "PYTHONUTF8": "1"},
            capture_output=True,
            check=False,
        )
        assert (answer["out"], answer["error"]) == (done.stdout.decode(), done.stderr.decode())
        assert {"refuted": 1, "undecided": 2, "error": 2}[answer["verdict"]] == done.returncode
    assert [answer["verdict"] for answer in found[:3]] == ["undecided", "refuted", "error"]


def test_it_says_where_errors_are_and_which_edits_mend(unpacked):
    wrong, right, unreadable, hidden, place = answers(
        unpacked,
        [
            (WRONG, PLACE),
            (RIGHT, PLACE),
            ("compute A = X1^2\ncompute X3 = (\n", PLACE),
            ("\ud800", PLACE),
            (RIGHT, "g1p/shortw/nowhere/doubling"),
        ],
    )
    assert wrong["repairs"] == [{"line": 6, "old": "X3 = E^2 + 2*D", "new": "X3 = E^2 - 2*D"}]
    assert "for example for p = 5" in wrong["out"]
    assert (right["repairs"], right["law"]) == ([], "proved")
    assert [(each["line"], each["column"]) for each in unreadable["places"]] == [(2, 15)]
    assert hidden["error"] == "efdgen: <stdin>: not UTF-8 text\n"
    assert "no coordinate system is 'g1p/shortw/nowhere'" in place["error"]


def test_examples_are_what_their_titles_say(unpacked):
    """The README's is its text; the erratum is refuted, the others are proved."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- file: dbl-mine -->\n```\n(.*?)```", readme, re.S) == [examples()[0].text]
    found = answers(unpacked, [(each.text, each.place) for each in examples()])
    verdicts = {each.title: answer["law"] for each, answer in zip(examples(), found, strict=True)}
    refuted = {title for title, law in verdicts.items() if law == "refuted"}
    assert {title.split()[0] for title in refuted} == {"Doubling", "Published"}
    assert {law for title, law in verdicts.items() if title not in refuted} == {"proved"}


def test_bytes_of_the_archive_repeat():
    assert archive() == archive()


def test_parts_are_those_of_their_hashes(tmp_path, efdgen, monkeypatch):
    made = {name: name.encode() for name in parts.hashes()}
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(
        parts, "hashes", lambda: {name: hashlib.sha256(each).hexdigest() for name, each in made.items()}
    )
    assert parts.read_parts(tmp_path) == made
    (tmp_path / parts.wheel()).write_bytes(b"another")
    with pytest.raises(EfdgenError, match="has not the sha256 of python_flint"):
        parts.read_parts(tmp_path)
    (tmp_path / parts.wheel()).unlink()
    done = efdgen("site", PLACE, "--playground", tmp_path, "--out", tmp_path / "public")
    assert (done.code, done.out) == (2, "")
    assert re.search(r"python_flint.*: no such file; fetch it by python -m efdgen.reference", done.err)
    assert not (tmp_path / "public").exists()


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, bytes]:
    """A site with a playground of empty parts, and with a hostile system of a user."""
    with over([lay_overlay(tmp_path_factory.mktemp("own"))]):
        document = collect([PLACE, HOSTILE_SYSTEM])
        playground = Playground({"a.wasm": b""}, parts.wheel(), examples(), parts.pins()["works"])
        return site_files(document, Parts(playground=playground))


def test_the_page_offers_the_built_in_place_and_links_to_it(files):
    page = Page(files[PAGE].decode())
    options = [attributes.get("value") for tag, attributes in page.elements if tag == "option"]
    assert {"g1p/shortw", "g1p/shortw/jacobian-0", "doubling"} <= {*options}
    assert HOSTILE_SYSTEM not in options
    assert HOSTILE not in page.text
    assert "index.html?formula=" in files[f"{PROVED}.html"].decode()
    assert "index.html?formula=" not in files[f"{HOSTILE_SYSTEM}/doubling/dbl-hostile.html"].decode()
    assert b'"play/index.html"' in files["index.html"]


def test_the_page_names_licences_and_loads_from_its_site_alone(files):
    page = Page(files[PAGE].decode())
    works = {each["name"]: each["licence"] for each in parts.pins()["works"]}
    assert works["Pyodide"] == "MPL-2.0"
    assert {works[name] for name in ("FLINT", "GMP", "MPFR")} == {"LGPL-3.0-or-later"}
    for each in parts.pins()["works"]:
        assert each["source"] in page.links
        assert each["version"] in each["source"]
    (policy,) = [each["content"] for tag, each in page.elements if each.get("http-equiv")]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    loaded = [each.get("src") or each.get("href") for tag, each in page.elements if tag in {"script", "link"}]
    assert [each for each in loaded if ":" in each] == []


def test_without_parts_there_is_no_playground():
    files = site_files(collect([PLACE]), Parts())
    assert [name for name in files if name.startswith("play")] == []
    assert [name for name, content in files.items() if b"play/" in content or b"layground" in content] == []


def test_every_answer_of_singular_is_shipped_for_it(unpacked, database):
    """A Jacobi intersection needs one: without it, the law is undecided."""
    name = "g1p/jintersect/standard/doubling/dbl-2001-ls"
    question = (database.text(name), name.rpartition("/")[0])
    assert answers(unpacked, [question])[0]["law"] == "proved"
    known = unpacked / "packages/efdgen/verify/shipped-answers"
    content = known.read_text()
    try:
        known.write_text("{}")
        assert answers(unpacked, [question])[0]["law"] == "undecided"
    finally:
        known.write_text(content)
