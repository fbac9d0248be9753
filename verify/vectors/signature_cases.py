"""Requests to the signatures of a curve, and answers by FIPS 186-5, RFC 6979 and RFC 8032.

Signatures are verified that nobody has signed: of a commitment and a number that are chosen a public key is
made for which they are right. ``-`` is written for no bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.planning.protocols import signature_scheme
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.planning.protocols import Scheme
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_HASHES = ("sha224", "sha512", "sha256")
_LONG = bytes(range(256))
"""A message of more than one block of any hash."""

_DENSE = 0.9
"""The part of all numbers of the order's length from which on it is not tried to find one out of range."""


def key_edges(curve: WholeCurve) -> Iterator[int]:
    """Yield numbers that are no secret keys: 0, and those from the order on that there is room for."""
    top = (1 << 8 * curve.scalar_bytes) - 1
    yield from (
        k
        for k in (0, curve.order, curve.order + 1, curve.order + 40, top)
        if k <= top and not 0 < k < curve.order
    )


def ecdsa(curve: WholeCurve, rng: Random) -> Rows:
    """Yield keys and signatures, and what is none."""
    order = curve.order
    own = rng.randrange(1, order)
    for d in (1, order - 1, rng.randrange(1, min(order, 1 << 32)), own):
        yield "ecdsa_public_key", curve.scalar(d), curve.point(curve.multiple(d, curve.generator))
    for wrong in key_edges(curve):
        yield "ecdsa_public_key", curve.scalar(wrong), REFUSED
        yield "ecdsa_sign", curve.scalar(wrong), _LONG.hex(), "sha256", REFUSED
    short = next(filter(_starts_with_zeros, map(str.encode, map(str, count()))))
    for d, message in ((own, b""), (own, short), (1, _rejected(curve, 1)), (order - 1, b"a"), (own, _LONG)):
        owner = curve.multiple(d, curve.generator)
        for name in _HASHES:
            r, s = signed(curve, d, message, name)
            yield "ecdsa_sign", curve.scalar(d), message.hex() or "-", name, pair(curve, r, s).hex()
            yield from _judged(curve, owner, message, name, (r, s, 1), (r, order - s, 1))
    yield from _judged(curve, owner, message, name, *_wrong_pairs(curve, r, s))
    other = bytes([message[0] ^ 1]) + message[1:]
    yield from _judged(curve, owner, other, "sha256", (r, s, 0))
    yield from _judged(curve, owner, message[:-1], "sha256", (r, s, 0))
    yield from _judged(curve, curve.affine.negate(owner), message, "sha256", (r, s, 0))
    yield from _judged(curve, curve.affine.neutral, message, "sha256", (r, s, 0))
    good = pair(curve, r, s)
    for bad in (good + b"\0", b"\0" + good, good[:-1], b""):
        yield "ecdsa_verify", curve.point(owner), message.hex(), bad.hex() or "-", name, "0"
    yield from _made_keys(curve, rng)


def _starts_with_zeros(message: bytes) -> bool:
    return hashlib.sha256(message).digest()[0] == 0


def _rejected(curve: WholeCurve, d: int) -> bytes:
    """Return a message of which the first nonce is out of range by every hash, if there are such."""
    # For an order just below a power of 2, nobody has seen one.
    if curve.order / (1 << curve.order.bit_length()) > _DENSE:
        return b"a message"
    messages = map(str.encode, map(str, count()))
    firsts = ((m, [next(nonces(curve, d, hashlib.new(n, m).digest(), n)) for n in _HASHES]) for m in messages)
    return next(m for m, ks in firsts if min(ks) >= curve.order)


