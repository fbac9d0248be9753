"""Requests to the protocols of a curve, and answers by RFC 7748 and SP 800-56A; without signatures.

Every function is asked what it has to refuse, too. ``-`` is written for no bytes.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.planning.protocols import c_protocols, exchange_scheme
from efdgen.verify.vectors.bip340_cases import bip340
from efdgen.verify.vectors.digest_cases import digests
from efdgen.verify.vectors.eddsa_variants import variants
from efdgen.verify.vectors.hash_cases import hashed
from efdgen.verify.vectors.scalar_cases import scalars
from efdgen.verify.vectors.signature_cases import ecdsa, eddsa, key_edges
from efdgen.verify.vectors.whole_cases import Question
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_edges import on_axes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_MOST_COFACTOR = 64
"""Cofactors with which a point of the subgroup is soon found."""


def protocol_questions(curve: WholeCurve, rng: Random) -> Iterator[Question]:
    """Yield what the drivers of protocols are asked: keys, signatures and exchanges, right and wrong."""
    rows = {
        **{"ecdh": (_ecdh,), "ecdsa": (ecdsa, digests), "eddsa": (eddsa, variants)},
        **{"exchange": (_exchange,), "elgamal": (_elgamal, scalars), "bip340": (bip340,)},
        "hash_to_curve": (hashed,),
    }
    for name in c_protocols(curve.curve):
        for ask in rows.get(name, ()):
            for function, *arguments, answer in ask(curve, rng):
                yield Question(function, tuple(arguments), answer, "edge")


def _short_multiple(curve: WholeCurve, bits: int) -> tuple[int, Point]:
    """Return k and k·G with an x-coordinate of at most a given number of bits."""
    point = curve.generator
    for k in count(2):
        point = curve.affine.add(point, curve.generator)
        if point[0].bit_length() <= bits:
            return k, point
    raise AssertionError("there are as many multiples as are needed")


def _ecdh(curve: WholeCurve, rng: Random) -> Rows:
    order, name = curve.order, "ecdh_exchange"
    point, one = curve.affine.random_point(rng), curve.point(curve.generator)
    edges = [p for p in on_axes(curve) if curve.is_in_subgroup(p)]
    for owner in (point, *edges):
        for secret in (1, 2, order - 1, rng.randrange(1, order), rng.randrange(1, min(order, 1 << 32))):
            common = curve.multiple(secret, owner)
            yield name, curve.scalar(secret), curve.point(owner), curve.element(common[0])
    # The common point has x = 0, which is a result, and not the identity.
    for common in edges:
        owner = curve.multiple(pow(secret, -1, order), common)
        yield name, curve.scalar(secret), curve.point(owner), curve.element(common[0])
    short, common = _short_multiple(curve, 8 * (curve.field_bytes - 1))
    secret = rng.randrange(1, order)
    other = curve.multiple(short * pow(secret, -1, order), curve.generator)
    yield name, curve.scalar(secret), curve.point(other), curve.element(common[0])
    for wrong in key_edges(curve):
        yield name, curve.scalar(wrong), one, REFUSED
    yield name, curve.scalar(secret), curve.point(curve.affine.neutral), REFUSED
    yield name, curve.scalar(0), curve.point(curve.affine.neutral), REFUSED


def _exchange(curve: WholeCurve, rng: Random) -> Rows:
    """Yield exchanges, with public keys of any size, on the twist and of small order."""
    scheme, size, prime = exchange_scheme(curve.curve), curve.field_bytes, curve.curve.prime
    assert scheme is not None
    top, bits = 1 << scheme.top, prime.bit_length()

    def text(value: int) -> str:
        return value.to_bytes(size, "little").hex()

    for secret in (bytes(size), b"\xff" * size, rng.randbytes(size)):
        k = int.from_bytes(secret, "little") % top // curve.cofactor * curve.cofactor | top
        yield "exchange_public_key", secret.hex(), text(_x_multiple(curve, k, curve.generator[0]))
    short, common = _short_multiple(curve, 8 * (size - 1))
    other = curve.multiple(short * pow(k, -1, curve.order), curve.generator)
    yield "exchange", secret.hex(), text(other[0]), text(common[0])
    # These are numbers on the curve and on its twist; small ones have another number from p on.
    several = [curve.generator[0], other[0], *range(2, 6), rng.randrange(prime), rng.randrange(prime)]
    small = curve.affine.multiple(curve.order, curve.affine.random_point(rng))
    for u in (0, 1, prime - 1, *small[:1], *several):
        found = _x_multiple(curve, k, u)
        same = [u, *([u + prime] if u + prime < 1 << bits else [])]
        for number in (*same, *(value | 1 << bits for value in same)):
            if number < 256**size:
                yield "exchange", secret.hex(), text(number), text(found) if found else REFUSED
    key = bytes.fromhex(text(several[-1]))
    for wrong in _of_other_lengths(secret):
        yield "exchange_public_key", wrong, REFUSED
        yield "exchange", wrong, key.hex(), REFUSED
    for wrong in _of_other_lengths(key):
        yield "exchange", secret.hex(), wrong, REFUSED


def _x_multiple(curve: WholeCurve, k: int, u: int) -> int:
    """Return X25519 or X448 of a scalar and a number, as in RFC 7748, 5; 0 for the identity."""
    prime, constant = curve.curve.prime, (curve.curve.parameters["a"] - 2) // 4
    x2, z2, x3, z3 = 1, 0, u % prime, 1
    for bit in map(int, f"{k:b}"):
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = pow(d * a + c * b, 2, prime), u * pow(d * a - c * b, 2, prime) % prime
        difference = (a * a - b * b) % prime
        x2, z2 = a * a * b * b % prime, difference * (a * a + constant * difference) % prime
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, -1, prime) % prime if z2 else 0


def _of_other_lengths(text: bytes) -> Iterator[str]:
    yield from ((text + b"\0").hex(), text[:-1].hex(), "-")


def _elgamal(curve: WholeCurve, rng: Random) -> Rows:
    affine, order = curve.affine, curve.order
    d, k, m = (rng.randrange(1, order) for _ in range(3))
    owner, mask = curve.multiple(d, curve.generator), curve.multiple(k * d, curve.generator)
    drawn = (k << -order.bit_length() % 8).to_bytes(-(-order.bit_length() // 8), "big").hex()
    first = curve.point(curve.multiple(k, curve.generator))
    for point in (affine.neutral, affine.negate(mask), mask, curve.multiple(m, curve.generator)):
        second = curve.point(affine.add(point, mask))
        yield "elgamal_decrypt", curve.scalar(d), first, second, curve.point(point)
        yield "elgamal_decrypt", curve.scalar(0), first, second, second
        yield "elgamal_encrypt", drawn, curve.point(owner), curve.point(point), f"{first} {second}"
    size = curve.field_bytes - 3
    for point in (affine.neutral, curve.generator, owner):
        yield "elgamal_extract", curve.point(point), _embedding(point[curve.is_edwards :], size)
    if curve.cofactor > _MOST_COFACTOR:
        return
    for message in (bytes(size), b"\xff" * size, *(rng.randbytes(size) for _ in range(4))):
        point = _embedded(curve, int.from_bytes(message, "big"))
        yield "elgamal_embed", message.hex(), curve.point(point)
        yield "elgamal_extract", curve.point(affine.negate(point)), message.hex()
    for wrong in _of_other_lengths(message):
        yield "elgamal_embed", wrong, REFUSED


def _embedding(coordinates: Point, size: int) -> str:
    """Return the message of some bytes in the first coordinate, if there is one and it has no more bytes."""
    there = coordinates and coordinates[0] < 256 ** (size + 2)
    return (coordinates[0] >> 16).to_bytes(size, "big").hex() if there else REFUSED


def _embedded(curve: WholeCurve, message: int) -> Point:
    """Return the first point of the subgroup with a message before two bytes, the other coordinate even."""
    for value in range(message << 16, message + 1 << 16):
        for point in curve.affine.points_with(curve.is_edwards, value):
            if point[not curve.is_edwards] % 2 == 0 and curve.is_in_subgroup(point):
                return point
    raise AssertionError("a subgroup of a small cofactor has a point there")
