"""Protocols in every language, by their drivers: every question, published vectors, and faults."""

import hashlib
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import pytest
from edits import table
from protocol_files import crate_name, protocols_of, whole_of
from protocol_rows import PUBLISHED, public_keys
from protocol_vectors import NIST
from tools import CC, SANITIZED, UNOPTIMISED
from whole_c import compile_files
from whole_curves import DATABASE
from whole_drivers import Subject
from whole_rust import PEDANTIC, example, run_cargo, write_crates

from efdgen.generator.curves.load import load_curve
from efdgen.verify.vectors.digest_cases import digests
from efdgen.verify.vectors.drivers import Driver, build_driver
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.signature_cases import pair, signed_digest
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve

# The order of this curve is so far below its prime that nonces are soon found whose x is not below it.
SMALL = """\
name = "small"
model = "g1p/shortw"
prime = 33554467
order = 33543173
cofactor = 1
parameters = {a = -3, b = 570}
generator = {x = 1, y = 17497542}
"""
SEED = int(os.environ["EFDGEN_TEST_SEED"])
BITS = {"c": 64, "c, 32 bits": 32}
NEEDS = {
    "rust": pytest.mark.needs("cargo"),
    "python": (),
    **dict.fromkeys(BITS, pytest.mark.needs("cc", "openssl")),
}
LANGUAGES = [pytest.param(name, marks=NEEDS[name]) for name in (*BITS, "rust", "python")]
ASKED = ("secp256k1", "P-224", "E-222", "P-521", "secp160r1", "edwards25519", "Ed448", "Curve25519")
CRATES = sorted({*PUBLISHED, *ASKED})
# The least number of rows, where it is not 70.
LEAST = {"BLS12-381": 50, "Curve25519": 10, "Curve448": 7, "brainpoolP256r1": 6}


@pytest.fixture(scope="module")
def crates(tmp_path_factory) -> Callable[[], Path]:
    """Return what writes and builds the crates of all curves once, and returns their folder."""

    @cache
    def workspace() -> Path:
        folder = tmp_path_factory.mktemp("crates")
        files = {crate_name(curve): whole_of(curve, "rust").files["rust"] for curve in CRATES}
        write_crates(folder, files)
        hashing = [f"{crate_name(c)}/protocols" for c in CRATES if not c.startswith("Curve")]
        run_cargo(folder, "build", "--examples", "--features", ",".join(hashing), own=True)
        return folder

    return workspace


@pytest.fixture(scope="module")
def program(crates, tmp_path_factory) -> Callable[..., Subject]:
    """Return what builds the driver of a curve's protocols, or of the curve, in a language."""

    @cache
    def built(language: str, curve: str, protocols: bool = True) -> Subject:
        name = language.partition(",")[0]
        whole = protocols_of(curve, name) if protocols else whole_of(curve, name)
        if language == "rust":
            name = crate_name(curve) + "_protocols" * protocols
            return Subject(whole.curve, example(crates(), name))
        flags = SANITIZED if protocols else UNOPTIMISED
        folder = tmp_path_factory.mktemp("driver")
        return Subject(whole.curve, build(language, curve, whole.files[name], folder, *flags))

    return built


def build(language: str, curve: str, files: Mapping[str, str], folder: Path, *flags: str) -> Driver:
    """Return the driver of a curve; in C it takes all hashes of OpenSSL."""
    if language == "python":
        return build_driver("python", files, folder)
    if language == "rust":
        write_crates(folder, {crate_name(curve): files})
        needed = () if curve.startswith("Curve") else ("--features", "protocols")
        run_cargo(folder, "build", "--examples", *needed, own=True)
        return example(folder, f"{crate_name(curve)}_protocols")
    known, every = r"(hash_called\(.*?)EVP_sha256\(\)", r"\1EVP_get_digestbyname(name)"
    files = {**files, "driver.c": re.sub(known, every, files["driver.c"], count=1, flags=re.S)}
    words = (f"-DWHOLE_WORD_BITS={BITS[language]}", f"-DWHOLE_N_WORD_BITS={BITS[language]}")
    flags = (*flags, *words, "-Wno-unused-function")
    compile_files(folder, files, CC, *flags, "driver.c", "-o", "driver", "-lcrypto")
    return Driver("c", (str(folder / "driver"),))


