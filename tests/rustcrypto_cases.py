"""Requests to the decoders of RustCrypto's crates, with answers by SEC 1, X.690, RFC 5208, 5480 and 5915.

Integers of Python and the affine law answer. A case is a function, its arguments, and the bytes of the
decoded value; ``False`` if the function has to refuse, ``None`` if only both crates have to agree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from efdgen.generator.curves.affine import INFINITY, Point
from efdgen.generator.mathematics.primes import square_root
from efdgen.verify.vectors.signature_cases import ecdsa
from efdgen.verify.vectors.whole_curve import WholeCurve

Case = tuple[str, tuple[bytes, ...], bytes | bool | None]

EC_PUBLIC_KEY = bytes.fromhex("2a8648ce3d0201")
OTHER_CURVE = bytes.fromhex("2b8104000a")
ALTERNATIVE = bytes.fromhex("2b81040021")
AFFINE = ("affine", "affine_or_error", "affine_bytes", "projective")
KEYS = ("public_key", "public_key_of_point", "public_key_of_affine", "verifying_key")
NEAR = 40
"""The distance from the order up to which scalars are tried."""


@dataclass(frozen=True)
class Peer:
    """A crate's curve: its object identifier, and whether signatures are valid with a low s alone."""

    curve: WholeCurve
    oid: bytes
    low_s: bool = False

    @property
    def size(self) -> int:
        return self.curve.field_bytes

    def number(self, value: int) -> bytes:
        return value.to_bytes(self.size, "big")

    def plain(self, point: Point) -> bytes:
        """Return a point in the uncompressed form of SEC 1, 2.3.3."""
        return b"\0" if point == INFINITY else b"\4" + b"".join(map(self.number, point))

    def compressed(self, point: Point) -> bytes:
        return bytes([2 + point[1] % 2]) + self.number(point[0])

    def lifted(self, x: int, odd: int) -> Point | None:
        """Return the point with an x-coordinate and the parity of the other one."""
        prime, parameters = self.curve.curve.prime, self.curve.curve.parameters
        root = (
            square_root((x**3 + parameters["a"] * x + parameters["b"]) % prime, prime) if x < prime else None
        )
        if root is None:
            return None
        return x, root if root % 2 == odd else prime - root

    def read(self, text: bytes) -> Point | None:
        """Return the point of an encoding by SEC 1, 2.3.4; None if there is none."""
        tag, body = text[:1], text[1:]
        if text == b"\0":
            return INFINITY
        if tag in (b"\2", b"\3") and len(body) == self.size:
            return self.lifted(int.from_bytes(body, "big"), tag[0] - 2)
        if tag == b"\4" and len(body) == 2 * self.size:
            x, y = (int.from_bytes(part, "big") for part in (body[: self.size], body[self.size :]))
            return (x, y) if y < self.curve.curve.prime and self.lifted(x, y % 2) == (x, y) else None
        return None


