"""What the protocols of a curve are asked, and the answers by RFC 6979, 7748 and 8032 and SP 800-56A."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from efdgen.generator.planning.protocols import exchange_scheme, protocols, signature_scheme
from efdgen.verify.vectors.whole_cases import Question

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.planning.protocols import Scheme
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows

_MESSAGES = (b"", b"a message")


def protocol_questions(curve: WholeCurve, rng: Random) -> Iterator[Question]:
    """Yield what the drivers of protocols are asked: keys, signatures and exchanges, all of them right."""
    rows = {"ecdh": _ecdh, "ecdsa": _ecdsa, "eddsa": _eddsa, "exchange": _exchange, "elgamal": _elgamal}
    for name in protocols(curve.curve):
        for function, *arguments, answer in rows[name](curve, rng):
            yield Question(function, tuple(arguments), answer, "edge")


def _ecdh(curve: WholeCurve, rng: Random) -> Rows:
    k, point = rng.randrange(1, curve.order), curve.affine.random_point(rng)
    for scalar in (1, k):
        common = curve.multiple(scalar, point)
        yield "ecdh_exchange", curve.scalar(scalar), curve.point(point), curve.element(common[0])


def _ecdsa(curve: WholeCurve, rng: Random) -> Rows:
    for message in _MESSAGES:
        d = rng.randrange(1, curve.order)
        owner, signature = curve.multiple(d, curve.generator), _ecdsa_signature(curve, d, message)
        yield "ecdsa_public_key", curve.scalar(d), curve.point(owner)
        if message:
            yield "ecdsa_sign", curve.scalar(d), message.hex(), signature
            yield "ecdsa_verify", curve.point(owner), message.hex(), signature, "1"


def _ecdsa_signature(curve: WholeCurve, d: int, message: bytes) -> str:
    """Return r and s by RFC 6979, 3.2, with SHA-256."""
    order = curve.order
    bits, size = order.bit_length(), -(-order.bit_length() // 8)

    def number(text: bytes) -> int:
        return int.from_bytes(text, "big") >> max(0, 8 * len(text) - bits)

    digest = hashlib.sha256(message).digest()
    e = number(digest) % order
    seed = d.to_bytes(size, "big") + e.to_bytes(size, "big")
    key, value = bytes(32), b"\1" * 32
    for mark in (b"\0", b"\1"):
        key = hmac.digest(key, value + mark + seed, "sha256")
        value = hmac.digest(key, value, "sha256")
    while True:
        text = b""
        while len(text) < size:
            value = hmac.digest(key, value, "sha256")
            text += value
        k = number(text[:size])
        if 0 < k < order:
            r = curve.multiple(k, curve.generator)[0] % order
            s = (e + r * d) * pow(k, -1, order) % order
            return (r.to_bytes(size, "big") + s.to_bytes(size, "big")).hex()
        key = hmac.digest(key, value + b"\0", "sha256")
        value = hmac.digest(key, value, "sha256")


def _eddsa(curve: WholeCurve, rng: Random) -> Rows:
    scheme = signature_scheme(curve.curve)
    assert scheme is not None
    for message in _MESSAGES:
        secret = rng.randbytes(curve.encoded_bytes)
        owner, signature = _eddsa_signature(curve, scheme, secret, message)
        yield "eddsa_public_key", secret.hex(), owner.hex()
        if message:
            yield "eddsa_sign", secret.hex(), message.hex(), signature.hex()
            yield "eddsa_verify", owner.hex(), message.hex(), signature.hex(), "1"


def _eddsa_signature(curve: WholeCurve, scheme: Scheme, secret: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return the public key and the signature by RFC 8032, 5.1.5 and 5.1.6 or 5.2.5 and 5.2.6."""
    size, order = curve.encoded_bytes, curve.order

    def digest(text: bytes) -> bytes:
        return hashlib.shake_256(text).digest(2 * size) if scheme.context else hashlib.sha512(text).digest()

    def number(text: bytes) -> int:
        return int.from_bytes(text, "little")

    domain = b"SigEd448\0\0" if scheme.context else b""
    expanded = digest(secret)
    a = number(expanded[:size]) % (1 << scheme.top) // curve.cofactor * curve.cofactor | 1 << scheme.top
    owner = curve.encoded(curve.multiple(a, curve.generator))
    r = number(digest(domain + expanded[size:] + message)) % order
    commitment = curve.encoded(curve.multiple(r, curve.generator))
    h = number(digest(domain + commitment + owner + message)) % order
    return owner, commitment + ((r + h * a) % order).to_bytes(size, "little")


def _exchange(curve: WholeCurve, rng: Random) -> Rows:
    scheme = exchange_scheme(curve.curve)
    assert scheme is not None
    for point in (curve.generator, curve.affine.random_point(rng)):
        secret = rng.randbytes(curve.field_bytes)
        k = int.from_bytes(secret, "little") % (1 << scheme.top) // curve.cofactor * curve.cofactor
        common = curve.multiple(k | 1 << scheme.top, point)
        if point == curve.generator:
            yield "exchange_public_key", secret.hex(), curve.encoded(common).hex()
        yield "exchange", secret.hex(), curve.encoded(point).hex(), curve.encoded(common).hex()


def _elgamal(curve: WholeCurve, rng: Random) -> Rows:
    affine, order, n = curve.affine, curve.order, curve.order.bit_length()
    d, k, m = (rng.randrange(1, order) for _ in range(3))
    owner, point = (curve.multiple(each, curve.generator) for each in (d, m))
    first, mask = curve.multiple(k, curve.generator), curve.multiple(k, owner)
    pair = curve.point(first), curve.point(affine.add(point, mask))
    drawn = (k << -n % 8).to_bytes(-(-n // 8), "big").hex()
    yield "elgamal_encrypt", drawn, curve.point(owner), curve.point(point), " ".join(pair)
    yield "elgamal_decrypt", curve.scalar(d), *pair, curve.point(point)
