"""Features of whole curves in Rust: the same for each curve, canonical encodings, random keys, no warning."""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from whole_drivers import differences
from whole_rust import PEDANTIC, Wanted, run_cargo, shared, write_workspace

from efdgen.verify.vectors.signature_cases import ecdsa
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve

CRATES = {
    "p256": ("P-256", "jacobian-3"),
    "edwards25519": ("edwards25519", "extended-1"),
    "ed448": ("Ed448", "projective"),
    "curve25519": ("Curve25519", None),
}
EVERY = {"alloc", "ff", "group", "rand_core", "serde", "word32", "zeroize"}
OF_PROTOCOLS = {"protocols", "signature"}
"""Features of crates with protocols that hash."""

MANIFEST = """[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
postcard = { version = "1", features = ["alloc"] }
rand_core = "0.10"
serde = "1"
serde_json = "1"
sha2 = "0.11"
"""


@pytest.fixture(scope="module")
def workspace(cargo, tmp_path_factory):
    """Return a folder of crates with a program that uses their features, and the curves by name."""
    folder = tmp_path_factory.mktemp("features")
    wanted = [Wanted(name, *curve, set="protocols") for name, curve in CRATES.items()]
    subjects = write_workspace(folder, wanted, "program")
    lines = [f'{name} = {{ path = "../{name}", features = {features(name)} }}' for name in CRATES]
    (folder / "program/src").mkdir(parents=True)
    (folder / "program/Cargo.toml").write_text(MANIFEST + "\n".join([*lines, ""]))
    source = Path(__file__).with_name("rust_features_program.rs").read_text()
    (folder / "program/src/main.rs").write_text(source)
    run_cargo(folder, "build", "-p", "program")
    return folder, {name: subject.curve for name, subject in subjects.items()}


def features(name: str) -> str:
    """Return the features of a crate that the program uses, as a list of TOML."""
    hashes = [] if name.startswith("curve") else ["protocols"]
    return json.dumps([*hashes, "alloc", "rand_core", "serde", "zeroize"])


@pytest.mark.long
def test_every_curve_has_the_same_features(workspace):
    folder, curves = workspace
    for name in curves:
        found = tomllib.loads((folder / name / "Cargo.toml").read_text())["features"]
        assert found.keys() - OF_PROTOCOLS == EVERY


@pytest.mark.parametrize("feature", sorted(EVERY | OF_PROTOCOLS))
def test_each_feature_alone_compiles(feature, workspace):
    having = [name for name in CRATES if feature in EVERY or not name.startswith("curve")]
    packages = [word for name in having for word in ("-p", name)]
    run_cargo(workspace[0], "check", "--quiet", *packages, "--features", feature)


@pytest.mark.long
def test_crates_with_all_features_have_no_warning(workspace, clippy, rustfmt):
    folder, _ = workspace
    sources = [str(path) for name in CRATES for path in (folder / name).rglob("*.rs")]
    subprocess.run([rustfmt, "--check", "--edition", "2021", *sources], check=True)
    packages = [word for name in CRATES for word in ("-p", name)]
    run_cargo(folder, "clippy", "--quiet", *packages, "--all-features", *PEDANTIC)
    assert run_cargo(folder, "doc", "--quiet", "--no-deps", *packages, "--all-features") == ""
    packaged = run_cargo(folder, "package", "--quiet", "--no-verify", "--allow-dirty", *packages)
    assert "warning" not in packaged


def test_lock_files_are_those_that_cargo_makes(workspace, tmp_path):
    folder, _ = workspace
    for name in CRATES:
        own = tmp_path / name
        own.mkdir()
        for path in ("Cargo.toml", "Cargo.lock"):
            (own / path).write_text((folder / name / path).read_text())
        (own / "src").mkdir()
        (own / "src/lib.rs").write_text("")
        run_cargo(own, "metadata", "--quiet", "--locked", "--format-version", "1")


