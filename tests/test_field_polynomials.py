"""Fields GF(2^m) in Python: every function against its definition, test programs, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from linters import lint, ruff
from test_binary_kernels import executed

from efdgen.generator.fields.edges import polynomial_edges
from efdgen.generator.fields.reference_polynomials import FLAGS, ROOTS, VALUES
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.render.field.python_polynomials import render_polynomials

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

POLYNOMIALS = [
    *("x^2 + x + 1", "x^3 + x + 1", "x^8 + x^4 + x^3 + x + 1", "x^113 + x^9 + 1"),
    *("x^254 + x^7 + x^2 + x + 1", "x^283 + x^12 + x^7 + x^5 + 1", "x^1024 + x^19 + x^6 + x + 1"),
    "x^41 + x^32 + x^30 + x^27 + x^24 + x^22 + x^20 + x^19 + x^15 + x^13 + x^2 + x + 1",
]


@pytest.mark.parametrize("text", POLYNOMIALS)
@pytest.mark.slow
def test_functions_are_those_of_the_field(text: str, rng: Random) -> None:
    field = BinaryField(read_polynomial(text))
    module = executed(render_polynomials(FieldRequest("python", polynomial=text))["fp.py"])
    values = {0, 1, field.order - 1, *(rng.randrange(field.order) for _ in range(5))}
    values |= {rng.choice(polynomial_edges(field)) for _ in range(3)}
    for a in values:
        assert module.inv(a) == (field.inv(a) if a else 0)
        assert field.mul(module.sqrt(a), module.sqrt(a)) == a
        assert module.trace(a) == field.trace(a)
        assert module.sqr_n(a, 3) == field.power(a, 8)
        root = module.solve_quadratic(a)
        assert (root is None) is (field.trace(a) == 1)
        assert root is None or (field.mul(root, root) ^ root == a and root % 2 == 0)
        for b in values:
            assert module.mul(a, b) == field.mul(a, b)
            assert module.add(a, b) == module.sub(a, b) == a ^ b
            assert (module.cswap(1, a, b), module.cswap(0, a, b)) == ((b, a), (a, b))
            assert (module.select(1, a, b), module.select(0, a, b)) == (a, b)
        assert module.from_bytes_be(module.to_bytes_be(a)) == a
        assert module.from_bytes_le(module.to_bytes_be(a)[::-1]) == a
    size = (field.degree + 7) // 8
    for data in (bytes(size + 1), bytes(size - 1), (1 << field.degree).to_bytes(size + 1, "big")):
        assert module.from_bytes_be(data) is None
    if field.degree % 8:
        assert module.from_bytes_be((1 << field.degree).to_bytes(size, "big")) is None
    some = [*values, 0]
    assert module.batch_inv(some) == [module.inv(a) for a in some]
    assert module.batch_inv([]) == []
    if field.degree % 2:
        half = module.half_trace(a)
        assert field.mul(half, half) ^ half == a ^ field.trace(a)


def run(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "test_fp.py", *arguments]
    return subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, check=False)


def test_a_module_tests_itself(efdgen: Callable, tmp_path: Path) -> None:
    assert efdgen("field", "--binary", "x^113 + x^9 + 1", "--lang", "python", "--out", tmp_path).code == 0
    done = run(tmp_path, "test", "100")
    assert done.returncode == 0
    assert done.stdout.endswith(" tests passed\n")
    number = int(done.stdout.partition(" ")[0])
    assert number > 24 * len(VALUES | FLAGS | ROOTS)
    assert run(tmp_path, "bench", "2").stdout.count(" ns\n") == len(VALUES | FLAGS | ROOTS)
    asked = run(tmp_path, "run", given="mul 2 3\nsolve_quadratic 1\nsolve_quadratic 0\ntrace 1\n").stdout
    zero = "0" * 30
    assert asked.split("\n") == [f"{6:030x}", f"0 {zero}", f"1 {zero}", "1", ""]
    module = tmp_path / "fp.py"
    text = module.read_text()
    edits = {"high << 9": "high << 8", "a ^ b": "a | b", "b12 ^ b3,": "b12,", "M // 2": "M"}
    for right, wrong in edits.items():
        assert right in text
        module.write_text(text.replace(right, wrong, 1))
        assert run(tmp_path, "test", "10").returncode == 1, right


@pytest.mark.slow
def test_modules_pass_linters_and_type_checks(tmp_path: Path) -> None:
    for number, text in enumerate(POLYNOMIALS):
        (tmp_path / str(number)).mkdir()
        for name, content in render_polynomials(FieldRequest("python", polynomial=text)).items():
            (tmp_path / str(number) / name).write_text(content)
    ruff(tmp_path)
    for number in (2, 3):
        lint("mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / str(number) / "test_fp.py")


def test_some_operations_come_with_what_they_call(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen("field", "--curve", "K-163", "--lang", "python", "--ops", "sqrt", "--out", tmp_path)
    assert done.code == 0
    text = (tmp_path / "fp.py").read_text()
    assert "--binary 'x^163 + x^7 + x^6 + x^3 + 1' --lang python --ops sqrt" in text
    names = [line.partition("(")[0] for line in text.splitlines() if line.startswith("def ")]
    assert names == [f"def {name}" for name in ("product", "reduce", "mul", "sqrt", "to_bytes_be")]
    assert run(tmp_path, "test", "5").returncode == 0


def test_the_order_of_a_binary_curve_is_a_prime_field(efdgen: Callable, tmp_path: Path) -> None:
    done = efdgen("field", "--curve", "K-163", "--order", "--lang", "python", "--out", tmp_path)
    assert done.code == 0
    assert "P = 0x4000000000000000000020108A2E0CC0D99F8A5EF" in (tmp_path / "fp.py").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--binary", "x^4 + x^2 + 1", "--lang", "python"), "x^4 + x^2 + 1 is not irreducible"),
        (("--binary", "x^1025 + x + 1", "--lang", "python"), "the degree is 1025; it must be at most 1024"),
        (("--binary", "x + 1", "--lang", "python"), "the degree is 1; it must be 2 to 1024"),
        (("--binary", "1", "--lang", "python"), "the degree is 0; it must be 2 to 1024"),
        (("--binary", "x^3 - x", "--lang", "python"), "expected a sum such as"),
        (("--binary", "x^3+x+1", "--prime", "13", "--lang", "python"), "give --prime, --binary, or --curve"),
        (("--binary", "x^3+x+1", "--order", "--lang", "python"), "give --prime, --binary, or --curve"),
        (("--prime", "sect283k1", "--lang", "python"), "is over GF(2^283); give it by --curve"),
        (("--binary", "x^3+x+1", "--lang", "python", "--word", "64"), "--word has no effect for Python"),
        (("--binary", "x^3+x+1", "--lang", "python", "--degree", "2"), "--degree has no effect over GF(2^m)"),
        (("--binary", "x^3+x+1", "--lang", "c", "--ops", "half_tracee"), "did you mean half_trace"),
        (("--binary", "x^2+x+1", "--lang", "c", "--ops", "half_trace"), "no operation 'half_trace'"),
        (("--binary", "x^3+x+1", "--lang", "c", "--representation", "saturated"), "no effect over GF(2^m)"),
        (("--binary", "x^3+x+1", "--lang", "c", "--layout", "crate"), "--layout is header or split for c"),
        (("--binary", "x^3+x+1", "--lang", "python", "--ops", "halve"), "no operation 'halve' in Python"),
        (("--binary", "x^3+x+1", "--lang", "python", "--prefix", "random"), "would hide another"),
    ],
)
def test_one_line_says_why_there_is_no_field(
    efdgen: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = efdgen("field", *arguments)
    assert outcome.code == 2
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
