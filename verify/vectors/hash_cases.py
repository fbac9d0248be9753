"""Requests of hashing to a curve, with answers by the definitions of RFC 9380, not its programs."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.hashing import Elligator, SimplifiedSwu, hashing
from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.primes import is_square, square_root
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.hashing import Hashing
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_OVERSIZE = b"H2C-OVERSIZE-DST-"
_LONGEST_TAG = 255
_MOST_BLOCKS = 255
_MESSAGES = b"", b"abc", b"q" * 133
_TAGS = (b"t", b"a tag of a program", b"t" * 255, b"t" * 256, b"t" * 10_000)


def hashed(curve: WholeCurve, rng: Random) -> Rows:
    """Yield messages, tags and elements of all kinds."""
    own = hashing(curve.curve)
    assert own is not None
    prime, z = curve.curve.prime, own.map.z
    # Where the sum of z*u^2 and its square is 0, and the ends of the field.
    exceptional = square_root(-pow(z, -1, prime), prime)
    special = [0, 1, 2, prime - 1, prime - 2, *([exceptional, prime - exceptional] if exceptional else [])]
    for u in (*special, *(rng.randrange(prime) for _ in range(12))):
        yield "map_to_curve", curve.element(u), curve.point(mapped(curve, own, u))
        if isinstance(own.map, Elligator) and own.montgomery:
            pair = _elligator(prime, own.map, u)
            yield "map_to_montgomery", curve.element(u), _coordinates(curve, pair)
    names = ("shake128", "shake256") if own.expander == "xof" else ("sha256", "sha384", "sha512")
    for name in names:
        for message in (*_MESSAGES, rng.randbytes(32)):
            yield from _whole(curve, own, message, _TAGS[1], name)
    for tag in _TAGS:
        yield from _whole(curve, own, b"message", tag, own.hash)
        yield from _expanded(own, b"message", tag, own.hash, rng)
    there = ("curve", "montgomery") if own.montgomery else ("curve",)
    for name in (*(f"{kind}_to_{curve}" for kind in ("hash", "encode") for curve in there), "hash_to_scalar"):
        yield name, "00", "-", own.hash, REFUSED
    yield from _refused_lengths(own)


def _whole(curve: WholeCurve, own: Hashing, message: bytes, tag: bytes, name: str) -> Rows:
    request = message.hex() or "-", tag.hex(), name
    points = [mapped(curve, own, u) for u in elements(curve, own, message, tag, name, 2)]
    total = curve.affine.multiple(own.cofactor, curve.affine.add(*points))
    yield "hash_to_curve", *request, curve.point(total)
    (u,) = elements(curve, own, message, tag, name, 1)
    yield "encode_to_curve", *request, curve.point(curve.affine.multiple(own.cofactor, mapped(curve, own, u)))
    if isinstance(own.map, Elligator) and own.montgomery:
        for count, function in ((2, "hash_to_montgomery"), (1, "encode_to_montgomery")):
            found = elements(curve, own, message, tag, name, count)
            yield function, *request, _coordinates(curve, _on_montgomery(curve, own, own.map, found))
    k = int.from_bytes(expand(own, message, tag, own.wide_scalar, name), "big") % curve.order
    yield "hash_to_scalar", *request, curve.scalar(k)


def _expanded(own: Hashing, message: bytes, tag: bytes, name: str, rng: Random) -> Iterator[tuple[str, ...]]:
    for length in (1, 31, 32, 33, 64, 65, 128, rng.randrange(1, 500)):
        found = expand(own, message, tag, length, name)
        yield f"expand_message_{own.expander}", message.hex(), tag.hex(), name, str(length), found.hex()


def _refused_lengths(own: Hashing) -> Iterator[tuple[str, ...]]:
    """Yield the greatest length, and one above it."""
    name = f"expand_message_{own.expander}"
    most = (1 << 16) - 1
    if own.expander == "xmd":
        most = min(most, _MOST_BLOCKS * hashlib.new(own.hash).digest_size)
    yield name, "00", "01", own.hash, str(most), expand(own, b"\0", b"\1", most, own.hash).hex()
    yield name, "00", "01", own.hash, str(most + 1), REFUSED
    yield name, "00", "-", own.hash, "32", REFUSED


def expand(own: Hashing, message: bytes, tag: bytes, length: int, name: str) -> bytes:
    """Return expand_message of RFC 9380, 5.3, by blocks or by an extendable-output function."""
    size = length.to_bytes(2, "big")
    if own.expander == "xof":
        function = {"shake128": hashlib.shake_128, "shake256": hashlib.shake_256}[name]
        short = tag if len(tag) <= _LONGEST_TAG else function(_OVERSIZE + tag).digest(own.strength_bytes)
        return function(message + size + short + bytes([len(short)])).digest(length)

    def digest(text: bytes) -> bytes:
        return hashlib.new(name, text).digest()

    short = tag if len(tag) <= _LONGEST_TAG else digest(_OVERSIZE + tag)
    end = short + bytes([len(short)])
    first = digest(bytes(hashlib.new(name).block_size) + message + size + b"\0" + end)
    blocks = [digest(first + b"\1" + end)]
    while len(blocks) * len(first) < length:
        mixed = bytes(a ^ b for a, b in zip(first, blocks[-1], strict=True))
        blocks.append(digest(mixed + bytes([len(blocks) + 1]) + end))
    return b"".join(blocks)[:length]


def elements(curve: WholeCurve, own: Hashing, message: bytes, tag: bytes, name: str, count: int) -> list[int]:
    """Return the elements that a message is hashed to (RFC 9380, 5.2)."""
    made = expand(own, message, tag, count * own.wide, name)
    parts = (made[at : at + own.wide] for at in range(0, len(made), own.wide))
    return [int.from_bytes(part, "big") % curve.curve.prime for part in parts]


def mapped(curve: WholeCurve, own: Hashing, u: int) -> Point:
    """Return the point that an element is mapped to (RFC 9380, 6.6.2, 6.6.3, 6.7.1 and 6.8.2)."""
    prime = curve.curve.prime
    match own.map:
        case SimplifiedSwu():
            return _simplified(curve, own.map, u)
        case Elligator():
            return _on_edwards(prime, own.map, *_elligator(prime, own.map, u))


def _simplified(curve: WholeCurve, to: SimplifiedSwu, u: int) -> Point:
    prime, (a, b, z) = curve.curve.prime, (to.a, to.b, to.z)

    def right(x: int) -> int:
        return (x**3 + a * x + b) % prime

    total = (z * z * u**4 + z * u * u) % prime
    x = -b * pow(a, -1, prime) * (1 + pow(total, -1, prime)) if total else b * pow(z * a, -1, prime)
    x = x % prime if is_square(right(x), prime) else z * u * u * x % prime
    y = _root(right(x), prime)
    y = y if y % 2 == u % 2 else -y % prime
    if to.isogeny is None:
        return x, y
    kernel, above, slope = (
        _evaluated(c, x, prime) for c in (to.isogeny.kernel, to.isogeny.above, to.isogeny.slope)
    )
    if kernel == 0:
        return curve.affine.neutral
    return above * pow(kernel, -2, prime) % prime, y * slope * pow(kernel, -3, prime) % prime


def _elligator(prime: int, to: Elligator, u: int) -> Point:
    """Return the point of the Montgomery curve."""
    a, b = to.a * pow(to.b, -1, prime), pow(to.b, -2, prime)

    def right(x: int) -> int:
        return (x**3 + a * x * x + b * x) % prime

    divisor = (1 + to.z * u * u) % prime
    x = -a * (pow(divisor, -1, prime) if divisor else 1) % prime
    first = is_square(right(x), prime)
    x = x if first else (-x - a) % prime
    y = _root(right(x), prime)
    return x * to.b % prime, (y if y % 2 == first else -y % prime) * to.b % prime


def _on_montgomery(curve: WholeCurve, own: Hashing, to: Elligator, found: Sequence[int]) -> Point:
    """Return the sum of the images of elements on the Montgomery curve, times the cofactor."""
    law = AffineCurve(Database().model("g1p/montgom"), curve.curve.field, {"a": to.a, "b": to.b})
    total = law.neutral
    for u in found:
        total = law.add(total, _elligator(curve.curve.prime, to, u))
    return law.multiple(own.cofactor, total)


def _on_edwards(prime: int, to: Elligator, s: int, t: int) -> Point:
    if to.degree == 1:
        above_x, below_x, above_y, below_y = to.factor * s, t, s - 1, s + 1
    else:
        above_x, below_x = 4 * t * (s * s - 1), s**4 - 2 * s * s + 4 * t * t + 1
        above_y = -(s**5 - 2 * s**3 - 4 * s * t * t + s)
        below_y = s**5 - 2 * s * s * t * t - 2 * s**3 - 2 * t * t + s
    if below_x % prime == 0 or below_y % prime == 0:
        return 0, 1
    return above_x * pow(below_x, -1, prime) % prime, above_y * pow(below_y, -1, prime) % prime


def _coordinates(curve: WholeCurve, point: Point) -> str:
    """Write a point of the Montgomery curve, zeros for the identity."""
    return "".join(map(curve.element, point or (0, 0)))


def _root(value: int, prime: int) -> int:
    root = square_root(value, prime)
    assert root is not None
    return root


def _evaluated(coefficients: Sequence[int], x: int, prime: int) -> int:
    return sum(c * pow(x, at, prime) for at, c in enumerate(coefficients)) % prime
