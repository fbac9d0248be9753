"""`efdgen site`: links, addresses, verdicts of users' formulas, hostile text, and directories of others."""

import json
import re
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from reference_links import Page, broken_links, read_pages
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

from efdgen.generator.formulas.database import Database
from efdgen.reference.pages.plots import Line, crossings
from efdgen.reference.pages.words import exception

ADD = "g1p/shortw/jacobian/addition/add-2007-bl"
LARGEST = 150_000
pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def overlay(tmp_path_factory) -> Path:
    return lay_overlay(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def site(tmp_path_factory, overlay) -> Path:
    """A site of a few systems, one of them hostile, by the command of docs/for-researchers.md."""
    out = tmp_path_factory.mktemp("site") / "public"
    command = [sys.executable, "-m", "efdgen", *arguments(overlay, out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def arguments(overlay: Path, out: Path) -> list[str]:
    return ["--database", f"{overlay}", "site", *SELECTORS, "--out", f"{out}", "--base", "https://x.org/c"]


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return read_pages(site)


def test_links_and_fragments_lead_somewhere(pages):
    assert len(pages) > 200
    assert broken_links(pages) == []
    assert all(len(page.ids) == len(set(page.ids)) for page in pages.values())
    assert sum(len(page.links) for page in pages.values()) > 10_000


def test_a_broken_link_is_found(site, pages):
    path = site / "index.html"
    for text in ('<a href="nowhere.html">', '<a href="data.html#nowhere">'):
        assert broken_links({**pages, path: Page(text)}) == [(str(path), text.split('"')[1])]


def test_every_published_address_is_there(site, database):
    for name in database.select(["g1p/shortw/jacobian", "g1p/shortw/xz"]):
        assert (site / name).read_text(encoding="utf-8") == database.text(name)
        assert (site / f"{name}.html").is_file()
        assert "input" not in (site / f"{name}.op3").read_text(encoding="utf-8")
    for name in ("g1p/shortw/coordinates", "g1p/shortw/jacobian/variables"):
        assert (site / name).read_text(encoding="utf-8") == database.text(name)
    for name in ("g1p/auto-shortw.html", "g1p/auto-shortw-jacobian.html"):
        assert (site / name).is_file()


def test_a_page_has_what_the_command_line_says(site, efdgen):
    text = Page((site / f"{ADD}.html").read_text(encoding="utf-8")).text
    shown = json.loads(efdgen("show", ADD, "--json").out)
    assert shown["emitted"]["text"] in text
    assert f"Proved for {shown['characteristic']}" in text
    for label in shown["exceptions"]:
        assert exception(label) in text
    weights = [*shown["weights"].values(), str(shown["depth"]), str(shown["width"])]
    assert f"11M + 5S + 13add{''.join(weights)}" in text


def test_proofs_are_beside_formulas(site, pages, database):
    """The script states the law; the archive has the certificate of every proved formula of the system."""
    script = (site / f"{ADD}.sage.py").read_text(encoding="utf-8")
    assert "# P3 == P1 + P2: x == X/Z^2" in script
    compile(script, "add", "exec")
    assert not (site / f"{REFUTED}.sage.py").exists()
    with zipfile.ZipFile(site / "g1p/shortw/jacobian-rocq.zip") as archive:
        names = {name.removesuffix(".v") for name in archive.namelist()}
    wanted = {re.sub(r"\W", "_", name) for name in database.select(["g1p/shortw/jacobian"])}
    assert names == wanted
    assert any(link.endswith("jacobian-rocq.zip") for link in pages[site / f"{ADD}.html"].links)


@pytest.mark.slow
def test_kernels_are_those_of_the_compiler(efdgen, tmp_path):
    """A page shows the functions that its commands write; a formula for binary curves has none in Rust."""
    doubling, binary = (
        "g1p/shortw/jacobian-0/doubling/dbl-2009-l",
        "g12o/shortw/lopezdahab/doubling/dbl-2005-l",
    )
    out = tmp_path / "public"
    assert efdgen("site", doubling, binary, "--kernels", "--out", str(out)).code == 0
    text = Page((out / f"{doubling}.html").read_text(encoding="utf-8")).text
    commands = re.findall(r"efdgen (compile --\S+ \S+ --curve [a-z]\w+ --formulas \S+)", text)
    assert len(commands) == 3
    for number, command in enumerate(commands):
        made = tmp_path / str(number)
        assert efdgen(*command.split(), "--out", str(made)).code == 0
        (file,) = (path for path in made.iterdir() if path.stem in {"point", "points", "secp256k1"})
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if "X1^2" in line]
        assert lines
        assert all(line in text for line in lines)
    other = Page((out / f"{binary}.html").read_text(encoding="utf-8")).text
    assert "--lang python" in other
    assert "FE_MUL(" in other
    assert "ff::Field" not in re.sub(r"As the compiler prints.*", "", other)


def test_unproved_formulas_say_so(site):
    wrong = Page((site / f"{REFUTED}.html").read_text(encoding="utf-8")).text
    assert "Refuted" in wrong
    assert "Not proved" in wrong
    assert "right is P3" in wrong
    assert "proved with line 6" in wrong
    assert "Proved for" not in wrong
    assert "is right for every input" not in wrong
    broken = Page((site / f"{UNREADABLE}.html").read_text(encoding="utf-8")).text
    assert "Unreadable" in broken
    assert f"{UNREADABLE}:1:1: unexpected character" in broken
    system = Page((site / "g1p/shortw/jacobian-0.html").read_text(encoding="utf-8"))
    assert "1 of them not proved" in system.text
    assert "dbl-broken.html" in " ".join(system.links)
    assert "From a user database" in Page((site / f"{PROVED}.html").read_text(encoding="utf-8")).text


def test_hostile_text_is_text(site, pages):
    system = pages[site / f"{HOSTILE_SYSTEM}.html"]
    assert HOSTILE in system.text
    assert {HOSTILE, "no-such-key<b>"} <= {*pages[site / f"{HOSTILE_FORMULA}.html"].texts}
    assert HOSTILE in pages[site / f"{UNREADABLE}.html"].text
    for path, page in pages.items():
        for tag, attributes in page.elements:
            assert tag != "b" or not attributes, path
            assert not any(name.startswith("on") for name in attributes), path
            if tag == "script":
                assert attributes.get("src", "").split("/")[-1] in {
                    "theme.js", "site.js", "search.js", "search-data.js", "sections.js", "moved.js",
                }, path  # fmt: skip


def test_no_page_is_large_or_loads_anything_from_elsewhere(site, pages):
    assert not [path for path in pages if path.stat().st_size > LARGEST]
    for path, page in pages.items():
        loaded = [
            a.get("src") or a.get("href") for tag, a in page.elements if tag in ("script", "link", "img")
        ]
        outside = [each for each in loaded if each and each.startswith(("http:", "https:", "//"))]
        assert all(each.startswith("https://x.org/c/") for each in outside), path
    style = (site / "static/site.css").read_text(encoding="utf-8")
    assert "http" not in style


def test_the_site_map_lists_the_pages(site):
    text = (site / "sitemap.xml").read_text(encoding="utf-8")
    assert f"<loc>https://x.org/c/{ADD}.html</loc>" in text


def test_bytes_repeat_and_pages_that_are_gone_are_removed(site, efdgen, overlay):
    again = [*arguments(overlay, site), "--json"]
    files = json.loads(efdgen(*again).out)["files"]
    assert [each for each in files if each["state"] != "unchanged"] == []
    (site / "CNAME").write_text("x.org")
    (overlay / PROVED).rename(overlay / f"{PROVED}-2")
    states = {each["path"]: each["state"] for each in json.loads(efdgen(*again).out)["files"]}
    assert states[str(site / f"{PROVED}.html")] == "removed"
    assert states[str(site / f"{PROVED}-2.html")] == "added"
    assert not (site / f"{PROVED}.html").exists()
    assert (site / "CNAME").read_text() == "x.org"
    (overlay / f"{PROVED}-2").rename(overlay / PROVED)
    assert efdgen(*again).code == 0


def test_a_directory_of_others_is_refused(efdgen, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    done = efdgen("site", "dbl-2002-bj-3", "--out", str(tmp_path))
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1
    assert "has files that efdgen did not write" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_documentation_is_part_of_the_site(efdgen, tmp_path):
    out = tmp_path / "public"
    done = efdgen("site", "dbl-2002-bj-3", "--documentation", str(ROOT), "--out", str(out))
    assert done.code == 0, done.err
    pages = read_pages(out)
    assert broken_links(pages) == []
    names = {path.relative_to(ROOT).with_suffix(".html").as_posix() for path in ROOT.glob("docs/*.md")}
    assert names | {"README.html", "SOUNDNESS.html", "efd/FORMAT.html"} <= {
        path.relative_to(out).as_posix() for path in pages
    }
    glossary = pages[out / "docs/glossary.html"]
    assert "<!--" not in glossary.text
    assert any(link.endswith("docs/README.html") for link in pages[out / "index.html"].links)
    assert not [path for path in pages if path.stat().st_size > LARGEST]


def test_plots_name_the_cheapest_by_ratio():
    """10M is cheaper than 6M + 6S from S = 2/3 M on, and 5M + 5S nowhere cheaper than 4M + 5S."""
    groups = {"a": [Line(6, 6)], "b": [Line(10, 0)], "c": [Line(11, 0)]}
    assert crossings(groups) == [(0, "a"), (Fraction(2, 3), "b")]
    assert crossings({"one": [Line(5, 5)], "other": [Line(4, 5)]}) == [(0, "other")]


def test_exceptional_inputs_are_worded(database: Database):
    words = {
        "P=Q": "P = Q: equal points",
        "P-Q at infinity": "P−Q is at infinity",
        "x(2P)=0": "the x-coordinate of 2P is 0",
        "2P+Q=O": "2P+Q is the identity",
        "P-Q of order 2": "P−Q has order 2",
    }
    assert {label: exception(label) for label in words} == words
