"""Whole curves in every language and the affine law: all of tiny curves, edges of large ones, and defects."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from conformance import (
    NEEDS,
    TINY_CASES,
    build_python,
    parameters,
    rows_of,
    second_point,
    tiny_rows,
    with_few_points_in_buckets,
)
from edits import table
from number_rows import number_rows
from tools import SANITIZED, UNOPTIMISED, command
from whole_c import build as build_c
from whole_curves import TINY, tiny_file
from whole_drivers import Subject
from whole_rust import PEDANTIC, Wanted, example, run_cargo, write_workspace

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan

LARGE_CASES = {
    ("secp256k1", "jacobian-0"): "rust python",
    ("P-256", "jacobian-3"): "python",
    ("brainpoolP256r1", "jacobian"): "rust python",
    ("edwards25519", "extended-1"): "rust python",
    ("Ed448", "projective"): "rust python",
    ("Curve25519", None): "c rust python compiled",
    ("Curve448", None): "c rust python",
}
WHOLE = ("secp256k1", "edwards25519", "Curve25519")
"""The curves whose formulas are lowered whole in Rust."""
NARROW = ("secp256k1", "edwards25519")
LINTED = ("odd_xyzz", "twisted_inverted", "edwards_inverted", "twisted_affine", *NARROW)


def crate_name(curve: str, system: str | None = None) -> str:
    """Return the name of a crate: of a tiny curve with its coordinate system, of a large one without."""
    return "_".join([curve, *[system] * (curve in TINY and system is not None)]).replace("-", "_").lower()


@pytest.fixture(scope="module")
def tiny_curves(tmp_path_factory) -> Callable[[str], str]:
    """Return what writes the file of a tiny curve."""
    folder = tmp_path_factory.mktemp("curves")
    return lambda name: tiny_file(folder, name)


@pytest.fixture(scope="module")
def workspace(tiny_curves, tmp_path_factory):
    """Return what builds all crates once with checks of overflows; it returns their folder and drivers."""

    @cache
    def built():
        folder = tmp_path_factory.mktemp("crates")
        wanted = []
        for (name, system), languages in TINY_CASES.items():
            if "rust" in languages:
                path = tiny_curves(name)
                options = {"second": second_point(path), "change": with_few_points_in_buckets}
                wanted.append(Wanted(crate_name(name, system), path, system, **options))
        for (curve, system), languages in LARGE_CASES.items():
            if "rust" in languages:
                lowering, table = (
                    "whole" if curve in WHOLE else "calls",
                    "medium" if curve in NARROW else "small",
                )
                wanted.append(Wanted(crate_name(curve), curve, system, lowering, table))
        subjects = write_workspace(folder, wanted)
        run_cargo(folder, "build", "--examples", "--features", allocating(*subjects), own=True)
        return folder, subjects

    return built


def allocating(*crates: str) -> str:
    """Return the features of crates that allocate memory."""
    return ",".join(f"{name}/alloc" for name in crates if not name.startswith(("ladder", "curve")))


@pytest.fixture(scope="module")
def program(tiny_curves, workspace, tmp_path_factory) -> Callable[..., Subject]:
    """Return what builds the driver of a curve in a language and a coordinate system."""

    @cache
    def built(language: str, name: str, system: str | None = None) -> Subject:
        if language == "rust":
            return workspace()[1][crate_name(name, system)]
        folder, tiny = tmp_path_factory.mktemp("driver"), name in TINY
        path = tiny_curves(name) if tiny else name
        options = {"second": second_point(path), "change": with_few_points_in_buckets} if tiny else {}
        if language in ("python", "compiled"):
            return build_python(folder, path, system, "c" if language == "compiled" else None, **options)
        flags = SANITIZED if name in ("odd", "twisted", "ladder53") else UNOPTIMISED
        compiler = command("cc" if name in ("prime", "Curve448") or name.startswith("ladder") else "clang")
        lowering = "whole" if name == "Curve25519" else "calls"
        return build_c(folder, path, system, *flags, compiler=compiler, lowering=lowering, **options)

    return built


def test_every_tiny_curve_is_tested():
    assert {name for name, _ in TINY_CASES} | {"long halves"} == set(TINY)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(4)
@pytest.mark.parametrize(("language", "name", "system"), parameters(TINY_CASES))
def test_all_of_a_tiny_curve(language, name, system, program):
    subject = program(language, name, system)
    assert subject.differences(tiny_rows(subject, name)) == []


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize(("language", "curve", "system"), parameters(LARGE_CASES))
def test_edges_of_large_curves(language, curve, system, program):
    subject = program(language, curve, system)
    assert subject.differences(rows_of(subject.curve, curve)) == []


@pytest.mark.drawn(6)
@pytest.mark.parametrize(
    ("language", "name", "system", "right", "wrong", "file"),
    [pytest.param(*edit, marks=NEEDS[edit[0]]) for edit in table("curves")],
)
def test_a_defect_is_seen(language, name, system, right, wrong, file, tiny_curves, workspace, tmp_path):
    if language == "c":

        def edit(text: str) -> str:
            assert right in text
            return text.replace(right, wrong)

        path, change = tiny_curves(name), with_few_points_in_buckets
        options = {"second": second_point(path), "compiler": command("clang"), "edit": edit, "change": change}
        unused = ("-Wno-unused-variable", "-Wno-unused-but-set-variable")
        broken = build_c(tmp_path, path, system or None, *UNOPTIMISED, *unused, **options)
    else:
        crate = crate_name(name, system or None)
        broken = broken_crate(*workspace(), crate, file, right, wrong)
    numbers = number_rows(broken.curve, Random(1)) if language == "rust" else ()
    assert answers_wrongly(broken, [*tiny_rows(broken, name), *numbers])


def broken_crate(folder, subjects, crate, file, right, wrong) -> Subject:
    """Return the driver of a crate with an edit of one of its files."""
    path = folder / crate / "src" / f"{file}.rs"
    text = path.read_text()
    assert text.count(right) == 1
    features = ["--features", "alloc"] if allocating(crate) else []
    try:
        path.write_text(f"#![allow(warnings)]\n{text}".replace(right, wrong))
        run_cargo(folder, "build", "-p", crate, "--examples", "--target-dir", "defects", *features)
    finally:
        path.write_text(text)
    return replace(subjects[crate], driver=example(folder, crate, "defects"))


def answers_wrongly(subject: Subject, rows) -> bool:
    """Return whether a driver answers a request wrongly, or panics."""
    try:
        return subject.differences(rows) != []
    except EfdgenError as error:
        return "panicked" in str(error)


# What only Rust has: arithmetic of elements and scalars, operators, features and linters.


@pytest.mark.drawn(4)
@pytest.mark.parametrize(
    "name",
    [
        *["prime_projective", "twisted_extended_1", "edwards_projective", "ladder47", "curve25519"],
        *["secp256k1", "brainpoolp256r1", "edwards25519", "ed448"],
    ],
)
@pytest.mark.usefixtures("cargo")
def test_arithmetic_of_elements_and_scalars(name, workspace, rng):
    subject = workspace()[1][name]
    assert subject.differences(number_rows(subject.curve, rng)) == []


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
def test_edges_with_words_of_32_bits(workspace, rng):
    folder, subjects = workspace()
    packages = [word for name in NARROW for word in ("-p", name)]
    features = ("--features", "word32,alloc", "--target-dir", "narrow")
    run_cargo(folder, "build", *packages, "--examples", *features)
    for name in NARROW:
        narrow = replace(subjects[name], driver=example(folder, name, "narrow"))
        assert narrow.differences([*rows_of(narrow.curve, name), *number_rows(narrow.curve, rng)]) == []


@pytest.mark.parametrize("name", ["prime_projective", "edwards_projective", "twisted_affine"])
@pytest.mark.usefixtures("cargo")
def test_operators(name, workspace):
    subject = workspace()[1][name]
    curve = subject.curve
    rows = []
    for p in curve.points[::5]:
        for q in curve.points[::3]:
            total = curve.affine.add(curve.multiple(5, p), curve.multiple(4, q))
            rows.append(("operators", curve.point(p), curve.point(q), curve.point(total)))
    for k in range(curve.order):
        for p in curve.points[::4]:
            multiple = curve.multiple(8 * k**3, p)
            rows.append(("times", curve.scalar(k), curve.point(p), curve.point(multiple)))
    assert subject.differences(rows) == []


@pytest.mark.long
@pytest.mark.usefixtures("clippy", "cargo")
def test_linters_have_no_word_against_the_crates(rustfmt, workspace):
    folder, subjects = workspace()
    sources = [str(path) for name in subjects for path in (folder / name).rglob("*.rs")]
    done = subprocess.run(
        [rustfmt, "--check", "--edition", "2021", *sources], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    packages = [word for name in LINTED for word in ("-p", name)]
    run_cargo(folder, "clippy", *packages, *PEDANTIC)
    run_cargo(folder, "clippy", "-p", "secp256k1", "--features", "alloc,zeroize,word32", *PEDANTIC)


@pytest.mark.usefixtures("cargo")
def test_the_example_of_the_documentation_runs(workspace):
    folder, _ = workspace()
    assert "1 passed" in run_cargo(folder, "test", "--doc", "-p", "secp256k1", "-p", "edwards25519")


@pytest.mark.usefixtures("cargo")
def test_a_whole_curve_is_no_module(workspace):
    plan = workspace()[1]["secp256k1"].plan
    with pytest.raises(EfdgenError, match="is a crate"):
        render_plan(plan, Request("rust", "secp256k1", set="curve", layout="module"))
