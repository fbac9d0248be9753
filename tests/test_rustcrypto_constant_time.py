"""Constant time of crates with RustCrypto's traits: secret operations in memcheck, both word sizes."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from whole_curves import DATABASE

from efdgen.generator.curves.load import load_curve
from efdgen.generator.mathematics.primes import is_square
from efdgen.verify.vectors.secrets import Leak, Trial, secret_builds, try_build
from efdgen.verify.vectors.signature_cases import signed
from efdgen.verify.vectors.whole_cases import Question
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_suite import WholeSuite

ROOT = Path(__file__).parents[1]
CRATES = {"p256": "P-256", "k256": "secp256k1"}
Rows = Iterator[tuple[str, ...]]


# Branches on secrets in the libraries that the traits are from: where they are, and why they tell nothing.
ACCEPTED = {
    r"rfc6979::KGenerator": "a nonce out of range is drawn again, as RFC 6979 has it",
    r"ecdsa::hazmat::sign_prehashed_rfc6979": "a nonce in range is not 0",
    r"ecdsa::Signature<C>::from_scalars|s<k256::": "r and s are published",
    r"elliptic_curve::scalar::value::ScalarValue<C>::from_slice": "r and s are published",
    r"invert<.*scalar/nonzero\.rs": "what is not 0 has an inverse",
    r"ff::helpers::sqrt_ratio_generic": "it checks its own result",
    r".*<impl .*From<.*Scalar> for .*ScalarValue<.*macros\.rs": "a scalar is below the order",
}
_OF_OPTIONS = re.compile(r"(unwrap|from|into|into_option)<|subtle::CtOption<T>::")


def faults(trial: Trial) -> list[Leak]:
    """Return the leaks that are not accepted."""
    return [leak for leak in trial.found if not any(re.match(each, place(leak)) for each in ACCEPTED)]


def place(leak: Leak) -> str:
    """Return the innermost function of a leak that is not a conversion of an option of ``subtle``."""
    return next((call for call in leak.calls if not _OF_OPTIONS.match(call)), "")


def questions(curve: WholeCurve, rng: Random) -> Iterator[Question]:
    for rows in (scalar_rows, point_rows, key_rows):
        for function, *arguments, answer in rows(curve, rng):
            yield Question(function, tuple(arguments), answer, "edge")


def scalar_rows(curve: WholeCurve, rng: Random) -> Rows:
    n = curve.order
    a, b = (rng.randrange(1, n) for _ in range(2))
    x, y = curve.scalar(a), curve.scalar(b)
    yield "scalar_add", x, y, curve.scalar((a + b) % n)
    yield "scalar_sub", x, y, curve.scalar((a - b) % n)
    yield "scalar_mul", x, y, curve.scalar(a * b % n)
    yield "scalar_neg", x, curve.scalar(-a % n)
    yield "scalar_double", x, curve.scalar(2 * a % n)
    yield "scalar_square", x, curve.scalar(a * a % n)
    yield "scalar_invert", x, curve.scalar(pow(a, -1, n))
    yield "nonzero_invert", x, curve.scalar(pow(a, -1, n))
    yield "scalar_sqrt", curve.scalar(a * a % n), "1" + curve.scalar(a * a % n)
    ratio = a * a * b % n
    assert is_square(ratio * pow(b, -1, n) % n, n)
    yield "scalar_sqrt_ratio", curve.scalar(ratio), y, "1" + curve.scalar(ratio)
    yield "scalar_from_repr", x, f"1{x}"
    top = (1 << 8 * curve.scalar_bytes) - 1
    yield "scalar_reduce", curve.scalar(top), curve.scalar(top % n)
    yield "scalar_reduce_nonzero", curve.scalar(top), curve.scalar(top % (n - 1) + 1)
    wide = rng.randbytes(2 * curve.scalar_bytes)
    yield "scalar_from_uniform_bytes", wide.hex(), curve.scalar(int.from_bytes(wide, "big") % n)
    yield "scalar_equal", x, y, "0"
    yield "scalar_is_zero", x, "0"
    yield "scalar_is_odd", x, str(a % 2)
    yield "scalar_is_high", x, str(int(a > n // 2))
    yield "scalar_select", x, y, "1", y
    yield "scalar_sum", x, y, curve.scalar((a + b) % n)
    yield "scalar_product", x, y, curve.scalar(a * b % n)


def point_rows(curve: WholeCurve, rng: Random) -> Rows:
    affine, n = curve.affine, curve.order
    p, q = (affine.random_point(rng) for _ in range(2))
    a, b = (rng.randrange(1, n) for _ in range(2))
    one, other, k = curve.point(p), curve.point(q), curve.scalar(a)
    total = curve.point(affine.add(p, q))
    yield "point_add", one, other, total
    yield "point_add_affine", one, other, total
    yield "point_sub", one, other, curve.point(affine.add(p, affine.negate(q)))
    yield "point_double", one, curve.point(affine.double(p))
    yield "point_neg", one, curve.point(affine.negate(p))
    for name in ("point_mul", "affine_mul"):
        yield name, one, k, curve.point(curve.multiple(a, p))
    yield "generator_mul", k, curve.point(curve.multiple(a, curve.generator))
    both = affine.add(curve.multiple(a, p), curve.multiple(b, q))
    yield "point_lincomb", one, k, other, curve.scalar(b), curve.point(both)
    for name in ("point_select", "affine_select"):
        yield name, one, other, "1", other
    yield "point_negate_if", one, "1", curve.point(affine.negate(p))
    for name in ("point_equal", "affine_equal"):
        yield name, one, other, "0"
    yield "point_is_identity", one, "0"
    yield "affine_y_is_odd", one, str(p[1] % 2)
    yield "batch_normalize", one, other, one + other
    for name in ("affine_to_bytes", "point_to_bytes"):
        yield name, one, curve.encoded(p).hex()


def key_rows(curve: WholeCurve, rng: Random) -> Rows:
    n, point = curve.order, curve.affine.random_point(rng)
    a, b = (rng.randrange(1, n) for _ in range(2))
    k, owner = curve.scalar(a), curve.point(curve.multiple(a, curve.generator))
    message = rng.randbytes(20)
    r, s = signed(curve, a, message, "sha256")
    if curve.curve.name == "secp256k1":
        s = min(s, n - s)
    yield "sign", k, hashlib.sha256(message).hexdigest(), curve.scalar(r) + curve.scalar(s)
    for name in ("verifying_key", "public_key", "public_key_of_scalar"):
        yield name, k, owner
    yield "secret_key_to_bytes", k, k
    yield "secret_key_equal", k, curve.scalar(b), "0"
    yield "exchange", k, curve.point(point), curve.element(curve.multiple(a, point)[0])


@pytest.fixture(scope="module")
def crates(emitted):
    """Return a function that emits the files of a crate with a driver of its secret operations."""

    def crate(name: str) -> dict[str, str]:
        folder = emitted("rustcrypto", CRATES[name])
        found = {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}
        driver = (ROOT / "tests/rustcrypto_secrets.rs").read_text()
        marks = (ROOT / "templates/rust/secrets.rs.j2").read_text()
        found["examples/driver.rs"] = driver.replace("use p256 as curve", f"use {name} as curve") + marks
        found["Cargo.toml"] = found["Cargo.toml"].replace('default = ["', 'default = ["ecdh", "')
        return found

    return crate


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder for all builds, which share the libraries."""
    return tmp_path_factory.mktemp("build")


