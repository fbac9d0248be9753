"""The commands `efdgen list` and `efdgen show`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from efdgen.generator.formulas.database import Database

ADD = "g1p/shortw/jacobian/addition/add-2007-bl"


def test_list_prints_one_id_a_line(efdgen: Callable, database: Database) -> None:
    result = efdgen("list")
    assert (result.code, result.err) == (0, "")
    assert tuple(result.out.splitlines()) == database.ids
    assert len(database.ids) >= 589
    assert efdgen("list", "g1p/montgom/xz/scaling", "dbl-2009-alnr").out.splitlines() == [
        "g1p/montgom/xz/scaling/scale",
        "g1p/shortw/jacobian-0/doubling/dbl-2009-alnr",
    ]


def test_list_says_more_in_json(efdgen: Callable) -> None:
    (entry,) = json.loads(efdgen("list", "g1p/shortw/jacobian/addition/madd-2007-bl", "--json").out)
    assert entry == {
        "id": "g1p/shortw/jacobian/addition/madd-2007-bl",
        "kind": "addition",
        "model": "short Weierstrass curves",
        "system": "Jacobian coordinates",
        "source": "[2007-bernstein-lange]",
        "parameters": ["a", "b"],
        "assumptions": ["Z2 == 1"],
        "checked_by": "Rocq 8.16.1",
    }


def test_show_tells_everything_about_a_formula(efdgen: Callable) -> None:
    result = efdgen("show", ADD)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == ADD
    assert "  curve            short Weierstrass curves: y^2 == x^3 + a*x + b" in lines
    assert "  system           Jacobian coordinates: x == X/Z^2; y == Y/Z^3" in lines
    assert "  kind             addition of two points: P3 == P1 + P2" in lines
    assert "  source           [2007-bernstein-lange]; [2001-bernstein]" in lines
    assert any("Faster addition and doubling on elliptic curves" in line for line in lines)
    assert "  assuming         nothing" in lines
    assert any(line.startswith("  cost             11M + 5S + 9add + 4*2 as published") for line in lines)
    assert "  verdict          proved for every odd p: checked by Rocq 8.16.1" in lines
    assert "  Z3 = ((Z1 + Z2)^2 - Z1Z1 - Z2Z2)*H" in lines
    assert any(line.endswith(" = Z1 + Z2") for line in lines)
    assert "  output X3 = X3" in lines


def test_show_says_the_same_in_json(efdgen: Callable) -> None:
    shown = json.loads(efdgen("show", ADD, "--json").out)
    assert shown["id"] == ADD
    assert shown["verdict"] == "proved"
    assert (shown["characteristic"], shown["checked_by"]) == ("every odd p", "Rocq 8.16.1")
    assert shown["laws"] == ["P3 == P1 + P2"]
    assert shown["cost"]["text"] == "11M + 5S + 9add + 4*2"
    assert shown["equations"][0] == "Z1Z1 = Z1^2"
    assert shown["program"][-1] == "output Z3 = Z3"
    assert list(shown["citations"]) == ["2007-bernstein-lange", "2001-bernstein"]


def test_show_proves_multiplications_on_a_curve(efdgen: Callable, tmp_path: Path) -> None:
    result = efdgen("show", "P-256")
    assert (result.code, result.err) == (0, "")
    text = " ".join(result.out.split())
    assert (
        "multiplications in C and Rust, g1p/shortw/jacobian-3 multiply Proved: k·P for every k and P;" in text
    )
    assert "before the first 62 of 63 additions" in text
    assert "signatures in C and Rust ecdsa_sign Proved from numbers and points on:" in text
    ladder = json.loads(efdgen("show", "curve25519", "--json").out)
    assert ladder["cofactor"] == "0x8"
    assert ladder["multiplications"]["x_multiply"].startswith("Proved: x(k·P) for every k and every x")
    path = tmp_path / "curve.toml"
    path.write_text('name = "c"\nmodel = "g1p/shortw"\nprime = 37\nparameters = {a = 3, b = 7}\n')
    assert efdgen("show", path).out.endswith(
        "C and Rust, none proved: c has no generator; --set curve needs it in the curve's file\n"
    )


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        ("dbl-2007-bl", "more (efdgen list dbl-2007-bl); give one id"),
        ("g1p/shortw", "more (efdgen list g1p/shortw); give one id"),
        ("add-2007-bk", "did you mean add-2007-bl"),
    ],
)
def test_show_wants_one_formula(efdgen: Callable, selector: str, reason: str) -> None:
    result = efdgen("show", selector)
    assert (result.code, result.out) == (2, "")
    assert reason in result.err
    assert result.err.count("\n") == 1


def test_help_loads_nothing_that_is_slow() -> None:
    code = (
        "import sys; from efdgen.cli import cli\n"
        "try: cli(['--help'])\n"
        "except SystemExit: print(sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = out.splitlines()[-1]
    assert "'click'" in modules
    assert not any(f"'{name}'" in modules for name in ("lark", "rich", "sage", "jinja2", "gmpy2"))


def test_show_names_a_file_of_a_curve_that_is_not_there(efdgen: Callable) -> None:
    assert efdgen("show", "nowhere.toml") == (2, "", "efdgen: nowhere.toml: No such file or directory\n")
