"""The command that emits fields: what it writes is built, run and held against integers, or refused."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tools import WARNINGS

from efdgen.generator.fields.references import evaluate, rows_of
from efdgen.generator.fields.request import FieldRequest, read_prime
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.render.field.bundle import render_field

if TYPE_CHECKING:
    from pathlib import Path

P255 = 2**255 - 19
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def run(folder: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


def passed(output: str) -> bool:
    found = re.search(r"^(\d+) of (\d+) tests passed$", output, re.M)
    return found is not None and found[1] == found[2] and int(found[1]) > 500


def cases(prime: int, rng: random.Random) -> list[tuple[str, str]]:
    """Return requests, and what Python's integers say."""
    size = (prime.bit_length() + 7) // 8

    def written(*values: int) -> str:
        return " ".join(f"{value % prime:0{2 * size}x}" for value in values)

    values, found = [0, 1, prime - 1, *(rng.randrange(prime) for _ in range(5))], []
    for a in values:
        found.append((f"inv {written(a)}", written(pow(a, prime - 2, prime))))
        for b in values:
            wanted = {"add": a + b, "sub": a - b, "mul": a * b}
            found += [(f"{name} {written(a, b)}", written(value)) for name, value in wanted.items()]
    return found


@pytest.mark.parametrize("layout", ["header", "split"])
def test_a_c_bundle_is_built_by_its_makefile_and_tests_itself(efdgen, compiler, layout, tmp_path):
    done = efdgen("field", "--prime", "2^255-19", "--lang", "c", "--layout", layout, "--out", tmp_path)
    assert done.code == 0
    assert "2^256 is multiplied by 38" in done.err
    header = (tmp_path / "fp.h").read_text()
    assert "Command: efdgen field --prime '2^255-19' --lang c --layout" in header
    assert header.count("Proved: ") + header.count("/* Proved") > 10 or layout == "split"
    made = run(tmp_path, "make", "test", f"CC={compiler}", f"CFLAGS=-O1 {' '.join(WARNINGS)}")
    assert made.returncode == 0, made.stderr
    assert passed(made.stdout)
    assert run(tmp_path, "./test_fp", "bench", "10").stdout.count(" ns\n") > 10
    for wrong in ((), ("test",), ("test", "x"), ("test", ""), ("test", "3x"), ("bench", "0")):
        assert run(tmp_path, "./test_fp", *wrong).returncode == 1


@pytest.mark.parametrize("command", ["field", "compile"])
@pytest.mark.slow
def test_a_representation_is_chosen_by_an_option(efdgen, command, tmp_path):
    chosen, texts = [], []
    for option in ((), ("--representation", "saturated")):
        folder = tmp_path / str(len(option))
        kind = ("--word", "64") if command == "field" else ("--formulas", "*/dbl-2009-l")
        done = efdgen(command, "--curve", "secp256k1", "--lang", "c", *kind, *option, "--out", folder)
        assert done.code == 0, done.err
        header = min(folder.glob("*.h"))
        command_line, _, text = header.read_text().partition("#ifndef")
        chosen.append("--representation" in command_line)
        texts.append(text)
    assert chosen == [False, True]
    assert texts[0] == texts[1]
    done = efdgen(command, "--curve", "P-256", "--lang", "c", "--representation", "unsaturated")
    assert done.code == 2
    assert "no unsaturated representation" in done.err


@pytest.mark.parametrize("command", ["field", "compile"])
def test_rust_is_written_for_rustc_where_nobody_says_it(efdgen, command, tmp_path):
    texts = {}
    asked = ("--ops", "sqr") if command == "field" else ("--formulas", "*/dbl-2009-l")
    for options in ((), ("--target", "rust"), ("--target", "portable")):
        folder = tmp_path / "-".join(("", *options))
        done = efdgen(command, "--curve", "secp256k1", "--lang", "rust", *asked, *options, "--out", folder)
        assert done.code == 0, done.err
        (module,) = folder.rglob("limbs64.rs")
        texts[options] = module.read_text().partition("\n#[inline")[2]
        assert (" ".join(options) in (folder / "src/lib.rs").read_text()) or not options
    without, rust, portable = texts.values()
    assert without == rust != portable
    for other in ((command, "--lang", "python"), ("compile", "--field-api", "libsecp256k1")):
        done = efdgen(*other, "--curve", "secp256k1", "--target", "gcc", "--out", tmp_path / "no")
        assert done.code == 2
        assert "no effect for Python" in done.err or "need --lang" in done.err
        assert not (tmp_path / "no").exists()


def test_answers_of_a_c_bundle_are_those_of_integers(cc, efdgen, rng, tmp_path):
    assert efdgen("field", "--curve", "P-256", "--order", "--lang", "c", "--out", tmp_path).code == 0
    assert run(tmp_path, "make", f"CC={cc}", "CFLAGS=-O1").returncode == 0
    asked = cases(ORDER, rng)
    done = run(tmp_path, "./test_fp", "run", stdin="".join(f"{request}\n" for request, _ in asked))
    assert done.stdout.splitlines() == [answer for _, answer in asked]


def test_a_test_program_sees_a_wrong_carry(cc, tmp_path):
    files = render_field(FieldRequest("c", "2^255-19", 64))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    wrong = re.sub(r"(_limbs_add\(uint64_t.*?_word_addc\()0,", r"\g<1>1,", files["fp.h"], count=1, flags=re.S)
    assert wrong != files["fp.h"]
    (tmp_path / "fp.h").write_text(wrong)
    made = run(tmp_path, "make", "test", f"CC={cc}", "CFLAGS=-O0")
    assert made.returncode != 0
    assert "FAILED" in made.stdout


