"""Sums and differences of two tight numbers, tight again, without a longer intermediate number.

The method follows from the bound of tight numbers, with R = 2^(wn) and a mask for each bit that is carried::

    below T together            a + b
    below T, a multiple of p    d = a - b,  d + T where that borrows
                                d = a + (b + R - T),  d + T where that does not carry
    any n words                 d = a ± b,  d ± C where that carries, and once more        C = R mod p
    any n words, p = 2^k - c    d = low + 2^k·top ± R·bit:  low ± c·(top + 2^s·bit)        s = wn - k

There b + R - T waits for nothing, and a T that shows signs needs no mask, for the highest bits of d say as
much. The third chain for any n words is short, for there d is at least R - C. In the last way 2^s - 1 is put
on top of a difference first, so that no top is negative.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.linear import sum_text
from efdgen.generator.limbs.operations import Add, ShiftRight, Sub
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.reduction import PrimeReduction

Row = list[int]


def short_sum(
    builder: LimbBuilder, reduction: PrimeReduction, left: int | None, right: int, sign: int, name: str
) -> int | None:
    """Return the tight number left + right, or left - right where the sign is -1, of two tight numbers.

    ``left`` is None for 0. None where the reduction keeps numbers in a way for which there is no short one.
    """
    second = builder.numbers[right]
    words = [builder.constant(0)] * len(second.words) if left is None else builder.numbers[left].words
    maximum = second.maximum + (0 if left is None else builder.numbers[left].maximum)
    if sign > 0 and maximum <= reduction.tight:
        row: Row | None = builder.add_rows_within(words, second.words, maximum)
    else:
        row, maximum = _row(builder, reduction, words, second.words, sign), reduction.tight
    if row is None:
        return None
    summands = [(right, sign)] if left is None else [(left, 1), (right, sign)]
    claim = Claim(1, tuple(Term(factor, (index,)) for index, factor in summands), reduction.field)
    return builder.define(f"{name} = {sum_text(builder, summands)}", row, maximum, claim)


def _row(
    builder: LimbBuilder, reduction: PrimeReduction, left: Sequence[int], right: Sequence[int], sign: int
) -> Row | None:
    prime, tight, bits = reduction.prime, reduction.tight, builder.word * reduction.limbs
    if (tight + 1) % prime == 0:
        modulo = builder.add_rows_modulo if sign > 0 else builder.sub_rows_modulo
        return modulo(left, right, tight + 1)
    if tight + 1 != 1 << bits:
        return None
    slack = bits - prime.bit_length()
    offset = (1 << prime.bit_length()) - prime
    if slack and (offset << slack + 2) >> builder.word == 0:
        return _cut(builder, left, right, sign, slack, offset)
    complement = (1 << bits) % prime
    return _corrected(builder, left, right, sign, complement) if complement >> bits - 1 == 0 else None


def _chain(
    builder: LimbBuilder, left: Sequence[int], right: Sequence[int], sign: int
) -> tuple[Row, int | None]:
    step = builder.add if sign > 0 else builder.sub
    row, carry = [], None
    for a, b in zip(left, right, strict=True):
        total, carry = step(a, b, carry)
        row.append(total)
    return row, carry


def _corrected(
    builder: LimbBuilder, left: Sequence[int], right: Sequence[int], sign: int, complement: int
) -> Row:
    row, carry = _chain(builder, left, right, sign)
    reached = builder.count_words(2 * complement)
    for count in (len(row), reached):
        if carry is None:
            raise AssertionError("the sum is smaller than it can be")
        masked = builder.masked(carry, builder.words_of(complement, count))
        row[:count], carry = _chain(builder, row[:count], masked, sign)
    return row


def _cut(
    builder: LimbBuilder, left: Sequence[int], right: Sequence[int], sign: int, slack: int, offset: int
) -> Row:
    row, carry = _chain(builder, left, right, sign)
    if carry is None:
        raise AssertionError("the sum is smaller than it can be")
    ones, above = (1 << slack) - 1, builder.word - slack
    (top,) = builder.emit(ShiftRight(row[-1], above))
    low = builder.low_bits(row[-1], above)
    zero = builder.constant(0)
    (part,) = builder.times([top], offset)
    if sign > 0:
        taken = builder.select(carry, builder.constant(offset << slack), zero)
        amount, _ = builder.emit(Add(taken, part))
    else:
        least = builder.constant(ones * offset)
        taken = builder.select(carry, builder.constant((ones + 1 + ones) * offset), least)
        amount, _ = builder.emit(Sub(taken, part))
        low, _ = builder.emit(Add(low, builder.constant(ones << above)))
    return _chain(builder, [*row[:-1], low], [amount, *[zero] * (len(row) - 1)], sign)[0]
