"""Additions of a multiplication that cannot meet an exceptional input, by their reachable multiples.

An incomplete addition of m·P and d·P is exceptional where m, d, m + d or m - d is 0 modulo the order of P.
None of these integers is 0; so none is 0 modulo an order that is larger than all of them. The order of a
point that is not neutral is at least the least prime divisor of the group's order.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.scalars.comb import Comb
    from efdgen.generator.scalars.digits import OddWindows

_MULTIPLES = 1 << 8


def window_additions(digits: OddWindows, least_order: int) -> int:
    """Return how many of the last additions of fixed windows may be exceptional for points of such an order.

    Before an addition the accumulator is a·2^w·P with a >= 1, and the digit is below 2^w.
    """
    step, unsafe = 1 << digits.width, 0
    for remaining in range(digits.count - 1):
        _, most = digits.prefixes(remaining + 1)
        if most * step + step - 1 < least_order:
            break
        unsafe += 1
    return unsafe


def window_doublings(digits: OddWindows, least_order: int) -> int:
    """Return how many of the last runs of doublings may double a multiple of such an odd order to another."""
    unsafe = 0
    for remaining in range(digits.count - 1):
        if digits.prefixes(remaining + 1)[1] < least_order:
            break
        unsafe += 1
    return unsafe


def half_additions(digits: OddWindows, shortest: int) -> int:
    """Return how many of the last additions may be exceptional for two odd halves of a scalar, taken in turn.

    Before an addition the accumulator is u·P + v·λ·P, neither u nor v is 0, nor are both after the addition
    or the subtraction of a digit. A vector (u, v) that is shorter than every one of the lattice is not in it;
    ``shortest`` is the square of the length of the shortest one.
    """
    step, unsafe = 1 << digits.width, 0
    for remaining in range(digits.count - 1):
        _, most = digits.prefixes(remaining + 1)
        if 2 * (most * step + step - 1) ** 2 < shortest:
            return unsafe
        unsafe += 2
    return unsafe + (2 * (step - 1) ** 2 >= shortest)


def safe_odd_multiples(entries: int, least_order: int) -> bool:
    """Return whether P, 3P, … by additions of 2P avoid exceptional inputs: (2i - 1) ± 2, 2i - 1 are not 0."""
    return 2 * entries + 1 < least_order


def has_neutral_entry(comb: Comb, order: int) -> bool:
    """Return whether an entry of a comb's tables is the identity, for a base of such an order."""
    return any(multiple % order == 0 for block in range(comb.blocks) for multiple in comb.multiples(block))


def comb_doublings(comb: Comb, order: int) -> int:
    """Return how many of the last doublings of a comb may double a multiple of an odd order to another."""
    bound = unsafe = 0
    for _ in range(comb.spacing):
        unsafe += bound >= order
        bound = 2 * bound + sum(1 << e for block in range(comb.blocks) for e in comb.exponents(block))
    return unsafe


@cache
def comb_additions(comb: Comb, order: int) -> int:
    """Return how many of the last additions of a comb may be exceptional for a base of such an order.

    The accumulator, and its sum with an entry and its difference, are Σ ±2^i over different i, see
    :func:`may_vanish`.
    """
    powers, additions, first = 0, 0, comb.additions
    for _ in range(comb.spacing):
        powers <<= 1
        for block in range(comb.blocks):
            entry = sum(1 << exponent for exponent in comb.exponents(block))
            if powers and first == comb.additions and may_vanish((powers, powers | entry), order):
                first = additions
            additions += powers > 0
            powers |= entry
    return comb.additions - first


def may_vanish(sets: tuple[int, ...], order: int) -> bool:
    """Return whether Σ ±2^i over the bits i of a number is a multiple of an odd order, for some signs.

    The sum is not 0. With U for the number, it is 2·D - U for a D whose bits are among those of U. If too
    many multiples of the order are in reach, the answer is yes.
    """
    for powers in sets:
        most = powers // order
        if most > _MULTIPLES:
            return True
        sums = (multiple * order + powers for multiple in range(1, most + 1))
        if any(twice % 2 == 0 and not twice >> 1 & ~powers for twice in sums):
            return True
    return False
