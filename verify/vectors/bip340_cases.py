"""Requests to Schnorr signatures by BIP-340, and answers by its text."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from efdgen.verify.vectors.signature_cases import key_edges
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_SIZE = 32


def bip340(curve: WholeCurve, rng: Random) -> Rows:
    """Yield keys and signatures, and what is refused: numbers out of range, odd y, x of no point."""
    order, prime = curve.order, curve.curve.prime
    for wrong in key_edges(curve):
        yield "bip340_public_key", curve.scalar(wrong), REFUSED
        yield "bip340_sign", curve.scalar(wrong), b"m".hex(), bytes(_SIZE).hex(), REFUSED
    for d in (1, order - 1, 3, *(rng.randrange(1, order) for _ in range(4))):
        owner = _bytes(curve.multiple(d, curve.generator)[0])
        yield "bip340_public_key", curve.scalar(d), owner.hex()
        for message in (b"", b"a message", bytes(range(200))):
            random = rng.randbytes(_SIZE)
            signature, text = _signed(curve, d, message, random), message.hex() or "-"
            yield "bip340_sign", curve.scalar(d), text, random.hex(), signature.hex()
            yield "bip340_verify", owner.hex(), text, signature.hex(), "1"
    r, s = signature[:_SIZE], int.from_bytes(signature[_SIZE:])
    wrongs = [r + _bytes(n) for n in (s ^ 1, order - s, 0, order, (1 << 256) - 1, s + order) if n < 1 << 256]
    others = [curve.coordinate_of_none, prime, (1 << 256) - 1, 0, int.from_bytes(r) ^ 1]
    wrongs += [_bytes(x) + _bytes(s) for x in others]
    for bad in (*wrongs, signature[:-1], signature + b"\0", b""):
        yield "bip340_verify", owner.hex(), text, bad.hex() or "-", "0"
    for bad in (*map(_bytes, others[:4]), owner + b"\0", owner[:-1]):
        yield "bip340_verify", bad.hex(), text, signature.hex(), "0"
    yield "bip340_verify", owner.hex(), text[:-2], signature.hex(), "0"
    # An odd y of R, and R = O: the signer knows the scalars, and does not negate.
    k = next(k for k in range(2, 99) if curve.multiple(k, curve.generator)[1] % 2)
    commitment = _bytes(curve.multiple(k, curve.generator)[0])
    e, d = _challenge(curve, commitment, owner, message), _even(curve, d)
    yield "bip340_verify", owner.hex(), text, (commitment + _bytes((k + e * d) % order)).hex(), "0"
    e = _challenge(curve, bytes(_SIZE), owner, message)
    yield "bip340_verify", owner.hex(), text, (bytes(_SIZE) + _bytes(e * d % order)).hex(), "0"


def _bytes(number: int) -> bytes:
    return number.to_bytes(_SIZE, "big")


def _even(curve: WholeCurve, k: int) -> int:
    """Return k or -k, of which the multiple of G has an even y."""
    point: Point = curve.multiple(k, curve.generator)
    return -k % curve.order if point[1] % 2 else k


def _tagged(tag: str, *parts: bytes) -> bytes:
    prefix = hashlib.sha256(f"BIP0340/{tag}".encode()).digest()
    return hashlib.sha256(prefix + prefix + b"".join(parts)).digest()


def _challenge(curve: WholeCurve, commitment: bytes, owner: bytes, message: bytes) -> int:
    return int.from_bytes(_tagged("challenge", commitment, owner, message)) % curve.order


def _signed(curve: WholeCurve, secret: int, message: bytes, random: bytes) -> bytes:
    owner, d = _bytes(curve.multiple(secret, curve.generator)[0]), _even(curve, secret)
    masked = _bytes(d ^ int.from_bytes(_tagged("aux", random)))
    k = _even(curve, int.from_bytes(_tagged("nonce", masked, owner, message)) % curve.order)
    commitment = _bytes(curve.multiple(k, curve.generator)[0])
    return commitment + _bytes((k + _challenge(curve, commitment, owner, message) * d) % curve.order)
