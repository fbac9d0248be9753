"""Reasons why no addition of a followed multiplication meets an exceptional input, with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.routines.points import TURNED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.routines.multiples import Addition, Followed

_COMPLETE = "Complete: the additions have no exceptional input on this curve."
_EVERY = "Every addition is right for every input: exceptional ones are found and served otherwise."
_APART = "Apart: points whose order divides the cofactor; the orders of all others are multiples of n. "


SUMS = {
    "P": "k·P for every k and P",
    "G": "k·G for every k",
    "H": "a·G + b·H for every a and b",
    "Q": "a·G + b·Q for every a, b and Q",
    "all": "the sum of all k·P, for every number of points and every k and P",
}
"""The results of multiplications, by their bases."""


def proof(result: str, tested: list[str]) -> str:
    """Return the claim about a multiplication, with the functions that it calls and that are tested."""
    claim = f"Proved: {result}; no addition meets an exceptional input."
    if not tested:
        return f"{claim} All functions that it calls are proved."
    *others, last = tested
    names = f"{', '.join(others)} and {last}" if others else last
    return f"{claim} Functions for {names} are tested, all others that it calls are proved."


def every(plan: CurvePlan) -> str:
    """Return why no addition meets an exceptional input where all are right for every one."""
    return _COMPLETE if plan.roles.complete else _EVERY


def reason(found: Followed, plan: CurvePlan) -> str:
    """Return why no addition meets an exceptional input."""
    if plan.roles.complete:
        return _COMPLETE
    count, open_ = len(found.additions), [a for a in found.additions if not a.complete]
    if not open_:
        return every(plan)
    first = "the first " if not any(a.complete for a in found.additions[: len(open_)]) else ""
    start = f"Out of reach: before {first}{len(open_)} of {count} additions the accumulator is "
    text = _APART if plan.variable.apart and found.base == "P" else ""
    text += start + (_halves(open_) if TURNED + found.base in open_[-1].before else _whole(open_, found.base))
    match count - len(open_):
        case 0:
            return text
        case 1:
            return f"{text} The other one is right for every input."
        case left:
            return f"{text} The other {left} are right for every input."


def _halves(additions: list[Addition]) -> str:
    ranges = [item for addition in additions for item in addition.before.items()]
    bounds = [
        _most(limits for base, limits in ranges if base.startswith(TURNED) == turned)
        for turned in (False, True)
    ]
    return (
        f"u·P + v·λ·P with |u| {bounds[0]} and |v| {bounds[1]}. With an entry added or subtracted, (u, v) is "
        "not 0, because an odd multiple of a power of 2 is in it, and within bounds that only 0 meets of the "
        "lattice in which u + v·λ is 0 modulo the order."
    )


def _whole(additions: list[Addition], base: str) -> str:
    ranges = [addition.before[base] for addition in additions]
    low, most = min(low for low, _ in ranges), _most(ranges)
    size = f"{low} <= m {most}" if low > 0 else f"|m| {most}"
    entry = _most([(0, max(addition.entry for addition in additions))])
    return (
        f"m·{base} with {size}. For an entry d·{base}, |d| {entry}, no bits of k make m, m + d or m - d a "
        f"multiple of the order of {base}."
    )


def _most(ranges: Iterable[tuple[int, int]]) -> str:
    """Return a bound of absolute values."""
    most = max(max(abs(low), abs(high)) for low, high in ranges)
    return f"<= {most}" if most < 1 << 16 else f"< 2^{most.bit_length()}"


def split_reason(ranges: list[tuple[int, int]]) -> str:
    """Return the claim about the halves of a scalar."""
    bits = max(max(map(abs, limits)) for limits in ranges).bit_length()
    return (
        f"Both are below 2^{bits} in absolute value for every k in [0, ORDER), and k1 + k2·λ is k modulo the "
        "order: (k1, k2) is (k, 0) without a vector of the lattice in which k1 + k2·λ is 0. λ·(x, y) is "
        "(β·x, y), because it is for the generator."
    )
