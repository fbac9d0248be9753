"""Ways to a tight sum or difference of two tight numbers that never make a longer number.

What carries out of n words, or borrows, is corrected by a known number, with R = 2^(wn) and a mask for each
bit::

    corrected    d = a - b + R·borrow,  d - borrow·C + R·borrow',  d - borrow'·C         C = R mod p
    counted      d = a - b + R·borrow,  d - q·C           q = 0 without a borrow, 2 where d < C, about, or 1
    nearly       d = a - b + R·borrow,  d + q·p           q likewise, 2 where d < R - p, about
    cut          d = low + 2^k·top + R·borrow:  low + 2^k·m - c·(m - top + 2^s·borrow)   m = 2^s - 1
    bounded      d = a - b + R·borrow,  d + borrow·T                       T, the largest, a multiple of p

Sums are alike. A number of any n words is corrected or counted, or cut where there is slack. The third chain
of the first way is short, for there d is at least R - C. Where q is counted, d may be compared with any bound
from C to 2·C: one that ends in as many zeros as can be, so that the low words of d do not matter. Likewise,
in a narrower space, for differences of numbers that are at most a trifle more than p.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Add, And, Or, ShiftRight, Sub
from efdgen.generator.limbs.shape import MOST_TERMS, signed_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.reduction import Reduction

Row = list[int]


class ShortWays:
    """Writes the words of a sum, or a difference where the sign is -1, of numbers that are at most tight."""

    def __init__(self, builder: LimbBuilder, reduction: Reduction, sign: int) -> None:
        self._builder = builder
        self._prime, self._tight, self._limbs = reduction.prime, reduction.tight, reduction.limbs
        self._sign = sign
        self._radix = 1 << builder.word * self._limbs
        self._whole = self._tight == self._radix - 1
        self._slack = builder.word * self._limbs - self._prime.bit_length()
        self._offset = (1 << self._prime.bit_length()) - self._prime

    def ways(self) -> dict[str, Callable[[Sequence[int], Sequence[int]], Row]]:
        """Return the ways that there are, by name."""
        if self._whole and self._slack and (self._offset << self._slack + 2) >> self._builder.word == 0:
            return {"cut": self._cut}
        if self._whole and 2 * (self._radix % self._prime) <= self._radix:
            return {"corrected": self._corrected, "counted": self._counted}
        if self._tight % self._prime == 0:
            return {"bounded": self._bounded}
        if self._sign < 0 and self._prime <= self._tight < min(2 * self._prime, self._radix // 2):
            return {"nearly": self._nearly}
        return {}

    def _chain(self, left: Sequence[int], right: Sequence[int], sign: int) -> tuple[Row, int | None]:
        step = self._builder.add if sign > 0 else self._builder.sub
        row, carry = [], None
        for a, b in zip(left, right, strict=True):
            total, carry = step(a, b, carry)
            row.append(total)
        return row, carry

    def _corrected(self, left: Sequence[int], right: Sequence[int]) -> Row:
        builder, complement = self._builder, self._radix % self._prime
        row, carry = self._chain(left, right, self._sign)
        reached = builder.count_words(2 * complement)
        for count in (self._limbs, reached):
            if carry is None:
                raise AssertionError
            masked = builder.masked(carry, builder.words_of(complement, count))
            row[:count], carry = self._chain(row[:count], masked, self._sign)
        return row

    def _counted(self, left: Sequence[int], right: Sequence[int]) -> Row:
        """Where any n words are tight: the last chain carries where q is 2."""
        complement = self._radix - self._prime
        row, first = self._chain(left, right, self._sign)
        bound = _roundest(complement, 2 * complement)
        first, below, often = self._count(row, first, bound if self._sign < 0 else self._radix - bound)
        row, carry = self._chain(row, self._multiple(first, below, often, complement), self._sign)
        self._known(carry, self._builder.emit(Sub(often, first))[0])
        return row

    def _nearly(self, left: Sequence[int], right: Sequence[int]) -> Row:
        """Where a tight number is at most a trifle more than p: what is added carries where d borrowed."""
        builder, prime, spare = self._builder, self._prime, self._tight + 1 - self._prime
        row, first = self._chain(left, right, -1)
        least = self._radix - prime
        first, below, often = self._count(row, first, _roundest(least, least + spare))
        above = ((prime + 1 & -prime - 1).bit_length() - 1) // builder.word
        if not above:
            row, carry = self._chain(row, self._multiple(first, below, often, prime), 1)
            self._known(carry, first)
            return row
        multiple = builder.times([often], prime + 1 >> above * builder.word)
        row[above:], carry = self._chain(row[above:], self._filled(multiple, self._limbs - above), 1)
        self._known(carry, first)
        return self._chain(row, self._filled([often], self._limbs), -1)[0]

    def _count(self, row: Row, first: int | None, bound: int) -> tuple[int, int, int]:
        """Return the bit that says whether q is 0, whether a row is below a bound, and q by both."""
        builder, zero = self._builder, self._builder.constant(0)
        if first is None:
            raise AssertionError
        below = self._below(row, bound)
        operation = (
            Add(builder.constant(1), zero, below) if self._sign < 0 else Sub(builder.constant(2), zero, below)
        )
        return first, below, builder.select(first, builder.emit(operation)[0], zero)

    def _known(self, carry: int | None, known: int) -> None:
        """Say which bit a chain carries; this is for the proof, and is not printed."""
        if carry is not None:
            self._builder.emit(Sub(known, carry))

    def _filled(self, row: Row, count: int) -> Row:
        return [*row, *[self._builder.constant(0)] * (count - len(row))]

    def _below(self, row: Row, bound: int) -> int:
        """Return whether a row is less than a bound; words where that has only zeros do not matter.

        One word tells, where the bound is a power of two, or R less one: all bits above are 0, or are 1.
        """
        builder, ones = self._builder, (1 << self._builder.word) - 1
        skipped, at = divmod((bound & -bound).bit_length() - 1, builder.word)
        tested, lowest = row[skipped:], bound & -bound
        words = builder.words_of(bound >> builder.word * skipped, len(tested))
        if len(tested) > 1 and lowest in (bound, self._radix - bound):
            low = (1 << at) - 1
            clear, merge, full = (And, Or, 1) if lowest == bound else (Or, And, ones)
            if low:
                tested[0] = builder.emit(
                    clear(tested[0], builder.constant(low if full == ones else ones ^ low))
                )[0]
            tested = [reduce(lambda a, b: builder.emit(merge(a, b))[0], tested)]
            words = [builder.constant(full)]
        borrow = self._chain(tested, words, -1)[1]
        if borrow is None:
            raise AssertionError
        return borrow

    def _multiple(self, first: int, below: int, often: int, step: int) -> Row:
        """Return the words of q·step: of shifts of q, or chosen where there would be too many."""
        builder, zero = self._builder, self._builder.constant(0)
        terms = signed_terms(step)
        if len(terms) > MOST_TERMS:
            words = (builder.words_of(times * step, self._limbs) for times in (1, 2)[:: self._sign])
            chosen = (builder.select(below, *both) for both in zip(*words, strict=True))
            return [builder.select(first, word, zero) for word in chosen]
        added, taken = (sum(1 << at for sign, at in terms if sign == wanted) for wanted in (1, -1))
        row = builder.times([often], added)
        if taken:
            row = builder.sub_rows_within(row, builder.times([often], taken), 2 * step)
        return self._filled(row, self._limbs)

    def _cut(self, left: Sequence[int], right: Sequence[int]) -> Row:
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

    def _bounded(self, left: Sequence[int], right: Sequence[int]) -> Row:
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


def _roundest(least: int, most: int) -> int:
    """Return the number from ``least`` to ``most`` that has the most zeros at its end."""
    rounded = (most >> shift << shift for shift in range(most.bit_length(), -1, -1))
    return next(number for number in rounded if number >= least)
