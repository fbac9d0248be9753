"""`efdgen bench`: what it prints and writes, and what it refuses."""

import json

import pytest

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.measuring.formats import ROWS, is_markdown_table, markdown_table, table
from efdgen.generator.measuring.measure import Measured, montgomery_form
from efdgen.generator.measuring.programs import Time
from efdgen.generator.measuring.series import BATCH, SERIES

SYSTEM = ("bench", "--curve", "edwards25519", "--coords", "extended-1", "--rounds", "1")
COMPILERS = pytest.mark.parametrize(("language", "compiler"), [("python", "Python"), ("c", "C, gcc")])
LADDER = {"ladder step", "x alone"}
LADDER_ROWS = {*LADDER, "variable base", "fixed base", "encoding", "decoding"}


def timed(efdgen, arguments, compiler):
    outcome = efdgen(*arguments, "--json")
    assert outcome.code == 0, outcome.err
    rows = {r["operation"]: r for r in json.loads(outcome.out) if r["compiler"] == compiler}
    assert min(row["nanoseconds"] for row in rows.values()) > 0
    return outcome.err, rows


@COMPILERS
@pytest.mark.usefixtures("gcc")
def test_every_operation_of_a_curve_is_timed(language, compiler, efdgen, monkeypatch):
    monkeypatch.setenv("CC", "gcc")
    printed, rows = timed(efdgen, (*SYSTEM, "--lang", language), compiler)
    assert "4M + 4S + 8add" in printed
    assert set(rows) == set(ROWS) - LADDER - {"exchange"}
    for name, row in rows.items():
        assert bool(row["formula"]) == (name in {"doubling", "addition"})
        if row["formula"]:
            shown = json.loads(efdgen("show", row["formula"], "--json").out)
            assert (shown["kind"], shown["system_id"]) == (name, "g1p/twisted/extended-1")


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("curve", "system", "series"),
    [("edwards448", "projective", {*SERIES}), ("secp256k1", "jacobian-0", {*SERIES} - {BATCH})],
)
@pytest.mark.parametrize(("language", "compiler"), [("rust", "Rust"), ("c", "C, gcc")])
@pytest.mark.usefixtures("gcc", "cargo")
def test_signatures_of_other_curves_are_timed(
    language, compiler, curve, system, series, efdgen, monkeypatch, tmp_path
):
    """Was: programs for edwards448 passed no context, and a manifest for secp256k1 named a package twice."""
    monkeypatch.setenv("CC", "gcc")
    asked = ("--curve", curve, "--coords", system, "--lang", language, "--rounds", "1", "--plot", tmp_path)
    outcome = efdgen("bench", *asked, "--json")
    assert outcome.code == 0, outcome.err
    rows = [row for row in json.loads(outcome.out) if row["compiler"] == compiler]
    assert {"signing", "verification"} <= {row.get("operation") for row in rows}
    assert {row["series"] for row in rows if "series" in row} == series


@COMPILERS
@pytest.mark.parametrize(("curve", "bits", "exchange"), [("curve25519", 256, True), ("M-221", 224, False)])
@pytest.mark.usefixtures("gcc")
def test_every_operation_of_a_montgomery_curve_is_timed(
    curve, bits, exchange, language, compiler, efdgen, monkeypatch
):
    monkeypatch.setenv("CC", "gcc")
    asked = ("bench", "--curve", curve, "--rounds", "1", "--lang", language)
    _, rows = timed(efdgen, asked, compiler)
    assert set(rows) == LADDER_ROWS | ({"exchange"} if exchange else set())
    assert rows["ladder step"]["cost"] == "5M + 4S + 1*a24 + 8add"
    assert rows["ladder step"]["formula"].startswith("g1p/montgom/xz/ladder/")
    counted = f"{5 * bits}M + {4 * bits}S + {bits}*a24 + {8 * bits}add"
    assert {name for name, row in rows.items() if row["cost"] == counted} == set(rows) - {
        *("ladder step", "encoding", "decoding")
    }


def test_an_edwards_curve_is_timed_in_its_montgomery_form(efdgen):
    asked = ("bench", "--curve", "edwards25519", "--coords", "xz", "--rounds", "1", "--lang", "python")
    printed, rows = timed(efdgen, asked, "Python")
    assert "xz of Curve25519" in printed
    assert set(rows) == LADDER_ROWS | {"exchange"}
    assert montgomery_form(Database(), load_curve("Curve1174")) is None


def test_a_table_has_the_ratio_to_the_package_ecdsa():
    measured = Measured("extended-1", {}, {"Python": {"doubling": Time(2000.0, None)}})
    found = table(measured, {"doubling": 3000.0})
    assert (found.heads[-1], [row[-1] for row in found.rows]) == ("ecdsa / Python", ["1.50"])


def test_a_page_gets_one_table_of_all_systems():
    """Compilers without a time leave an empty cell; what has no cycles is in microseconds."""
    first = Measured(
        "extended",
        {"doubling": "4M + 1*d"},
        {"C, gcc": {"doubling": Time(50.0, 201.4)}, "Python": {"doubling": Time(1730.0, None)}},
    )
    second = Measured("affine", {}, {"Python": {"addition": Time(1_063_000.0, None)}})
    assert markdown_table([first, second]).splitlines() == [
        "| system | operation | cost | C, gcc | Python, µs |",
        "| --- | --- | --- | ---: | ---: |",
        "| extended | doubling | 4M + 1·d | 201 | 1.73 |",
        "| affine | addition |  |  | 1,063 |",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SYSTEM, "--lang", "go"), "--lang takes c, rust and python"),
        (("bench", "--curve", "edwards25519", "--rounds", "0"), "--rounds must be at least 1"),
        ((*SYSTEM, "--markdown", "missing/x.md"), "cannot write missing/x.md: missing is not a directory"),
        (("bench", "--curve", "curve25519", "--coords", "affine"), "timed in xz alone"),
        (("bench", "--curve", "edwards25519", "--coords", "none"), "none"),
        (("bench", "--curve", "Curve1174", "--coords", "xz"), "no built-in Montgomery curve is Curve1174"),
    ],
)
def test_what_cannot_be_timed_is_refused(arguments, message, efdgen):
    outcome = efdgen(*arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_page_is_not_overwritten_by_its_table(efdgen, tmp_path):
    table = markdown_table([Measured("affine", {}, {"Python": {"addition": Time(1_063_000.0, None)}})])
    assert is_markdown_table(table.encode())
    page = tmp_path / "page.md"
    for text in ("# Performance\n\n" + table, table + "\nand more\n"):
        page.write_text(text)
        outcome = efdgen(*SYSTEM, "--markdown", page)
        assert (outcome.code, page.read_text()) == (2, text)
        assert "contains more than a table; name another file" in outcome.err
