"""`efdgen verify --from`: what is wrong in a tree as the database publishes it, and nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

COORDINATES = """name short Weierstrass curves
parameter a
parameter b
coordinate x
coordinate y
satisfying y^2 = x^3 + a x + b
addition x = (y2-y1)^2/(x2-x1)^2-x1-x2
addition y = (2 x1+x2) (y2-y1)/(x2-x1)-(y2-y1)^3/(x2-x1)^3-y1
doubling x = (3 x1^2+a)^2/(2 y1)^2-x1-x1
doubling y = (2 x1+x1) (3 x1^2+a)/(2 y1)-(3 x1^2+a)^3/(2 y1)^3-y1
negation x = x1
negation y = -y1
toweierstrass weierx = x
toweierstrass weiery = y
a0 = 1
a1 = 0
a2 = 0
a3 = 0
a4 = a
a6 = b
fromweierstrass x = weierx
fromweierstrass y = weiery
"""
VARIABLES = """name Jacobian coordinates
variable X
variable Y
variable Z
satisfying x = X/Z^2
satisfying y = Y/Z^3
"""
FORMULA = """source 2020 Nobody
parameter 2b
assume 2b = 2 b
compute ZZ = Z1^2
compute M = 3 X1^2+a ZZ^2
compute S = 4 X1 Y1^2
compute X3 = M^2-2 S
compute Y3 = M(S-X3)-8 Y1^4
compute Z3 = 2 Y1 Z1
"""
CODE = """ZZ = Z1^2
t0 = X1^2
t1 = 3*t0
t2 = ZZ^2
t3 = a*t2
M = t1+t3
t4 = Y1^2
t5 = X1*t4
S = 4*t5
t6 = M^2
t7 = 2*S
X3 = t6-t7
t8 = S-X3
t9 = M*t8
t10 = Y1^4
t11 = 8*t10
Y3 = t9-t11
t12 = Y1*Z1
Z3 = 2*t12
"""
FOLDER = "g1p/shortw/jacobian/doubling"


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Path]:
    """Write a published tree with one formula, its text and its code after replacements."""

    def write(formula: tuple[str, str] = ("", ""), code: tuple[str, str] | None = ("", "")) -> Path:
        root = tmp_path / "tree"
        (root / FOLDER).mkdir(parents=True)
        (root / "g1p/shortw/coordinates").write_text(COORDINATES)
        (root / "g1p/shortw/jacobian/variables").write_text(VARIABLES)
        assert formula[0] in FORMULA
        (root / FOLDER / "dbl").write_text(FORMULA.replace(*formula) if formula[0] else FORMULA)
        if code:
            assert code[0] in CODE
            (root / FOLDER / "dbl.op3").write_text(CODE.replace(*code) if code[0] else CODE)
        return root

    return write


Verify = Callable[[Path], dict[str, object]]


@pytest.fixture
def verify(efdgen: Callable) -> Verify:
    """Run the command on a tree with one formula; return the finding, less what always is the same."""

    def run(root: Path) -> dict[str, object]:
        outcome = efdgen("verify", "--from", root, "--json")
        (finding,) = json.loads(outcome.out)
        assert outcome.code == (finding["verdict"] != "proved")
        assert finding.pop("id") == f"{FOLDER}/dbl"
        assert finding.pop("kind") == "doubling"
        seconds, earlier = finding.pop("seconds"), finding.pop("earlier")
        assert earlier or seconds > 0  # a shipped verdict takes no time
        assert finding.pop("likeness") in {"new", None}
        assert finding.pop("same_as") in ([], [f"{FOLDER}/dbl-1986-cc"])
        assert finding.pop("remarks") == []
        assert (finding.pop("tried_over") is None) is (finding["exceptions"] is None)
        assert (finding.pop("refutation") is None) is (finding["verdict_compute"] != "refuted")
        for line in finding["reason"].splitlines():
            assert f"  {line}\n" in outcome.err
        return finding

    return run


def finding(compute: str, op3: str | None, *, matches: bool | None, reason: str = "") -> dict[str, object]:
    """Return a finding; its verdict is the first of error, refuted and proved that occurs in it."""
    verdicts = [compute, op3, "refuted" if matches is False else "proved"]
    worst = next(verdict for verdict in ("error", "refuted", "proved") if verdict in verdicts)
    derived = {
        "characteristic": "every odd p",
        "exceptions": [],
        "unrepresentable": [],
        "unified": None,
        "complete": "always",
        "homogeneous": True,
    }
    return {
        **(derived if compute == "proved" else dict.fromkeys(derived)),
        "verdict": worst,
        "reason": reason,
        "verdict_compute": compute,
        "verdict_op3": op3,
        "op3_matches_compute": matches,
        "law": compute,
        "exceptional_inputs": "proved" if compute == "proved" else None,
    }


def test_a_right_formula_is_proved_twice(tree, verify: Verify):
    assert verify(tree()) == finding("proved", "proved", matches=True)


def test_a_formula_may_come_without_code(tree, verify: Verify):
    assert verify(tree(code=None)) == finding("proved", None, matches=None)


def test_wrong_code_is_refuted_at_the_first_wrong_value(tree, verify: Verify):
    root = tree(code=("M = t1+t3", "M = t1-t3"))
    reason = (
        f"op3: {root}/{FOLDER}/dbl.op3:6: M is not what the compute lines give\n"
        f"op3: {root}/{FOLDER}/dbl.op3:19: P3: x == X/Z^2 does not hold"
    )
    assert verify(root) == finding("proved", "refuted", matches=False, reason=reason)


def test_wrong_compute_lines_are_refuted_where_the_code_is_right(tree, verify: Verify):
    """Was: the place named was line 9, of Z3, where the slip stands in line 8."""
    root = tree(formula=("8 Y1^4", "4 Y1^4"))
    reason = (
        f"compute: {root}/{FOLDER}/dbl:8: P3: y == Y/Z^3 does not hold\n"
        f"op3: {root}/{FOLDER}/dbl.op3:17: Y3 is not what the compute lines give"
    )
    assert verify(root) == finding("refuted", "proved", matches=False, reason=reason)


def test_codes_that_are_right_and_differ_are_refuted(tree, verify: Verify):
    other = "t13 = -t12\nZ3 = 2*t13\nY3 = -Y3\n"
    root = tree(code=("Z3 = 2*t12\n", other))
    reason = f"op3: {root}/{FOLDER}/dbl.op3:20: Z3 is not what the compute lines give"
    assert verify(root) == finding("proved", "proved", matches=False, reason=reason)


def test_codes_may_go_different_ways(tree, verify: Verify):
    other = "t4 = Y1^2\nM = M+0\n"
    assert verify(tree(code=("t4 = Y1^2\n", other))) == finding("proved", "proved", matches=True)


def test_codes_may_differ_by_what_is_zero_on_the_curve(tree, verify: Verify):
    lines = "c0 = X1^3|c1 = Z1^4|c2 = a*X1|c3 = c2*c1|c4 = Z1^6|c5 = b*c4|c6 = t4-c0|c7 = c6-c3|c8 = c7-c5"
    other = "\n".join(["X3 = t6-t7", *lines.split("|"), "X3 = X3+c8", ""])
    assert verify(tree(code=("X3 = t6-t7\n", other))) == finding("proved", "proved", matches=True)


def test_an_error_line_is_an_error_of_the_code(tree, verify: Verify):
    root = tree(code=("S = 4*t5\n", "error: not sure how to handle 4 X1 Y1^2\n"))
    reason = (
        f"op3: {root}/{FOLDER}/dbl.op3:9:1: the published code stops with an error of its generator\n"
        "  error: not sure how to handle 4 X1 Y1^2\n  ^"
    )
    assert verify(root) == finding("proved", "error", matches=None, reason=reason)


def test_an_undefined_name_is_an_error_of_the_code(tree, verify: Verify):
    root = tree(code=("t7 = 2*S", "t7 = 2*SS"))
    found = verify(root)
    reason = str(found["reason"])
    assert reason.startswith(f"op3: {root}/{FOLDER}/dbl.op3:11:8: unknown name 'SS'")
    assert found == finding("proved", "error", matches=None, reason=reason)


def test_bad_syntax_is_an_error_of_the_code(tree, verify: Verify):
    root = tree(code=("t7 = 2*S", "t7 = 2*"))
    found = verify(root)
    reason = str(found["reason"])
    assert reason.startswith(f"op3: {root}/{FOLDER}/dbl.op3:11:")
    assert found == finding("proved", "error", matches=None, reason=reason)


@pytest.mark.parametrize(
    ("old", "new", "place", "why"),
    [
        ("M(S-X3)", "M(S-X3", "8:15", "never closed"),
        ("M(S-X3)", "M(T-X3)", "8:16", "unknown name 'T'"),
        ("compute Y3", "compute YY", "9:1", "Y3 never computed"),
    ],
)
def test_an_error_of_the_formula_is_told_with_its_place(tree, verify: Verify, old, new, place, why):
    root = tree(formula=(old, new))
    found = verify(root)
    reason = str(found["reason"])
    assert reason.startswith(f"compute: {root}/{FOLDER}/dbl:{place}: ")
    assert why in reason
    assert reason.endswith(f"\nop3: {root}/{FOLDER}/dbl.op3: cannot be proved without its formula")
    assert found == finding("error", "error", matches=None, reason=reason)


def test_contradictory_assumptions_are_an_error(tree, verify: Verify):
    root = tree(formula=("assume 2b = 2 b\n", "assume 2b = 2 b\nassume a = 1\nassume a = 2\n"))
    reason = (
        f"compute: {root}/{FOLDER}/dbl: the assumptions contradict each other\n"
        f"op3: {root}/{FOLDER}/dbl.op3: cannot be proved without its formula"
    )
    assert verify(root) == finding("error", "error", matches=None, reason=reason)


def test_an_error_of_the_model_is_one_of_its_formulas(tree, verify: Verify):
    root = tree()
    (root / "g1p/shortw/coordinates").write_text(COORDINATES.replace("negation y = -y1\n", ""))
    assert verify(root)["verdict"] == "proved"  # a doubling has no use for negation
    (root / "g1p/shortw/coordinates").write_text(COORDINATES.replace("doubling y", "doubling z"))
    assert "g1p/shortw: a law does not say what becomes of y" in str(verify(root)["reason"])


def test_one_defect_does_not_stop_the_rest(tree, efdgen: Callable, tmp_path: Path):
    root = tree(formula=("M(S-X3)", "M(S-X3"))
    (root / FOLDER / "another").write_text(FORMULA)
    outcome = efdgen("verify", "--from", root, "--json")
    verdicts = [(Path(found["id"]).name, found["verdict"]) for found in json.loads(outcome.out)]
    assert verdicts == [("another", "proved"), ("dbl", "error")]
    assert outcome.err.splitlines()[-3].startswith("1 of 2 proved in ")
    assert outcome.code == 1


def test_the_published_database_has_eight_defects(efdgen: Callable, upstream: Path):
    outcome = efdgen("verify", "--from", upstream, "--json")
    assert outcome.code == 1
    found = json.loads(outcome.out)
    assert len(found) == 589
    assert [finding["id"] for finding in found] == sorted(finding["id"] for finding in found)
    defects = {finding["id"]: finding for finding in found if finding["verdict"] != "proved"}
    assert {name: defect["verdict_op3"] for name, defect in defects.items()} == {
        "g1p/jintersect/extended/doubling/dbl-2001-ls": "refuted",
        "g1p/jintersect/standard/doubling/dbl-2001-ls": "refuted",
        "g1p/shortw/jacobian-0/addition/add-1986-cc-2": "error",
        "g1p/shortw/jacobian-3/addition/add-1986-cc-2": "error",
        "g1p/shortw/jacobian/addition/add-1986-cc-2": "error",
        "g1p/shortw/projective-1/addition/add-1986-cc": "error",
        "g1p/shortw/projective-3/addition/add-1986-cc": "error",
        "g1p/shortw/projective/addition/add-1986-cc": "error",
    }
    for name, defect in defects.items():
        assert defect["verdict"] == defect["verdict_op3"]
        assert defect["verdict_compute"] == "proved"
        assert defect["op3_matches_compute"] is (False if defect["verdict"] == "refuted" else None)
        assert f"{upstream / name}.op3:" in defect["reason"]
    for name in ("extended", "standard"):
        reason = defects[f"g1p/jintersect/{name}/doubling/dbl-2001-ls"]["reason"]
        assert "dbl-2001-ls.op3:19: r2 is not what the compute lines give" in reason
    for finding in found:
        if finding["verdict"] == "proved":
            proofs = finding["verdict_compute"], finding["verdict_op3"], finding["op3_matches_compute"]
            assert proofs == ("proved", "proved", True)
            assert finding["reason"] == ""


def test_the_published_models_have_one_defect(efdgen: Callable, upstream: Path):
    outcome = efdgen("verify", "--from", upstream, "--models", "--json")
    found = json.loads(outcome.out)
    assert len(found) == 13
    assert [(model["id"], model["kind"]) for model in found if model["verdict"] != "proved"] == [
        ("g12o/hessian", "model")
    ]
    assert outcome.code == 1
