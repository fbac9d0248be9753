"""Requests to the functions of a whole curve: edges of a large curve, and its published multiples.

Of a tiny curve everything is asked, see :mod:`efdgen.verify.vectors.whole_tiny`. The affine law answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.vectors.published import published_multiples
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_edges import EDGES
from efdgen.verify.vectors.whole_half import tested_sums
from efdgen.verify.vectors.whole_many import MANY
from efdgen.verify.vectors.whole_rare import RARE, RARE_LADDER
from efdgen.verify.vectors.whole_tiny import TINY, exhaustive_rows, x_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows


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
    tiny = curve.curve.prime < TINY
    if tiny:
        yield from _of("exhaustive", exhaustive_rows(curve, rng))
    else:
        yield from _of("published", _published(curve))
        yield from _of("edge", edge_rows(curve, rng))
    for rows in MANY if curve.model != "montgom" else ():
        yield from _of("exhaustive" if tiny else "edge", rows(curve, rng))


def edge_rows(curve: WholeCurve, rng: Random) -> Rows:
    """Yield functions with their arguments and answers at the edges of a large curve."""
    for rows in _LADDER if curve.model == "montgom" else _CURVE:
        yield from rows(curve, rng)


def _of(origin: str, rows: Rows) -> Iterator[Question]:
    for function, *arguments, answer in rows:
        yield Question(function, tuple(arguments), answer, origin)


def _published(curve: WholeCurve) -> Rows:
    for k, point in published_multiples(curve.curve).items():
        scalar, answer = curve.scalar(k), curve.point(point)
        yield "multiply_generator", scalar, answer
        yield "multiply", scalar, curve.point(curve.generator), answer


def _points(curve: WholeCurve, rng: Random) -> list[Point]:
    """Return the identity, the generator, its negative, and a random point."""
    affine = curve.affine
    return [affine.neutral, curve.generator, affine.negate(curve.generator), affine.random_point(rng)]


def _scalars(curve: WholeCurve, rng: Random) -> list[int]:
    order, count = curve.order, curve.order * curve.cofactor
    top = (1 << 8 * curve.scalar_bytes) - 1
    edges = (0, 1, 2, 3, order - 1, order, order + 1, count - 1, count, count + 1, top, rng.randrange(order))
    return sorted({k for k in edges if k <= top})


def _multiplications(curve: WholeCurve, rng: Random) -> Rows:
    affine, points = curve.affine, _points(curve, rng)
    for k in _scalars(curve, rng):
        scalar, of_generator = curve.scalar(k), curve.multiple(k, curve.generator)
        multiples = [affine.neutral, of_generator, affine.negate(of_generator), curve.multiple(k, points[3])]
        for name in ("multiply_generator", "multiply_generator_var"):
            yield name, scalar, curve.point(of_generator)
        for point, multiple in zip(points, multiples, strict=True):
            text, both = curve.point(point), affine.add(of_generator, multiple)
            for name in ("multiply", "multiply_var", *(["coz_multiply"] * curve.coz)):
                yield name, scalar, text, curve.point(multiple)
            yield "double_multiply_var", scalar, scalar, text, curve.point(both)
        if curve.second is not None:
            both = affine.add(of_generator, curve.multiple(k, curve.second))
            for name in ("double_multiply_generators", "double_multiply_generators_var"):
                yield name, scalar, scalar, curve.point(both)


def _sums_of_multiples(curve: WholeCurve, rng: Random) -> Rows:
    yield from sums_at_edges(curve, rng)


def sums_at_edges(curve: WholeCurve, rng: Random, least: int = 1) -> Rows:
    """Yield sums of at least ``least`` multiples of m·G: of m that are equal, opposite, 0, 1, 2 and random.

    The scalars are edges and random too, and some sums are 0.
    """
    n, many = curve.order, rng.randrange(curve.order)
    scalars, factors = [0, 1, 2, n - 1, n, rng.randrange(n)], [1, n - 1, 0, 2, many, n - many]
    points = {m: curve.point(curve.multiple(m, curve.generator)) for m in factors}
    k = scalars[-1]
    for terms in (
        [(k, many)],
        [(k, many), (k, many)],
        [(k, many), (k, n - many)],
        [(1, 1), (n - 1, 1)],
        [(0, 1), (0, many)],
        [(k, 0), (1, 0)],
        [(k, 0), (0, many), (k, 1), (1, n - 1)],
        [(k, m) for k in scalars for m in factors],
    ):
        repeated = terms * -(-least // len(terms))
        pairs = (text for k, m in repeated for text in (curve.scalar(k), points[m]))
        total = sum(k * m for k, m in repeated)
        yield "multi_multiply_var", *pairs, curve.point(curve.multiple(total, curve.generator))


def _arithmetic(curve: WholeCurve, rng: Random) -> Rows:
    affine, points = curve.affine, _points(curve, rng)
    for p in points:
        text = curve.point(p)
        for q in points:
            other, total, rest = curve.point(q), affine.add(p, q), affine.add(p, affine.negate(q))
            for suffix in ("", "_var"):
                yield f"add{suffix}", text, other, curve.point(total)
                yield f"subtract{suffix}", text, other, curve.point(rest)
            yield "equal", text, other, str(int(p == q))
        yield "double", text, curve.point(affine.double(p))
        yield "negate", text, curve.point(affine.negate(p))
        yield "is_identity", text, str(int(p == affine.neutral))
        yield "select", text, curve.point(points[3]), "1", text
        yield "select", curve.point(points[3]), text, "0", text


def _subgroup(curve: WholeCurve, rng: Random) -> Rows:
    for p in _points(curve, rng):
        text, inside = curve.point(p), curve.is_in_subgroup(p)
        yield "is_in_subgroup", text, str(int(inside))
        yield "clear_cofactor", text, curve.point(curve.affine.multiple(curve.cofactor, p))
        yield "validate", text, text if inside and p != curve.affine.neutral else REFUSED


def _coordinates(curve: WholeCurve, rng: Random) -> Rows:
    """Yield points by their coordinates, by one of them, and coordinates of no point, or not below p."""
    edwards, prime = curve.is_edwards, curve.curve.prime
    name = "lift_x" if curve.model == "montgom" else "lift"
    for point in (curve.generator, curve.affine.random_point(rng)):
        x, y = point
        yield "from_affine", curve.point(point), curve.point(point)
        yield "from_affine", curve.point((x, (y + 1) % prime)), REFUSED
        for wrong in ((x + prime, y), (x, y + prime), (x, prime)):
            if max(wrong) < 256**curve.field_bytes:
                yield "from_affine", curve.point(wrong), REFUSED
        given, other = (y, x) if edwards else (x, y)
        for odd in (0, 1):
            found = other if other % 2 == odd else -other % prime
            yield name, curve.element(given), str(odd), curve.point((found, y) if edwards else (x, found))
    for sign in "01":
        yield name, curve.element(curve.coordinate_of_none), sign, REFUSED


def _encodings(curve: WholeCurve, rng: Random) -> Rows:
    points = _points(curve, rng)[1:]
    for point in points:
        text, encoding = curve.point(point), curve.encoded(point)
        yield "encode", text, encoding.hex()
        yield "decode", encoding.hex(), text
        yield "wire", text, text
        yield from _refused(_malformed(curve, encoding))
        if curve.model == "shortw":
            plain = b"\4" + bytes.fromhex(text)
            yield "encode_uncompressed", text, plain.hex()
            yield "decode", plain.hex(), text
            yield from _refused(_malformed_plain(plain))
    yield from _refused([b"", b"\xff" * curve.encoded_bytes, *_not_below_p(curve)])
    yield "decode_wire", REFUSED
    for length in (1, curve.field_bytes, 2 * curve.field_bytes - 1):
        yield "decode_wire", "ff" * length, REFUSED
    texts = [*map(curve.point, points)]
    yield "to_affine_batch", *texts, "".join(texts)
    yield "encode_batch", *texts, b"".join(map(curve.encoded, points)).hex()
    neutral = curve.point(curve.affine.neutral)
    texts.insert(1, neutral)
    yield "to_affine_batch", *texts, REFUSED if neutral == "O" else "".join(texts)


def _refused(encodings: list[bytes]) -> Rows:
    for encoding in encodings:
        yield "decode", *([encoding.hex()] * bool(encoding)), REFUSED


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
    """Return encodings of numbers from p on, if there is room for them, and of one that no point has."""
    size, prime = curve.encoded_bytes, curve.curve.prime
    if curve.model == "shortw":
        room = 256 ** (size - 1)
        numbers = [prime, prime + 1, room - 1, curve.coordinate_of_none]
        return [bytes([tag]) + v.to_bytes(size - 1, "big") for v in numbers if v < room for tag in (2, 3)]
    # The identity of an Edwards curve has y = 1 and x = 0; a sign is not to be given to 0.
    sign = 0 if curve.model == "montgom" else 1 << 8 * size - 1
    numbers = [prime, prime + 1, curve.coordinate_of_none, *([sign | 1, sign | (prime - 1)] if sign else [])]
    return [v.to_bytes(size, "little") for v in numbers if v < 256**size]


def _ladder_multiples(curve: WholeCurve, rng: Random) -> Rows:
    for point in (curve.generator, curve.affine.random_point(rng)):
        text, x = curve.point(point), curve.element(point[0])
        for k in _scalars(curve, rng):
            scalar, multiple = curve.scalar(k), curve.multiple(k, point)
            yield "multiply", scalar, text, curve.point(multiple)
            yield "ladder_multiply", scalar, text, curve.point(multiple)
            yield "x_multiply", scalar, x, curve.element(x_of(multiple))
            if point == curve.generator:
                yield "multiply_generator", scalar, curve.point(multiple)


def _x_encodings(curve: WholeCurve, rng: Random) -> Rows:
    for point in (curve.generator, curve.affine.random_point(rng)):
        encoding = curve.encoded(point)
        yield "decode", encoding.hex(), encoding.hex()
        yield from _refused(_malformed(curve, encoding))
    yield from _refused([b"", b"\xff" * curve.encoded_bytes, *_not_below_p(curve)])


_CURVE = (
    *(_multiplications, tested_sums, _sums_of_multiples, _arithmetic),
    *(_subgroup, _coordinates, _encodings, *EDGES, *RARE),
)
_LADDER = (_ladder_multiples, _coordinates, _x_encodings, *EDGES, *RARE_LADDER)