def cases(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield requests to every decoder."""
    for rows in (points, scalars, signatures, der, keys, texts, verifications, recoveries, exchanges):
        yield from rows(peer, rng)


def _edge_points(peer: Peer, rng: Random) -> list[Point]:
    """Return the generator, a random point, their negatives, and those with the least and the greatest x."""
    affine, prime = peer.curve.affine, peer.curve.curve.prime
    least = [p for x in (*range(6), *range(prime - 6, prime)) for odd in (0, 1) if (p := peer.lifted(x, odd))]
    drawn = [peer.curve.generator, affine.random_point(rng)]
    return [*drawn, *map(affine.negate, drawn), *least]


def _encodings(peer: Peer, rng: Random) -> Iterator[bytes]:
    """Yield encodings of points with every tag and of every length, of numbers from p on and of no point."""
    prime, room = peer.curve.curve.prime, 256**peer.size
    edges = _edge_points(peer, rng)
    for point in edges:
        yield from (peer.compressed(point), peer.plain(point))
        x, y = point
        above = [(x + prime, y), (x, y + prime), (y, x), (x, y ^ 1), (x, prime), (prime, y), (x, 0), (0, y)]
        for one, other in ((a, b) for a, b in above if max(a, b) < room):
            yield b"\4" + peer.number(one) + peer.number(other)
            yield from (bytes([tag]) + peer.number(one) for tag in (2, 3, 5))
    for tag, point in product(range(256), edges[:1]):
        yield bytes([tag]) + peer.number(point[0])
        yield bytes([tag]) + peer.plain(point)[1:]
        yield bytes([tag])
    for tag, length in product((0, 2, 3, 4, 5), range(2 * peer.size + 4)):
        yield bytes([tag]) + rng.randbytes(length)
        yield bytes([tag]) + bytes(length)
    for value in (prime, prime + 1, room - 1, peer.curve.coordinate_of_none):
        yield from (bytes([tag]) + peer.number(value) for tag in (2, 3, 5) if value < room)
    yield b""


def points(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield encodings of points."""
    for text in dict.fromkeys(_encodings(peer, rng)):
        point = peer.read(text)
        # SEC 1 lacks the tag 5, which the crates read in different ways.
        compact = text[:1] == b"\5" and len(text) == 1 + peer.size
        answer = None if compact else point is not None and peer.plain(point)
        yield "sec1_point", (text,), answer and text if point or compact else None
        yield from ((name, (text,), answer) for name in AFFINE)
        yield from ((name, (text,), answer if point != INFINITY else False) for name in KEYS)
        yield "public_key_own", (text,), None
        if len(text) == 1 + peer.size:
            zero = not any(text)
            yield from ((n, (text,), b"\0" if zero else answer) for n in ("group_affine", "group_projective"))
            yield "compact", (text[1:],), None
            for odd in (0, 1):
                lifted = peer.lifted(int.from_bytes(text[1:], "big"), odd)
                yield "decompress", (text[1:], bytes([odd])), lifted is not None and peer.plain(lifted)


def _numbers(peer: Peer, rng: Random) -> list[int]:
    """Return numbers at the edges of scalars that have the length of a coordinate."""
    order, prime = peer.curve.order, peer.curve.curve.prime
    powers = [1 << bits for bits in range(0, 8 * peer.size, 7)]
    near = range(order - NEAR, order + NEAR + 1)
    found = [0, 1, 2, *near, order >> 1, prime - 1, prime, 2 * order, 256**peer.size - 1, *powers]
    found += [rng.randrange(order), rng.randrange(256**peer.size)]
    return sorted({number for number in found if number < 256**peer.size})


def scalars(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield scalars and secret keys, of other lengths too."""
    order = peer.curve.order
    for number in _numbers(peer, rng):
        text = peer.number(number)
        yield from ((name, (text,), number < order and text) for name in ("scalar", "value"))
        yield "reduced", (text,), peer.number(number % order)
        for name in ("nonzero", "nonzero_slice", "secret_key", "signing_key"):
            yield name, (text,), 0 < number < order and text
    for length in (n for n in range(2 * peer.size) if n != peer.size):
        text = bytes(length - 1) + b"\1" if length else b""
        yield from ((name, (text,), False) for name in ("value", "nonzero_slice"))
        yield from ((name, (text,), None) for name in ("secret_key", "signing_key"))


def _pairs(peer: Peer, rng: Random) -> Iterator[tuple[int, int]]:
    order, room = peer.curve.order, 256**peer.size
    edges = [0, 1, order >> 1, (order >> 1) + 1, order - 1, order, order + 1, room - 1, rng.randrange(order)]
    yield from product((n for n in edges if n < room), repeat=2)


def signatures(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield signatures as two numbers, of other lengths too."""
    for r, s in _pairs(peer, rng):
        text = peer.number(r) + peer.number(s)
        answer = 0 < r < peer.curve.order and 0 < s < peer.curve.order and text
        yield from ((name, (text,), answer) for name in ("signature", "signature_try"))
        yield "signature_of", (peer.number(r), peer.number(s)), answer
    for length in (n for n in range(2 * peer.size + 3) if n != 2 * peer.size):
        yield from ((name, (b"\1" * length,), False) for name in ("signature", "signature_try"))


def tlv(tag: int, *contents: bytes) -> bytes:
    """Return a value with its tag and its length by X.690, 10.1."""
    content = b"".join(contents)
    size = len(content)
    long = size.to_bytes(-(-size.bit_length() // 8), "big")
    return bytes([tag, size] if size < 128 else [tag, 128 | len(long), *long]) + content


def integer(value: int) -> bytes:
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _value(text: bytes, tag: int) -> tuple[bytes, bytes] | None:
    """Return the content of the first value and the bytes after it; None if X.690, 10.1 refuses it."""
    if text[:1] != bytes([tag]) or len(text) < 2:
        return None
    size, start = text[1], 2
    if size >= 128:
        start += size & 127
        size = int.from_bytes(text[2:start], "big")
    content = text[start : start + size]
    return (
        (content, text[start + size :])
        if text.startswith(tlv(tag, content)) and len(content) == size
        else None
    )


def _read_der(text: bytes) -> tuple[int, ...] | None:
    """Return r and s of a signature in DER; None if it is not one."""
    found = _value(text, 0x30)
    numbers, rest = [], found[0] if found and not found[1] else b""
    while len(numbers) < 2:
        if (found := _value(rest, 2)) is None:
            return None
        content, rest = found
        if not content or content[0] & 0x80 or tlv(2, content) != integer(int.from_bytes(content, "big")):
            return None
        numbers.append(int.from_bytes(content, "big"))
    return None if rest else (*numbers,)


def _ders(peer: Peer, rng: Random) -> Iterator[bytes]:
    """Yield signatures in DER, and others with one byte changed, inserted or missing."""
    order = peer.curve.order
    for r, s in _pairs(peer, rng):
        yield tlv(0x30, integer(r), integer(s))
    r, s = rng.randrange(1, order), rng.randrange(1, 1 << 100)
    for wrong in (
        *(integer(r << 8), tlv(2, b"\0" + integer(r)[2:]), tlv(2, b""), tlv(2, b"\0"), b"\2\x80" + bytes(2)),
        *(integer(r)[:1] + b"\x81" + integer(r)[1:], tlv(2, b"\xff"), tlv(3, b"\1"), b""),
    ):
        yield tlv(0x30, wrong, integer(s))
        yield tlv(0x30, integer(s), wrong)
    yield from (tlv(0x30, integer(r)), tlv(0x30, integer(r), integer(s), integer(s)), tlv(0x31, integer(r)))
    yield from _edited(tlv(0x30, integer(r), integer(s)), rng)


def _edited(right: bytes, rng: Random) -> Iterator[bytes]:
    """Yield every beginning of a text, and the text with one byte changed or inserted at every place."""
    yield from (right, right + b"\0", right + right)
    for at in range(len(right)):
        yield right[:at]
        others = {0, 1, 0x7F, 0x80, 0x81, 0xFF, right[at] ^ 1, right[at] + 1 & 255, rng.randrange(256)}
        yield from (right[:at] + bytes([b]) + right[at + 1 :] for b in others - {right[at]})
        yield right[:at] + b"\0" + right[at:]


def der(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield signatures in DER."""
    for text in dict.fromkeys(_ders(peer, rng)):
        numbers = _read_der(text)
        valid = numbers is not None and all(0 < number < peer.curve.order for number in numbers)
        answer = valid and b"".join(map(peer.number, numbers or ()))
        yield from ((name, (text,), answer) for name in ("der", "der_signature"))


def _private(secret: bytes, *further: bytes, version: int = 1) -> bytes:
    """Return a key by RFC 5915, 3."""
    return tlv(0x30, integer(version), tlv(4, secret), *further)


def _algorithm(oid: bytes, algorithm: bytes = EC_PUBLIC_KEY) -> bytes:
    return tlv(0x30, tlv(6, algorithm), tlv(6, oid))


def _pkcs8(own: bytes, oid: bytes, version: int = 0) -> bytes:
    return tlv(0x30, integer(version), _algorithm(oid), tlv(4, own))


def _bits(text: bytes, unused: int = 0) -> bytes:
    return tlv(3, bytes([unused]) + text)


def keys(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield keys by RFC 5208, 5480 and 5915, right, with a wrong part, and with one byte changed."""
    curve, k = peer.curve, rng.randrange(1, peer.curve.order)
    right, owner = peer.number(k), curve.multiple(k, curve.generator)
    other = ALTERNATIVE if peer.oid == OTHER_CURVE else OTHER_CURVE
    public = {
        "right": tlv(0xA1, _bits(peer.plain(owner))),
        "wrong": tlv(0xA1, _bits(peer.plain(curve.generator))),
    }
    named = [tlv(0xA0, tlv(6, oid)) for oid in (peer.oid, other)]
    for number in _numbers(peer, rng):
        secret, valid = peer.number(number), 0 < number < curve.order
        yield from _secret_keys(peer, _private(secret), valid and secret)
    yield from _secret_keys(peer, _private(right, public["right"]), right)
    yield from _secret_keys(peer, _private(right, named[0], public["right"]), right)
    for own in (
        *(_private(right, public["wrong"]), _private(right, named[1]), _private(right, version=0)),
        *(
            _private(right[1:]),
            _private(right + b"\0"),
            _private(b""),
            _private(right, tlv(0xA1, _bits(b"\0"))),
        ),
    ):
        yield from _secret_keys(peer, own, None)
    for wrong in (_pkcs8(_private(right), other), _pkcs8(_private(right), peer.oid) + b"\0"):
        yield from ((name, (wrong,), False) for name in ("pkcs8", "pkcs8_signing"))
    for text in _edited(_pkcs8(_private(right, public["right"]), peer.oid), rng):
        yield from ((name, (text,), None) for name in ("pkcs8", "pkcs8_signing"))
    for text in _edited(_private(right, named[0], public["right"]), rng):
        yield "sec1_der", (text,), None
    yield from _public_keys(peer, owner, other, rng)


def _secret_keys(peer: Peer, own: bytes, answer: bytes | bool | None) -> Iterator[Case]:
    yield "sec1_der", (own,), answer
    yield from ((name, (_pkcs8(own, peer.oid),), answer) for name in ("pkcs8", "pkcs8_signing"))


def _public_keys(peer: Peer, owner: Point, other: bytes, rng: Random) -> Iterator[Case]:
    names, head = ("spki", "spki_verifying"), _algorithm(peer.oid)
    for text in dict.fromkeys(_encodings(peer, rng)):
        point = peer.read(text)
        answer = None if text[:1] == b"\5" else point not in (None, INFINITY) and peer.plain(point)
        yield from ((name, (tlv(0x30, head, _bits(text)),), answer) for name in names)
    own = _bits(peer.plain(owner))
    for wrong in (
        tlv(0x30, _algorithm(other), own),
        tlv(0x30, _algorithm(peer.oid, EC_PUBLIC_KEY[:-1] + b"\2"), own),
        tlv(0x30, tlv(0x30, tlv(6, EC_PUBLIC_KEY)), own),
        tlv(0x30, head, _bits(peer.plain(owner), 1)),
        tlv(0x30, head, own) + b"\0",
    ):
        yield from ((name, (wrong,), False) for name in names)
    for text in _edited(tlv(0x30, head, own), rng):
        yield from ((name, (text,), None) for name in names)


def texts(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield values in JSON, in hexadecimal."""

    def quoted(text: bytes) -> tuple[bytes]:
        return (json.dumps(text.hex()).encode(),)

    for number in _numbers(peer, rng):
        text = peer.number(number)
        yield "json_scalar", quoted(text), number < peer.curve.order and text
    for r, s in _pairs(peer, rng):
        text = peer.number(r) + peer.number(s)
        yield "json_signature", quoted(text), 0 < r < peer.curve.order and 0 < s < peer.curve.order and text
    # Serde's adapter of both crates reads the empty text as 0.
    yield "json_scalar", (b'""',), None
    for wrong in (b"", b'"0"', b"1", b"null", b"[1]", b'"' + b"g" * 2 * peer.size + b'"'):
        for name in ("json_scalar", "json_signature", "json_affine", "json_public_key"):
            yield name, (wrong,), False
    for text in dict.fromkeys(_encodings(peer, rng)):
        point = peer.read(text)
        answer = None if text[:1] == b"\5" else point is not None and peer.plain(point)
        yield "json_affine", quoted(text), answer
        yield (
            "json_public_key",
            quoted(tlv(0x30, _algorithm(peer.oid), _bits(text))),
            answer and point != INFINITY and answer,
        )


def verifications(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield the questions of the shared vectors about signatures, with hashes in the place of messages."""
    for name, *arguments, answer in ecdsa(peer.curve, rng):
        if name != "ecdsa_verify":
            continue
        owner, message, text, hash_name = arguments
        hashed = hashlib.new(hash_name, bytes.fromhex(message.strip("-"))).digest()
        key = b"\0" if owner == "O" else b"\4" + bytes.fromhex(owner)
        signature = bytes.fromhex(text.strip("-"))
        r, s = (int.from_bytes(part, "big") for part in (signature[: peer.size], signature[peer.size :]))
        low = not peer.low_s or 2 * s < peer.curve.order
        valid = answer == "1" and low and b"\1"
        yield "verify", (key, hashed, signature), valid
        yield "verify_der", (key, hashed, tlv(0x30, integer(r), integer(s))), valid if answer == "1" else None


def recoveries(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield recoveries of keys from signatures with numbers at edges, by every kind of point."""
    curve, order = peer.curve, peer.curve.order
    hashed = rng.randbytes(min(peer.size, 64))
    e = int.from_bytes(hashed, "big")
    for r in (*range(1, 6), order - 1, curve.generator[0] % order, rng.randrange(order)):
        for s, number in product((1, e % order, order - 1, rng.randrange(1, order)), range(5)):
            text = peer.number(r) + peer.number(s)
            point = peer.lifted(r + (number >> 1) * order, number & 1) if number < 4 else None
            key = INFINITY
            if point is not None:
                total = curve.affine.add(curve.multiple(s, point), curve.multiple(-e, curve.generator))
                key = curve.multiple(pow(r, -1, order), total)
            # The crate `ecdsa` drops the bits of r + n for which a coordinate has no room.
            known = number < 2 or r + order < 256**peer.size
            answer = key != INFINITY and peer.plain(key) if known else None
            yield "recover", (hashed, text, bytes([number])), answer


def exchanges(peer: Peer, rng: Random) -> Iterator[Case]:
    """Yield exchanges with keys at the edges, and with the identity."""
    order = peer.curve.order
    for point in _edge_points(peer, rng):
        for k in (1, 2, order - 1, rng.randrange(1, order)):
            common = peer.number(peer.curve.multiple(k, point)[0])
            yield "exchange", (peer.number(k), peer.plain(point)), common
    yield "exchange", (peer.number(1), b"\0"), False
