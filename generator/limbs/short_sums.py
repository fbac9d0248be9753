"""A sum or a difference of two tight numbers, tight again: the shortest chains that there are for it.

What carries out of n words, or borrows, is corrected by a known number, with R = 2^(wn) and a mask for each
bit::

    any n words    d = a - b + R·borrow,  d - borrow·C + R·borrow',  d - borrow'·C         C = R mod p
    slack          d = low + 2^k·top + R·borrow:  low + 2^k·m - c·(m - top + 2^s·borrow)   m = 2^s - 1
    at most T      d = a - b + R·borrow,  d + borrow·T                                     T a multiple of p

The third chain of the first way is short, for there d is at least R - C. Sums are alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Add, ShiftRight, Sub
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.reduction import Reduction


def short_sum(
    builder: LimbBuilder, reduction: Reduction, left: int, right: int, sign: int, name: str
) -> int | None:
    """Return the tight number left + right, or left - right where the sign is -1, of two tight numbers.

    None where the reduction keeps numbers in a way for which there is no short one.
    """
    shortened = _Short(builder, reduction, sign)
    a, b = (builder.numbers[index] for index in (left, right))
    row = shortened.of(a.words, b.words)
    if row is None:
        return None
    claim = Claim(1, (Term(1, (left,)), Term(sign, (right,))), reduction.prime)
    text = f"{name} = {a.name} {'+' if sign > 0 else '-'} {b.name}"
    return builder.define(text, row, reduction.tight, claim)


class _Short:
    def __init__(self, builder: LimbBuilder, reduction: Reduction, sign: int) -> None:
        self._builder = builder
        self._prime, self._tight, self._limbs = reduction.prime, reduction.tight, reduction.limbs
        self._sign = sign
        self._radix = 1 << builder.word * self._limbs
        self._slack = builder.word * self._limbs - self._prime.bit_length()
        self._offset = (1 << self._prime.bit_length()) - self._prime

    def of(self, left: Sequence[int], right: Sequence[int]) -> list[int] | None:
        """Return the words of the sum or difference."""
        whole = self._tight == self._radix - 1
        if whole and self._slack and (self._offset << self._slack + 2) >> self._builder.word == 0:
            return self._cut(left, right)
        if whole and 2 * (self._radix % self._prime) <= self._radix:
            return self._corrected(left, right)
        if self._tight % self._prime == 0:
            return self._bounded(left, right)
        return None

    def _chain(self, left: Sequence[int], right: Sequence[int], sign: int) -> tuple[list[int], int | None]:
        step = self._builder.add if sign > 0 else self._builder.sub
        row, carry = [], None
        for a, b in zip(left, right, strict=True):
            total, carry = step(a, b, carry)
            row.append(total)
        return row, carry

    def _corrected(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        builder, complement = self._builder, self._radix % self._prime
        row, carry = self._chain(left, right, self._sign)
        reached = builder.count_words(2 * complement)
        for count in (self._limbs, reached):
            if carry is None:
                raise AssertionError
            masked = builder.masked(carry, builder.words_of(complement, count))
            row[:count], carry = self._chain(row[:count], masked, self._sign)
        return row

    def _cut(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        builder, slack, offset = self._builder, self._slack, self._offset
        row, carry = self._chain(left, right, self._sign)
        if carry is None:
            raise AssertionError
        ones, above = (1 << slack) - 1, builder.word - slack
        (top,) = builder.emit(ShiftRight(row[-1], above))
        low = builder.low_bits(row[-1], above)
        zero = builder.constant(0)
        if self._sign > 0:
            taken = builder.select(carry, builder.constant(offset << slack), zero)
            (part,) = builder.times([top], offset)
            amount, _ = builder.emit(Add(taken, part))
        else:
            least = builder.constant(ones * offset)
            taken = builder.select(carry, builder.constant((ones + 1 + ones) * offset), least)
            (part,) = builder.times([top], offset)
            amount, _ = builder.emit(Sub(taken, part))
            low, _ = builder.emit(Add(low, builder.constant(ones << above)))
        return self._chain([*row[:-1], low], [amount, *[zero] * (self._limbs - 1)], self._sign)[0]

    def _bounded(self, left: Sequence[int], right: Sequence[int]) -> list[int]:
        builder = self._builder
        most = builder.words_of(self._tight, self._limbs)
        row = list(left)
        if self._sign > 0:
            row, _ = self._chain(left, right, 1)
            row, borrow = self._chain(row, most, -1)
        else:
            row, borrow = self._chain(left, right, -1)
        if borrow is None:
            raise AssertionError
        row, carry = self._chain(row, builder.masked(borrow, most), 1)
        if carry is not None:
            # It carries where it borrowed; this is for the proof, and is not printed.
            builder.emit(Sub(borrow, carry))
        return row
