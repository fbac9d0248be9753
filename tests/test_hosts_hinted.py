"""Formulas with hints over hosts: their checks are comparisons, and a function returns whether all hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from host_driver import c_driver
from host_formulas import HOSTS, PROVER
from host_provers import Bounds

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts import verdict
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.forms import program_forms
from efdgen.generator.hosts.render import render
from efdgen.generator.hosts.select import Limits, select
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, Sub
from efdgen.verify.hosts.packages import run_tool
from efdgen.verify.hosts.solve import solve
from efdgen.verify.hosts.trial import trial
from efdgen.verify.readback import hosts as readback

if TYPE_CHECKING:
    from collections.abc import Callable

SLOPE, SUM = (f"shortw/affine/addition-hinted/add-{name}" for name in ("slope", "sum"))
EDWARDS = ("twisted/affine/addition-hinted/add-1", "twisted/affine/doubling-hinted/dbl-1")
TEXT = PROVER.read_text()
TRUSTED = TEXT.replace("cost = 10, untrusted = true", "cost = 10")
CHECK = '[restore]\ncheck = { code = "fe_check({a});", needs = ["a <= 1"], guards = ["a"], cost = 2 }'


def made(host: str, curve: str, *formulas: str) -> HostBundle:
    return make_host_bundle(Database(), HostRequest(host, curve, formulas=formulas), Bounds())


def edited(folder: Path, text: str, old: str, new: str) -> str:
    """Return the path of a host file with an edit."""
    assert text.count(old) == 1
    path = folder / "edited.toml"
    path.write_text(text.replace(old, new))
    return str(path)


def differences(bundle: HostBundle, pattern: str, replacement: str) -> list[tuple[str, str]]:
    """Return what read-back says of a file with an edit."""
    ((name, text),) = render(bundle).items()
    assert not list(readback.differences(bundle, {name: text}))
    wrong, count = re.subn(pattern, replacement, text, count=1, flags=re.M)
    assert count == 1
    assert wrong != text
    return list(readback.differences(bundle, {name: wrong}))


# Single edits of a function with two checks.
EDITS_C = {
    "the first check is left out": r"^    accepted &= [^\n]*\n(?=[^}]*accepted &=)",
    "the last check is left out": r"^    accepted &= (?![^}]*accepted &=)[^\n]*\n",
    "a check replaces those before": (r"(accepted &= [^}]*accepted) &=", r"\1 ="),
    "a check is enough": ("accepted &=", "accepted |="),
    "a check is repeated": (
        r"(accepted &= \w+)\(([^)]*)\)([^}]*accepted &= \w+)\(([^)]*)\)",
        r"\1(\2)\3(\2)",
    ),
    "an element is compared with itself": (r"(accepted &= \w+\(([^,]*)), [^)]*", r"\1, \2"),
    "all is accepted": ("return accepted;", "return 1;"),
    "the result is 1 again": ("    return accepted;", "    accepted = 1;\n    return accepted;"),
}
EDITS_RUST = {
    "the first check is left out": r"^    let accepted = t[^\n]*\n",
    "the last check is left out": r"^    let accepted = accepted & [^\n]*\n",
    "a check replaces those before": ("= accepted & ", "= "),
    "a check is enough": ("= accepted & ", "= accepted | "),
    "an element is compared with itself": (r"(\w+)\.ct_eq\(&\w+\)", r"\1.ct_eq(&\1)"),
    "all is accepted": (r"\}, accepted\)", "}, Choice::from(1))"),
}


@pytest.mark.parametrize("edit", EDITS_C)
def test_edits_of_checks_in_c_are_refused(edit: str) -> None:
    found = EDITS_C[edit]
    pattern, replacement = (found, "") if isinstance(found, str) else found
    assert differences(made("macros", "P-256", SUM), pattern, replacement)


@pytest.mark.parametrize("edit", EDITS_RUST)
def test_edits_of_checks_in_rust_are_refused(edit: str) -> None:
    found = EDITS_RUST[edit]
    pattern, replacement = (found, "") if isinstance(found, str) else found
    assert differences(made("ff", "P-256", SUM), pattern, replacement)


@pytest.mark.parametrize(("host", "name"), [("macros", "beginning"), ("macros", "ending")])
def test_a_printer_without_the_result_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, host: str, name: str
) -> None:
    """The reader has the frame of a function from the printer, except for its result."""
    bundle = made(host, "P-256", SUM)
    lines = {"beginning": ["int accepted;"], "ending": ["return 1;"]}[name]
    monkeypatch.setattr(f"efdgen.generator.hosts.render.{name}", lambda *_: lines)
    assert list(readback.differences(bundle, render(bundle))) == [
        ("add_hinted", "it cannot be followed: it does not return accepted")
    ]


def test_the_result_has_a_name_of_its_own() -> None:
    assert verdict.verdict_name(["a", "accepted", "accepted_"]) == "accepted__"


@pytest.mark.long
@pytest.mark.slow
def test_both_sides_of_a_check_are_computed() -> None:
    ((_, text),) = render(made("libsecp256k1", "secp256k1", SLOPE)).items()
    page = (HOSTS.parents[1] / "docs" / "dropping-in.md").read_text()
    (shown,) = re.findall(r"^    secp256k1_fe_mul\([^;]*;[^\n]*\n    accepted [^\n]*\n", page, re.M)
    assert "slope*(X1 - X2) == Y1 - Y2 (1, 7) */" in shown
    assert shown in text
    assert "static int secp256k1_formula_add_hinted(" in text


@pytest.mark.parametrize(
    ("operation", "sides"),
    [(Sub(2, 1), {15, 5}), (Add(2, 1), {15, -5}), (Mul(2, 1), {75, 0})],
)
def test_a_check_has_two_sides(operation: Sub | Add | Mul, sides: set[int]) -> None:
    """The sides of a difference, of a sum, and of another value, which is compared with 0."""
    builder = ProgramBuilder()
    x, y = (builder.emit(Input(name), name) for name in "xy")
    builder.emit(Mul(x, y), "xy")
    program = builder.build([("check1", builder.emit(operation, "check1"))])
    host = load_host("libsecp256k1", load_curve("secp256k1").field)
    forms = program_forms(program, host.operations, ("check1",))
    choice = solve(forms, Limits({"x": 1, "y": 1}, {}, {}), host)
    calls = select(forms, choice, host, ())
    assert [call.operation.name for call in calls.calls].count("equal") == 1
    found = {eval(side, {"x": 3, "y": 5}) for side in calls.text(calls.calls[-1].number).split(" == ")}
    assert found in (sides, {-side for side in sides})


@pytest.mark.parametrize(
    ("host", "old", "new", "said"),
    [
        (
            "macros",
            "equal = {",
            "# {",
            "has checks, and macros has no operation equal; add it, or use --lang",
        ),
        ("macros", "[style]\n", '[style]\nsignature = "void {name}({parameters})"\n', "needs {results} for"),
        ("macros", 'FE_EQUAL({a}, {b})"', 'FE_IS_ZERO({a})"', "code must be a comparison of {a} and {b}"),
        ("macros", 'FE_EQUAL({a}, {b})"', 'FE_EQUAL({r}, {a}, {b})"', "{r} stands for nothing"),
        ("macros", '{b})" }\ncopy', '{b})", gives = "1" }\ncopy', "equal: gives has no meaning"),
    ],
)
def test_a_host_that_cannot_compare_is_refused(
    tmp_path: Path, host: str, old: str, new: str, said: str
) -> None:
    path = edited(tmp_path, (HOSTS / f"{host}.toml").read_text(), old, new)
    with pytest.raises(EfdgenError, match=re.escape(said)) as raised:
        render(made(path, "P-256", SLOPE))
    assert isinstance(raised.value, TextError) or "\n" not in str(raised.value)


@pytest.mark.long
@pytest.mark.slow
def test_a_comparison_of_claims_is_refused_or_guarded(efdgen: Callable[..., object], tmp_path: Path) -> None:
    """A comparison that needs reduced elements may not read what a prover can give unreduced."""
    same = 'fe_same({a}, {b})", needs = '
    path = edited(tmp_path, TRUSTED, f'{same}["a <= 1", "b <= 1"]', f'{same}["a <= 2", "b <= 2"]')
    outcome = efdgen("compile", "--field-api", path, "--curve", "edwards25519", "--formulas", EDWARDS[1])
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    said = r"in .* == .*, equal relies on the bound of (a|b), which is only claimed: add \1 to its guards"
    assert re.search(said, outcome.err)
    guarded = made(edited(tmp_path, TRUSTED, "[restore]", CHECK), "edwards25519", EDWARDS[0])
    names = [line.operation.name for line in guarded.functions[0].placed.lines]
    assert (names.count("equal"), names.count("check")) == (2, 4)
    for bundle in (
        made(
            edited(tmp_path, TRUSTED, "cost = 10", 'cost = 10, guards = ["a", "b"]'), "edwards25519", *EDWARDS
        ),
        made(str(PROVER), "edwards25519", *EDWARDS),
    ):
        names = [line.operation.name for function in bundle.functions for line in function.placed.lines]
        assert (names.count("equal"), names.count("check")) == (4, 0)
    silent = edited(tmp_path, TEXT, 'fe_same({a}, {b})", needs = ["a <= 1", "b <= 1"]', 'fe_same({a}, {b})"')
    with pytest.raises(
        TextError, match="equal: needs must say what it needs of results that are not trusted"
    ):
        made(silent, "edwards25519", EDWARDS[0])


@pytest.mark.slow
def test_a_guard_before_a_comparison_is_not_left_out(tmp_path: Path) -> None:
    bundle = made(edited(tmp_path, TRUSTED, "[restore]", CHECK), "edwards25519", EDWARDS[0])
    ((_, text),) = render(bundle).items()
    guard = re.findall(r"^    fe_check\((\w+)\);(?=[^}]*accepted &= fe_same\([^}]*\1)", text, re.M)
    assert guard
    assert differences(bundle, rf"^    fe_check\({guard[-1]}\);[^\n]*\n(?![^}}]*fe_check\({guard[-1]}\))", "")


@pytest.mark.usefixtures("cc")
@pytest.mark.parametrize("left_out", [False, True])
def test_true_hints_alone_are_accepted(tmp_path: Path, left_out: bool) -> None:
    """A function that has lost a check accepts hints that it has to refuse."""
    bundle = made(str(PROVER), "edwards25519", *EDWARDS)
    text = render(bundle)["prover.h"]
    if left_out:
        text = re.sub(r"^    accepted &= (?![^}]*accepted &=)[^\n]*\n", "", text, flags=re.M)
    (tmp_path / "prover.h").write_text(text)
    harness = (HOSTS.parents[1] / "tests" / "hosts" / "prover.c").read_text()
    (tmp_path / "driver.c").write_text(c_driver(bundle, harness, "fe", arrays=True))
    options = ["-std=c99", "-O1", "-w", "-DLIES=0", "-DGUARDING=1"]
    run_tool(["cc", *options, "-o", "driver", "driver.c"], tmp_path)
    for result in trial(bundle, load_curve("edwards25519"), [str(tmp_path / "driver")], seed=1):
        assert result.ok != left_out, result.failures
        assert all(failure.reason == "it has to refuse this" for failure in result.failures)
