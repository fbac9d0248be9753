"""Fixed windows: digits represent every scalar, and no possibly incomplete addition meets an exception.

Only integers are computed with here. The accumulator before an addition is m·P; which m can occur follows
from the digits that were taken and from those that are to come, because together they are a number in [1,
modulus].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.scalars.halves import odd_half_bounds, shortest_vector
from efdgen.verify.scalars.orders import least_order

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan, FixedWindow


def window_reason(plan: CurvePlan) -> str:
    """Return why k·P by fixed windows is right for all k and P; raise :class:`EfdgenError` if not."""
    window, modulus = plan.variable, plan.order * plan.cofactor
    if window.halves:
        return _halves_reason(plan)
    require_digits(window, modulus)
    if plan.roles.complete:
        return "Complete: the additions have no exceptional input on this curve."
    least = least_order(plan.order, plan.cofactor)
    additions, last = window.digits.count - 1, window.complete_additions
    text = ""
    if plan.representation.shared_numerator:
        least = plan.order
        text = require_apart(plan)
    require_reach(window, modulus, least)
    if last == additions:
        return "Every addition is right for every input: exceptional ones are found and served otherwise."
    step = 1 << window.digits.width
    text += (
        f"Out of reach: before the first {additions - last} of {additions} additions the accumulator is m·P "
        f"with {step} <= m and m + {step - 1} below the order of P, so that m + d and m - d are not 0 modulo "
        f"it for a digit d, |d| < {step}. "
    )
    return text + (
        "The last addition is right for every input."
        if last == 1
        else f"The last {last} are right for every input."
    )


def require_apart(plan: CurvePlan) -> str:
    """Return what points with x·y = 0 are multiples of; raise :class:`EfdgenError` for an unsafe window.

    Such points have an order that divides 4, on every curve whose law is complete. If h·P is not 0 for the
    cofactor h = 2^c, the order of P is a multiple of the prime n. Then m·P is such a point only where 4m is
    0 modulo n, and so m is, for n is odd; and if m is not, 2^j·m is not.
    """
    window, order, cofactor = plan.variable, plan.order, plan.cofactor
    if not window.apart:
        if window.complete_additions < window.digits.count - 1 or window.complete_doublings < (
            window.digits.count - 1
        ):
            raise EfdgenError("points with x*y = 0 may be met by formulas that do not know them")
        return ""
    if cofactor & (cofactor - 1) or order % 2 == 0:
        raise EfdgenError(f"points of orders that divide {cofactor} cannot be served apart")
    return "Apart: points whose order divides the cofactor; the orders of all others are multiples of n. "


def _halves_reason(plan: CurvePlan) -> str:
    """Return why k·P by windows of two odd halves is right; raise :class:`EfdgenError` where it is not."""
    window, bounds = plan.variable, odd_half_bounds(plan)
    for bound in bounds:
        require_digits(window, bound - (bound % 2 == 0))
    if not 2 * window.digits.entries + 1 < plan.order:
        raise EfdgenError(f"the table's {window.digits.entries} odd multiples meet the order {plan.order}")
    require_short(window, shortest_vector(plan))
    additions, last = 2 * window.digits.count - 1, window.complete_additions
    return (
        f"Out of reach: before the first {additions - last} of {additions} additions the accumulator is "
        "u·P + v·λ·P for odd u and v; with a digit added or subtracted (u, v) is shorter than every vector "
        "but 0 of the lattice in which u + v·λ is 0 modulo the order. The others are complete."
    )


def require_short(window: FixedWindow, shortest: int) -> None:
    """Raise :class:`EfdgenError` where an addition that may be incomplete may meet an exceptional input.

    ``shortest`` is the square of the length of the lattice's shortest vector. A prefix of one half and the
    next digit are together less than the half's bound, divided by what is to come, and a digit more.
    """
    digits, step = window.digits, 1 << window.digits.width
    additions = 2 * digits.count - 1
    for number in range(additions - window.complete_additions):
        remaining = digits.count - 1 - (number + 1) // 2
        shift = digits.width * remaining
        most = step - 1
        if remaining < digits.count - 1:
            most += ((digits.bound + (1 << (shift + digits.width))) >> (shift + digits.width)) * step
        if 2 * most * most >= shortest:
            raise EfdgenError(f"addition {number + 1} of {additions} may meet an exceptional input")


def require_digits(window: FixedWindow, modulus: int) -> None:
    """Raise :class:`EfdgenError` where digits do not make up every odd number in [1, modulus].

    Windows of D = (k - 1)/2 + 2^(L - 1) hold all of D where D < 2^L, and 2·D - (2^L - 1) is k for any L.
    """
    digits = window.digits
    length = digits.width * digits.count
    greatest = modulus if modulus % 2 else modulus - 1
    if (greatest - 1) // 2 + (1 << (length - 1)) >= 1 << length:
        raise EfdgenError(
            f"{digits.count} digits of {digits.width} bits cannot hold {greatest.bit_length()} bits"
        )
    if digits.bound < greatest:
        raise EfdgenError(f"the digits are planned for numbers up to {digits.bound}, not {greatest}")
    if window.negate_even and modulus % 2 == 0:
        raise EfdgenError("modulus - k is odd for an even k only where the modulus is odd")


def require_reach(window: FixedWindow, modulus: int, least: int) -> None:
    """Raise :class:`EfdgenError` where an addition that may be incomplete may meet an exceptional input.

    ``least`` is a bound below the orders of all points but the neutral one. The accumulator after i digits is
    in the interval that they reach and, for what is to come, in the one from which [1, modulus] is reached.
    """
    digits, step = window.digits, 1 << window.digits.width
    low, high = 1, step - 1
    for remaining in reversed(range(digits.count - 1)):
        ahead = (1 << digits.width * (remaining + 1)) - 1
        high = min(high, (modulus + ahead) >> (digits.width * (remaining + 1)))
        if window.apart and remaining >= window.complete_doublings and high >= least:
            raise EfdgenError(
                f"with {remaining} digits to come {high}·P may be doubled, and P of order {least}"
            )
        low, high = low * step, high * step
        if remaining >= window.complete_additions and not (low > step - 1 and high + step - 1 < least):
            raise EfdgenError(
                f"with {remaining} digits to come the accumulator may be {high}·P, and P of order {least}; "
                "the addition has to be right for every input"
            )
        low, high = max(low - step + 1, 1), high + step - 1
    if window.safe_table and not 2 * digits.entries + 1 < least:
        raise EfdgenError(f"the table's {digits.entries} odd multiples meet points of order {least}")
