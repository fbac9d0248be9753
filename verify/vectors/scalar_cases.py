"""Requests to the scalars of a curve in C, and answers by integers modulo the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_LENGTHS = (0, 1, 31, 32, 33, 48, 64, 114, 200)


def scalars(curve: WholeCurve, rng: Random) -> Rows:
    """Yield sums, products, inverses and encodings of scalars at edges and of random ones."""
    order, text = curve.order, curve.scalar
    top = (1 << 8 * curve.scalar_bytes) - 1
    numbers = [0, 1, 2, order // 2, order // 2 + 1, order - 1, *(rng.randrange(order) for _ in range(3))]
    for a in numbers:
        yield "sc_from_bytes", text(a), text(a)
        yield "sc_neg", text(a), text(-a % order)
        for flag in (0, 1):
            yield "sc_neg_if", text(a), str(flag), text(-a % order if flag else a)
        yield "sc_inv", text(a), text(pow(a, -1, order) if a else 0)
        for b in numbers:
            yield "sc_add", text(a), text(b), text((a + b) % order)
            yield "sc_sub", text(a), text(b), text((a - b) % order)
            yield "sc_mul", text(a), text(b), text(a * b % order)
            yield "sc_equal", text(a), text(b), str(int(a == b))
    above = [order, order + 1, 2 * order - 1, top, order + (1 << order.bit_length())]
    above += [1 << i for i in range(order.bit_length(), 8 * curve.scalar_bytes)]
    for wrong in above:
        if wrong <= top:
            yield "sc_from_bytes", text(wrong), REFUSED
    for length in _LENGTHS:
        for wide in (b"\xff" * length, rng.randbytes(length)):
            value = int.from_bytes(wide, "big" if curve.model == "shortw" else "little")
            yield "sc_from_wide_bytes", wide.hex() or "-", text(value % order)
