"""Protocols over whole curves in Rust, on the vectors of RFC 7748, 8032, 6979 and of NIST."""

import subprocess
from pathlib import Path

import pytest
from protocol_vectors import (
    HASHES,
    NIST,
    VECTORS,
    der_integers,
    ed448_vectors,
    ed25519_vectors,
    private_key,
    records,
    rfc6979,
)
from whole_c import differences
from whole_curves import DATABASE
from whole_rust import PEDANTIC, Wanted, run_cargo, write_workspace

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve

CURVES = {
    "secp256k1": ("secp256k1", "jacobian-0"),
    "p256": ("P-256", "jacobian-3"),
    "p384": ("P-384", "jacobian-3"),
    "p521": ("P-521", "jacobian-3"),
    "edwards25519": ("edwards25519", "extended-1"),
    "ed448": ("Ed448", "projective"),
    "curve25519": ("Curve25519", None),
    "curve448": ("Curve448", None),
}
MANIFEST = """[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
sha2 = "0.11"
subtle = "2.6"
"""


@pytest.fixture(scope="module")
def program(cargo, tmp_path_factory) -> Path:
    """Return a program that answers requests to the protocols of all curves."""
    folder = tmp_path_factory.mktemp("protocols")
    wanted = [Wanted(name, *curve, set="protocols") for name, curve in CURVES.items()]
    write_workspace(folder, wanted, "program")
    dependencies = ""
    for name in CURVES:
        features = "" if name.startswith("curve") else ', features = ["protocols"]'
        dependencies += f'{name} = {{ path = "../{name}"{features} }}\n'
    (folder / "program/src").mkdir(parents=True)
    (folder / "program/Cargo.toml").write_text(MANIFEST + dependencies)
    source = Path(__file__).with_name("protocols_program.rs").read_text()
    (folder / "program/src/main.rs").write_text(source)
    run_cargo(folder, "build", "-p", "program", own=True)
    return folder / "target/debug/program"


