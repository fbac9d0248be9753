"""The vector suite over binary fields: its cases, what it refuses, and what the command line says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from test_binary import HONEST

from efdgen.generator.compile import Request
from efdgen.generator.fields.edges import polynomial_edges
from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.programs.program import Sqr
from efdgen.verify.vectors import sampler
from efdgen.verify.vectors.data import parse_suite
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.steps import Steps
from efdgen.verify.vectors.subjects import Subject, curve_subject, every_formula
from efdgen.verify.vectors.suite import make_suite, run_suites

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

TINY = (0b1000011, 0b10000011, 0b100011011)


@pytest.fixture(scope="module")
def sect113r1(database: Database) -> Subject:
    return curve_subject(database, Request("c", "sect113r1", "lopezdahab"), ["c", "rust", "python"])


@pytest.mark.slow
def test_a_suite_is_written_and_read(sect113r1: Subject, database: Database) -> None:
    suite = make_suite(sect113r1, seed=1)
    text = suite.text()
    assert json.loads(text)["polynomial"] == "x^113 + x^9 + 1"
    assert "prime" not in json.loads(text)
    assert suite.digits == 30
    assert parse_suite(text, database).text() == text


@pytest.mark.long
@pytest.mark.slow
def test_a_wrong_kernel_is_found(sect113r1: Subject) -> None:
    module = sect113r1.files["python"]["sect113r1.py"]
    sums = [found.start() for found in re.finditer(r" \^ (?=[^\n]*  #)", module)]
    assert len(sums) > 10
    for place in sums[:: len(sums) // 3]:
        wrong = f"{module[:place]} & {module[place + 3 :]}"
        files = {"python": {**sect113r1.files["python"], "sect113r1.py": wrong}}
        ((_, results),) = run_suites([replace(sect113r1, files=files)], seed=1)
        assert sum(not result.ok for result in results) == 1


@pytest.mark.usefixtures("cc", "cargo")
def test_kernels_over_words_answer_as_those_over_integers(sect113r1: Subject) -> None:
    builds = [
        Build("C", "c"),
        Build("C, 32 bits", "c", word=32),
        Build("Rust", "rust"),
        Build("python", "python"),
    ]
    ((suite, results),) = run_suites([sect113r1], seed=1, builds=builds)
    assert {result.language for result in results} == {build.name for build in builds}
    assert all(result.ok for result in results), results
    assert len(suite.functions) == 5


@pytest.mark.usefixtures("cc")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("poly_mul(t_0, t_2)", "poly_mul(t_0, t_0)"), (" ^ ", " | "), ("poly_low(", "poly_high(")],
)
def test_a_wrong_kernel_over_words_is_found(sect113r1: Subject, right: str, wrong: str) -> None:
    header = sect113r1.files["c"]["sect113r1.h"]
    place = header.index(right, header.index("sect113r1_limbs_product_"))
    edited = f"{header[:place]}{wrong}{header[place + len(right) :]}"
    files = {"c": {**sect113r1.files["c"], "sect113r1.h": edited}}
    ((_, results),) = run_suites([replace(sect113r1, files=files)], seed=1)
    assert not all(result.ok for result in results)


@pytest.mark.slow
def test_steps_of_kernels_come_to_edge_values(sect113r1: Subject) -> None:
    field, (group,) = sect113r1.bundle.ground, sect113r1.bundle.groups
    assert field.is_binary
    values, suite = set(polynomial_edges(field)), make_suite(sect113r1, seed=1)
    for kernel, function in zip(group.kernels, suite.functions, strict=True):
        rare = [case for case in function.cases if case.origin == "edge"]
        steps = Steps(kernel.program, field, {**kernel.parameters, **group.constants})
        names = [name for argument in kernel.inputs for name in argument.coordinates]
        assert len(rare) > 100
        for case in rare:
            coordinates = dict(zip(names, case.inputs, strict=True))
            assert any(steps.value(number, coordinates) in values for number in steps.numbers)


def test_edges_of_words_are_elements() -> None:
    field = BinaryField(read_polynomial("x^113 + x^9 + 1"))
    found = polynomial_edges(field)
    assert max(found) == field.order - 1
    assert {1 << 31, 1 << 32, (1 << 64) - 1, 1 << 96} <= set(found)


def test_roots_of_steps_solve_quadratic_equations(sect113r1: Subject, rng: Random) -> None:
    field, (group,) = sect113r1.bundle.ground, sect113r1.bundle.groups
    assert field.is_binary
    kernel = next(kernel for kernel in group.kernels if kernel.name == "double")
    steps = Steps(kernel.program, field, {**kernel.parameters, **group.constants})
    squares = [
        number
        for number, each in enumerate(kernel.program.instructions)
        if isinstance(each.operation, Sqr) and each.operation.value < len(kernel.program.inputs)
    ]
    names = list(kernel.program.inputs)
    start = {name: rng.randrange(field.order) for name in names}
    solved = set()
    for number in steps.numbers:
        value = rng.randrange(field.order)
        found = steps.solved(number, value, start, names, rng)
        if found is not None:
            solved.add(number)
            assert steps.value(number, found) == value
    assert {*squares} < solved


@pytest.mark.slow
def test_drawn_formulas_are_right_for_all_points(
    database: Database, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Formulas on every pair of points of curves over GF(2^6), GF(2^7) and GF(2^8)."""
    monkeypatch.setattr(sampler, "EXHAUSTIVE", 1 << 9)
    for polynomial in TINY:
        subject = every_formula(database, BinaryField(polynomial), ["python"], rng.randrange(1 << 32))
        groups = rng.sample(subject.bundle.groups, 1)
        kept = [replace(group, kernels=tuple(rng.sample(group.kernels, 1))) for group in groups]
        print([kernel.formula.id for group in kept for kernel in group.kernels])
        part = replace(subject, bundle=replace(subject.bundle, groups=tuple(kept)))
        ((suite, results),) = run_suites([part], seed=1)
        assert all(result.ok for result in results), results
        assert {case.origin for function in suite.functions for case in function.cases} == {"exhaustive"}