@cache
def published(curve: str) -> list[tuple[str, ...]]:
    """Return the rows of a curve, the same for all languages."""
    return [*PUBLISHED[curve](WholeCurve.of(load_curve(curve), DATABASE))]


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("curve", PUBLISHED)
def test_published_vectors(curve, language, program):
    # The driver in Rust does not know SHA-1.
    rows = [row for row in published(curve) if language != "rust" or "sha1" not in row]
    assert len(rows) >= LEAST.get(curve, 70)
    if curve != "BLS12-381":
        assert {REFUSED, *(() if curve in LEAST else "01")} <= {row[-1] for row in rows}
    else:
        assert {"map_to_curve", "hash_to_curve", "encode_to_curve"} <= {row[0] for row in rows}
    if language == "c, 32 bits":
        # One word size verifies all signatures; sanitizers take long.
        rows = [row for number, row in enumerate(rows) if row[0] != "ecdsa_verify" or number % 8 == 0]
    assert program(language, curve).differences(rows) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("curve", NIST)
def test_public_keys_of_nist(curve, language, program):
    subject = program(language, curve, protocols=False)
    rows = [*public_keys(subject.curve)]
    assert {"validate", "from_affine"} == {row[0] for row in rows}
    assert REFUSED in {row[-1] for row in rows}
    assert subject.differences(rows) == []


@cache
def questions(curve: str, seed: int = 1) -> list[tuple[str, ...]]:
    """Return the rows of the suite of a curve's protocols, the same for all languages."""
    whole = WholeCurve.of(load_curve(curve), DATABASE)
    return [(q.function, *q.arguments, q.answer) for q in protocol_questions(whole, Random(seed))]


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("curve", ASKED)
def test_every_question_is_answered_right(curve, language, program):
    rows = questions(curve, SEED)
    if not curve.startswith("Curve"):
        assert {"sc_inv", "sc_from_wide_bytes"} <= {row[0] for row in rows}
    assert program(language, curve).differences(rows) == []


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_recovery_ids_of_an_x_above_the_order(language, program, rng, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "small.toml"
    path.write_text(SMALL)
    subject = program(language, str(path))
    curve = subject.curve
    d = rng.randrange(1, curve.order)
    owner, rows = curve.point(curve.multiple(d, curve.generator)), [*digests(curve, rng)]
    missing = {"2", "3"}
    for n in count(rng.randrange(1 << 32)):
        digest = hashlib.sha256(str(n).encode()).digest()
        r, s, number = signed_digest(curve, d, digest, "sha256")
        if str(number) in missing:
            text = pair(curve, r, s).hex()
            rows.append(("ecdsa_sign_digest", curve.scalar(d), digest.hex(), "sha256", f"{text} {number}"))
            rows.append(("ecdsa_recover", digest.hex(), text, str(number), owner))
            missing.remove(str(number))
        if not missing:
            break
    assert subject.differences(rows) == []


FILES = {"c": "whole_{}.h", "rust": "src/{}.rs", "python": "whole/_{}.py"}


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("language", "curve", "file", "right", "wrong", "functions"),
    [pytest.param(*edit, marks=NEEDS[edit[0]]) for edit in table("protocols")],
)
def test_a_fault_is_found(language, curve, file, right, wrong, functions, tmp_path):
    files, name = dict(protocols_of(curve, language).files[language]), FILES[language].format(file)
    assert right in files[name]
    files[name] = files[name].replace(right, wrong)
    driver = build(language, curve, files, tmp_path, *UNOPTIMISED, "-w")
    broken = Subject(protocols_of(curve, language).curve, driver)
    found = {difference.split()[0] for difference in broken.differences(questions(curve))}
    assert found == set(functions.split())


@pytest.mark.long
@pytest.mark.usefixtures("clippy", "cargo")
def test_linters_have_no_word_against_protocols(rustfmt, crates):
    folder = crates()
    sources = [str(path) for curve in CRATES for path in (folder / crate_name(curve)).rglob("*.rs")]
    done = subprocess.run(
        [rustfmt, "--check", "--edition", "2021", *sources], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    packages = ("-p", "p256", "-p", "ed448", "--features", "protocols")
    run_cargo(folder, "clippy", *packages, *PEDANTIC)
    run_cargo(folder, "clippy", "-p", "curve25519", *PEDANTIC)


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
def test_examples_of_the_documentation_run(crates):
    folder = crates()
    done = run_cargo(folder, "test", "--doc", "-p", "p256", "-p", "ed448", "--features", "protocols")
    assert (done.count("4 passed"), done.count("0 failed")) == (2, 2)
    assert "2 passed" in run_cargo(folder, "test", "--doc", "-p", "curve25519")
