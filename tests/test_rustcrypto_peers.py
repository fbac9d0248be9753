"""Decoders of emitted crates against those of the crates that they replace: same values, same errors."""

import subprocess
from pathlib import Path

import pytest
from ecosystem.sources import emit, write_program
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


def program(folder: Path, name: str) -> Path:
    """Return a program with an emitted crate and the published one; cargo builds it in half a minute."""
    emit(folder / name, CURVES[name], "rustcrypto")
    features = 'features = ["ecdh", "pem", "serde"]'
    version = PUBLISHED.get(name, "0.14.0")
    needs = ['ecdsa = "0.17"', 'serde_json = "1"', f'{name} = {{ path = "{name}", {features} }}']
    needs.append(f'{name}_peer = {{ package = "{name}", version = "={version}", {features} }}')
    peer = f"{name}, {name}_peer, {MARKERS[name]}"
    main = f"{SOURCE.read_text()}\npeers! {{ {peer}; }}\n"
    write_program(folder, needs, *PROFILE, main=main)
    run_cargo(folder, "build", "--quiet")
    return shared() / "debug/program"


def agrees(given: str, answer: bytes | bool | None) -> bool:
    """Return whether an answer is the expected one: bytes, a refusal, or any."""
    if answer is None:
        return True
    return given == f"ok {answer.hex()}" if answer else not given.startswith("ok")


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.usefixtures("cargo")
def test_decoders_accept_and_refuse_what_their_peers_do(name, tmp_path, rng):
    """Answers of an emitted crate are those of the published one, and those that are known."""
    curve = WholeCurve.of(load_curve(CURVES[name]), DATABASE)
    peer = Peer(curve, bytes.fromhex(OIDS[name]), low_s=name == "k256")
    asked = list(dict.fromkeys(cases(peer, rng)))
    lines = [" ".join((name, function, *(f"={a.hex()}" for a in given))) for function, given, _ in asked]
    done = subprocess.run(
        [program(tmp_path, name)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
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
