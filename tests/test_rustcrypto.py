"""Crates with the traits of RustCrypto: names, constants, format, lints, documents, features and tests."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from ecosystem.sources import write_program
from whole_rust import require_clean, require_each_alone, require_publishable, run_cargo

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.interfaces import INTERFACES, Naming, project_facts
from efdgen.generator.render.rust.ff import field_constants
from efdgen.generator.render.rust.rustcrypto import peer_of

ROOT = Path(__file__).parents[1]
TRAITS = INTERFACES["rustcrypto"]
API = ("compile", "--lang", "rust", "--set", "protocols", "--api", "rustcrypto", "--out", "crate")

# ff's MULTIPLICATIVE_GENERATOR of the fields of coordinates and of scalars, as published crates state them.
GENERATORS = {
    "P-192": (11, 3),
    "P-224": (22, 2),
    "P-256": (6, 7),
    "P-384": (19, 2),
    "P-521": (3, 3),
    "secp256k1": (3, 7),
}


def planned(curve):
    """Return what a crate's name depends on in the plan of a curve."""
    return SimpleNamespace(curve=curve, order=curve.order, prefix="own")


@pytest.mark.parametrize("curve", GENERATORS)
def test_constants_of_ff_are_those_of_published_crates(curve):
    found = load_curve(curve)
    for modulus, generator in zip((found.prime, found.order), GENERATORS[curve], strict=True):
        constants = {constant.name: constant.value for constant in field_constants(modulus)}
        adicity = next(s for s in range(1, 300) if (modulus - 1) >> s & 1)
        assert constants["UNITS_GENERATOR"] == generator
        assert 2 * constants["TWO_INV"] % modulus == 1
        root = constants["UNITS_ROOT"]
        assert root * constants["UNITS_ROOT_INV"] % modulus == 1
        assert pow(root, 1 << adicity - 1, modulus) == modulus - 1
        assert constants["UNITS_DELTA"] == pow(generator, 1 << adicity, modulus)


def test_crates_are_named_like_those_they_replace():
    names = {curve: peer_of(planned(load_curve(curve)), TRAITS, Naming()) for curve in GENERATORS}
    assert {curve: peer.name for curve, peer in names.items()} == {
        "P-192": "p192",
        "P-224": "p224",
        "P-256": "p256",
        "P-384": "p384",
        "P-521": "p521",
        "secp256k1": "k256",
    }
    assert all(peer.replaces for peer in names.values())
    other = peer_of(planned(load_curve("P-256")), TRAITS, Naming("fast256", "1.2.3"))
    assert (other.name, other.version, other.replaces) == ("fast256", "1.2.3", False)


def test_facts_of_a_published_crate_are_for_its_curve_alone():
    for name in project_facts("rustcrypto")["crates"]:
        assert load_curve(name).name == name
    own = replace(load_curve("P-256"), field=load_curve("secp256k1").field)
    peer = peer_of(planned(own), TRAITS, Naming())
    assert (peer.name, peer.oid, peer.hash, peer.replaces) == ("own", "", "", False)


@pytest.mark.parametrize(
    ("curve", "reason"),
    [
        ("edwards25519", "needs a Weierstrass curve of prime order"),
        ("secp160r1", "one size for elements and scalars"),
    ],
)
def test_other_curves_are_refused(curve, reason):
    with pytest.raises(EfdgenError, match=reason):
        peer_of(planned(load_curve(curve)), TRAITS, Naming())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--crate-name", 'p"256'], "--crate-name is letters"),
        (["--crate-name", "2p"], "--crate-name is letters"),
        (["--crate-version", "1.2"], "--crate-version is like 1.2.3"),
        (["--crate-version", "1.٢.3"], "--crate-version is like 1.2.3"),
    ],
)
def test_names_that_cargo_refuses_are_refused(words, reason, efdgen):
    done = efdgen(*API, "--curve", "P-256", *words)
    assert (done.code, reason in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--lang", "c", "--set", "protocols", "--api", "rustcrypto"], "--api needs --lang rust"),
        (["--lang", "rust", "--set", "curve", "--api", "rustcrypto"], "--api needs --lang rust"),
        (["--lang", "rust", "--set", "protocols", "--crate-name", "p"], "need --api"),
    ],
)
def test_options_that_belong_together_are_asked_for(words, reason, efdgen):
    done = efdgen("compile", "--curve", "P-256", "--out", "crate", *words)
    assert (done.code, reason in done.err) == (2, True), done.err


PAGES = ("README.md", "docs/rustcrypto.md")
PROGRAM = """
use p256::ecdsa::{signature::{Signer, Verifier}, Signature, SigningKey, VerifyingKey};

fn main() {
    let key = SigningKey::from_bytes(&[7; 32].into()).unwrap();
    let signature: Signature = key.sign(b"message");
    VerifyingKey::from(&key).verify(b"message", &signature).unwrap();
    println!("verified");
}
"""


@pytest.mark.long
def test_readers_replace_p256_by_two_lines(cargo, tmp_path, monkeypatch, efdgen):
    pages = [(ROOT / page).read_text() for page in PAGES]
    commands = [re.search(r"^    efdgen (compile .*--api rustcrypto .*)$", page, re.M)[1] for page in pages]
    whole, patch = (re.search(r"^```toml\n(\[patch.*?)^```", page, re.M | re.S)[1] for page in pages)
    assert patch in whole
    assert commands[0] == commands[1]
    monkeypatch.chdir(tmp_path)
    assert efdgen(*commands[0].split()).code == 0
    write_program(tmp_path, ['p256 = "0.14"'], patch, main=PROGRAM)
    assert "verified" in run_cargo(tmp_path, "run", "--quiet")
    assert (
        'source = "registry'
        not in re.search(r'name = "p256"\n(.*?)\n\n', (tmp_path / "Cargo.lock").read_text(), re.S)[1]
    )


def supported(folder):
    """Return the features of a crate that are no errors."""
    declared = tomllib.loads((folder / "Cargo.toml").read_text())["features"]
    text = (folder / "src" / "lib.rs").read_text()
    return sorted(declared.keys() - set(re.findall(r'feature = "([^"]+)"\)\]\ncompile_error!', text)))


@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", ["P-521", "secp256k1"])
@pytest.mark.usefixtures("clippy", "rustfmt")
def test_crates_are_formatted_and_pass_pedantic_lints(curve, emitted):
    folder = emitted("rustcrypto", curve)
    require_clean(folder, "--features", ",".join(supported(folder)))


def test_crates_are_documented_and_packaged_without_a_warning(emitted):
    folder = emitted("rustcrypto", "secp256k1")
    require_publishable(folder, "--features", ",".join(supported(folder)))


def test_each_feature_alone_compiles(emitted, few, rng):
    folder = emitted("rustcrypto", "secp256k1")
    features = supported(folder)
    assert {"arithmetic", "ecdh", "ecdsa", "pem", "pkcs8", "serde", "sha256", "std"} <= {*features}
    require_each_alone(folder, few(rng, features, 2))
