"""Nonces that ECDSA rejects (RFC 6979, 3.2 h), in each language, on curves small enough to meet all kinds."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.load import load_curve
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

# Half of all numbers of nine bits are not below 257; on the last curve some x are not below the order.
CURVES = {
    "long": (
        "prime = 65539\norder = 65713\nparameters = {a = 31817, b = 27626}\ngenerator = {x = 0, y = 52991}"
    ),
    "half": "prime = 241\norder = 257\nparameters = {a = 5, b = 3}\ngenerator = {x = 0, y = 56}",
    "over": "prime = 521\norder = 503\nparameters = {a = 13, b = 11}\ngenerator = {x = 0, y = 191}",
}
KINDS = ("k = 0", "k >= n", "r = 0", "s = 0")
# Orders below this have each kind of rejection among some thousands of signatures.
_FEW = 1 << 10
HASHES = ("sha224", "sha256", "sha512")


@pytest.fixture(scope="module")
def curves(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("curves")
    for name, text in CURVES.items():
        whole = f'name = "{name}"\nmodel = "g1p/shortw"\ncofactor = 1\n{text}\n'
        (folder / f"{name}.toml").write_text(whole)
    return {name: folder / f"{name}.toml" for name in CURVES}


def abscissa(curve: Curve, k: int) -> int:
    """Return x of k·G, by the affine law."""
    affine = AffineCurve(DATABASE.model(curve.model), curve.prime, curve.parameters)
    return affine.multiple(k, tuple(curve.generator.values()))[0]


def leftmost(curve: Curve, text: bytes) -> int:
    """Return the leftmost bits of a string as a number (RFC 6979, 2.3.2)."""
    return int.from_bytes(text, "big") >> max(0, 8 * len(text) - curve.order.bit_length())


def candidates(curve: Curve, secret: int, message: bytes, name: str) -> Iterator[int]:
    """Yield the numbers that RFC 6979, 3.2, tries as nonces: each after all before it were rejected."""
    octets = (curve.order.bit_length() + 7) // 8
    hashed = leftmost(curve, hashlib.new(name, message).digest()) % curve.order
    seed = secret.to_bytes(octets, "big") + hashed.to_bytes(octets, "big")
    size = hashlib.new(name).digest_size
    value, key = b"\1" * size, b"\0" * size
    for mark in (0, 1):
        key = hmac.digest(key, value + bytes([mark]) + seed, name)
        value = hmac.digest(key, value, name)
    while True:
        text = b""
        while 8 * len(text) < curve.order.bit_length():
            value = hmac.digest(key, value, name)
            text += value
        yield leftmost(curve, text)
        key = hmac.digest(key, value + b"\0", name)
        value = hmac.digest(key, value, name)


def signed(curve: Curve, secret: int, message: bytes, name: str) -> tuple[bytes, list[str]]:
    """Return r and s, and why the nonces before theirs were rejected."""
    order, rejected = curve.order, []
    octets = (order.bit_length() + 7) // 8
    e = leftmost(curve, hashlib.new(name, message).digest())
    for k in candidates(curve, secret, message, name):
        if not 0 < k < order:
            rejected.append("k >= n" if k else "k = 0")
            continue
        r = abscissa(curve, k) % order
        s = pow(k, -1, order) * (e + r * secret) % order
        if r and s:
            return r.to_bytes(octets, "big") + s.to_bytes(octets, "big"), rejected
        rejected.append("s = 0" if r else "r = 0")
    raise AssertionError("there is another nonce")


def requests(curve: Curve) -> dict[str, str]:
    """Return requests with their answers; each kind of rejection that a curve soon has is met four times."""
    missing, found = dict.fromkeys(KINDS if curve.order < _FEW else ("k >= n",), 4), {}
    octets = (curve.order.bit_length() + 7) // 8
    for number in count(1):
        secret, name = 1 + number % (curve.order - 1), HASHES[number % 3]
        message = number.to_bytes(4, "big")
        signature, rejected = signed(curve, secret, message, name)
        if any(missing.get(kind, 0) > 0 for kind in rejected) or number < 9:
            request = f"ecdsa_sign {secret.to_bytes(octets, 'big').hex()} {message.hex()} {name}"
            found[request] = signature.hex()
            for kind in missing.keys() & set(rejected):
                missing[kind] -= 1
        if max(missing.values()) <= 0:
            return found
    raise AssertionError("all numbers were tried")


def protocols_in(language: str, path: Path) -> WholeSubject:
    request = Request(language, str(path), prefix="whole", set="protocols", table="small", lowering="calls")
    *_, protocols = whole_subject(DATABASE, request, [language]).all_parts()
    return protocols


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("language", ["c", "rust", "python"])
@pytest.mark.usefixtures("cc", "openssl", "cargo")
def test_every_rejection_of_a_nonce_renews_the_state(language, name, curves, tmp_path):
    curve = load_curve(str(curves[name]))
    asked = requests(curve)
    if name == "long":
        asked["ecdsa_sign 000023 48 sha256"] = "009bd000e2cb"
        assert signed(curve, 35, b"\x48", "sha256") == (
            bytes.fromhex("009bd000e2cb"),
            ["r = 0", "k >= n", "k >= n"],
        )
    driver = build_driver(language, protocols_in(language, curves[name]).files[language], tmp_path)
    answers = dict(zip(asked, driver.ask(asked), strict=True))
    assert answers == asked
