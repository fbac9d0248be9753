"""Requests to the functions of a tiny whole curve: all points, all scalars, all short encodings."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve

    Rows: TypeAlias = Iterator[tuple[str, ...]]

TINY = 100
"""Below this prime everything is asked; scalars have one byte then."""

_OTHERS = 5
_BATCH = 30
_COUNTS = (0, 1, 2, 3, 4, 5, 9, 30)


def exhaustive_rows(curve: WholeCurve, rng: Random) -> Rows:
    """Yield functions with their arguments and answers."""
    for rows in TINY_LADDER if curve.model == "montgom" else TINY_CURVE:
        yield from rows(curve, rng)


def x_of(point: Point) -> int:
    """Return the x-coordinate of a point, 0 for the one at infinity."""
    return 0 if point == INFINITY else point[0]


def sums(curve: WholeCurve, _: Random) -> Rows:
    """Yield all sums and differences, and what is asked of one point."""
    affine = curve.affine
    for p in curve.points:
        text, inside, neutral = curve.point(p), curve.is_in_subgroup(p), p == affine.neutral
        yield "double", text, curve.point(affine.double(p))
        yield "negate", text, curve.point(affine.negate(p))
        yield "is_identity", text, str(int(neutral))
        yield "is_in_subgroup", text, str(int(inside))
        yield "clear_cofactor", text, curve.point(affine.multiple(curve.cofactor, p))
        yield "validate", text, text if inside and not neutral else REFUSED
        for q in curve.points:
            other, total, rest = curve.point(q), affine.add(p, q), affine.add(p, affine.negate(q))
            for suffix in ("", "_var"):
                yield f"add{suffix}", text, other, curve.point(total)
                yield f"subtract{suffix}", text, other, curve.point(rest)
            yield "equal", text, other, str(int(p == q))
            yield "select", text, other, "0", other
            yield "select", text, other, "1", text


def multiples(curve: WholeCurve, _: Random) -> Rows:
    """Yield all multiples of all points."""
    names = ("multiply", "multiply_var", *(["coz_multiply"] * curve.coz))
    for p in curve.points:
        for k, expected in enumerate(_in_turn(curve, p)):
            for name in names:
                yield name, curve.scalar(k), curve.point(p), curve.point(expected)


def multiples_of_the_generator(curve: WholeCurve, rng: Random) -> Rows:
    """Yield all multiples of the generator, and sums of one and of a multiple of another point."""
    affine = curve.affine
    for a, expected in enumerate(_in_turn(curve, curve.generator)):
        for name in ("multiply_generator", "multiply_generator_var"):
            yield name, curve.scalar(a), curve.point(expected)
        for q in rng.sample(curve.points, min(_OTHERS, len(curve.points))):
            b = rng.randrange(1 << 8 * curve.scalar_bytes)
            both = curve.point(affine.add(expected, curve.multiple(b, q)))
            yield "double_multiply_var", curve.scalar(a), curve.scalar(b), curve.point(q), both


def multiples_of_two_points(curve: WholeCurve, _: Random) -> Rows:
    """Yield sums of multiples of the generator and of the second fixed point."""
    bound = 1 << 8 * curve.scalar_bytes
    if curve.second is not None:
        for a in range(bound):
            b = (5 * a + 2) % bound
            both = curve.affine.add(curve.multiple(a, curve.generator), curve.multiple(b, curve.second))
            for name in ("double_multiply_generators", "double_multiply_generators_var"):
                yield name, curve.scalar(a), curve.scalar(b), curve.point(both)


def sums_of_many_multiples(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums of multiples of some points and of many."""
    top = 1 << 8 * curve.scalar_bytes
    for count in _COUNTS * 8:
        chosen = [(rng.randrange(top), rng.choice(curve.points)) for _ in range(count)]
        total = reduce(curve.affine.add, (curve.multiple(k, p) for k, p in chosen), curve.affine.neutral)
        pairs = [text for k, p in chosen for text in (curve.scalar(k), curve.point(p))]
        yield "multi_multiply_var", *pairs, curve.point(total)


def random_values(curve: WholeCurve, _: Random) -> Rows:
    """Yield scalars and points that are drawn: by bytes in range, or by those after them."""
    n = curve.order
    surplus, other = -n.bit_length() % 8, min(5, n - 1)
    for first in range(256):
        drawn, value = f"{first:02x}{other << surplus:02x}", first >> surplus
        k = value if 0 < value < n else other
        yield "random_scalar", drawn, curve.scalar(k)
        if curve.model != "montgom":
            yield "random_point", drawn, curve.point(curve.multiple(k, curve.generator))


def affine_points(curve: WholeCurve, _: Random) -> Rows:
    """Yield all pairs of coordinates, p among them."""
    prime, points = curve.curve.prime, set(curve.points)
    for x in range(prime + 1):
        for y in range(prime + 1):
            text = curve.point((x, y))
            yield "from_affine", text, text if (x, y) in points else REFUSED


