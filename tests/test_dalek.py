"""Crates with the interfaces of dalek: names, format, lints, documents, features, behaviour beside dalek."""

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from ecosystem.sources import call, emit, published, run, write_program
from whole_rust import require_clean, require_each_alone, require_publishable, run_cargo

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.interfaces import INTERFACES, Naming
from efdgen.generator.render.rust.dalek import crate_of

ROOT = Path(__file__).parents[1]
CURVES = {"ed25519-dalek": "edwards25519", "x25519-dalek": "Curve25519", "curve25519-dalek": "edwards25519"}
VERSIONS = {
    "dalek": {"ed25519-dalek": "3.0.0", "x25519-dalek": "3.0.0", "curve25519-dalek": "5.0.0"},
    "dalek-2": {"ed25519-dalek": "2.2.0", "x25519-dalek": "2.0.1", "curve25519-dalek": "4.1.3"},
}
EVERY = [(api, name) for api in VERSIONS for name in CURVES]
PROGRAM = """
use curve25519_dalek::{montgomery::MontgomeryPoint, RistrettoPoint, Scalar};
use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use x25519_dalek::{PublicKey, StaticSecret};

fn main() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let signature: Signature = key.sign(b"message");
    key.verifying_key().verify(b"message", &signature).unwrap();
    let (ours, theirs) = (StaticSecret::from([7; 32]), StaticSecret::from([9; 32]));
    let common = ours.diffie_hellman(&PublicKey::from(&theirs));
    assert_eq!(common.to_bytes(), theirs.diffie_hellman(&PublicKey::from(&ours)).to_bytes());
    assert_eq!(MontgomeryPoint::mul_base_clamped([7; 32]).to_bytes(), PublicKey::from(&ours).to_bytes());
    let point: curve25519_dalek::EdwardsPoint = key.verifying_key().into();
    assert_eq!(VerifyingKey::from(point * Scalar::ONE), key.verifying_key());
    assert_eq!(RistrettoPoint::mul_base(&Scalar::ZERO).compress().to_bytes(), [0; 32]);
    println!("verified");
}
"""
PROFILE = ("", "[profile.dev]", "opt-level = 1", "debug = false")


def declared(folder):
    """Return the features in the manifest of a crate."""
    return tomllib.loads((folder / "Cargo.toml").read_text())["features"]


@pytest.fixture(scope="module")
def crate(cargo, tmp_path_factory):
    """Return a function that emits the crate of a name, once, to call the emitted one of points."""
    folder = tmp_path_factory.mktemp("crates")

    @cache
    def emitted(api, name):
        made = emit(folder / api / name, CURVES[name], api, name)
        return made if name == "curve25519-dalek" else call(made, emitted(api, "curve25519-dalek"))

    return emitted


@pytest.mark.parametrize(("api", "name"), EVERY)
def test_crates_are_named_like_those_they_replace(api, name):
    curve = load_curve(CURVES[name])
    crate = crate_of(curve, INTERFACES[api], Naming(name))
    assert (crate.name, crate.version, crate.replaces) == (name, VERSIONS[api][name], True)
    first = next(own for own, of in CURVES.items() if of == CURVES[name])
    assert crate_of(curve, INTERFACES[api], Naming()).name == first
    other = crate_of(curve, INTERFACES[api], Naming("fast", "1.2.3"))
    assert (other.name, other.version, other.replaces) == ("fast", "1.2.3", False)


@pytest.mark.parametrize(
    "curve",
    [
        load_curve("P-256"),
        load_curve("Ed448"),
        replace(load_curve("edwards25519"), field=load_curve("secp256k1").field),
    ],
    ids=lambda curve: curve.name,
)
def test_other_curves_are_refused_with_the_names_of_those_that_fit(curve):
    with pytest.raises(EfdgenError, match="or Curve25519") as found:
        crate_of(curve, INTERFACES["dalek"], Naming("own"))
    assert "edwards25519 (ed25519-dalek, curve25519-dalek) or Curve25519 (x25519-dalek)" in str(found.value)


def test_the_crate_of_points_is_refused_for_the_curve_of_its_name(efdgen, tmp_path):
    words = "compile --lang rust --curve Curve25519 --set protocols --api dalek --crate-name curve25519-dalek"
    done = efdgen(*words.split(), "--out", tmp_path)
    assert done.code == 2
    assert "--crate-name curve25519-dalek is for --curve edwards25519, not Curve25519" in done.err


@pytest.mark.slow
@pytest.mark.long
def test_the_crate_of_points_needs_extended_coordinates(efdgen, tmp_path):
    words = (
        "compile --lang rust --curve edwards25519 --set protocols --api dalek --crate-name curve25519-dalek"
    )
    done = efdgen(*words.split(), "--coords", "projective", "--out", tmp_path)
    assert done.code == 2
    assert (
        "curve25519-dalek needs extended coordinates, not g1p/twisted/projective; omit --coords" in done.err
    )


