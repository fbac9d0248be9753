"""Published vectors of protocols, of the package ``cryptography_vectors``: of RFCs, and NIST's."""

import re
from base64 import b64decode
from functools import cache
from pathlib import Path

import cryptography_vectors

VECTORS = Path(cryptography_vectors.__file__).parent / "asymmetric"
NIST = {"P-256": "secp256r1", "P-384": "secp384r1", "P-521": "secp521r1"}
BINARY = {
    **{f"K-{bits}": f"sect{bits}k1" for bits in (163, 233, 283, 409, 571)},
    **{f"B-{bits}": f"sect{bits}r1" for bits in (233, 283, 409, 571)},
    "B-163": "sect163r2",
}
"""NIST's curves over GF(2^m)."""
HASHES = {"SHA-1": "sha1", "SHA-224": "sha224", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}


def records(path: Path, start: str) -> list[dict[str, str]]:
    """Return the ``KEY = value`` records of a file, each from the key ``start`` on; "" is its section."""
    found, section = [], ""
    for line in path.read_text().splitlines():
        if match := re.fullmatch(r"\[(.*)\]", line.strip()):
            section = match[1]
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or line.startswith(("#", "[")):
            continue
        if key == start:
            found.append({"": section})
        if found:
            found[-1][key] = value
    return found


def ed25519_vectors() -> list[tuple[bytes, bytes, bytes, bytes]]:
    lines = (VECTORS / "Ed25519/sign.input").read_text().splitlines()
    chosen = [line.split(":")[:4] for line in [*lines[:12], *lines[-4:]]]
    rows = [tuple(bytes.fromhex(part) for part in parts) for parts in chosen]
    return [(secret[:32], public, message, signature[:64]) for secret, public, message, signature in rows]


def ed448_vectors() -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    keys = ("SECRET", "PUBLIC", "MESSAGE", "SIGNATURE", "CONTEXT")
    rows = records(VECTORS / "Ed448/rfc8032.txt", "COUNT")
    return [tuple(bytes.fromhex(row.get(key, "")) for key in keys) for row in rows]


@cache
def rfc6979() -> list[tuple[str, str, str, bytes, bool]]:
    """Return curve, PEM of the key, hash, message, and whether the signature is right, with the signature."""
    text = (VECTORS / "ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt").read_text()
    keys = dict(
        re.findall(r"PrivateKey=(\S+)\n-----BEGIN PRIVATE KEY-----\n(.*?)-----END", text, flags=re.DOTALL)
    )
    blocks = re.findall(
        r'DigestSign = (\S+)\nKey = (\S+)\nNonceType = deterministic\nInput = "(\w+)"\nOutput = (\w+)', text
    )
    return [
        (key.removesuffix("_PRIV"), keys[key], name, text_, bytes.fromhex(out))
        for name, key, text_, out in blocks
    ]


def der_integers(signature: bytes) -> tuple[int, int]:
    """Return r and s of SEQUENCE { INTEGER, INTEGER }."""
    at = 3 if signature[1] & 0x80 else 2
    numbers = []
    while at < len(signature):
        length = signature[at + 1]
        numbers.append(int.from_bytes(signature[at + 2 : at + 2 + length], "big"))
        at += 2 + length
    return numbers[0], numbers[1]


def private_key(pem: str, size: int) -> int:
    """Return the secret of a PKCS #8 key that holds an ECPrivateKey: the octet string behind 02 01 01 04."""
    der = b64decode("".join(pem.split()))
    at = der.index(b"\2\1\1\4") + 4
    assert der[at] in (size, size + 1, size - 1)
    return int.from_bytes(der[at + 1 : at + 1 + der[at]], "big")