def test_crates_are_described_by_the_name_that_was_asked_for(workspace):
    folder, _ = workspace
    description = tomllib.loads((folder / "p256" / "Cargo.toml").read_text())["package"]["description"]
    assert description.startswith("P-256 in constant time: points, ")
    assert description.endswith("; ECDH, ECDSA, ElGamal, hashing to the curve")
    assert "\n//! `P-256`: points, " in (folder / "p256" / "src" / "lib.rs").read_text()
    assert "secp256r1" not in (folder / "p256" / "src" / "ecdsa.rs").read_text()
    description = tomllib.loads((folder / "curve25519" / "Cargo.toml").read_text())["package"]["description"]
    assert description.endswith(" encodings; key exchange")


def test_the_newest_hashes_that_cargo_adds_fit_ecdsa(workspace, tmp_path):
    """Add the crate and `sha2` by name to the program in examples/rust, without a lock file, and test it."""
    example = Path(__file__).parents[1] / "examples" / "rust"
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.rs").write_text((example / "src/main.rs").read_text())
    (tmp_path / "Cargo.toml").write_text(f"{MANIFEST.partition('[dependencies]')[0]}\n[workspace]\n")
    run_cargo(tmp_path, "add", "--quiet", "--path", str(workspace[0] / "p256"), "--features", "protocols")
    run_cargo(tmp_path, "add", "--quiet", "sha2")
    assert "3 passed" in run_cargo(tmp_path, "test")
    locked = tomllib.loads((tmp_path / "Cargo.lock").read_text())["package"]
    versions = [package["version"] for package in locked if package["name"] == "digest"]
    assert len(versions) == 1


def encodings(curve: WholeCurve, rng) -> Iterator[tuple[str, bytes, bool]]:
    """Yield elements, scalars and points in bytes, and whether they are canonical."""
    prime, order = curve.curve.prime, curve.order
    order_of_bytes = "big" if curve.model == "shortw" else "little"
    size = curve.field_bytes
    for value in (0, 1, prime - 1, prime, prime + 1, 256**size - 1, rng.randrange(prime)):
        if value < 256**size:
            yield "element", value.to_bytes(size, order_of_bytes), value < prime
    if curve.model == "montgom":
        return
    top = 256**curve.scalar_bytes - 1
    for value in (0, 1, order - 1, order, order + 1, top, rng.randrange(order)):
        yield "scalar", bytes.fromhex(curve.scalar(value)), value < order
    point = curve.affine.random_point(rng)
    yield from (("point", curve.encoded(p), True) for p in (point, curve.affine.negate(point)))
    yield "point", curve.encoded_by(curve.coordinate_of_none, 0), False
    if curve.model == "shortw":
        yield from (("point", bytes([tag]) + curve.encoded(point)[1:], False) for tag in (0, 1, 4, 5, 6))
        yield "point", curve.encoded_by(prime, 0), False
    else:
        yield "point", curve.encoded(curve.affine.neutral), True
        yield "point", curve.encoded_by(1, 1), False


def requests(name: str, curve: WholeCurve, rng) -> Iterator[tuple[str, str]]:
    """Yield what is read and written again in both formats, and values of other lengths and digits."""

    def text(value: str) -> str:
        return json.dumps(value).encode().hex()

    def sized(value: bytes) -> str:
        assert len(value) < 128
        return (bytes([len(value)]) + value).hex()

    for kind, value, canonical in encodings(curve, rng):
        for form, written in ((kind, sized(value)), (f"json_{kind}", text(value.hex()))):
            yield f"{name} {form} ={written}", written if canonical else REFUSED
        yield f"{name} sequence_{kind} ={value.hex()}", sized(value) if canonical else REFUSED
        for wrong in (value[:-1], value + b"\0", b""):
            yield f"{name} {kind} ={sized(wrong)}", REFUSED
            yield f"{name} sequence_{kind} ={wrong.hex()}", REFUSED
            yield f"{name} json_{kind} ={text(wrong.hex())}", REFUSED
        if value.hex() != value.hex().upper():
            yield f"{name} json_{kind} ={text(value.hex().upper())}", REFUSED
        yield f"{name} json_{kind} ={text('0x' + value.hex()[2:])}", REFUSED
        yield f"{name} json_{kind} ={json.dumps([*value]).encode().hex()}", REFUSED


