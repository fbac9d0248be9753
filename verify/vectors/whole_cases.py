"""What the drivers of whole curves are asked, each with the answer that the affine law gives.

Of a tiny curve that is every point, every scalar of a byte and every encoding; of another, published
multiples, and scalars at the edges, of the generator, its negative, the neutral element and a random point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.verify.vectors.published import published_multiples
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random
    from typing import TypeAlias

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve

    _Rows: TypeAlias = Iterator[tuple[str, ...]]

TINY = 64
"""Below this prime everything is asked; scalars have one byte then."""

_OTHERS = 9


class Question(NamedTuple):
    """A call: the function, its arguments as a driver reads them, its answer, and how it was chosen."""

    function: str
    arguments: tuple[str, ...]
    answer: str
    origin: str

    @property
    def request(self) -> str:
        """The line that a driver is sent."""
        return " ".join((self.function, *self.arguments))


def questions(curve: WholeCurve, rng: Random) -> Iterator[Question]:
    """Yield what the drivers of a curve are asked."""
    ladder = curve.model == "montgom"
    if curve.curve.prime < TINY:
        every = _TINY_LADDER if ladder else _TINY_CURVE
        for part in every:
            for function, *arguments, answer in part(curve, rng):
                yield Question(function, tuple(arguments), answer, "exhaustive")
        return
    for function, *arguments, answer in _published(curve):
        yield Question(function, tuple(arguments), answer, "published")
    for function, *arguments, answer in (_ladder_edges if ladder else _edges)(curve, rng):
        yield Question(function, tuple(arguments), answer, "edge")


def _published(curve: WholeCurve) -> _Rows:
    for k, point in published_multiples(curve.curve).items():
        scalar, answer = curve.scalar(k), curve.point(point)
        yield "multiply_generator", scalar, answer
        yield "multiply", scalar, curve.point(curve.generator), answer


def _edges(curve: WholeCurve, rng: Random) -> _Rows:
    affine = curve.affine
    points = [affine.neutral, curve.generator, affine.negate(curve.generator), affine.random_point(rng)]
    for point in points[1:]:
        text, encoding = curve.point(point), curve.encoded(point).hex()
        yield "encode", text, encoding
        yield "decode", encoding, text
        yield "decode", f"{encoding}00", REFUSED
        yield "decode", encoding[2:], REFUSED
        yield "wire", text, text
    yield "decode", "ff" * curve.encoded_bytes, REFUSED
    for k in _edge_scalars(curve, rng):
        scalar, of_generator = curve.scalar(k), curve.multiple(k, curve.generator)
        multiples = [affine.neutral, of_generator, affine.negate(of_generator), curve.multiple(k, points[3])]
        yield "multiply_generator", scalar, curve.point(of_generator)
        for point, multiple in zip(points, multiples, strict=True):
            text, both = curve.point(point), affine.add(of_generator, multiple)
            yield "multiply", scalar, text, curve.point(multiple)
            yield "multiply_var", scalar, text, curve.point(multiple)
            yield "double_multiply_var", scalar, scalar, text, curve.point(both)
    for p in points:
        for q in points:
            yield "add", curve.point(p), curve.point(q), curve.point(affine.add(p, q))


def _ladder_edges(curve: WholeCurve, rng: Random) -> _Rows:
    for point in (curve.generator, curve.affine.random_point(rng)):
        text, encoding = curve.point(point), curve.encoded(point).hex()
        yield "decode", encoding, encoding
        yield "decode", f"{encoding}00", REFUSED
        yield "from_affine", text, text
        for k in _edge_scalars(curve, rng):
            multiple = curve.multiple(k, point)
            yield "multiply", curve.scalar(k), text, curve.point(multiple)
            yield "x_multiply", curve.scalar(k), curve.element(point[0]), curve.element(_x(multiple))


def _edge_scalars(curve: WholeCurve, rng: Random) -> list[int]:
    order, count = curve.order, curve.order * curve.cofactor
    top = (1 << 8 * curve.scalar_bytes) - 1
    edges = (0, 1, 2, 3, order - 1, order, order + 1, count - 1, count, count + 1, top, rng.randrange(order))
    return sorted({k for k in edges if k <= top})


def _sums(curve: WholeCurve, _: Random) -> _Rows:
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
            other = curve.point(q)
            yield "add", text, other, curve.point(affine.add(p, q))
            yield "subtract", text, other, curve.point(affine.add(p, affine.negate(q)))
            yield "equal", text, other, str(int(p == q))


def _multiples(curve: WholeCurve, _: Random) -> _Rows:
    for p in curve.points:
        expected = curve.affine.neutral
        for k in range(1 << 8 * curve.scalar_bytes):
            yield "multiply", curve.scalar(k), curve.point(p), curve.point(expected)
            yield "multiply_var", curve.scalar(k), curve.point(p), curve.point(expected)
            expected = curve.affine.add(expected, p)


def _multiples_of_the_generator(curve: WholeCurve, rng: Random) -> _Rows:
    affine, top = curve.affine, 1 << 8 * curve.scalar_bytes
    for a in range(top):
        expected = curve.multiple(a, curve.generator)
        yield "multiply_generator", curve.scalar(a), curve.point(expected)
        for q in rng.sample(curve.points, min(_OTHERS, len(curve.points))):
            b = rng.randrange(top)
            both = curve.point(affine.add(expected, curve.multiple(b, q)))
            yield "double_multiply_var", curve.scalar(a), curve.scalar(b), curve.point(q), both


def _affine_points(curve: WholeCurve, _: Random) -> _Rows:
    prime, points = curve.curve.prime, set(curve.points)
    for x in range(prime + 1):
        for y in range(prime + 1):
            text = curve.point((x, y))
            yield "from_affine", text, text if (x, y) in points else REFUSED


def _points_by_a_coordinate(curve: WholeCurve, _: Random) -> _Rows:
    given = int(curve.model in ("twisted", "edwards"))
    name = "lift_x" if curve.model == "montgom" else "lift"
    for value in range(curve.curve.prime):
        for odd in (0, 1):
            found = [p for p in curve.points if p and p[given] == value and p[1 - given] % 2 == odd]
            yield name, curve.element(value), str(odd), curve.point(found[0]) if found else REFUSED


def _encodings(curve: WholeCurve, _: Random) -> _Rows:
    points = [p for p in curve.points if p != INFINITY]
    written = {curve.encoded(p): curve.point(p) for p in points}
    yield from (("encode", text, encoding.hex()) for encoding, text in written.items())
    if curve.model == "shortw":
        plain = {b"\4" + bytes(p): curve.point(p) for p in points}
        yield from (("encode_uncompressed", text, encoding.hex()) for encoding, text in plain.items())
        every = (b"\4" + bytes((x, y)) for x in range(TINY) for y in range(TINY))
        yield from (("decode", encoding.hex(), plain.get(encoding, REFUSED)) for encoding in every)
    # The neutral element has an encoding in Python, where encodings have no fixed length.
    yield from _decodings(written, without=b"\0" if curve.model == "shortw" else None)


def _x_encodings(curve: WholeCurve, _: Random) -> _Rows:
    yield from _decodings({e: e.hex() for e in (curve.encoded(p) for p in curve.points if p != INFINITY)})


def _decodings(written: dict[bytes, str], without: bytes | None = None) -> _Rows:
    """Yield every string of at most two bytes, and the point that it encodes; ``without`` is left out."""
    yield "decode", REFUSED
    for length in range(1, 3):
        for number in range(256**length):
            encoding = number.to_bytes(length, "big")
            if encoding == without:
                continue
            yield "decode", encoding.hex(), written.get(encoding, REFUSED)


def _wire_formats(curve: WholeCurve, _: Random) -> _Rows:
    yield from (("wire", curve.point(p), curve.point(p)) for p in curve.points)
    for length in range(1, 6):
        yield "decode_wire", "ff" * length, REFUSED


def _ladders(curve: WholeCurve, _: Random) -> _Rows:
    for q in curve.points[1:]:
        expected = INFINITY
        for k in range(1 << 8 * curve.scalar_bytes):
            scalar, text, answer = curve.scalar(k), curve.point(q), curve.point(expected)
            yield "ladder_multiply", scalar, text, answer
            if q == curve.generator:
                yield "multiply", scalar, text, answer
                yield "multiply_generator", scalar, answer
            yield "x_multiply", scalar, curve.element(q[0]), curve.element(_x(expected))
            expected = curve.affine.add(expected, q)


def _ladders_on_the_twist(curve: WholeCurve, _: Random) -> _Rows:
    prime, parameters = curve.curve.prime, curve.curve.parameters
    other = next(b for b in range(2, prime) if pow(b * parameters["b"], (prime - 1) // 2, prime) == prime - 1)
    twist = AffineCurve(curve.affine.model, prime, {"a": parameters["a"], "b": other})
    for q in twist.all_points():
        expected = INFINITY
        for k in range(1 << 8 * curve.scalar_bytes):
            yield "x_multiply", curve.scalar(k), curve.element(q[0]), curve.element(_x(expected))
            expected = twist.add(expected, q)


def _x(point: Point) -> int:
    """Return the x-coordinate of a point, 0 for the one at infinity."""
    return 0 if point == INFINITY else point[0]


_TINY_CURVE = (
    *(_sums, _multiples, _multiples_of_the_generator, _affine_points, _points_by_a_coordinate),
    *(_encodings, _wire_formats),
)
_TINY_LADDER = (_ladders, _ladders_on_the_twist, _affine_points, _points_by_a_coordinate, _x_encodings)
