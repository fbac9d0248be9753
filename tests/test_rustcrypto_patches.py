"""Replacement of published crates: every feature exists, none is lost in silence, and patches are used."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from ecosystem.patches import PEERS, features, resolve, write
from ecosystem.sources import packages
from whole_rust import run_cargo

with (Path(__file__).parent / "ecosystem" / "dependants.toml").open("rb") as file:
    DEPENDANTS = tomllib.load(file)
# Features of published crates that are errors.
REFUSED = {"test-vectors"}


@pytest.fixture(scope="module")
def published_features(cargo, tmp_path_factory):
    """Return the features of the published crates, by their names and versions."""
    wanted = [(name, version) for (name, _), (_, version) in PEERS.items()]
    found = packages(tmp_path_factory.mktemp("published"), wanted)
    return {key: package["features"] for key, package in found.items()}


def closure(declared: dict[str, list[str]], feature: str) -> set[str]:
    """Return a feature and those of the same crate that it has."""
    others = [other for other in declared[feature] if other in declared and other != feature]
    return {feature}.union(*(closure(declared, other) for other in others))


@pytest.mark.drawn(4)
@pytest.mark.parametrize(("name", "api"), PEERS)
def test_every_feature_of_the_published_crate_exists(name, api, published_features, tmp_path):
    theirs = published_features[name, PEERS[name, api][1]]
    ours = features(write(tmp_path, name, api))
    assert theirs.keys() - ours.keys() == set()
    assert set(theirs["default"]) - closure(ours, "default") <= REFUSED
    assert closure(ours, "default") & REFUSED == set()


@pytest.mark.usefixtures("cargo")
@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", DEPENDANTS)
def test_patches_of_a_dependant_are_used(name, tmp_path):
    assert resolve(tmp_path, name, DEPENDANTS[name]) == []


@pytest.mark.usefixtures("cargo")
def test_a_patch_without_a_feature_is_found_unused(tmp_path, monkeypatch):
    """frost-secp256k1 needs `hash2curve`; without that feature cargo takes the published crate, and warns."""

    def without(folder: Path, name: str, api: str) -> Path:
        crate = write(folder, name, api)
        manifest = crate / "Cargo.toml"
        text = manifest.read_text()
        assert text.count("\nhash2curve = ") == 1
        manifest.write_text(re.sub(r"\nhash2curve = .*", "", text))
        return crate

    monkeypatch.setattr("ecosystem.patches.write", without)
    (found,) = resolve(tmp_path, "frost-secp256k1", DEPENDANTS["frost-secp256k1"])
    assert "was not used in the crate graph" in found


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", ["rustcrypto", "rustcrypto-0.13"])
def test_refused_features_are_errors_with_their_names(api, cargo, emitted):
    folder = emitted(api, "secp256k1")
    text = (folder / "src" / "lib.rs").read_text()
    refused = re.findall(r'^#\[cfg\(feature = "([\w-]+)"\)\]\ncompile_error!', text, re.M)
    assert set(refused) == REFUSED
    run_cargo(folder, "check", "--quiet")
    done = subprocess.run(
        [cargo, "check", "--quiet", "--features", ",".join(refused)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    named = re.findall(r"^error: the feature `([\w-]+)` is not supported", done.stderr, re.M)
    assert (done.returncode, sorted(named)) == (101, sorted(refused))
