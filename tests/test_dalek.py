"""Crates with the interfaces of dalek: names, format, lints, documents, features, behaviour beside dalek."""

import re
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from ecosystem.sources import emit, published
from whole_rust import PEDANTIC, run_cargo

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.interfaces import INTERFACES, Naming
from efdgen.generator.render.rust.dalek import crate_of

ROOT = Path(__file__).parents[1]
CURVES = {"ed25519-dalek": "edwards25519", "x25519-dalek": "Curve25519"}
VERSIONS = {
    "dalek": {"ed25519-dalek": "3.0.0", "x25519-dalek": "3.0.0", "curve25519-dalek": "5"},
    "dalek-2": {"ed25519-dalek": "2.2.0", "x25519-dalek": "2.0.1", "curve25519-dalek": "4"},
}
EVERY = [(api, name) for api in VERSIONS for name in CURVES]
PROGRAM = """
use ed25519_dalek::{Signature, Signer, SigningKey, Verifier};
use x25519_dalek::{PublicKey, StaticSecret};

fn main() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let signature: Signature = key.sign(b"message");
    key.verifying_key().verify(b"message", &signature).unwrap();
    let (ours, theirs) = (StaticSecret::from([7; 32]), StaticSecret::from([9; 32]));
    let common = ours.diffie_hellman(&PublicKey::from(&theirs));
    assert_eq!(common.to_bytes(), theirs.diffie_hellman(&PublicKey::from(&ours)).to_bytes());
    println!("verified");
}
"""
MANIFEST = """[package]
name = "program"
version = "0.0.0"
edition = "2021"

[profile.dev]
opt-level = 1
debug = false

[workspace]

[dependencies]
"""


def planned(curve):
    """Return what a crate's name depends on in the plan of a curve."""
    return SimpleNamespace(curve=curve, prefix="own")


@pytest.fixture(scope="module")
def crates(cargo, tmp_path_factory):
    """Return a function that emits the crate of an interface and a name, once."""
    made, folder = {}, tmp_path_factory.mktemp("crates")

    def crate(api, name):
        if (api, name) not in made:
            made[api, name] = emit(folder / api / name, CURVES[name], api)
        return made[api, name]

    return crate


@pytest.mark.parametrize(("api", "name"), EVERY)
def test_crates_are_named_like_those_they_replace(api, name):
    plan = planned(load_curve(CURVES[name]))
    crate = crate_of(plan, INTERFACES[api], Naming())
    assert (crate.name, crate.version, crate.replaces) == (name, VERSIONS[api][name], True)
    other = crate_of(plan, INTERFACES[api], Naming("fast", "1.2.3"))
    assert (other.name, other.version, other.replaces) == ("fast", "1.2.3", False)


@pytest.mark.parametrize(
    "curve",
    [
        load_curve("P-256"),
        load_curve("Ed448"),
        replace(load_curve("edwards25519"), prime=load_curve("secp256k1").prime),
    ],
    ids=lambda curve: curve.name,
)
def test_other_curves_are_refused_with_the_names_of_those_that_fit(curve):
    with pytest.raises(EfdgenError, match=r"edwards25519 \(ed25519-dalek\) or Curve25519 \(x25519-dalek\)"):
        crate_of(planned(curve), INTERFACES["dalek"], Naming("own"))


@pytest.mark.slow
def test_a_crate_is_written_over_another_version_of_it(tmp_path, efdgen):
    words = ["compile", "--lang", "rust", "--curve", "X25519", "--set", "protocols", "--api", "dalek"]
    for version in ("1.2.3", "1.2.4"):
        done = efdgen(*words, "--crate-name", "x", "--crate-version", version, "--out", str(tmp_path))
        assert done.code == 0, done.err
    assert tomllib.loads((tmp_path / "Cargo.toml").read_text())["package"]["version"] == "1.2.4"
    assert "of `x25519-dalek`" in (tmp_path / "README.md").read_text()


