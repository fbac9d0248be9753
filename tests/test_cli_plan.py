"""`efdgen plan`: plans side by side, and curves that there is none for."""

import json
from fractions import Fraction

import pytest

from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.formulas.database import BUILT_IN


@pytest.mark.slow
def test_plans_side_by_side(efdgen):
    found = efdgen("plan", "--curve", "secp256k1", "--operation", "double-base", "--json")
    rows = json.loads(found.out)
    assert found.code == 0
    assert [row["chosen"] for row in rows].count(True) == 1
    chosen = next(row for row in rows if row["chosen"])
    assert chosen["system"] == "g1p/shortw/jacobian-0"
    assert Fraction(chosen["weight"]) == min(Fraction(row["weight"]) for row in rows)
    assert {row["system"].rpartition("/")[2] for row in rows} >= {
        "jacobian",
        "xyzz",
        "projective",
        "modified",
    }
    text = efdgen(
        "plan",
        "--curve",
        "secp256k1",
        "--coords",
        "jacobian",
        "--operation",
        "fixed-base",
        "--table",
        "small",
    )
    assert "comb of" in text.out
    assert text.out.count(" *  ") == 1
    weighed = ["plan", "--curve", "secp256k1", "--operation", "variable-base", "--weights", "I=10000"]
    for asked, inverts in ((), False), (("--odd-multiples", "co-z"), True):
        heavy = json.loads(efdgen(*weighed, "--json", *asked).out)
        first = next(row for row in heavy if row["chosen"])
        assert (Fraction(first["weight"]) > 10000) == inverts
        assert (first["odd_multiples"] == "co-z") == inverts


def test_multiplications_have_their_proofs(efdgen):
    asked = ("--operation", "variable-base", "--operation", "fixed-base", "--coords", "jacobian-3", "--json")
    rows = json.loads(efdgen("plan", "--curve", "P-256", *asked).out)
    proofs = {row["operation"]: row["proof"] for row in rows if row["chosen"]}
    assert [row["chosen"] for row in rows] == ["proof" in row for row in rows]
    assert proofs["variable-base"].startswith(
        "Proved: k·P for every k and P; no addition meets an exceptional"
    )
    assert "the first 62 of 63 additions" in proofs["variable-base"]
    assert proofs["fixed-base"].startswith("Proved: k·G for every k;")


@pytest.mark.slow
def test_curves_with_signatures_have_a_test_at_half_length(efdgen):
    asked = ("--operation", "half-length", "--coords", "extended-1", "--json")
    found = json.loads(efdgen("plan", "--curve", "edwards25519", *asked).out)
    assert [row["system"] for row in found if row["chosen"]] == ["g1p/twisted/extended-1"]
    assert "half-length" not in efdgen("plan", "--curve", "secp256k1", "--coords", "jacobian").out
    refused = efdgen("plan", "--curve", "secp256k1", "--operation", "half-length")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "leave --operation half-length out" in refused.err


def test_what_no_plan_can_be_made_for_is_one_line(efdgen, tmp_path):
    for curve, why in (
        ("bandersnatch", "not complete"),
        ("stark-curve", ""),
    ):
        found = efdgen("plan", "--curve", curve, "--operation", "fixed-base", "--table", "small")
        assert (found.code, found.err.count("\n")) == ((2, 1) if why else (0, 0)), found.err
        assert why in found.err
    path = tmp_path / "curve.toml"
    path.write_text('name = "c"\nmodel = "g1p/shortw"\nprime = 37\nparameters = {a = 3, b = 7}\n')
    found = efdgen("plan", "--curve", str(path))
    assert (found.code, found.err) == (
        2,
        "efdgen: c has no generator; --set curve needs it in the curve's file\n",
    )


def test_curves_without_a_complete_law_are_those_of_the_manual(efdgen, tmp_path):
    """Were four that got no whole curve, and no page said so."""
    incomplete = [
        curve.name
        for curve in built_in_curves()
        if curve.model in ("g1p/edwards", "g1p/twisted")
        and (
            not is_square(curve.parameters.get("a", 1), curve.prime)
            or is_square(curve.parameters["d"], curve.prime)
        )
    ]
    assert sorted(incomplete) == ["Bandersnatch", "numsp256t1", "numsp384t1", "numsp512t1"]
    manual = (BUILT_IN.parent / "docs/curves-api.md").read_text()
    assert "Bandersnatch and the three `numsp…t1` have no such law" in " ".join(manual.split())
    for name in incomplete:
        done = efdgen("compile", "--lang", "python", "--set", "curve", "--curve", name, "--out", tmp_path)
        assert done.code == 2
        assert f"the addition law of {name} is not complete" in done.err
        assert "leave out --set for its formulas alone" in done.err
    assert efdgen("compile", "--lang", "python", "--curve", "Bandersnatch", "--out", tmp_path).code == 0


def is_square(value: int, prime: int) -> bool:
    return pow(value, (prime - 1) // 2, prime) != prime - 1


@pytest.mark.parametrize("name", [c.name for c in built_in_curves() if c.model == "g1p/montgom"])
def test_a_montgomery_curve_has_its_ladder(efdgen, name):
    """Was: "--set curve supports …", of a command without --set and a curve that --set curve supports."""
    curve = next(found for found in built_in_curves() if found.name == name)
    found = efdgen("plan", "--curve", name)
    assert (found.code, found.err) == (0, "")
    (row,) = json.loads(efdgen("plan", "--curve", name, "--json").out)
    assert (row["method"], row["system"], row["chosen"]) == ("Montgomery ladder", "g1p/montgom/xz", True)
    bits = 8 * -(-(curve.order * curve.cofactor).bit_length() // 8)
    (step,) = row["steps"]
    assert step["times"] == f"{bits}"
    # The step of the ladder is M + M + 4S + … of Montgomery's paper: 5M + 4S, one of them by (a + 2)/4.
    assert row["operations"] == {
        "M": f"{5 * bits}",
        "S": f"{4 * bits}",
        "*a24": f"{bits}",
        "add": f"{8 * bits}",
    }
    assert "Montgomery ladder" in found.out
    refused = efdgen("plan", "--curve", name, "--operation", "fixed-base")
    said = f"efdgen: {name} has no method for fixed-base; leave --operation fixed-base out\n"
    assert (refused.code, refused.err) == (2, said)