@pytest.mark.usefixtures("clippy")
def test_linters_have_no_word_against_protocols(rustfmt, program):
    folder = program.parents[2]
    sources = [str(path) for name in CURVES for path in (folder / name).rglob("*.rs")]
    done = subprocess.run(
        [rustfmt, "--check", "--edition", "2021", *sources], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    packages = ("-p", "p256", "-p", "ed448", "--features", "protocols")
    run_cargo(folder, "clippy", *packages, *PEDANTIC)
    run_cargo(folder, "clippy", "-p", "curve25519", *PEDANTIC)


def test_examples_of_the_documentation_run(program):
    folder = program.parents[2]
    done = run_cargo(folder, "test", "--doc", "-p", "p256", "-p", "ed448", "--features", "protocols")
    assert (done.count("3 passed"), done.count("0 failed")) == (2, 2)
    assert "2 passed" in run_cargo(folder, "test", "--doc", "-p", "curve25519")


def words(*names: bytes | str) -> str:
    """Return a request; a sign stands before each argument, so that none is empty."""
    curve, function, *arguments = names
    return " ".join([curve, function, *(f"={a if isinstance(a, str) else a.hex()}" for a in arguments)])


def test_ed25519(program):
    cases, curve = [], "edwards25519"
    for secret, public, message, signature in ed25519_vectors():
        cases += [
            (words(curve, "public", secret), public.hex()),
            (words(curve, "sign", secret, message), signature.hex()),
            (words(curve, "verify", public, message, signature), "1"),
            (words(curve, "verify", public, message + b"x", signature), "0"),
        ]
    larger = (int.from_bytes(signature[32:], "little") + load_curve(curve).order).to_bytes(32, "little")
    wrongs = (signature[:32] + larger, bytes(64), signature[:-1], signature + b"\0", b"")
    cases += [(words(curve, "verify", public, message, wrong), "0") for wrong in wrongs]
    cases += [(words(curve, "verify", wrong, message, signature), "0") for wrong in (b"\xff" * 32, b"")]
    cases.append((words(curve, "embed", bytes(range(32)), bytes(range(29))), bytes(range(29)).hex()))
    assert len(cases) > 60
    assert differences(program, cases) == []


def test_ed448(program):
    cases, curve = [], "ed448"
    for secret, public, message, signature, context in ed448_vectors():
        cases += [
            (words(curve, "public", secret), public.hex()),
            (words(curve, "sign", secret, message, context), signature.hex()),
            (words(curve, "verify", public, message, signature, context), "1"),
            (words(curve, "verify", public, message, signature, context + b"x"), "0"),
            (words(curve, "verify", public, message, signature[:-1] + b"\1", context), "0"),
        ]
    cases.append((words(curve, "sign", secret, message, bytes(256)), "refused"))
    assert len(cases) > 25
    assert differences(program, cases) == []


@pytest.mark.parametrize(("curve", "name"), [("curve25519", "X25519"), ("curve448", "X448")])
def test_exchange_of_keys(curve, name, program):
    cases = []
    for row in records(VECTORS / name / "rfc7748.txt", "COUNT"):
        scalar, u, expected = (bytes.fromhex(row[key]) for key in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U"))
        cases.append((words(curve, "exchange", scalar, u), expected.hex()))
    assert len(cases) >= 3
    prime, size = load_curve(CURVES[curve][0]).prime, len(scalar)
    for small in (0, 1, prime - 1, prime, prime + 1):
        cases.append((words(curve, "exchange", scalar, small.to_bytes(size, "little")), "refused"))
    if curve == "curve25519":
        nine = (9).to_bytes(32, "little")
        once = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"  # RFC 7748, 5.2
        same = ((9 + prime) % 2**256).to_bytes(32, "little")
        cases += [(words(curve, "exchange", nine, u), once) for u in (nine, same, nine[:-1] + b"\x80")]
        cases.append((words(curve, "public", nine), once))
    assert differences(program, cases) == []


@pytest.mark.parametrize("curve", NIST)
def test_ecdsa_and_ecdh_of_nist(curve, program):
    found, name = load_curve(curve), curve.replace("-", "").lower()
    affine = AffineCurve(DATABASE.model(found.model), found.prime, found.parameters)
    size = (found.prime.bit_length() + 7) // 8
    cases, secrets = [], set()

    def plain(x: int, y: int) -> bytes:
        return b"\4" + x.to_bytes(size, "big") + y.to_bytes(size, "big")

    for _, pem, hash_name, message, output in (row for row in rfc6979() if row[0] == curve):
        if hash_name.lower() == "sha1":
            continue
        secret = private_key(pem, size)
        signature = b"".join(n.to_bytes(size, "big") for n in der_integers(output))
        request = words(name, "sign", secret.to_bytes(size, "big"), message.encode(), hash_name.lower())
        cases.append((request, signature.hex()))
        secrets.add(secret)
    assert len(cases) == 8
    for secret in secrets:
        public = affine.multiple(secret, tuple(found.generator.values()))
        cases.append((words(name, "public", secret.to_bytes(size, "big")), plain(*public).hex()))
    rows = records(VECTORS / "ECDSA/FIPS_186-3/SigVer.rsp", "Msg")
    for row in (row for row in rows if row[""].startswith(f"{curve},")):
        x, y, r, s = (int(row[key], 16) for key in ("Qx", "Qy", "R", "S"))
        hash_name = HASHES[row[""].partition(",")[2]]
        if max(x, y, r, s) >> 8 * size or hash_name == "sha1":
            continue
        signature = r.to_bytes(size, "big") + s.to_bytes(size, "big")
        request = words(name, "verify", plain(x, y), bytes.fromhex(row["Msg"]), signature, hash_name)
        cases.append((request, str(int(row["Result"].startswith("P")))))
    for row in (r for r in records(VECTORS / "ECDSA/FIPS_186-3/PKV.rsp", "Qx") if r[""] == curve):
        x, y = int(row["Qx"], 16), int(row["Qy"], 16)
        if max(x, y) >> 8 * size == 0 and row["Result"].startswith("F"):
            cases.append((words(name, "exchange", bytes(size - 1) + b"\1", plain(x, y)), "refused"))
    x, y = found.generator.values()
    cases += [
        (words(name, "exchange", bytes(size - 1) + b"\1", plain(x, y)), x.to_bytes(size, "big").hex()),
        (words(name, "exchange", bytes(size), plain(x, y)), "refused"),
        (words(name, "exchange", found.order.to_bytes(size, "big"), plain(x, y)), "refused"),
        (words(name, "neutral", bytes(size - 1) + b"\1"), "0"),
        (words(name, "sign", bytes(size), b"m", "sha256"), "refused"),
        (words(name, "public", bytes(size)), "refused"),
    ]
    assert {"0", "1", "refused"} <= {answer for _, answer in cases}
    assert differences(program, cases) == []


def test_secp256k1(program):
    cases, curve = [], "secp256k1"
    for row in records(VECTORS / "ECDSA/SECP256K1/SigGen.txt", "Msg"):
        x, y, r, s = (bytes.fromhex(row[key].zfill(64)) for key in ("Qx", "Qy", "R", "S"))
        name, message = HASHES[row[""].partition(",")[2]], bytes.fromhex(row["Msg"])
        if name == "sha1":
            continue
        for wrong in (False, True):
            signature = r + (s if not wrong else bytes([s[0] ^ 1]) + s[1:])
            request = words(curve, "verify", b"\4" + x + y, message, signature, name)
            cases.append((request, str(int(not wrong))))
        cases.append((words(curve, "verify", b"\4" + x + y, message, signature[1:], name), "0"))
    assert len(cases) > 40
    secret = bytes(range(1, 33))
    for text in (bytes(29), b"\xff" * 29, bytes(range(29))):
        cases.append((words(curve, "embed", secret, text), text.hex()))
    assert differences(program, cases) == []