def _wrong_pairs(curve: WholeCurve, r: int, s: int) -> Iterator[tuple[int, int, int]]:
    order = curve.order
    top = (1 << 8 * -(-order.bit_length() // 8)) - 1
    for wrong in (0, order, min(order + 1, top), top, 1):
        yield from ((wrong, s, 0), (r, wrong, 0), (wrong, wrong, 0))
    yield from ((s, r, 0), (r ^ 1, s, 0), (r, s ^ 1, 0))


def _made_keys(curve: WholeCurve, rng: Random) -> Rows:
    """Yield signatures with numbers at edges, by keys Q = (s R - e G)/r, and the same numbers plus n."""
    order, message, elements = curve.order, b"a message", curve.field.order
    e = leftmost(curve, hashlib.sha256(message).digest()) % order
    top = 1 << 8 * -(-order.bit_length() // 8)
    # The first points with an x from 1 on, and from n + 1 on if there is room below p or 2^m.
    starts = [1, *([order + 1] if elements > order + 99 else [])]
    least = [next(p for x in count(start) for p in curve.affine.points_with(0, x)) for start in starts]
    for commitment in (point for point in (curve.generator, *least) if point[0] % order):
        r = commitment[0] % order
        for s in (1, order - 1, rng.randrange(order), rng.randrange(1, 1 << 64)):
            summed = curve.affine.add(curve.multiple(s, commitment), curve.multiple(-e, curve.generator))
            owner = curve.multiple(pow(r, -1, order), summed)
            pairs = [(r, s), (r + order, s), (r, s + order), (commitment[0], s)]
            given = [(a, b, int((a, b) == (r, s))) for a, b in dict.fromkeys(pairs) if max(a, b) < top]
            yield from _judged(curve, owner, message, "sha256", *given)
    # A key for which the point that is compared is the identity.
    owner = curve.multiple(-e * pow(r, -1, order), curve.generator)
    yield from _judged(curve, owner, message, "sha256", (r, 1, 0), (r, order - 1, 0))


def _judged(curve: WholeCurve, owner: Point, message: bytes, name: str, *pairs: tuple[int, int, int]) -> Rows:
    for r, s, valid in pairs:
        signature = pair(curve, r, s).hex()
        yield "ecdsa_verify", curve.point(owner), message.hex() or "-", signature, name, str(valid)


def pair(curve: WholeCurve, r: int, s: int) -> bytes:
    """Return r and s, the most significant byte first, each as long as the order."""
    size = -(-curve.order.bit_length() // 8)
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def leftmost(curve: WholeCurve, text: bytes) -> int:
    """Return the leftmost bits of a string as a number."""
    return int.from_bytes(text, "big") >> max(0, 8 * len(text) - curve.order.bit_length())


def signed(curve: WholeCurve, d: int, message: bytes, name: str) -> tuple[int, int]:
    """Return r and s of a message by RFC 6979, 3.2."""
    return signed_digest(curve, d, hashlib.new(name, message).digest(), name)[:2]


def signed_digest(curve: WholeCurve, d: int, digest: bytes, name: str) -> tuple[int, int, int]:
    """Return r, s and the recovery id for a digest, with the nonces of a hash function."""
    order = curve.order
    e = leftmost(curve, digest) % order
    for k in nonces(curve, d, digest, name):
        if 0 < k < order:
            x, y = curve.multiple(k, curve.generator)
            r = x % order
            s = (e + r * d) * pow(k, -1, order) % order
            if r and s:
                return r, s, y % 2 + 2 * (x >= order)
    raise AssertionError("there is always another nonce")


def nonces(curve: WholeCurve, d: int, hashed: bytes, name: str) -> Iterator[int]:
    """Yield the nonces of RFC 6979, 3.2, for a digest; those that are not in [1, n) too."""
    order, length = curve.order, hashlib.new(name).digest_size
    size = -(-order.bit_length() // 8)
    seed = d.to_bytes(size, "big") + (leftmost(curve, hashed) % order).to_bytes(size, "big")
    key, value = bytes(length), b"\1" * length
    for mark in (b"\0", b"\1"):
        key = hmac.digest(key, value + mark + seed, name)
        value = hmac.digest(key, value, name)
    while True:
        text = b""
        while len(text) < size:
            value = hmac.digest(key, value, name)
            text += value
        yield leftmost(curve, text[:size])
        key = hmac.digest(key, value + b"\0", name)
        value = hmac.digest(key, value, name)


def eddsa(curve: WholeCurve, rng: Random) -> Rows:
    """Yield keys and signatures, and what is none."""
    scheme = signature_scheme(curve.curve)
    assert scheme is not None
    size, order = curve.encoded_bytes, curve.order
    contexts = (b"", b"a context", bytes(range(255))) if scheme.context else (b"",)
    for secret in (bytes(size), rng.randbytes(size)):
        owner = eddsa_key(curve, scheme, secret)[1]
        yield "eddsa_public_key", secret.hex(), owner.hex()
        for n, message in enumerate((b"", b"a", _LONG, b"b")):
            context = contexts[n % len(contexts)]
            signature = _eddsa_signed(curve, scheme, secret, message, context)
            yield "eddsa_sign", secret.hex(), *_texts(scheme, message, context), signature.hex()
            yield _verified(scheme, owner, message, signature, context, 1)
    other = bytes([message[0] ^ 1]) + message[1:]
    commitment, s = signature[:size], int.from_bytes(signature[size:], "little")
    yield _verified(scheme, owner, other, signature, context, 0)
    yield _verified(scheme, owner, b"", signature, context, 0)
    for n in (s + order, s + 2 * order, s ^ 1, s ^ 1 << 8 * size - 1, s ^ 1 << 8 * size - 8, order, 0):
        if n < 256**size:
            yield _verified(scheme, owner, message, commitment + n.to_bytes(size, "little"), context, 0)
    for wrong in _other_encodings(curve, commitment):
        yield _verified(scheme, owner, message, wrong + signature[size:], context, 0)
    for wrong in (*_other_encodings(curve, owner), owner + b"\0", owner[:-1], b""):
        yield _verified(scheme, wrong, message, signature, context, 0)
    for wrong in (signature + b"\0", signature[:-1], b""):
        yield _verified(scheme, owner, message, wrong, context, 0)
    for wrong in (secret + b"\0", secret[:-1], b""):
        yield "eddsa_public_key", wrong.hex() or "-", REFUSED
        yield "eddsa_sign", wrong.hex() or "-", *_texts(scheme, message, context), REFUSED
    if scheme.context:
        yield _verified(scheme, owner, message, signature, context + b"x", 0)
        yield _verified(scheme, owner, message, signature, bytes(256), 0)
        yield "eddsa_sign", secret.hex(), *_texts(scheme, message, bytes(256)), REFUSED
    yield from _small_keys(curve, scheme)
    yield from _mixed_keys(curve, scheme, rng)


def _other_encodings(curve: WholeCurve, encoding: bytes) -> Iterator[bytes]:
    """Yield an encoding with another sign, and of no point: y of none or not below p, x = 0 with a sign."""
    size, prime = len(encoding), curve.curve.prime
    sign = 1 << 8 * size - 1
    yield encoding[:-1] + bytes([encoding[-1] ^ 0x80])
    for y in (curve.coordinate_of_none, prime, prime + 1, sign | 1, sign | prime - 1, sign - 1):
        yield y.to_bytes(size, "little")


def _small_keys(curve: WholeCurve, scheme: Scheme) -> Rows:
    """Yield signatures by keys A of small order, right where S G = R + h A, not where multiples are equal."""
    affine, size = curve.affine, curve.encoded_bytes
    point = next(p for y in count(2) for p in affine.points_with(1, y) if not curve.is_in_subgroup(p))
    small = affine.multiple(curve.order, point)
    for owner in (affine.neutral, small):
        key, valid = curve.encoded(owner), set()
        for s in count():
            # h A is guessed to be 0 or A.
            guess = affine.neutral if s % 2 else owner
            commitment = affine.add(curve.multiple(s, curve.generator), affine.negate(guess))
            h = _hashed(curve, scheme, _pure(scheme, b""), curve.encoded(commitment), key, b"m")
            right = affine.multiple(h % curve.cofactor, owner) == guess
            if right not in valid:
                for number, answer in ((s, int(right)), (s + curve.order, 0)):
                    signature = curve.encoded(commitment) + number.to_bytes(size, "little")
                    yield _verified(scheme, key, b"m", signature, b"", answer)
                valid.add(right)
            if valid == {True, False} or owner == affine.neutral:
                break


def _mixed_keys(curve: WholeCurve, scheme: Scheme, rng: Random) -> Rows:
    """Yield signatures with S = r + h a for keys a G + i T and commitments r G + j T, T of small order.

    They are right where j T + h i T = 0, and not where a multiple of that is 0.
    """
    affine, size, order = curve.affine, curve.encoded_bytes, curve.order
    point = next(p for y in count(2) for p in affine.points_with(1, y) if not curve.is_in_subgroup(p))
    small, a = affine.multiple(order, point), rng.randrange(order)
    for i in range(3):
        owner = affine.add(curve.multiple(a, curve.generator), affine.multiple(i, small))
        key, seen = curve.encoded(owner), {True: 0, False: 0}
        while min(seen.values()) < 1 or max(seen.values()) < curve.cofactor:
            r, j = rng.randrange(order), rng.randrange(curve.cofactor)
            commitment = affine.add(curve.multiple(r, curve.generator), affine.multiple(j, small))
            h = _hashed(curve, scheme, _pure(scheme, b""), curve.encoded(commitment), key, b"m")
            right = affine.multiple((j + h * i) % curve.cofactor, small) == affine.neutral
            seen[right] += 1
            signature = curve.encoded(commitment) + ((r + h * a) % order).to_bytes(size, "little")
            yield _verified(scheme, key, b"m", signature, b"", int(right))


def _texts(scheme: Scheme, message: bytes, context: bytes) -> list[str]:
    return [text.hex() or "-" for text in (message, *([context] if scheme.context else []))]


def _verified(
    scheme: Scheme, owner: bytes, message: bytes, signature: bytes, context: bytes, valid: int
) -> tuple[str, ...]:
    text, *others = _texts(scheme, message, context)
    return "eddsa_verify", owner.hex() or "-", text, signature.hex() or "-", *others, str(valid)


def eddsa_key(curve: WholeCurve, scheme: Scheme, secret: bytes) -> tuple[int, bytes, bytes]:
    """Return the scalar, the public key and the prefix by RFC 8032, 5.1.5 or 5.2.5."""
    size = curve.encoded_bytes
    expanded = digest(scheme, 2 * size, secret)
    a = int.from_bytes(expanded[:size], "little") % (1 << scheme.top) // curve.cofactor * curve.cofactor
    a |= 1 << scheme.top
    return a, curve.encoded(curve.multiple(a, curve.generator)), expanded[size:]


def eddsa_signed(curve: WholeCurve, scheme: Scheme, secret: bytes, text: bytes, domain: bytes) -> bytes:
    """Return the signature of a text in a domain by RFC 8032, 5.1.6 or 5.2.6."""
    a, owner, prefix = eddsa_key(curve, scheme, secret)
    r = _hashed(curve, scheme, domain, prefix, text)
    commitment = curve.encoded(curve.multiple(r, curve.generator))
    h = _hashed(curve, scheme, domain, commitment, owner, text)
    return commitment + ((r + h * a) % curve.order).to_bytes(curve.encoded_bytes, "little")


def domain_of(scheme: Scheme, prehash: int, context: bytes) -> bytes:
    """Return dom2 or dom4 by RFC 8032, 2; for more than 255 bytes their number modulo 256 is in it."""
    return scheme.label.encode() + bytes([prehash, len(context) % 256]) + context


def _eddsa_signed(curve: WholeCurve, scheme: Scheme, secret: bytes, message: bytes, context: bytes) -> bytes:
    return eddsa_signed(curve, scheme, secret, message, _pure(scheme, context))


def _pure(scheme: Scheme, context: bytes) -> bytes:
    return domain_of(scheme, 0, context) if scheme.context else b""


def _hashed(curve: WholeCurve, scheme: Scheme, domain: bytes, *parts: bytes) -> int:
    """Return the hash of strings modulo the order."""
    text = digest(scheme, 2 * curve.encoded_bytes, domain + b"".join(parts))
    return int.from_bytes(text, "little") % curve.order


def digest(scheme: Scheme, size: int, text: bytes) -> bytes:
    """Return the digest of a text of a given size; SHA-512 has only one."""
    return hashlib.shake_256(text).digest(size) if scheme.context else hashlib.sha512(text).digest()
