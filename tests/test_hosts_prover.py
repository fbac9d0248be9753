"""A host whose products are claims: functions that an honest prover runs, and a dishonest one cannot bend."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from host_driver import c_driver
from host_provers import Bounds

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.function import check
from efdgen.generator.hosts.render import render
from efdgen.generator.hosts.run import Bounded, Line, Local, run_lines
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.hosts.packages import run_tool
from efdgen.verify.hosts.trial import trial
from efdgen.verify.readback import hosts as readback
from efdgen.verify.vectors.runner import requests
from efdgen.verify.vectors.subjects import Subject
from efdgen.verify.vectors.suite import make_suite

if TYPE_CHECKING:
    import random

    from efdgen.generator.hosts.host import Host

FOLDER = Path(__file__).parent / "hosts"
TEXT = (FOLDER / "prover.toml").read_text()
CURVE = load_curve("edwards25519")
ADDITION, DOUBLING = "twisted/extended-1/*/add-2008-hwcd-3", "twisted/extended-1/*/dbl-2008-hwcd"
CHECK = '[restore]\ncheck = { code = "fe_check({a});", needs = ["a <= 1"], guards = ["a"], cost = 2 }'
# Sums that do not look at their operands, with a guard that is called, and with none.
TEXTS = {
    "guarding": TEXT,
    "guarded": TEXT.replace('guards = ["a", "b"], ', "").replace("[restore]", CHECK),
    "trusting": TEXT.replace('guards = ["a", "b"], ', "").replace(", untrusted = true", ""),
}


def made(folder: Path, text: str, *formulas: str) -> HostBundle:
    path = folder / "prover.toml"
    path.write_text(text)
    request = HostRequest(str(path), "edwards25519", "extended-1", formulas)
    return make_host_bundle(Database(), request, Bounds())


@pytest.fixture(scope="module", params=TEXTS)
def bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> HostBundle:
    return made(tmp_path_factory.mktemp("prover"), TEXTS[request.param], ADDITION, DOUBLING)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> HostBundle:
    return made(tmp_path_factory.mktemp("prover"), TEXTS["guarded"], DOUBLING)


def is_trusting(bundle: HostBundle) -> bool:
    return not bundle.host.claims


def built(bundle: HostBundle, folder: Path, name: str, lies: int) -> list[str]:
    """Build a driver whose prover lies in every product of that many; return the command."""
    (folder / "prover.h").write_text(render(bundle)["prover.h"])
    harness = (FOLDER / "prover.c").read_text()
    (folder / "driver.c").write_text(c_driver(bundle, harness, "fe", arrays=True))
    guarding = any(operation.guards for operation in bundle.host.operations.values())
    options = [f"-DLIES={lies}", f"-DGUARDING={int(guarding)}"]
    run_tool(["cc", "-std=c99", "-O1", "-w", *options, "-o", name, "driver.c"], folder)
    return [str(folder / name)]


@pytest.mark.usefixtures("cc")
def test_an_honest_prover_passes_the_vectors(bundle: HostBundle, tmp_path: Path) -> None:
    for result in trial(bundle, CURVE, built(bundle, tmp_path, "driver", 0), seed=1):
        assert result.ok, (result.function, result.failures)


def answered(program: str, request: str) -> str | None:
    """Return an answer; None where the program stops at a guard."""
    done = subprocess.run([program], input=f"{request}\n", capture_output=True, text=True, check=False)
    assert done.returncode in (0, 77)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.usefixtures("cc")
def test_a_lie_is_refused_unless_the_result_is_right(
    bundle: HostBundle, tmp_path: Path, rng: random.Random
) -> None:
    suite = make_suite(Subject(CURVE.name, bundle.bundle, {}, CURVE), 1)
    (honest,) = built(bundle, tmp_path, "honest", 0)
    outcomes = set()
    for lies in range(1, 8):
        (lying,) = built(bundle, tmp_path, f"lying{lies}", lies)
        for request in rng.sample(requests(suite, "python"), 12):
            answer = answered(lying, request)
            right = answer == answered(honest, request)
            outcomes.add("refused" if answer is None else "right" if right else "wrong")
    assert outcomes - {"right"} == {"wrong" if is_trusting(bundle) else "refused"}


@pytest.mark.slow
def test_sums_and_differences_are_one_call(bundle: HostBundle) -> None:
    (addition, doubling) = bundle.functions
    for function, pairs in ((addition, 4), (doubling, 1)):
        called = [line.operation.name for line in function.placed.lines]
        assert called.count("add_sub") == pairs
        assert all(len(set(line.targets)) == len(line.targets) for line in function.placed.lines)
    assert not {"add", "sub"} & {line.operation.name for line in addition.placed.lines}


@pytest.mark.slow
@pytest.mark.long
def test_the_head_says_that_bounds_are_claims(bundle: HostBundle) -> None:
    text = " ".join(render(bundle)["prover.h"].replace("*", "").split())
    said = "The bounds of inputs and outputs are claims: in place of each, a dishonest prover can put"
    assert (said in text) != is_trusting(bundle)


def host_of(folder: Path, old: str = "", new: str = "", text: str = TEXT) -> Host:
    """Return a host of a text with an edit."""
    assert old in text
    (folder / "edited.toml").write_text(text.replace(old, new, 1))
    return load_host(str(folder / "edited.toml"), CURVE.field)


X, Y, R, S = map(Local, range(4))


def line(host: Host, name: str, *operands: Local, to: tuple[Local, ...] = (R,), factor: int = 0) -> Line:
    operation = host.operation(name)
    ones, bounds = (1,) * len(operands), (2,) * max(1, len(to))
    return Line(operation, to, operands, ones, factor, (name,) * len(bounds), bounds)


def run(host: Host, *lines: Line, certain: bool = False) -> dict[object, Bounded[int]]:
    inputs = {place: Bounded(5 + place.number, 1, certain) for place in (X, Y)}
    return {**run_lines(lines, PrimeField(101), inputs, {}, host.largest)}


def test_what_a_line_gives_is_certain_or_claimed(tmp_path: Path) -> None:
    plain, guarded = host_of(tmp_path), host_of(tmp_path, text=TEXTS["guarded"])
    sums = run(plain, line(plain, "add_sub", X, Y, to=(R, S)))
    assert (sums[R], sums[S]) == (Bounded(11, 2), Bounded(100, 2))
    # A bound that a sum guards is certain in that sum alone.
    assert not sums[X].certain
    product = run(plain, line(plain, "mul", X, Y), certain=True)
    assert product[R] == Bounded(30, 1, False)
    for certain in (True, False):
        assert run(plain, line(plain, "copy", X), certain=certain)[R] == Bounded(5, 1, certain)
    checked = run(guarded, line(guarded, "check", X, to=()))
    assert (checked[X], checked[Y].certain) == (Bounded(5, 1), False)


@pytest.mark.parametrize(
    ("text", "old", "new", "name", "said"),
    [
        ("guarded", "", "", "add", "add relies on the bound of a, a claim"),
        ("guarding", 'gives = "2", guards = ["a", "b"]', 'gives = "2", guards = ["a"]', "sub", "bound of b"),
        ("guarding", 'needs = ["a + b <= 2"], ', "", "add", ""),
        ("guarded", 'needs = ["a + b <= 2"], ', "", "add", "relies on the bound of a"),
        ("guarded", '["a <= 1", "b <= 1"], gives = "2"', '[], gives = "2"', "sub", ""),
        (
            "guarded",
            'fe_sub({r}, {a}, {b});", needs = ["a <= 1", "b <= 1"]',
            'fe_sub({r}, {a}, {b}, {bound_b});", needs = ["a <= 1"]',
            "sub",
            "bound of a",
        ),
        (
            "guarded",
            'fe_sub({r}, {a}, {b});", needs = ["a <= 1", "b <= 1"]',
            'fe_sub({r}, {a}, {b}, {bound_b});"',
            "sub",
            "bound of b",
        ),
    ],
)
def test_what_relies_on_a_claim_is_refused(
    tmp_path: Path, text: str, old: str, new: str, name: str, said: str
) -> None:
    host = host_of(tmp_path, old, new, TEXTS[text])
    run(host, line(host, name, X, Y), certain=True)
    if not said:
        assert run(host, line(host, name, X, Y))[R].certain
        return
    with pytest.raises(EfdgenError, match=said):
        run(host, line(host, name, X, Y))


@pytest.mark.parametrize(
    ("distinct", "places", "said"),
    [
        ("", (X, Y), ""),
        ("", (Y, X), ""),
        ("", (R, R), "needs r and s in two places"),
        ('distinct = ["s a"], ', (Y, X), "needs s and a in two places"),
        ('distinct = ["s a"], ', (X, Y), ""),
        ('distinct = ["b r"], ', (Y, X), "needs b and r in two places"),
    ],
)
def test_two_results_are_kept_apart(
    tmp_path: Path, distinct: str, places: tuple[Local, Local], said: str
) -> None:
    host = host_of(tmp_path, 'gives = ["a + b", "2"], ', f'gives = ["a + b", "2"], {distinct}')
    pair = line(host, "add_sub", X, Y, to=places)
    if said:
        with pytest.raises(EfdgenError, match=said):
            run(host, pair)
    else:
        held = run(host, pair)
        assert [held[place].value for place in places] == [11, 100]


def test_a_rule_is_checked_in_every_aliasing(guarded: HostBundle) -> None:
    """A guard after its reader, or of another place, or none: the lines are refused."""
    (function,) = guarded.functions
    check(function, guarded.host, {})
    lines = function.placed.lines
    guards = [number for number, line in enumerate(lines) if line.operation.name == "check"]
    assert len(guards) == 8
    for number in guards:
        others = (*lines[:number], *lines[number + 1 :])
        elsewhere = replace(lines[number], operands=(Local(99),))
        for broken in (others, (*others, lines[number]), (*lines[:number], elsewhere, *lines[number + 1 :])):
            placed = replace(function.placed, lines=broken)
            with pytest.raises(EfdgenError):
                check(replace(function, placed=placed), guarded.host, {})


EDITS = {
    "a guard is left out": (r"    fe_check\([^\n]*\n", ""),
    "a guard is elsewhere": (r"fe_check\(t0\)", "fe_check(r->t)"),
    "results are exchanged": (r"fe_add_sub\(([^,]*), ([^,]*),", r"fe_add_sub(\2, \1,"),
    "operands are exchanged": (r"(fe_add_sub\([^,]*, [^,]*), ([^,]*), ([^)]*)\)", r"\1, \3, \2)"),
    "results are in one place": (r"fe_add_sub\(([^,]*), [^,]*,", r"fe_add_sub(\1, \1,"),
    "a sum for a sum and a difference": (r"fe_add_sub\(([^,]*), [^,]*, ([^;]*);", r"fe_add(\1, \2;"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_single_edits_are_refused(guarded: HostBundle, edit: str) -> None:
    ((name, text),) = render(guarded).items()
    assert list(readback.differences(guarded, {name: text})) == []
    pattern, replacement = EDITS[edit]
    found = list(re.finditer(pattern, text))
    assert found
    for each in found:
        edited = f"{text[: each.start()]}{each.expand(replacement)}{text[each.end() :]}"
        assert list(readback.differences(guarded, {name: edited})), each[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('gives = ["a + b", "2"]', 'gives = "2"', "add_sub: gives must be a list of 2 bounds"),
        ('gives = "a + b"', 'gives = ["a", "b"]', "add: gives must be one bound"),
        ("{r}, {s}, {a}", "{r}, {a}, {a}", "code must say where the result goes: {s} or {s_value}"),
        ("fe_add({r}", "fe_add({s}", "{s} stands for nothing"),
        ('guards = ["a", "b"]', 'guards = ["c"]', "add: guards has c, which is not an operand"),
        ('guards = ["a", "b"]', 'guards = "a"', "guards must be a list of texts"),
        ("untrusted = true", 'untrusted = "yes"', "mul: untrusted must be true or false"),
        ("cost = 2 }", 'gives = "1" }', "check: gives has no meaning without a result; remove it"),
        (
            "untrusted = true",
            'untrusted = true, guards = ["a"]',
            "an operation that is untrusted guards nothing",
        ),
        (
            'fe_small[1]);"',
            'fe_small[1]);", guards = ["a"]',
            "reduce: an operation that is untrusted guards nothing",
        ),
        ("fe_mul({r}, {a}, fe_small[1]);", "fe_mul({a});", "code must say where the result goes"),
    ],
)
def test_a_fault_in_a_file_is_shown(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = TEXTS["guarded"] if "check" in said else TEXT
    with pytest.raises(TextError, match=re.escape(said)):
        host_of(tmp_path, old, new, text)


def test_a_copy_that_cannot_be_relied_on_is_refused(tmp_path: Path) -> None:
    text = TEXTS["guarded"].replace("fe_add({r}, {a}, {b})", "fe_add({r}, {b})")
    with pytest.raises(TextError, match="add works in place and relies on the bound of a, which may be a"):
        host_of(tmp_path, 'gives = "a", cost', 'gives = "a", untrusted = true, cost', text)
    host_of(tmp_path, 'gives = "a", cost', 'gives = "a", untrusted = true, cost')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'needs = ["a <= 1"], guards',
            'needs = ["a <= 0"], guards',
            "in (.*), (sub|add|add_sub) relies on the bound of [ab], which is only claimed: "
            r"add [ab] to its guards, or an operation with guards to \[restore\]",
        ),
        ('"a <= 1", "b <= 1"], gives = "2"', '"a <= 0", "b <= 1"], gives = "2"', ""),
    ],
)
def test_a_host_that_cannot_meet_the_rule_is_told_what_to_add(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = TEXTS["guarded"]
    assert old in text
    if not said:
        made(tmp_path, text.replace(old, new), ADDITION)
        return
    with pytest.raises(EfdgenError, match=said) as raised:
        made(tmp_path, text.replace(old, new), ADDITION)
    assert "\n" not in str(raised.value)
