"""`efdgen bench`: what it prints and writes, and what it refuses."""

import json

import pytest

from efdgen.generator.measuring.formats import ROWS, table
from efdgen.generator.measuring.measure import Measured
from efdgen.generator.measuring.programs import Time

SYSTEM = ("bench", "--curve", "edwards25519", "--coords", "extended-1", "--rounds", "1")


@pytest.mark.parametrize(("language", "compiler"), [("python", "Python"), ("c", "C, gcc")])
def test_every_operation_of_a_curve_is_timed(language, compiler, efdgen, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "gcc")
    out = tmp_path / "times.json"
    outcome = efdgen(*SYSTEM, "--lang", language, "--json", out)
    assert outcome.code == 0, outcome.err
    assert "4M + 4S + 8add" in outcome.out
    times = {
        r["operation"]: r["nanoseconds"] for r in json.loads(out.read_text()) if r["compiler"] == compiler
    }
    assert set(times) == set(ROWS) - {"exchange"}
    assert min(times.values()) > 0


def test_a_table_has_the_ratio_to_the_package_ecdsa():
    measured = Measured("extended-1", {}, {"Python": {"doubling": Time(2000.0, None)}})
    (*_, ratios) = table(measured, {"doubling": 3000.0}).columns
    assert (ratios.header, list(ratios.cells)) == ("ecdsa / Python", ["1.50"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SYSTEM, "--lang", "go"), "--lang takes c, rust and python"),
        (("bench", "--curve", "edwards25519", "--rounds", "0"), "--rounds is 1 at least"),
        (("bench", "--curve", "curve25519", "--lang", "python"), "time its Edwards form"),
        (("bench", "--curve", "edwards25519", "--coords", "none"), "none"),
    ],
)
def test_what_cannot_be_timed_is_refused(arguments, message, efdgen):
    outcome = efdgen(*arguments)
    assert outcome.code == 2
    assert message in outcome.err
