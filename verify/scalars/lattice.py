"""Tests at half length: for every scalar the vector (v, w) fits its words, and v has an inverse.

Rows (r, t) of integers with r = t·b modulo M = 2^c·n, for the prime n, are first (M, 0) and (b, 1).
Steps are of determinant 1 and leave no r negative and, unless b is 0, none 0. So t0 and t1 have no common
divisor and opposite signs, and r0·|t1| + r1·|t0| = M: all of these numbers are at most M.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.planning.scalar_words import WORD, scalar_words

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan, HalfLength


def half_reason(plan: CurvePlan) -> str:
    """Return why a test at half length is right for every scalar; raise :class:`EfdgenError` if it is not."""
    half = plan.half
    assert half is not None
    require_inverses(half.bits, plan.order, plan.cofactor)
    require_steps(half)
    require_words(half, plan)
    short = (plan.order * plan.cofactor >> half.bits).bit_length()
    return (
        f"Rows (r, t) with r = t*b are reduced until r1 < 2^{half.bits} <= r0; r0*|t1| + r1*|t0| stays the "
        "order of the group, a power of 2 times the prime n. If t1 is odd, it is v, of at most "
        f"{short} bits. Else t0 is odd, and its row is reduced to 0 < w < 2^{half.bits}, so that v, like w, "
        "is no multiple of n. For few b no such v is short: then it is as long as b."
    )


def require_inverses(bits: int, order: int, cofactor: int) -> None:
    """Raise :class:`EfdgenError` where some v may have no inverse modulo M = ``cofactor``·``order``.

    It has one if it is odd and no multiple of n. From r0 >= 2^bits follows |t1| <= M/2^bits. If t1 is even,
    t0 is odd, and r0 is reduced by r1 < 2^bits to w with 0 < w < 2^bits; if v was a multiple of n, w = v·b
    would be one. Only where r0 = r1 >= 2^bits it stays as it is, and |t0| + |t1| = M/r0.
    """
    require_group(order, cofactor)
    if cofactor * order >> bits >= order:
        raise EfdgenError(f"v may be a multiple of the order {order} where w has {bits} bits")
    if order < 1 << bits:
        raise EfdgenError(f"w may be a multiple of the order {order} in {bits} bits")


def require_group(order: int, cofactor: int) -> None:
    """Raise :class:`EfdgenError` for a group whose order is no power of 2 times an odd prime."""
    if cofactor & (cofactor - 1) or order % 2 == 0 or not is_prime(order):
        raise EfdgenError(f"{cofactor}·{order} is not a power of 2 times an odd prime")


def require_steps(half: HalfLength) -> None:
    """Raise :class:`EfdgenError` where steps by leading bits may make an r less than 2^bits, or leave words.

    From the L leading bits x >= y of r0 and r1, from bit ``at`` on, they make x' = a·x - b·y, y' = d·y - c·x,
    both at least 2^low, for a·d - b·c = 1. Then x'·d + y'·b = x and x'·c + y'·a = y are below 2^L, so that
    a, b, c and d are at most 2^(L - low). The bits below ``at`` add more than -2^(L - low + at) to a result.
    """
    for at in range(half.bits + 1 - half.leading, half.bits + 2):
        low = max(half.least, half.bits + 1 - at)
        if not half.leading - WORD < low <= half.leading < 2 * WORD - 1:
            raise EfdgenError(f"factors of steps by {half.leading} bits do not fit {WORD} bits")
        least = (1 << low) - (1 << half.leading - low)
        if least << max(at, 0) < 1 << half.bits:
            raise EfdgenError(f"steps by the bits from {at} on may make r less than 2^{half.bits}")


def require_words(half: HalfLength, plan: CurvePlan) -> None:
    """Raise :class:`EfdgenError` where a number does not fit its words, or a form its digits.

    A step is tried with less than 4·M, and signed numbers need a bit more. A form of a number below the order
    has at most ``split`` + 1 digits from ``split`` on.
    """
    modulus, words = plan.order * plan.cofactor, scalar_words(plan)
    bits = modulus.bit_length()
    if 4 * modulus >= 1 << WORD * words.count - 1 or modulus >= 1 << WORD * (words.count - 1):
        raise EfdgenError(f"{words.count} words are too few for numbers of {bits} bits")
    if words.digits <= bits or half.split >= words.digits:
        raise EfdgenError(f"{words.digits} digits are too few for numbers of {bits} bits")
    if plan.order.bit_length() > 2 * half.split:
        raise EfdgenError(f"bit {half.split} is not the middle of {plan.order.bit_length()} bits")
