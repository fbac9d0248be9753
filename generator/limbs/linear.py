"""Sums and differences of numbers, one chain for each operand, without reduction.

A difference starts from a multiple of p that is at least what will be subtracted, 2^j·p, so that it is
never negative::

    bias       2^j·p       known
  + X          4 words     one chain
  - S          5 words     one chain     ≡ X - S,  at most X.maximum + 2^j·p

The bias is twice as large as it must be, if there is room: then the difference is at least what was
subtracted, which can be subtracted from it once more without another bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.mathematics.prime import PrimeField

Summand = tuple[int, int]  # the index of a number and its coefficient


@dataclass(frozen=True)
class Sum:
    """A sum of multiples of numbers as it will be written: from ``bias`` on, summand by summand."""

    summands: tuple[Summand, ...]
    bias: int
    minimum: int
    maximum: int


def plan_sum(
    builder: LimbBuilder, summands: Sequence[Summand], modulus: int, spare: int = 0, limit: int = 0
) -> Sum:
    """Choose the bias of a sum, a multiple of ``modulus``, so that ``spare`` can be subtracted from it.

    It is the larger one, where the result stays within ``limit`` with it. Operands are taken in the order in
    which they were made, unless the least values of some are what others are subtracted from.
    """
    numbers = builder.numbers
    added = [(numbers[index], c) for index, c in summands if c > 0]
    subtracted = sum(-c * numbers[index].maximum for index, c in summands if c < 0)
    lowest = sum(c * number.minimum for number, c in added) - subtracted
    highest = sum(c * number.maximum for number, c in added)
    bias = _multiple(modulus, spare - lowest)
    twice = _multiple(modulus, 2 * (spare + subtracted))
    if bias and highest + twice <= limit:
        bias = twice
    ordered = sorted(summands, key=itemgetter(0))
    if bias < subtracted:
        ordered.sort(key=lambda summand: summand[1] < 0)
    return Sum(tuple(ordered), bias, lowest + bias, highest + bias)


def combine(builder: LimbBuilder, total: Sum, field: PrimeField, name: str) -> int:
    """Make the number that is congruent to a sum."""
    bias, maximum = total.bias, total.bias
    row = builder.words_of(bias, builder.count_words(bias)) if bias else []
    for index, coefficient in total.summands:
        number = builder.numbers[index]
        scaled = builder.times(number.words, abs(coefficient))
        if coefficient > 0:
            maximum += coefficient * number.maximum
            row = builder.add_rows_within(row, scaled, maximum)
        else:
            row = builder.sub_rows_within(row, scaled, maximum)
    terms = tuple(Term(coefficient, (index,)) for index, coefficient in total.summands)
    text = f"{name} = {sum_text(builder, total.summands)}"
    return builder.define(text, row, maximum, Claim(1, terms, field), total.minimum)


def sum_text(builder: LimbBuilder, summands: Sequence[Summand]) -> str:
    """Write a sum of multiples: ``X - 2·S``."""
    text = ""
    for index, coefficient in summands:
        sign = (" - " if coefficient < 0 else " + ") if text else ("-" if coefficient < 0 else "")
        multiple = "" if abs(coefficient) == 1 else f"{abs(coefficient)}·"
        text += f"{sign}{multiple}{builder.numbers[index].name}"
    return text or "0"


def _multiple(modulus: int, least: int) -> int:
    """Return the least 2^j·modulus that is at least a number; 0 where that is not positive."""
    if least <= 0:
        return 0
    shift = max(0, least.bit_length() - modulus.bit_length())
    return modulus << shift if modulus << shift >= least else modulus << shift + 1