@pytest.mark.slow
@pytest.mark.long
def test_a_curve_of_few_points_is_compiled_and_tested(efdgen: Callable, tmp_path: Path) -> None:
    (tmp_path / "honest.toml").write_text(HONEST)
    out = tmp_path / "out"
    for curve, coords in (("honest.toml", "lambda"), ("honest.toml", "projective")):
        done = efdgen(
            "compile", "--lang", "python", "--curve", tmp_path / curve, "--coords", coords, "--out", out
        )
        assert done.code == 0, done.err
    outcome = efdgen("test", out, "--lang", "python", "--vectors", tmp_path / "vectors")
    assert outcome.code == 0
    assert "all as expected" in outcome.out
    assert json.loads((tmp_path / "vectors/honest.json").read_text())["polynomial"] == "x^5 + x^2 + 1"
    module = out / "honest.py"
    module.write_text(module.read_text().replace("return _reduce(_product(a, b))", "return _reduce(a * b)"))
    outcome = efdgen("test", out, "--lang", "python")
    assert outcome.code == 1
    assert "does not represent" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("compile --lang c --representation unsaturated", "GF(2^283) has no unsaturated representation"),
        ("compile --field-api libsecp256k1", "libsecp256k1 has fields GF(p) alone"),
        ("compile --field-api k256 --set curve", "--field-api with --set curve needs a field GF(p)"),
        ("bench", "efdgen bench needs a field GF(p)"),
        ("certify add-2013-olar", "a certificate on a curve needs a field GF(p)"),
        ("compile --lang python --coords extended-1", "needs a2 = 1, the curve has a2 = 0"),
        ("compile --lang python --formulas lopezdahab-1/*", "needs a2 = 1, the curve has a2 = 0"),
        (
            "compile --lang python --formulas g1p/shortw/affine/addition/add",
            "is a formula of g12o/shortw/lambda",
        ),
        ("compile --lang python --target gcc", "--target has no effect for Python"),
        ("dump add-2013-olar --after constants", "is over GF(2^m), and has no stage constants"),
    ],
)
def test_one_line_says_why_not(
    efdgen: Callable, tmp_path: Path, monkeypatch, arguments: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *options = arguments.split()
    outcome = efdgen(command, *options, "--curve", "sect283k1")
    assert outcome.code == 2, outcome
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1
    assert not outcome.out
