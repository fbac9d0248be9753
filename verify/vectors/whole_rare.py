"""Requests to a large curve that random inputs hardly hit: additions of equal points, the longest halves.

Each is there for code that other questions do not enter, or that they enter with values that hide a fault.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.scalars.comb import Comb
from efdgen.generator.scalars.endomorphism import find_endomorphism
from efdgen.verify.vectors.whole_edges import on_axes
from efdgen.verify.vectors.whole_expected import row

if TYPE_CHECKING:
    from random import Random

    from efdgen.verify.vectors.whole_calls import Rows
    from efdgen.verify.vectors.whole_curve import WholeCurve

_LONG = 4
"""Scalars with long halves, for each pair of signs."""

_FINE = 40
"""Bits of a random part of 1/64."""

_TEETH, _BLOCKS, _WIDTHS = range(2, 9), range(1, 21), range(2, 9)


def exceptional_scalars(order: int) -> list[int]:
    """Return scalars for which the last addition of a comb or of windows, of any shape, adds equal points.

    With all but the last digit e the accumulator of n itself is n - e, the same point as -e; so with the last
    digit turned round, for the scalar n - 2e, it is what the last entry is.
    """
    digits = []
    for teeth, blocks in product(_TEETH, _BLOCKS):
        comb = Comb(blocks, teeth, -(-order.bit_length() // (teeth * blocks)))
        block, entry, sign = comb.steps(order)[-1][-1]
        digits.append(sign * comb.multiples(block)[entry])
    for width in _WIDTHS:
        digits += [order % (1 << width), order % (2 << width) - (1 << width)]
    return sorted({order - 2 * e for e in digits if 0 < 2 * e < order})


def rare_additions(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiplications whose last addition needs a formula that is right for every input."""
    if curve.order % 2 == 0 or curve.is_ladder:
        return
    point = curve.affine.random_point(rng) if curve.cofactor == 1 else curve.generator
    for k in exceptional_scalars(curve.order):
        yield row(curve, "multiply_generator", k)
        yield row(curve, "multiply_comb", k, curve.generator)
    for width in _WIDTHS:
        for e in (curve.order % (1 << width), curve.order % (1 << width) - (1 << width)):
            yield row(curve, "multiply", (curve.order - 2 * e) % curve.order, point)


def no_points(curve: WholeCurve, _: Random) -> Rows:
    """Yield p, or 2^m, in the place of a coordinate 0."""
    above = curve.field.order
    yield from (row(curve, "from_affine", (x or above, y or above)) for x, y in on_axes(curve))


def long_halves(curve: WholeCurve, rng: Random) -> Rows:
    """Yield multiplications by scalars whose halves by an endomorphism are nearly as long as halves get.

    Such halves are half of each vector of the basis, added or subtracted, except for 1/64 at most: a quotient
    that is wrong by 1 makes one of them too long for its digits.
    """
    if curve.field.is_binary or curve.model != "shortw" or curve.curve.parameters["a"] or curve.cofactor != 1:
        return
    found = find_endomorphism(curve.curve.prime, curve.order, curve.generator, curve.affine.multiple)
    if found is None:
        return
    (a1, b1), (a2, b2) = found.split.basis
    point = curve.affine.random_point(rng)
    for one, other in product((-1, 1), repeat=2):
        for _ in range(_LONG):
            c1, c2 = (sign * rng.randrange(31 << _FINE, 32 << _FINE) for sign in (one, other))
            k1, k2 = ((c1 * u + c2 * v) >> _FINE + 6 for u, v in ((a1, a2), (b1, b2)))
            k = (k1 + k2 * found.eigenvalue) % curve.order
            for function in ("multiply", "multiply_var", "multi_multiply", "multi_multiply_var"):
                yield row(curve, function, k, point)


RARE = (rare_additions, long_halves, no_points)
