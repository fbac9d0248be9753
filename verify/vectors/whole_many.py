"""Requests to functions of whole curves on batches of points, combs of any point and messages in points.

The affine law answers, and Python's bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY
from efdgen.generator.planning.embedding import embedding
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_rare import exceptional_scalars
from efdgen.verify.vectors.whole_tiny import TINY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve
    from efdgen.verify.vectors.whole_tiny import Rows

_BATCH = 30
_SCALARS = 20
_COUNTS = (0, 1, 3, 63, 64, 65, 300)


def xy_batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield batches of affine coordinates: written, read, and refused at some places."""
    points = [p for p in some_points(curve, rng) if p != INFINITY][:_BATCH]
    written = b"".join(map(curve.xy, points))
    yield "encode_xy_batch", *map(curve.point, points), written.hex()
    yield "decode_xy_batch", written.hex(), "".join(map(curve.point, points))
    if curve.curve.prime < TINY:
        yield from _every_pair(curve)
        return
    yield from _wrong_coordinates(curve, points)


def identity_in_xy_batches(curve: WholeCurve, rng: Random) -> Rows:
    """Yield a batch with the identity in it, which is refused where it is not affine; others are written."""
    points = [curve.generator, curve.affine.neutral, curve.affine.random_point(rng)]
    neutral = points[1] == INFINITY
    written = [bytes(2 * curve.field_bytes) if p == INFINITY else curve.xy(p) for p in points]
    answer = b"".join(written).hex()
    yield "encode_xy_batch", *map(curve.point, points), f"{REFUSED} {answer}" if neutral else answer


def _every_pair(curve: WholeCurve) -> Rows:
    """Yield all pairs of bytes, in batches of one x."""
    for x in range(256):
        pairs = [(x, y) for y in range(256)]
        refused = [y for y, pair in enumerate(pairs) if pair not in curve.points]
        yield "decode_xy_batch", bytes(v for p in pairs for v in p).hex(), _refusal(refused)


def _wrong_coordinates(curve: WholeCurve, points: Sequence[Point]) -> Rows:
    """Yield batches in which one point is none, or a coordinate is not below p."""
    prime = curve.curve.prime
    for at, (x, y) in enumerate(points):
        for wrong in ((x, (y + 1) % prime), (y, x), (x, y + prime), (x + prime, y), (prime, y), (x, prime)):
            is_point = max(wrong) < prime and curve.affine.on_curve(wrong)
            if max(wrong) < 256**curve.field_bytes and not is_point:
                batch = [*points[:at], wrong, *points[at + 1 :]]
                yield "decode_xy_batch", b"".join(map(curve.xy, batch)).hex(), _refusal([at])


def _refusal(places: Sequence[int]) -> str:
    return " ".join((REFUSED, *map(str, places)))


def some_points(curve: WholeCurve, rng: Random) -> list[Point]:
    """Return all points of a tiny curve; the generator, its negative and random points of a large one."""
    if curve.curve.prime < TINY:
        return list(curve.points)
    affine = curve.affine
    return [curve.generator, affine.negate(curve.generator), *(affine.random_point(rng) for _ in range(3))]


def combs(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiples by combs of points, and points that are refused."""
    order, tiny = curve.order, curve.curve.prime < TINY
    edges = [0, 1, 2, order - 1, order, (1 << 8 * curve.scalar_bytes) - 1, rng.randrange(order)]
    if not tiny:
        edges += exceptional_scalars(order)[:_SCALARS]
    for p in (curve.affine.neutral, *some_points(curve, rng)):
        inside = curve.is_in_subgroup(p) and p != curve.affine.neutral
        if not inside:
            yield "multiply_comb", curve.scalar(order - 1), curve.point(p), REFUSED
            continue
        for k in range(256) if tiny else edges:
            yield "multiply_comb", curve.scalar(k), curve.point(p), curve.point(curve.multiple(k, p))


def subgroups_of_many(curve: WholeCurve, rng: Random) -> Rows:
    """Yield batches of multiples of the generator, and these with one or two points of another order.

    The first argument is a mask of the random bytes: with 0f the sums for the upper bits test nothing.
    """
    points = some_points(curve, rng)
    outside = [p for p in points if not curve.is_in_subgroup(p)]
    inside = [curve.generator]
    for n in _COUNTS:
        while len(inside) < n:
            inside.append(curve.affine.add(inside[-1], curve.generator))
        texts = [*map(curve.point, inside[:n])]
        yield "are_in_subgroup_var", "ff", *texts, "1"
        for p in outside if n else ():
            # Two of them may have a sum that is in the subgroup.
            at, other = rng.randrange(n), rng.randrange(n)
            pair = {at: curve.point(p), other: curve.point(curve.affine.negate(p))}
            for mask, wrong in (("ff", pair), ("0f", {at: curve.point(p)})):
                batch = (wrong.get(i, text) for i, text in enumerate(texts))
                yield "are_in_subgroup_var", mask, *batch, "0"


def embeddings(curve: WholeCurve, rng: Random) -> Rows:
    """Yield messages with their points in the subgroup, and points with the bytes that are extracted."""
    found = embedding(curve.curve.prime, curve.cofactor) if curve.is_edwards else None
    if found is None:
        return
    size, affine = found.bytes, curve.affine
    # The point of the message 1 would be the identity.
    for message in ((1).to_bytes(size, "little"), b"\xff" * size, *(rng.randbytes(size) for _ in range(2))):
        point = _embedded(curve, message)
        yield "embed_var", message.hex(), curve.point(point)
        yield "extract", curve.point(point), message.hex()
        yield "extract", curve.point(affine.negate(point)), bytes(byte ^ 0xFF for byte in message).hex()
    for x, y in (affine.neutral, curve.generator):
        message = (y % 256**size).to_bytes(size, "little")
        yield "extract", curve.point((x, y)), (bytes(b ^ 0xFF for b in message) if x % 2 else message).hex()


def _embedded(curve: WholeCurve, message: bytes) -> Point:
    """Return the point of a message, or of its complement with an odd x, for the least counter above it."""
    low, count = int.from_bytes(message, "little"), 256 ** len(message)
    for counter in range(curve.curve.prime // count + 1):
        for odd in (0, 1):
            y = counter * count + (count - 1 - low if odd else low)
            for point in curve.affine.points_with(True, y) if y < curve.curve.prime else ():
                if point[0] % 2 == odd and point != curve.affine.neutral and curve.is_in_subgroup(point):
                    return point
    raise AssertionError("nearly every message has a point")


MANY = (xy_batches, identity_in_xy_batches, combs, subgroups_of_many, embeddings)
ONLY_IN_C = frozenset(
    {
        *("encode_xy_batch", "decode_xy_batch", "multiply_comb", "are_in_subgroup_var"),
        *(f"sc_{name}" for name in ("from_bytes", "from_wide_bytes", "neg", "neg_if", "inv", "equal")),
        *("sc_add", "sc_sub", "sc_mul"),
        *("ecdsa_sign_digest", "ecdsa_verify_digest", "ecdsa_recover", "ecdsa_low_s", "ecdsa_has_low_s"),
        *("ecdsa_to_der", "ecdsa_from_der", "eddsa_sign_expanded"),
        *(f"eddsa_{name}" for name in ("ctx_sign_expanded", "ctx_verify", "ph_sign_expanded", "ph_verify")),
        *("bip340_public_key", "bip340_sign", "bip340_verify"),
    }
)
"""The functions that only C has."""
NOT_IN_RUST = frozenset({"embed_var", "extract"})
"""The functions that C and Python have."""