def test_readers_replace_both_crates_by_a_line_each(cargo, tmp_path, monkeypatch, efdgen):
    page = (ROOT / "docs" / "dalek.md").read_text()
    monkeypatch.chdir(tmp_path)
    for command in re.findall(r"^    efdgen (compile .*--api dalek .*)$", page, re.M):
        assert efdgen(*command.split()).code == 0
    patch = re.search(r"^```toml\n(\[patch.*?)^```", page, re.M | re.S)[1]
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text(PROGRAM)
    needs = 'ed25519-dalek = "3"\nx25519-dalek = { version = "3", features = ["static_secrets"] }\n'
    (tmp_path / "Cargo.toml").write_text(f"{MANIFEST}{needs}\n{patch}")
    assert "verified" in run_cargo(tmp_path, "run", "--quiet")
    locked = tomllib.loads((tmp_path / "Cargo.lock").read_text())["package"]
    assert {p["name"] for p in locked if p["name"].endswith("dalek")} == {*CURVES}
    assert not any("source" in p for p in locked if p["name"] in CURVES)


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
def test_crates_are_formatted_and_pass_pedantic_lints(api, name, crates, clippy, rustfmt):
    folder = crates(api, name)
    subprocess.run(["rustfmt", "--check", "--edition", "2021", "src/lib.rs"], cwd=folder, check=True)
    run_cargo(folder, "clippy", "--quiet", "--all-features", *PEDANTIC)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", CURVES)
def test_crates_are_documented_and_packaged_without_a_warning(name, crates):
    folder = crates("dalek", name)
    assert run_cargo(folder, "doc", "--quiet", "--no-deps", "--all-features") == ""
    assert "warning" not in run_cargo(folder, "package", "--quiet", "--no-verify", "--allow-dirty")
    run_cargo(folder, "test", "--quiet", "--doc")


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
def test_features_are_those_of_the_published_crate(api, name, crates, tmp_path):
    source = published(tmp_path, name, VERSIONS[api][name])
    theirs, ours = (
        tomllib.loads((folder / "Cargo.toml").read_text())["features"]
        for folder in (source, crates(api, name))
    )
    assert sorted(ours["default"]) == sorted(theirs["default"])
    assert ours.keys() >= theirs.keys()


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("api", "name"), EVERY)
def test_each_feature_alone_compiles(api, name, crates):
    folder = crates(api, name)
    for feature in tomllib.loads((folder / "Cargo.toml").read_text())["features"]:
        run_cargo(folder, "check", "--quiet", "--no-default-features", "--features", feature)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", VERSIONS)
def test_behaviour_is_the_one_of_dalek(api, crates, tmp_path, rng):
    """Compare verdicts on points of small order and on odd encodings, and what is signed and exchanged."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.rs").write_text((ROOT / "tests" / "dalek_program.rs").read_text())
    features = {"ed25519-dalek": ["batch", "digest", "hazmat", "pem"], "x25519-dalek": ["static_secrets"]}
    lines = [f'curve25519-dalek = "{VERSIONS[api]["curve25519-dalek"]}"']
    for name, short in (("ed25519-dalek", ""), ("x25519-dalek", "_x")):
        version = f'version = "={VERSIONS[api][name]}"'
        for of, place in (("own", f'path = "{crates(api, name)}"'), ("real", version)):
            lines += [f'{of}{short} = {{ package = "{name}", {place}, features = {features[name]} }}']
    (tmp_path / "Cargo.toml").write_text("\n".join([MANIFEST, *lines, ""]).replace("'", '"'))
    printed = run_cargo(tmp_path, "run", "--quiet", "--", str(rng.getrandbits(32)))
    counts = {
        name: (int(accepted), int(refused))
        for name, accepted, refused in re.findall(r"^(.*): (\d+) accepted, (\d+) refused$", printed, re.M)
    }
    assert counts.pop("empty batch")[1] == 0
    assert len(counts) == 13
    assert all(min(accepted, refused) > 10 for accepted, refused in counts.values()), counts
    assert counts["verify"][0] > counts["strict"][0]
