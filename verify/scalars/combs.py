"""Signed combs: every bit has one place, and no possibly incomplete addition meets an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan, FixedComb


def comb_reason(plan: CurvePlan) -> str:
    """Return why k·G by a comb is right for all k; raise :class:`EfdgenError` where it is not."""
    fixed = plan.generator
    require_places(fixed, plan.order)
    if plan.roles.complete:
        return "Complete: the additions have no exceptional input on this curve."
    if plan.roles.fixed_entry.normalized:
        require_entries(fixed, plan.order)
    additions, last = fixed.comb.blocks * fixed.comb.spacing - 1, fixed.complete_additions
    require_distinct_sums(fixed, plan.order, bool(plan.representation.shared_numerator))
    if last == additions:
        return "Every addition is right for every input: exceptional ones are found and served otherwise."
    return (
        "Out of reach: the accumulator, and its sum and difference with an entry, are sums of ±2^i·G over "
        "different i. They are not 0, and no multiple of the order has such signs in the first "
        f"{additions - last} of {additions} additions. The others are right for every input."
    )


def require_places(fixed: FixedComb, order: int) -> None:
    """Raise :class:`EfdgenError` where the places of a comb are not the bits 0 … L - 1, or these too few.

    Σ ±2^i over all of them is k where bit i of (k - 1)/2 + 2^(L - 1) says the sign, for odd k < 2^L.
    """
    comb = fixed.comb
    places = [
        (block * comb.teeth + tooth) * comb.spacing + s
        for block in range(comb.blocks)
        for tooth in range(comb.teeth)
        for s in range(comb.spacing)
    ]
    if sorted(places) != list(range(len(places))):
        raise EfdgenError("a comb's places are not each bit once")
    if order >= 1 << len(places):
        raise EfdgenError(f"a comb of {len(places)} bits is too short for an order of {order.bit_length()}")
    if order % 2 == 0:
        raise EfdgenError("order - k is odd for an even k only where the order is odd")


def require_entries(fixed: FixedComb, order: int) -> None:
    """Raise :class:`EfdgenError` where an entry is the identity, which has no affine coordinates."""
    comb = fixed.comb
    for block in range(comb.blocks):
        sums = {0}
        for tooth in range(comb.teeth):
            power = pow(2, (block * comb.teeth + tooth) * comb.spacing, order)
            sums = {(value + sign * power) % order for value in sums for sign in (1, -1)}
        if 0 in sums:
            raise EfdgenError(f"an entry of block {block} of the comb is the identity")


def require_distinct_sums(fixed: FixedComb, order: int, special: bool = False) -> None:
    """Raise :class:`EfdgenError` where an addition that may be incomplete may meet an exceptional input.

    After i additions the accumulator is a sum of signed powers. Added to an entry or subtracted from it, all
    powers differ: the lowest decides that the number is not 0, and their sum bounds it. In a ``special``
    system doublings are asked for the same bound of the accumulator alone; the order is odd.
    """
    comb = fixed.comb
    powers: set[int] = set()
    entries = [(s, block) for s in reversed(range(comb.spacing)) for block in range(comb.blocks)]
    incomplete = len(entries) - 1 - fixed.complete_additions
    doubled = comb.spacing - 1 - fixed.complete_doublings
    for number, (s, block) in enumerate(entries):
        if number and block == 0:
            if special and comb.spacing - 1 - s <= doubled and sum(1 << i for i in powers) >= order:
                raise EfdgenError(f"the doubling of the comb before pass {s} may meet an exceptional input")
            powers = {power + 1 for power in powers}
        entry = {(block * comb.teeth + tooth) * comb.spacing for tooth in range(comb.teeth)}
        if 0 < number <= incomplete and (
            entry & powers or any(_reaches_multiple(met, order) for met in (powers, entry | powers))
        ):
            raise EfdgenError(f"addition {number} of the comb, in pass {s}, may meet an exceptional input")
        powers |= entry


def _reaches_multiple(powers: set[int], order: int) -> bool:
    """Return whether a multiple of the order is Σ ±2^i over all these i, for some signs.

    The powers below 2^i are together less than it, so that its sign is that of what is left.
    """
    for multiple in range(order, sum(1 << i for i in powers) + 1, order):
        left = multiple
        for i in sorted(powers, reverse=True):
            left -= 1 << i if left > 0 else -1 << i
        if left == 0:
            return True
    return False