@pytest.mark.parametrize("name", CRATES)
def test_serde_has_canonical_encodings_alone(name, workspace, rng):
    _, curves = workspace
    cases = [*requests(name, curves[name], rng)]
    if name == "p256":
        cases.append((f"{name} identity =", REFUSED))
    assert {REFUSED} < {answer for _, answer in cases}
    assert differences(shared() / "debug/program", cases) == []


@pytest.mark.parametrize("name", CRATES)
def test_random_keys_are_drawn_until_they_are_in_range(name, workspace, rng):
    _, curves = workspace
    curve = curves[name]
    size, surplus = -(-curve.order.bit_length() // 8), -curve.order.bit_length() % 8
    k = rng.randrange(1, curve.order)
    drawn = b"".join((n << surplus).to_bytes(size, "big") for n in (0, curve.order, k, 1)).hex()
    public = curve.encoded(curve.multiple(k, curve.generator)).hex()
    cases = [(f"{name} key ={drawn}", curve.scalar(k) + public)]
    if curve.model != "montgom":
        cases.append((f"{name} random ={drawn}", curve.scalar(k)))
    assert differences(shared() / "debug/program", cases) == []


def test_keys_of_ecdsa_are_checked_once(workspace, rng):
    _, curves = workspace
    curve, cases = curves["p256"], []
    for function, *arguments, answer in ecdsa(curve, rng):
        owner, message, signature, hash_name = arguments if function == "ecdsa_verify" else [""] * 4
        if hash_name == "sha256" and owner != "O":
            words = (f"04{owner}", message.strip("-"), signature.strip("-"))
            cases.append((f"p256 verify {' '.join(f'={word}' for word in words)}", answer))
    cases.append((f"p256 verify =04{curve.point((1, 1))} =00 =00", REFUSED))
    cases.append(("p256 verify =00 =00 =00", REFUSED))
    assert {"0", "1"} <= {answer for _, answer in cases}
    assert differences(shared() / "debug/program", cases) == []


# A type of secrets that names what it is dropped with; the crate's own overwrites it.
WATCHED = """
extern crate std;

pub(crate) struct Secret<T>(T);

impl<T> Secret<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T> core::ops::Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Secret<T> {
    fn drop(&mut self) {
        std::eprintln!("overwritten {}", core::any::type_name::<T>());
    }
}
"""
SECRETS = [
    ("p256", "ecdh_exchange", {"p256::scalar::Scalar": 1, "p256::Point": 1, "p256::AffinePoint": 1}),
    ("p256", "ecdsa_sign", {"p256::scalar::Scalar": 4, "[u8; 64]": 1, "[u8; 32]": 3}),
    ("edwards25519", "eddsa_sign", {"edwards25519::scalar::Scalar": 2, "[u8; 64]": 1, "[u8; 32]": 4}),
    ("ed448", "elgamal_decrypt", {"ed448::Point": 1}),
    ("curve25519", "exchange", {"[u8; 32]": 1, "curve25519::field::FieldElement": 1}),
]


@pytest.mark.parametrize(("name", "function", "expected"), SECRETS, ids=[row[1] for row in SECRETS])
def test_protocols_overwrite_the_secrets_that_they_derive(name, function, expected, workspace, rng):
    folder, curves = workspace
    path, curve = folder / name / "src/secret.rs", curves[name]
    text, own = path.read_text(), curve.affine.random_point(rng)
    assert "pub(crate) use zeroize::Zeroizing as Secret;" in text
    k, point = curve.scalar(rng.randrange(1, curve.order)), curve.point(own)
    request = {
        "ecdh_exchange": f"{k} {point}",
        "ecdsa_sign": f"{k} 00 sha256",
        "eddsa_sign": f"{k} 00",
        "elgamal_decrypt": f"{k} {point} {point}",
        "exchange": f"{k} {curve.encoded(curve.generator).hex()}",
    }[function]
    hashes = [] if name.startswith("curve") else ["--features", "protocols"]
    try:
        path.write_text(WATCHED)
        done = subprocess.run(
            ["cargo", "run", "--quiet", "-p", name, "--example", f"{name}_protocols", *hashes],
            cwd=folder,
            input=f"{function} {request}\n",
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.write_text(text)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^overwritten (.*)$", done.stderr, re.M)
    assert {kind: found.count(kind) for kind in expected} == expected