@pytest.mark.long
def test_a_rust_bundle_tests_itself(cargo, clippy, rustfmt, efdgen, tmp_path):
    options = ("--prime", "2^127-1", "--lang", "rust", "--prefix", "m127", "--degree", "2")
    assert efdgen("field", *options, "--out", tmp_path).code == 0
    for features in ("", "word32"):
        for example in ("test_fp", "test_fp2"):
            require = ("--example", example, "--locked", "--quiet", "--features", features)
            done = run(tmp_path, cargo, "run", *require, "--", "test", "300")
            assert done.returncode == 0, done.stderr
            assert passed(done.stdout)
    pedantic = ("--", "-D", "warnings", "-W", "clippy::pedantic")
    done = run(tmp_path, cargo, "clippy", "--quiet", "--all-targets", *pedantic)
    assert done.returncode == 0, done.stderr
    files = ("src/lib.rs", "examples/test_fp.rs", "examples/test_fp2.rs")
    done = run(tmp_path, rustfmt, "--check", "--edition", "2021", *files)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("prime", ["2^255-19", "BLS12-381 order", "13"])
def test_a_python_bundle_tests_itself(efdgen, prime, tmp_path):
    assert efdgen("field", "--prime", prime, "--lang", "python", "--out", tmp_path).code == 0
    done = run(tmp_path, sys.executable, "test_fp.py", "test", "300")
    assert done.returncode == 0, done.stdout + done.stderr
    assert passed(done.stdout)
    module = (tmp_path / "fp.py").read_text()
    (tmp_path / "fp.py").write_text(module.replace("(a + b) % P", "(a + b + 1) % P"))
    assert run(tmp_path, sys.executable, "test_fp.py", "test", "10").returncode == 1


def test_operations_can_be_chosen(cc, efdgen, tmp_path):
    done = efdgen(
        "field", "--prime", "0xfffffffb", "--word", "32", "--ops", "add,mul", "--lang", "c", "--out", tmp_path
    )
    assert done.code == 0
    header = (tmp_path / "fp.h").read_text()
    assert "fp_fe_mul(" in header
    assert "fp_fe_half(" not in header
    assert "uint64_t fp_word" not in header
    assert run(tmp_path, "make", "test", f"CC={cc}", f"CFLAGS={' '.join(WARNINGS)}").returncode == 0


@pytest.mark.parametrize(
    ("text", "prime"),
    [
        ("2^255 - 19", P255),
        ("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed", P255),
        ("Curve25519", P255),
        ("P-256 order", ORDER),
        ("3*2^30+1", 3 * 2**30 + 1),
    ],
)
def test_primes_are_read_as_people_write_them(text, prime):
    assert read_prime(text) == prime


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--prime", "2^255-20"), "is not prime"),
        (("--prime", "no-such-curve"), "no-such-curve"),
        (("--prime", "2^^5"), "2^^5"),
        ((), "give --prime, --binary, or --curve"),
        (("--prime", "7", "--order"), "give --prime, --binary, or --curve"),
        (("--prime", "7", "--ops", "cube"), "has no operation 'cube'"),
        (("--prime", "7", "--layout", "crate"), "--layout is header or split for c"),
        (("--prime", "7", "--prefix", "a-b"), "--prefix must be an identifier"),
        (("--prime", "7", "--prefix", "stdio"), "would hide another file"),
        (("--curve", ""), "no curve is called ''"),
        (("--prime", "7", "--lang", "python", "--word", "64"), "--word has no effect for Python"),
        (("--prime", "7", "--lang", "python", "--degree", "2"), "remove --degree 2"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(efdgen, options, message, tmp_path):
    done = efdgen("field", "--lang", "c", "--out", tmp_path, *options)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_references_are_what_they_say(rng):
    prime = 2**127 - 1
    for name, factor in (("sqrt", False), ("inv_sqrt", True)):
        for row in rows_of(name, PrimeField(prime)):
            (a,) = row.operands
            root = pow(a, (prime + 1) // 4, prime)
            assert row.flag == (root * root % prime == a and not (factor and a == 0))
            assert row.value * (a if factor else 1) % prime == ((1 if factor else a) if row.flag else 0)
    a, b = rng.randrange(prime), rng.randrange(prime)
    assert evaluate("mul", (a, b), PrimeField(prime)).value == a * b % prime


def test_every_function_is_listed_with_what_is_proved_of_it(efdgen, tmp_path):
    prime = ("--prime", "2^31-1", "--degree", "2", "--nonresidue", "-1")
    ops = ("--word", "64", "--ops", "add,mul,inv_sqrt,from_bytes_le")
    done = efdgen("field", *prime, *ops, "--lang", "c", "--json", "--out", tmp_path)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {"path": str(tmp_path / "fp.h"), "state": "added"} in found["files"]
    text = (tmp_path / "fp.h").read_text()
    defined = set(re.findall(r"\b(fp_fe2?_\w+)\([^(){};]*\) \{", text))
    private = {"fp_fe_canonical", "fp_fe_from_canonical", "fp_fe_from_number"}
    private |= {"fp_fe_load_be", "fp_fe_store_be", "fp_fe_load_le"}
    listed = [function["name"] for function in found["functions"]]
    assert {name for name in listed if name.startswith("fp_fe")} == defined - private
    assert {"fp_word_*", "fp_limbs_mul", "fp_limbs_norm_2", "fp_limbs_reaches_prime"} < set(listed)
    assert [function["name"] for function in found["functions"] if not function["proved"]] == []