def points_by_a_coordinate(curve: WholeCurve, _: Random) -> Rows:
    """Yield points by x or y and the low bit of the other coordinate, chosen and drawn."""
    ladder = curve.model == "montgom"
    given = int(curve.model in ("twisted", "edwards"))
    for value in range(curve.curve.prime):
        for odd in (0, 1):
            found = [p for p in curve.points if p and p[given] == value and p[1 - given] % 2 == odd]
            answer = curve.point(found[0]) if found else REFUSED
            yield "lift_x" if ladder else "lift", curve.element(value), str(odd), answer
            if found and not ladder:
                yield "random_point_by_lift", f"ff{odd:02x}{value:02x}{odd:02x}", answer


def batches(curve: WholeCurve, _: Random) -> Rows:
    """Yield affine coordinates of many points, and their encodings."""
    points = [p for p in curve.points if p != INFINITY][:_BATCH]
    texts = [*map(curve.point, points)]
    yield "to_affine_batch", *texts, "".join(texts)
    yield "encode_batch", *texts, b"".join(map(curve.encoded, points)).hex()


def encodings(curve: WholeCurve, _: Random) -> Rows:
    """Yield the encodings of all points, and strings up to their length, which are points or refused."""
    points = [p for p in curve.points if p != INFINITY]
    written = {curve.encoded(p): curve.point(p) for p in points}
    yield from (("encode", text, encoding.hex()) for encoding, text in written.items())
    if curve.model == "shortw":
        plain = {b"\4" + bytes(p): curve.point(p) for p in points}
        yield from (("encode_uncompressed", text, encoding.hex()) for encoding, text in plain.items())
        every = (b"\4" + bytes((x, y)) for x in range(TINY) for y in range(TINY))
        yield from (("decode", encoding.hex(), plain.get(encoding, REFUSED)) for encoding in every)
        # SEC 1 encodes the identity as one byte, which no array of fixed length holds: it is refused.
        yield "encode", curve.point(INFINITY), REFUSED
        yield "encode_uncompressed", curve.point(INFINITY), REFUSED
        yield "encode_batch", curve.point(points[0]), curve.point(INFINITY), REFUSED
    yield from _decodings(written)


def x_encodings(curve: WholeCurve, _: Random) -> Rows:
    """Yield all encodings of x-coordinates, and strings of another length."""
    yield from _decodings({e: e.hex() for e in (curve.encoded(p) for p in curve.points if p != INFINITY)})


def wire_formats(curve: WholeCurve, _: Random) -> Rows:
    """Yield what is written without an inversion and read again, and what is refused."""
    yield from (("wire", curve.point(p), curve.point(p)) for p in curve.points)
    yield "decode_wire", REFUSED
    for length in range(1, 6):
        yield "decode_wire", "ff" * length, REFUSED


def ladders(curve: WholeCurve, _: Random) -> Rows:
    """Yield all multiples of all points but the neutral one, and their x-coordinates."""
    for q in curve.points[1:]:
        for k, expected in enumerate(_in_turn(curve, q)):
            scalar, text, answer = curve.scalar(k), curve.point(q), curve.point(expected)
            yield "ladder_multiply", scalar, text, answer
            if q == curve.generator:
                yield "multiply", scalar, text, answer
                yield "multiply_generator", scalar, answer
            yield "x_multiply", scalar, curve.element(q[0]), curve.element(x_of(expected))


def ladders_on_the_twist(curve: WholeCurve, _: Random) -> Rows:
    """Yield multiples of all x-coordinates of the twist."""
    prime, parameters = curve.curve.prime, curve.curve.parameters
    other = next(b for b in range(2, prime) if pow(b * parameters["b"], (prime - 1) // 2, prime) == prime - 1)
    twist = AffineCurve(curve.affine.model, prime, {"a": parameters["a"], "b": other})
    for q in twist.all_points():
        expected = INFINITY
        for k in range(1 << 8 * curve.scalar_bytes):
            yield "x_multiply", curve.scalar(k), curve.element(q[0]), curve.element(x_of(expected))
            expected = twist.add(expected, q)


def _in_turn(curve: WholeCurve, point: Point) -> Iterator[Point]:
    """Yield the multiples of a point by all scalars of a given number of bytes."""
    expected = curve.affine.neutral
    for _ in range(1 << 8 * curve.scalar_bytes):
        yield expected
        expected = curve.affine.add(expected, point)


def _decodings(written: dict[bytes, str]) -> Rows:
    """Yield every string of at most two bytes, and the point that it encodes."""
    yield "decode", REFUSED
    for length in range(1, 3):
        for number in range(256**length):
            encoding = number.to_bytes(length, "big")
            yield "decode", encoding.hex(), written.get(encoding, REFUSED)


TINY_CURVE = (
    *(sums, multiples, multiples_of_the_generator, multiples_of_two_points, sums_of_many_multiples),
    *(random_values, affine_points, points_by_a_coordinate, batches, encodings, wire_formats),
)
TINY_LADDER = (
    *(ladders, ladders_on_the_twist, random_values, affine_points, points_by_a_coordinate, x_encodings),
)
