"""Decoders of emitted crates against those of the crates that they replace: same values, same errors."""

import os
import subprocess
from pathlib import Path
from random import Random

import pytest
from ecosystem.sources import emit
from rustcrypto_cases import Peer, cases
from whole_curves import DATABASE
from whole_rust import run_cargo, shared

from efdgen.generator.curves.load import load_curve
from efdgen.verify.vectors.whole_curve import WholeCurve

CURVES = {"p256": "P-256", "k256": "secp256k1", "p384": "P-384", "p521": "P-521", "p224": "P-224"}
MARKERS = {name: "Secp256k1" if name == "k256" else f"Nist{name.upper()}" for name in CURVES}
PUBLISHED = {"p224": "0.14.0-rc.15"}
OIDS = {
    "p256": "2a8648ce3d030107",
    "k256": "2b8104000a",
    "p384": "2b81040022",
    "p521": "2b81040023",
    "p224": "2b81040021",
}
# The requests of a crate take a minute in code that is not optimised.
PROFILE = ("", "[profile.dev]", "opt-level = 1", "debug = false", "incremental = false")
SOURCE = Path(__file__).with_name("rustcrypto_peers.rs")


@pytest.fixture(scope="module")
def names(few) -> list[str]:
    """Return the name of a crate; cargo builds one beside its peer in twenty seconds."""
    return few(Random(os.environ["EFDGEN_TEST_SEED"]), [*CURVES], 1)


@pytest.fixture(scope="module")
def program(cargo, names, tmp_path_factory) -> Path:
    """Return a program with some emitted crates and the published ones."""
    folder = tmp_path_factory.mktemp("peers")
    lines = ["[package]", 'name = "peers"', 'version = "0.0.0"', 'edition = "2021"', "", "[dependencies]"]
    lines += ['ecdsa = "0.17"', 'serde_json = "1"']
    features = 'features = ["ecdh", "pem", "serde"]'
    for name in names:
        emit(folder / name, CURVES[name], "rustcrypto")
        version = PUBLISHED.get(name, "0.14.0")
        lines += [f'{name} = {{ path = "{name}", {features} }}']
        lines += [f'{name}_peer = {{ package = "{name}", version = "={version}", {features} }}']
    (folder / "Cargo.toml").write_text("\n".join([*lines, "", "[workspace]", *PROFILE, ""]))
    (folder / "src").mkdir()
    peers = "".join(f"{name}, {name}_peer, {MARKERS[name]}; " for name in names)
    (folder / "src/main.rs").write_text(f"{SOURCE.read_text()}\npeers! {{ {peers}}}\n")
    run_cargo(folder, "build", "--quiet")
    return shared() / "debug/peers"


def agrees(given: str, answer: bytes | bool | None) -> bool:
    """Return whether an answer is the expected one: bytes, a refusal, or any."""
    if answer is None:
        return True
    return given == f"ok {answer.hex()}" if answer else not given.startswith("ok")


def test_decoders_accept_and_refuse_what_their_peers_do(names, program, rng):
    for name in names:
        require_agreement(name, program, rng)


def require_agreement(name: str, program: Path, rng: Random) -> None:
    """Require equal answers of an emitted crate and of the published one, and those that are known."""
    curve = WholeCurve.of(load_curve(CURVES[name]), DATABASE)
    peer = Peer(curve, bytes.fromhex(OIDS[name]), low_s=name == "k256")
    asked = list(dict.fromkeys(cases(peer, rng)))
    lines = [" ".join((name, function, *(f"={a.hex()}" for a in given))) for function, given, _ in asked]
    done = subprocess.run(
        [program], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    wrong, counts = [], {True: 0, False: 0}
    for line, (_, _, answer), answered in zip(lines, asked, done.stdout.splitlines(), strict=True):
        own, published = answered.split("\t")
        counts[own.startswith("ok")] += 1
        if own != published:
            wrong.append(f"{line}: {own}, but the published crate {published}")
        elif not agrees(own, answer):
            wrong.append(f"{line}: {own}, not {answer and answer.hex()}")
    assert min(counts.values()) > 1000, counts
    assert wrong == []
