"""Requests to the functions on cosets of points (RFC 9496): encodings, malformed ones, and uniform bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.vectors.coset_expected import coset, encoded
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_RANDOM = 6


def cosets(curve: WholeCurve, rng: Random) -> Rows:
    """Yield encodings of all points of cosets, and what is decoded, or mapped to points."""
    group = next((name.partition("_")[0] for name in curve.functions if name.endswith("_uniform_bytes")), "")
    if not group:
        return
    affine, size = curve.affine, curve.field_bytes
    doubles = [affine.double(affine.random_point(rng)) for _ in range(_RANDOM)]
    odd = next(p for p in iter(lambda: affine.random_point(rng), None) if encoded(curve, p) is None)
    yield row(curve, f"{group}_encode", odd)
    for p in (affine.neutral, curve.generator, odd, *doubles):
        every = coset(curve, p)
        yield from (row(curve, f"{group}_encode", one) for one in every)
        if group == "ristretto":
            yield from (row(curve, "ristretto_double_encode", one) for one in every)
        yield from (row(curve, f"{group}_equal", p, one) for one in every)
    for data in (*_encodings(curve, rng), *filter(None, (encoded(curve, p) for p in doubles))):
        yield row(curve, f"{group}_decode", data)
    for data in (bytes(2 * size), b"\xff" * 2 * size, *(rng.randbytes(2 * size) for _ in range(_RANDOM))):
        yield row(curve, f"{group}_from_uniform_bytes", data)
    yield from (row(curve, f"{group}_map", t) for t in (0, 1, curve.curve.prime - 1))


def _encodings(curve: WholeCurve, rng: Random) -> Iterator[bytes]:
    """Yield the edges of numbers, and random ones, half of which are odd."""
    size, prime = curve.field_bytes, curve.curve.prime
    edges = (0, 1, 2, prime - 2, prime - 1, prime, prime + 1, 256**size - 2)
    numbers = (*edges, *(rng.randrange(prime) for _ in range(_RANDOM)))
    yield from (number.to_bytes(size, "little") for number in numbers)