def test_a_crate_without_arithmetic_has_no_options_of_it(efdgen, tmp_path):
    words = (
        "compile --lang rust --curve edwards25519 --set protocols --api dalek --coords extended --table small"
    )
    done = efdgen(*words.split(), "--out", tmp_path)
    assert done.code == 2
    assert "--coords, --table has no effect on a crate without arithmetic; remove it" in done.err


@pytest.mark.parametrize("api", VERSIONS)
@pytest.mark.parametrize("name", ["ed25519-dalek", "x25519-dalek"])
def test_crates_name_the_feature_that_the_published_crate_of_points_lacks(api, name, cargo, tmp_path):
    crate = emit(tmp_path / name, CURVES[name], api)
    found = run(crate, "cargo", "metadata", "--format-version", "1")
    assert not found.succeeded
    told = f"package `{name}` depends on `curve25519-dalek` with feature `emitted-by-efdgen` but"
    assert f"{told} `curve25519-dalek` does not have that feature" in found.output


def test_a_crate_is_written_over_another_version_of_it(tmp_path, efdgen):
    words = ["compile", "--lang", "rust", "--curve", "X25519", "--set", "protocols", "--api", "dalek"]
    for version in ("1.2.3", "1.2.4"):
        done = efdgen(*words, "--crate-name", "x", "--crate-version", version, "--out", str(tmp_path))
        assert done.code == 0, done.err
    assert tomllib.loads((tmp_path / "Cargo.toml").read_text())["package"]["version"] == "1.2.4"
    assert "of `x25519-dalek`" in (tmp_path / "README.md").read_text()


@pytest.mark.long
def test_readers_replace_all_crates_by_a_line_each(cargo, tmp_path, monkeypatch, efdgen):
    page = (ROOT / "docs" / "dalek.md").read_text()
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^    efdgen (compile (?!.*--machine).*--api dalek .*)$", page, re.M):
        assert efdgen(*command.split()).code == 0
    patch = re.search(r"^```toml\n(\[patch.*?)^```", page, re.M | re.S)[1]
    needs = ['curve25519-dalek = "5"', 'ed25519-dalek = "3"']
    needs += ['x25519-dalek = { version = "3", features = ["static_secrets"] }']
    write_program(tmp_path, needs, *PROFILE, patch, main=PROGRAM)
    assert "verified" in run_cargo(tmp_path, "run", "--quiet")
    locked = tomllib.loads((tmp_path / "Cargo.lock").read_text())["package"]
    assert {p["name"] for p in locked if p["name"].endswith("dalek")} == {*CURVES}
    assert not any("source" in p for p in locked if p["name"] in CURVES)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
@pytest.mark.usefixtures("clippy", "rustfmt")
def test_crates_are_formatted_and_pass_pedantic_lints(api, name, crate):
    folder = crate(api, name)
    require_clean(folder, "--all-features")


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", CURVES)
def test_crates_are_documented_and_packaged_without_a_warning(name, crate):
    folder = crate("dalek", name)
    require_publishable(folder, "--all-features")
    run_cargo(folder, "test", "--quiet", "--doc")


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
def test_features_are_those_of_the_published_crate(api, name, crate, tmp_path):
    source = published(tmp_path, name, VERSIONS[api][name])
    theirs, ours = map(declared, (source, crate(api, name)))
    assert sorted(ours["default"]) == sorted(theirs["default"])
    assert ours.keys() >= theirs.keys()


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
def test_each_feature_alone_compiles(api, name, crate):
    folder = crate(api, name)
    require_each_alone(folder, sorted(declared(folder)))


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", VERSIONS)
def test_behaviour_is_the_one_of_dalek(api, crate, tmp_path, rng):
    """Compare verdicts on points of small order and on odd encodings, and what is signed and exchanged."""
    wanted = {"ed25519-dalek": ["batch", "digest", "hazmat", "pem"], "x25519-dalek": ["static_secrets"]}
    lines = [f'curve25519-dalek = "={VERSIONS[api]["curve25519-dalek"]}"']
    for name, short in (("ed25519-dalek", ""), ("x25519-dalek", "_x")):
        version = f'version = "={VERSIONS[api][name]}"'
        for of, place in (("own", f'path = "{crate(api, name)}"'), ("real", version)):
            lines += [f'{of}{short} = {{ package = "{name}", {place}, features = {wanted[name]} }}']
    program = (ROOT / "tests" / "dalek_program.rs").read_text()
    # Both crates assert the length of contexts while they are debugged.
    profile = (*PROFILE, "debug-assertions = false", "overflow-checks = true")
    write_program(tmp_path, [line.replace("'", '"') for line in lines], *profile, main=program)
    printed = run_cargo(tmp_path, "run", "--quiet", "--", str(rng.getrandbits(32)))
    counts = {
        name: (int(accepted), int(refused))
        for name, accepted, refused in re.findall(r"^(.*): (\d+) accepted, (\d+) refused$", printed, re.M)
    }
    assert counts.pop("empty batch")[1] == 0
    assert len(counts) == 15
    assert all(min(accepted, refused) > 10 for accepted, refused in counts.values()), counts
    assert counts["verify"][0] > counts["strict"][0]
