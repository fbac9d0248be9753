"""Sums and differences of numbers, one chain for each operand, and nothing brought down.

A difference starts from a multiple of p that is at least what will be subtracted, 2^j·p, so that it is
never negative::

    bias       2^j·p       known
  + X          4 words     one chain
  - S          5 words     one chain     ≡ X - S,  at most X.maximum + 2^j·p
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder

Summand = tuple[int, int]  # the index of a number and its coefficient


def combine(builder: LimbBuilder, summands: Sequence[Summand], modulus: int, name: str, unit: int = 1) -> int:
    """Make the number that is congruent to a sum of multiples of numbers.

    Operands are taken in the order in which they were made. The bias is a multiple of ``unit``·``modulus``,
    so that it has no low words where the unit is a large power of two.
    """
    ordered = sorted(summands, key=itemgetter(0))
    bias = bias_for(builder, ordered, modulus * unit)
    row, maximum = builder.words_of(bias, builder.count_words(bias)) if bias else [], bias
    for index, coefficient in ordered:
        number = builder.numbers[index]
        scaled = builder.times(number.words, abs(coefficient))
        if coefficient > 0:
            maximum += coefficient * number.maximum
            row = builder.add_rows_within(row, scaled, maximum)
        else:
            row = builder.sub_rows_within(row, scaled, maximum)
    terms = tuple(Term(coefficient, (index,)) for index, coefficient in ordered)
    text = f"{name} = {sum_text(builder, ordered)}"
    return builder.define(text, row, maximum, Claim(1, terms, modulus))


def bias_for(builder: LimbBuilder, summands: Sequence[Summand], modulus: int) -> int:
    """Return the least 2^j·modulus that is at least what is subtracted; 0 where nothing is."""
    least = sum(
        -coefficient * builder.numbers[index].maximum for index, coefficient in summands if coefficient < 0
    )
    if least == 0:
        return 0
    shift = max(0, least.bit_length() - modulus.bit_length())
    return modulus << shift if modulus << shift >= least else modulus << shift + 1


def largest_sum(builder: LimbBuilder, summands: Sequence[Summand], modulus: int) -> int:
    """Return the maximum of the number that ``combine`` would make."""
    added = sum(
        coefficient * builder.numbers[index].maximum for index, coefficient in summands if coefficient > 0
    )
    return added + bias_for(builder, summands, modulus)


def sum_text(builder: LimbBuilder, summands: Sequence[Summand]) -> str:
    """Write a sum of multiples: ``X - 2·S``."""
    text = ""
    for index, coefficient in summands:
        sign = (" - " if coefficient < 0 else " + ") if text else ("-" if coefficient < 0 else "")
        multiple = "" if abs(coefficient) == 1 else f"{abs(coefficient)}·"
        text += f"{sign}{multiple}{builder.numbers[index].name}"
    return text
