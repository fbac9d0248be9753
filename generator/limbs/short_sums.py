"""A sum or a difference of two tight numbers, tight again, by the shortest of the ways that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.program import Claim, Term
from efdgen.generator.limbs.short_ways import ShortWays

if TYPE_CHECKING:
    from efdgen.generator.limbs.reduction import Reduction


def short_sum(
    builder: LimbBuilder, reduction: Reduction, left: int, right: int, sign: int, name: str
) -> int | None:
    """Return the tight number left + right, or left - right where the sign is -1, of two tight numbers.

    None where the reduction keeps numbers in a way for which there is no short one.
    """
    way = shortest_way(reduction, builder.word, sign)
    return None if way is None else _written(builder, reduction, way, (left, right), sign, name)


def shortest_way(reduction: Reduction, word: int, sign: int) -> str | None:
    """Return the name of the way with the lowest estimate, or None where there is no short one."""
    costs = {}
    for way in ShortWays(LimbBuilder(word), reduction, sign).ways():
        builder = LimbBuilder(word)
        a, b = (builder.input(name, reduction.limbs, reduction.tight) for name in "ab")
        result = _written(builder, reduction, way, (a, b), sign, "r")
        # Once with the result coming in again, and once without: latency and throughput.
        costs[way] = sum(estimate_cycles(builder.build([(name, result)])) for name in "ar")
    return min(costs, key=costs.__getitem__, default=None)


def _written(
    builder: LimbBuilder, reduction: Reduction, way: str, summands: tuple[int, int], sign: int, name: str
) -> int:
    left, right = summands
    a, b = builder.numbers[left], builder.numbers[right]
    row = ShortWays(builder, reduction, sign).ways()[way](a.words, b.words)
    claim = Claim(1, (Term(1, (left,)), Term(sign, (right,))), reduction.prime)
    text = f"{name} = {a.name} {'+' if sign > 0 else '-'} {b.name}"
    return builder.define(text, row, reduction.tight, claim)