def tried(name: str, files: dict[str, str], word: int, folder: Path) -> Trial:
    suite = WholeSuite(WholeCurve.of(load_curve(CRATES[name]), DATABASE), 1, ask=questions)
    (build,) = secret_builds(["rust"], [], [word])
    return try_build(build, files, suite, folder)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("name", "word"), [("p256", 64), ("p256", 32), ("k256", 64)])
@pytest.mark.usefixtures("valgrind")
def test_secret_operations_take_constant_time(name, word, crates, folder):
    trial = tried(name, crates(name), word, folder)
    assert (trial.sees, trial.wrong, trial.slow) == (True, [], [])
    assert faults(trial) == []
    places = [place(leak) for leak in trial.found]
    assert all(any(re.match(pattern, each) for each in places) for pattern in ACCEPTED)


EDITS = [
    ("field", "CtOption::new(Self(self.0.invert()), ", "CtOption::new(Self(self.0.invert_var()), "),
    ("projective", "native::multiply(&", "native::multiply_var(&"),
    (
        "affine",
        "let kept = ",
        "if core::hint::black_box(self.infinity) == 1 { return CompressedPoint::default(); } let kept = ",
    ),
    (
        *("scalar", "self.retrieve().ct_gt(&HALF)"),
        "Choice::from(u8::from(self.to_bytes()[..] > Self::from_uint_unchecked(HALF).to_bytes()[..]))",
    ),
]


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("file", "right", "wrong"), EDITS, ids=[edit[0] for edit in EDITS])
@pytest.mark.usefixtures("valgrind")
def test_a_branch_on_a_secret_is_found(file, right, wrong, crates, folder):
    files = {**crates("p256")}
    path = f"src/{file}.rs"
    assert right in files[path]
    files[path] = files[path].replace(right, wrong)
    trial = tried("p256", files, 64, folder)
    assert (trial.sees, trial.wrong) == (True, [])
    assert faults(trial)
