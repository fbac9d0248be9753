"""Requests to encode and decode points: right encodings, malformed ones, and points that have none."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_edges import on_axes
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_BATCH = 30


def decodings(curve: WholeCurve, rng: Random) -> Rows:
    """Yield encodings of points and malformed ones; of a tiny curve all of the lengths of encodings."""
    for data in dict.fromkeys(_short_strings(curve) if curve.is_tiny else _near_encodings(curve, rng)):
        yield row(curve, "decode", data)


def _short_strings(curve: WholeCurve) -> Iterator[bytes]:
    """Yield all strings of at most two bytes, and all uncompressed encodings of small coordinates."""
    for length in range(3):
        yield from map(bytes, product(range(256), repeat=length))
    if curve.model == "shortw":
        yield from (bytes((4, x, y)) for x, y in product(range(curve.field.order + 2), repeat=2))


def _near_encodings(curve: WholeCurve, rng: Random) -> Iterator[bytes]:
    affine, generator = curve.affine, curve.generator
    yield from (b"", b"\xff" * curve.encoded_bytes, *_not_below_p(curve))
    for point in (generator, affine.negate(generator), affine.random_point(rng), *on_axes(curve)):
        encoding = curve.encoded(point)
        yield from (encoding, *_malformed(curve, encoding))
        # One of the two signs of points on the axes is of no point.
        yield from (curve.encoded_by(point[curve.is_edwards], odd) for odd in (0, 1))
        if curve.model == "shortw":
            plain = b"\4" + curve.xy(point)
            yield from (plain, *_malformed_plain(plain))


def _malformed(curve: WholeCurve, encoding: bytes) -> list[bytes]:
    """Return what a point's encoding is made wrong into, by its length or its tag."""
    found = [encoding + b"\0", b"\0" + encoding, encoding[1:], encoding[:-1]]
    if curve.model == "shortw":
        found += [bytes([tag]) + encoding[1:] for tag in (0, 1, 4, 5, 6, 7, 0x82)]
    return found


def _malformed_plain(encoding: bytes) -> list[bytes]:
    """Return the same of an uncompressed encoding, with another y, and with the tags of hybrid encodings."""
    other = encoding[:-1] + bytes([encoding[-1] ^ 1])
    tagged = [bytes([tag]) + encoding[1:] for tag in (0, 2, 3, 5, 6, 7)]
    return [other, encoding + b"\0", encoding[:-1], *tagged]


def _not_below_p(curve: WholeCurve) -> list[bytes]:
    """Return encodings of numbers that are no elements, if there is room for them, and of one of no point."""
    size, top = curve.encoded_bytes, curve.field.order
    if curve.model == "shortw":
        room = 256 ** (size - 1)
        numbers = [top, top + 1, room - 1, curve.coordinate_of_none]
        return [bytes([tag]) + v.to_bytes(size - 1, "big") for v in numbers if v < room for tag in (2, 3)]
    # The identity of an Edwards curve has y = 1 and x = 0; a sign is not to be given to 0.
    sign = 0 if curve.model == "montgom" else 1 << 8 * size - 1
    numbers = [top, top + 1, curve.coordinate_of_none, *([sign | 1, sign | (top - 1)] if sign else [])]
    return [v.to_bytes(size, "little") for v in numbers if v < 256**size]


def no_wires(curve: WholeCurve, rng: Random) -> Rows:
    """Yield wire encodings that are refused: of any wrong length, and random ones in any system.

    Coordinates that are drawn below a large p are of no point.
    """
    yield "decode_wire", "-", REFUSED
    tiny, size = curve.is_tiny, curve.field_bytes
    for length in range(1, 6) if tiny else (1, size, 2 * size - 1):
        yield "decode_wire", "ff" * length, REFUSED
    if not tiny:
        for members in range(1, 7):
            below = [b"\0" + rng.randbytes(size - 2) + b"\0" for _ in range(members)]
            yield "decode_wire", b"".join(below).hex(), REFUSED


def batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield affine coordinates and encodings of many points, with and without the identity among them."""
    points = some_points(curve, rng)[:_BATCH]
    neutral = curve.affine.neutral
    for given in (points, [points[0], neutral, *points[1:]]):
        yield row(curve, "to_affine_batch", *given)
        yield row(curve, "encode_batch", *given)


def some_points(curve: WholeCurve, rng: Random) -> list[Point]:
    """Return all finite points of a tiny curve; of a large one the generator, its negative, random ones."""
    if curve.is_tiny:
        return [p for p in curve.points if p != INFINITY]
    affine = curve.affine
    return [curve.generator, affine.negate(curve.generator), *(affine.random_point(rng) for _ in range(3))]


def xy_batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield batches of affine coordinates: written, read, and refused at some places."""
    points = some_points(curve, rng)[:_BATCH]
    written = b"".join(map(curve.xy, points))
    yield "encode_xy_batch", *map(curve.point, points), written.hex()
    yield "decode_xy_batch", written.hex(), "".join(map(curve.point, points))
    neutral = curve.affine.neutral
    # The identity is refused where it is not affine; others are written.
    all_written = (bytes(2 * curve.field_bytes) if neutral == INFINITY else curve.xy(neutral)) + written
    answer = f"{REFUSED} {all_written.hex()}" if neutral == INFINITY else all_written.hex()
    yield "encode_xy_batch", curve.point(neutral), *map(curve.point, points), answer
    yield from _every_pair(curve) if curve.is_tiny else _wrong_coordinates(curve, points)


def _every_pair(curve: WholeCurve) -> Rows:
    """Yield all pairs of bytes, in batches of one x."""
    for x in range(256):
        pairs = [(x, y) for y in range(256)]
        refused = [y for y, pair in enumerate(pairs) if pair not in curve.points]
        yield "decode_xy_batch", bytes(v for p in pairs for v in p).hex(), _refusal(refused)


def _wrong_coordinates(curve: WholeCurve, points: Sequence[Point]) -> Rows:
    """Yield batches in which one point is none, or a coordinate is not below p, or 2^m."""
    top = curve.field.order
    for at, (x, y) in enumerate(points):
        for wrong in ((x, (y + 1) % top), (y, x), (x, y + top), (x + top, y), (top, y), (x, top)):
            if max(wrong) < 256**curve.field_bytes and not curve.has(wrong):
                batch = [*points[:at], wrong, *points[at + 1 :]]
                yield "decode_xy_batch", b"".join(map(curve.xy, batch)).hex(), _refusal([at])


def _refusal(places: Sequence[int]) -> str:
    return " ".join((REFUSED, *map(str, places)))


def embeddings(curve: WholeCurve, rng: Random) -> Rows:
    """Yield messages with their points in the subgroup, and points with the bytes that are extracted."""
    if "embed_var" not in curve.functions:
        return
    size, affine = curve.message_bytes, curve.affine
    # The point of the message 1 would be the identity.
    for message in ((1).to_bytes(size, "little"), b"\xff" * size, *(rng.randbytes(size) for _ in range(2))):
        embedded = row(curve, "embed_var", message)
        point = int(embedded[-1][: 2 * curve.field_bytes], 16), int(embedded[-1][2 * curve.field_bytes :], 16)
        yield embedded
        yield "extract", curve.point(point), message.hex()
        yield row(curve, "extract", affine.negate(point))


ENCODINGS = (batches, xy_batches, embeddings, no_wires)
"""Requests to the functions on points; ladders are asked for :func:`decodings` alone."""
