"""Requests to ECDSA of a curve: digests, recovery, low s and DER, with answers by SEC 1 and X.690."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.planning.protocols import recovers_keys
from efdgen.verify.vectors.signature_cases import key_edges, leftmost, pair, signed_digest
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_DIGESTS = (b"", b"\0" * 32, b"\xff" * 64, b"\x80" + bytes(19), hashlib.sha256(b"a message").digest())


def digests(curve: WholeCurve, rng: Random) -> Rows:
    """Yield signatures of digests of any length, and keys that are recovered from them."""
    order, recovers = curve.order, recovers_keys(curve.curve)
    for d in (1, order - 1, rng.randrange(1, order)):
        owner = curve.multiple(d, curve.generator)
        for digest in _DIGESTS:
            r, s, number = signed_digest(curve, d, digest, "sha256")
            text = digest.hex() or "-"
            yield "ecdsa_sign_digest", curve.scalar(d), text, "sha256", _signature(curve, r, s, number)
            yield "ecdsa_verify_digest", curve.point(owner), text, pair(curve, r, s).hex(), "1"
            if recovers:
                yield "ecdsa_recover", text, pair(curve, r, s).hex(), str(number), curve.point(owner)
                negated = pair(curve, r, order - s).hex()
                yield "ecdsa_recover", text, negated, str(number ^ 1), curve.point(owner)
                yield from _recovered(curve, digest, r, s)
    other = bytes([digest[0] ^ 1]) + digest[1:]
    yield "ecdsa_verify_digest", curve.point(owner), other.hex(), pair(curve, r, s).hex(), "0"
    for wrong in key_edges(curve):
        yield "ecdsa_sign_digest", curve.scalar(wrong), text, "sha256", REFUSED
    yield from _refused_pairs(curve, r, s)
    if recovers:
        yield from _not_recovered(curve, digest, r, s)
        yield from _above_order(curve, digest, rng)
        yield from _identities(curve, digest, rng)
    yield from _low(curve, r)
    yield from _der(curve, r, s)


def _signature(curve: WholeCurve, r: int, s: int, number: int) -> str:
    """Return a signature with its recovery id, if keys are recovered."""
    return pair(curve, r, s).hex() + f" {number}" * recovers_keys(curve.curve)


def _recovered(curve: WholeCurve, digest: bytes, r: int, s: int) -> Rows:
    """Yield the keys that all recovery ids give."""
    for number in range(4):
        answer = curve.point(key) if (key := _key(curve, digest, r, s, number)) else REFUSED
        yield "ecdsa_recover", digest.hex() or "-", pair(curve, r, s).hex(), str(number), answer


def _key(curve: WholeCurve, digest: bytes, r: int, s: int, number: int) -> Point | None:
    """Return the key that is recovered, by SEC 1, 4.1.6; None if there is none."""
    x = r + curve.order * (number >> 1)
    points = curve.affine.points_with(0, x) if x < curve.curve.prime else []
    lifted = next((point for point in points if point[1] % 2 == number % 2), None)
    if lifted is None:
        return None
    e, inverse = leftmost(curve, digest), pow(r, -1, curve.order)
    terms = curve.multiple(s * inverse, lifted), curve.multiple(-e * inverse, curve.generator)
    found = curve.affine.add(*terms)
    return None if found == curve.affine.neutral else found


def _wrong_pairs(curve: WholeCurve, r: int, s: int) -> Iterator[bytes]:
    """Yield r and s of which one is not in [1, n)."""
    top = (1 << 8 * curve.scalar_bytes) - 1
    for wrong in {0, curve.order, min(curve.order + 1, top), top}:
        yield from (pair(curve, wrong, s), pair(curve, r, wrong))


def _refused_pairs(curve: WholeCurve, r: int, s: int) -> Rows:
    """Yield numbers that are not in [1, n), and other lengths."""
    good = pair(curve, r, s)
    for bad in _wrong_pairs(curve, r, s):
        yield "ecdsa_low_s", bad.hex(), "0", REFUSED
        yield "ecdsa_has_low_s", bad.hex(), "0"
    for bad in (good[:-1], good + b"\0", b""):
        yield "ecdsa_low_s", bad.hex() or "-", "0", REFUSED


def _not_recovered(curve: WholeCurve, digest: bytes, r: int, s: int) -> Rows:
    """Yield numbers that are not in [1, n), ids above 3, x-coordinates of no point and other lengths."""
    order, good = curve.order, pair(curve, r, s)
    for bad in _wrong_pairs(curve, r, s):
        yield "ecdsa_recover", digest.hex(), bad.hex(), "0", REFUSED
    for number in (4, 5, 255):
        yield "ecdsa_recover", digest.hex(), good.hex(), str(number), REFUSED
    none = pair(curve, curve.coordinate_of_none, s)
    yield from (("ecdsa_recover", digest.hex(), none.hex(), str(number), REFUSED) for number in (0, 1))
    for bad in (good[:-1], good + b"\0", b""):
        yield "ecdsa_recover", digest.hex(), bad.hex() or "-", "0", REFUSED
    # Numbers below n that are not below p, where n is above p.
    for above in range(curve.curve.prime, min(order, curve.curve.prime + 3)):
        yield "ecdsa_recover", digest.hex(), pair(curve, above, s).hex(), "0", REFUSED


def _above_order(curve: WholeCurve, digest: bytes, rng: Random) -> Rows:
    """Yield signatures of a commitment whose x is not below n, by ids 2 and 3, and next to p - n."""
    order, prime = curve.order, curve.curve.prime
    if prime < order + 99:
        return
    commitment = next(p for x in count(order + 1) for p in curve.affine.points_with(0, x))
    r, s = commitment[0] - order, rng.randrange(1, order)
    for number in (2, 3):
        key = _key(curve, digest, r, s, number)
        assert key is not None
        text = pair(curve, r, s).hex()
        yield "ecdsa_recover", digest.hex(), text, str(number), curve.point(key)
        yield "ecdsa_verify_digest", curve.point(key), digest.hex(), text, "1"
    for r in range(prime - order - 5, prime - order + 5):
        yield from _recovered(curve, digest, r, s)


def _identities(curve: WholeCurve, digest: bytes, rng: Random) -> Rows:
    """Yield signatures from which the identity would be recovered: s R = e G."""
    order, e = curve.order, leftmost(curve, digest)
    k = rng.randrange(1, order)
    x, y = curve.multiple(k, curve.generator)
    if x < order and e % order:
        text = pair(curve, x, e * pow(k, -1, order) % order).hex()
        yield "ecdsa_recover", digest.hex(), text, str(y % 2), REFUSED


def _low(curve: WholeCurve, r: int) -> Rows:
    order = curve.order
    for s in (1, 2, order // 2, order // 2 + 1, order - 2, order - 1):
        low, number = min(s, order - s), int(2 * s > order)
        for given in range(4):
            answer = _signature(curve, r, low, given ^ number)
            yield "ecdsa_low_s", pair(curve, r, s).hex(), str(given), answer
        yield "ecdsa_has_low_s", pair(curve, r, s).hex(), str(1 - number)


def _der(curve: WholeCurve, r: int, s: int) -> Rows:
    size = curve.scalar_bytes
    top = (1 << 8 * size) - 1
    numbers = (0, 1, 127, 128, 255, 256, 1 << 8 * size - 1, (1 << 8 * size - 1) - 1, top, r, s)
    for a, b in [*((a, 1) for a in numbers), *((1, b) for b in numbers), (top, top), (r, s)]:
        text = pair(curve, a, b).hex()
        yield "ecdsa_to_der", text, der(a, b).hex()
        yield "ecdsa_from_der", der(a, b).hex(), text
    for wrong in dict.fromkeys((*_malformed(size, r, s), *_malformed(size, 1, 2))):
        yield "ecdsa_from_der", wrong.hex() or "-", REFUSED


def der(*numbers: int) -> bytes:
    """Return a sequence of integers in DER."""
    return _tagged(0x30, b"".join(map(_integer, numbers)))


def _integer(number: int) -> bytes:
    return _tagged(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _tagged(tag: int, body: bytes) -> bytes:
    size = len(body)
    long = size.to_bytes(-(-size.bit_length() // 8), "big")
    return bytes([tag, *([size] if size < 128 else [0x80 | len(long), *long])]) + body


def _malformed(size: int, r: int, s: int) -> Iterator[bytes]:
    """Yield encodings with a single fault each."""
    good, a, b = der(r, s), _integer(r), _integer(s)
    yield from (good[:end] for end in range(len(good)))
    yield from (good + b"\0", _tagged(0x30, a + b + b"\0"), _tagged(0x30, a + b + _integer(1)))
    yield from (_tagged(0x30, a), _tagged(0x30, b""), _tagged(0x31, a + b), _tagged(0x10, a + b))
    body, length = a + b, len(a + b)
    for other in (length - 1, length + 1, 0, 127):
        if other != length:
            yield _with_length(0x30, body, bytes([other]))
    # Lengths in more bytes than needed, and without one.
    for form in (b"\x81", b"\x82\0", b"\x83\0\0", b"\x84\0\0\0"):
        if length < 128 or form != b"\x81":
            yield _with_length(0x30, body, form + bytes([length]))
    yield from (b"\x30\x80" + body + b"\0\0", b"\x30\x80" + body, b"\x30\xff" + body)
    for at, number in enumerate((r, s)):
        others = [a, b]
        text = number.to_bytes(number.bit_length() // 8 + 1, "big")
        negative = number.to_bytes(-(-number.bit_length() // 8) or 1, "big")
        for wrong in (
            *(_tagged(2, b"\0" + text), _tagged(2, b"\0\0" + text), _tagged(2, b""), _tagged(3, text)),
            *(_tagged(2, b"\xff" + text), _tagged(2, b"\x80"), _tagged(2, b"\1" + bytes(size))),
            *(_with_length(2, text, b"\x81" + bytes([len(text)])), b"\2\x80" + text + b"\0\0"),
            *(_with_length(2, text, bytes([len(text) + 1])), _with_length(2, text, bytes([len(text) - 1]))),
            *([_tagged(2, negative)] if negative[0] > 127 else []),
        ):
            others[at] = wrong
            yield _tagged(0x30, b"".join(others))


def _with_length(tag: int, body: bytes, length: bytes) -> bytes:
    return bytes([tag]) + length + body
