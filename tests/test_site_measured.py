"""Times of `efdgen bench --json` on pages of curves, systems and formulas, and files that are refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pages import Command, blocks
from plots import row
from reference_links import Page
from reference_overlay import HOSTILE

from efdgen.reference.document import collect
from efdgen.reference.measured import read_measured
from efdgen.reference.pages.site import Parts, site_files

SYSTEM = "g1p/twisted/extended-1"
DOUBLING = f"{SYSTEM}/doubling/dbl-2008-hwcd"
ROOT = Path(__file__).resolve().parents[1]
OTHERS = ROOT / "docs/plots/whole-operations.json"
TIMES = {"C, gcc": (51.67, 220.45), "Rust": (60.5, 1253.125), "Python": (1420.4, None)}
pytestmark = pytest.mark.slow


def timed(compiler: str = "C, gcc", operation: str = "doubling", system: str = "extended-1", **more) -> dict:
    nanoseconds, cycles = TIMES[compiler]
    figures = {"nanoseconds": nanoseconds, "cycles": cycles, "cost": None, "formula": None}
    return row(system, compiler, operation=operation, **{**figures, **more})


ROWS = [
    timed("C, gcc", formula=DOUBLING),
    timed("Rust", formula=DOUBLING),
    timed("Python", formula=DOUBLING),
    timed("C, gcc", "signing", nanoseconds=1e6, cycles=None),
    timed("C, gcc", "ladder step", "xz of Curve25519", nanoseconds=77.0, cycles=333.0),
    row("extended-1", "C, gcc", series="additions", sizes=[1, 8], nanoseconds=[1.0, 2.0]),
    {"operation": "doubling", "compiler": "Python, the package ecdsa", "nanoseconds": 7.0},
]


@pytest.fixture(scope="module")
def document() -> dict:
    return collect([SYSTEM], 1)


@pytest.fixture
def pages(document, tmp_path):
    def made(rows: list[dict]) -> dict[str, Page]:
        (tmp_path / "times.json").write_text(json.dumps(rows), encoding="utf-8")
        parts = Parts(measured=read_measured([tmp_path / "times.json"]))
        files = site_files(document, parts)
        return {path: Page(text.decode()) for path, text in files.items() if path.endswith(".html")}

    return made


def measured(page: Page) -> list[str]:
    """Return the texts of a page from its times to the next heading, without white space."""
    texts = [text.strip() for text in page.texts if text.strip()]
    if "Measured" not in texts:
        return []
    return texts[texts.index("Measured") :]


def test_pages_have_the_times_of_the_file(pages):
    found = pages(ROWS)
    heads = ["C, gcc 12.2.0", "Rust, rustc 1.95.0", "Python 3.11.7"]
    numbers = ["220.45", "51.67 ns", "1,253.12", "60.5 ns", "1,420.4 ns"]
    curve = measured(found["curves/edwards25519.html"])
    at = curve.index("x86_64 Model 7")
    assert curve[at + 1 : at + 15] == [
        *("Operation", "System", "Formula", *heads),
        *("doubling", "extended-1", "dbl-2008-hwcd", *numbers),
    ]
    assert curve[at + 15 : at + 22] == [
        "signing",
        "extended-1",
        "–",
        "1,000,000 ns",
        "–",
        "–",
        curve[at + 21],
    ]
    system = measured(found[f"{SYSTEM}.html"])
    at = system.index("x86_64 Model 7")
    assert system[at + 1 : at + 15] == [
        *("Operation", "Curve", "Formula", *heads),
        *("doubling", "edwards25519", "dbl-2008-hwcd", *numbers),
    ]
    formula = measured(found[f"{DOUBLING}.html"])
    at = formula.index("x86_64 Model 7")
    assert formula[at + 1 : at + 14] == [
        *("Operation", "Curve", "System", *heads),
        *("doubling", "edwards25519", "extended-1", *numbers[:4]),
    ]
    ladder = measured(found["curves/Curve25519.html"])
    assert ladder[ladder.index("ladder step") :][:4] == ["ladder step", "xz", "333", "77 ns"]
    assert "Formula" not in ladder[: ladder.index("ladder step")]


def test_pages_of_other_curves_systems_and_formulas_have_no_times(pages):
    found = {path for path, page in pages(ROWS).items() if measured(page)}
    assert found == {
        *("curves/edwards25519.html", "curves/Curve25519.html", f"{SYSTEM}.html", f"{DOUBLING}.html"),
    }
    assert not measured(pages([timed(system="affine")])[f"{SYSTEM}.html"])


def test_machines_have_tables_of_their_own_and_their_texts_are_escaped(pages):
    other = [timed(machine=HOSTILE), timed()]
    page = pages(other)["curves/edwards25519.html"]
    assert {HOSTILE, "x86_64 Model 7"} <= {text.strip() for text in page.texts}
    assert not [tag for tag, attributes in page.elements if tag == "script" and "src" not in attributes]


def test_curves_have_any_of_their_names(pages):
    rows = [timed(curve="k-256", system="jacobian-0"), timed(curve="NIST P-256", system="jacobian-3")]
    found = pages(rows)
    assert measured(found["curves/secp256k1.html"])
    assert measured(found["curves/secp256r1.html"])


REFUSED = {
    "not JSON": ("{", "not JSON; give a file that efdgen bench --json wrote"),
    "another list": ([{"a": 1}], "no measurement of a coordinate system; give a file"),
    "a figure": ([timed(cycles=-1.0)], "measurement 1 is incomplete"),
    "a text": ([timed(cycles="<b>")], "measurement 1 is incomplete"),
    "a formula": ([timed(formula=["x"])], "measurement 1 is incomplete"),
    "no formula": ([timed(formula=f"{DOUBLING}-9")], "no formula is called 'g1p/twisted/extended-1/doubling"),
    "no curve": ([timed(curve="edwards25518")], "no curve is called 'edwards25518'; did you mean"),
    "a file": ([timed(curve="/etc/passwd")], "the curve of a file, '/etc/passwd'; put it into a --database"),
    "no system": ([timed(system="jacobian")], "times no 'doubling' in 'g1p/twisted/jacobian'"),
    "no operation": ([timed(operation="tripling")], "times no 'tripling' in 'g1p/twisted/extended-1'"),
    "twice": ([timed(), timed(cycles=9.0)], "edwards25519 g1p/twisted/extended-1 doubling is timed twice"),
}


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", REFUSED)
def test_another_file_is_refused_in_a_line(name, efdgen, tmp_path):
    content, message = REFUSED[name]
    file, out = tmp_path / "times.json", tmp_path / "public"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    done = efdgen("site", DOUBLING, "--measured", file, "--out", out)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())
    assert done.err.startswith(f"efdgen: {file}: ")
    assert not out.exists()


def test_two_files_with_one_time_are_named_and_others_are_missing_or_foreign(efdgen, tmp_path):
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file in files:
        file.write_text(json.dumps(ROWS), encoding="utf-8")
    for given, message in (
        (files, f"{files[0]} and {files[1]}: edwards25519"),
        ([tmp_path / "none.json"], "none.json"),
        ([OTHERS], "whole-operations.json: "),
    ):
        options = [word for file in given for word in ("--measured", file)]
        done = efdgen("site", DOUBLING, *options, "--out", tmp_path / "public")
        assert done.code == 2
        assert message in " ".join(done.err.split())
        assert not (tmp_path / "public").exists()


@pytest.mark.long
@pytest.mark.usefixtures("gcc")
def test_the_commands_of_the_page_show_the_times_of_this_machine(tmp_path, monkeypatch):
    """They are in docs/for-researchers.md; each formula that is named has its times on its page."""
    monkeypatch.setenv("CC", "gcc")
    found = blocks((ROOT / "docs/for-researchers.md").read_text(encoding="utf-8"))
    commands = [
        each.text for each in found if isinstance(each, Command) and Path(__file__).name in each.run_by
    ]
    assert len(commands) == 2
    for command in commands:
        words, _, file = command.partition(" > ")
        arguments = [sys.executable, "-m", *words.split()]
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        if file:
            (tmp_path / file).write_text(done.stdout, encoding="utf-8")
    rows = json.loads((tmp_path / "times.json").read_text(encoding="utf-8"))
    named = [each for each in rows if each["formula"]]
    assert {each["operation"] for each in named} == {"doubling", "addition"}
    for each in named:
        page = Page((tmp_path / f"measured/{each['formula']}.html").read_text(encoding="utf-8"))
        assert each["machine"] in page.texts
        assert f"{each['nanoseconds']:,.2f}".rstrip("0").rstrip(".") + " ns" in page.texts
