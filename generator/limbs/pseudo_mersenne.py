"""Reduction modulo p = 2^k - c in n full words: 2^(wn) ≡ K = 2^(wn-k)·c, which is small.

::

    wide   = low + 2^(wn)·high     ≡ low + K·high                     a row of products and a chain
    loose  = low + 2^(wn)·top      ≡ low + K·top = t + 2^(wn)·carry   one product, one chain
                                   ≡ t + (carry ? K : 0)              a second, short chain

The last chain stops early. After a carry, t is less than K·top, so that its upper words are 0.
If k < wn, as for 2^255 - 19, the top is cut off at bit k instead, and then nothing carries::

    loose  = low + 2^k·top         ≡ low + c·top < 2^k + c·top

A wide number becomes tight at once: the high words of the products by K wait for the chain that adds what the
top makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.full_words import FullWords
from efdgen.generator.limbs.operations import ShiftRight
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from efdgen.generator.limbs.builder import LimbBuilder


@dataclass(frozen=True)
class PseudoMersenneReduction(FullWords):
    """Folding modulo 2^exponent - offset over words of ``word`` bits; satisfies :class:`Reduction`."""

    exponent: int
    offset: int
    word: int

    @property
    def prime(self) -> int:
        """2^exponent - offset."""
        return (1 << self.exponent) - self.offset

    @property
    def limbs(self) -> int:
        """Words of a tight number."""
        return -(-self.exponent // self.word)

    @property
    def radix(self) -> int:
        """Elements are stored as they are."""
        return 1

    @property
    def slack(self) -> int:
        """Bits of a tight number above those of p."""
        return self.word * self.limbs - self.exponent

    @property
    def fold(self) -> int:
        """K = 2^(wn) mod p."""
        return self.offset << self.slack

    @property
    def tight(self) -> int:
        """Any number of n words."""
        return (1 << self.word * self.limbs) - 1

    @property
    def operand(self) -> int:
        """Any tight number."""
        return self.tight

    @property
    def room(self) -> int:
        """Words that K times the top of a loose number may have: half of n, for a short last chain."""
        return min(self.limbs, max(2, self.limbs // 2))

    @property
    def loosest(self) -> int:
        """K·top + K fits the room, and c·top leaves that of 2^k."""
        bits = self.word * self.room - 1 if self.slack == 0 else min(self.word * self.room, self.exponent - 1)
        return ((1 << bits) // self.fold - 1) << self.word * self.limbs

    @property
    def largest_scale(self) -> int:
        """The largest factor for which a reduced number is below a quarter of the loosest, for later sums."""
        return (self.loosest >> self.word * self.limbs) // (4 * self.fold)

    @property
    def exists(self) -> bool:
        """Return whether there is room for products: reduced, they are a quarter of the loosest."""
        return self.largest_scale > 0

    @property
    def wide_unit(self) -> int:
        """2^(wn)."""
        return 1 << self.word * self.limbs

    def reduced(self, maximum: int) -> int:
        """Return the largest that a wide number is reduced to."""
        return self.tight + self.fold * (maximum >> self.word * self.limbs)

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Return scale·low + addend + scale·K·high; only the last chain waits for the high half."""
        number, factor = builder.numbers[wide], abs(scale)
        low, high = number.words[: self.limbs], number.words[self.limbs :]
        row, minimum, maximum = builder.times(low, factor), 0, factor * self.reduced(number.maximum)
        chain = builder.add_rows_within if scale > 0 else builder.sub_rows_within
        terms = [Term(scale, (wide,))]
        multiple = number.name if factor == 1 else f"{factor}·{number.name}"
        text = f"{name} = {multiple if scale > 0 else f'-{multiple}'}"
        if addend is not None:
            other = builder.numbers[addend]
            minimum = other.minimum if scale > 0 else other.minimum - maximum
            maximum = other.maximum + maximum if scale > 0 else other.maximum
            row = chain(other.words, row, maximum)
            terms.append(Term(1, (addend,)))
            text += f" + {other.name}"
        row = chain(row, builder.times(high, factor * self.fold), maximum)
        return builder.define(text, row, maximum, Claim(1, tuple(terms), self.field), minimum)

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Return low + K·high tight, the high words of the products in the chain that folds the top.

        None where a high word of a product may not fit beside that of the top's, or a chain more may carry.
        """
        number = builder.numbers[wide]
        low, high = number.words[: self.limbs], number.words[self.limbs :]
        if len(high) != self.limbs or not self._reduces_at_once(builder):
            return None
        if not builder.in_rows:
            products = [builder.mul(word, builder.constant(self.fold)) for word in high]
            row, carry = builder.add_rows(low, [part for part, _ in products])
            above, _ = builder.add(products[-1][1], builder.constant(0), carry)
            highs = [part for _, part in products[:-1]]
        else:
            *row, above = builder.add_product_row(low, high, builder.constant(self.fold))
            highs = []
        row = (
            self._fold_with(builder, row, above, highs)
            if self.slack
            else self._carry_with(builder, row, above, highs)
        )
        claim = Claim(1, (Term(1, (wide,)),), self.field)
        return builder.define(f"{name} = {number.name}, reduced", row, self.tight, claim)

    def _reduces_at_once(self, builder: LimbBuilder) -> bool:
        """Return whether that is shorter; gcc lacks registers for it if the last chain is a whole one."""
        if self.slack == 0:
            return not builder.for_gcc and self.limbs > 1 and self.fold.bit_length() < self.word
        # A power of two is a shift.
        return 2 * (self.fold + 1).bit_length() < self.word and self.fold & self.fold - 1 != 0

    def _fold_with(self, builder: LimbBuilder, row: list[int], above: int, highs: list[int]) -> list[int]:
        """Fold what is above 2^k, and add a row at the second word; nothing carries."""
        (part,) = builder.emit(ShiftRight(row[-1], self.word - self.slack))
        row[-1] = builder.low_bits(row[-1], self.word - self.slack)
        (taken,) = builder.times([above], self.fold)
        amount, _ = builder.add(taken, builder.times([part], self.offset)[0])
        return builder.add_rows(row, [amount, *highs])[0]

    def _carry_with(self, builder: LimbBuilder, row: list[int], above: int, highs: list[int]) -> list[int]:
        """Fold what is above 2^(wn), and add a row at the second word; the last carry is K once more."""
        taken, over = builder.mul(above, builder.constant(self.fold))
        highs = [builder.add(highs[0], over)[0], *highs[1:]] if highs else [over]
        row, carry = builder.add_rows(row, [taken, *highs])
        if carry is None:
            return row
        wrapped = builder.select(carry, builder.constant(self.fold), builder.constant(0))
        return builder.add_rows(row, [wrapped])[0]

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Fold the top into the rest."""
        number = builder.numbers[loose]
        if number.maximum <= limit:
            return loose
        claim = Claim(1, (Term(1, (loose,)),), self.field)
        make = self._carry_over if self.slack == 0 else self._cut
        row, maximum = make(builder, list(number.words), number.maximum)
        return builder.define(f"{name} = {number.name}, folded", row, maximum, claim)

    def _carry_over(self, builder: LimbBuilder, words: list[int], maximum: int) -> tuple[list[int], int]:
        low, top = words[: self.limbs], words[self.limbs :]
        row, carry = builder.add_rows(low, builder.times(top, self.fold))
        if carry is not None:
            wrapped = [
                builder.select(carry, word, builder.constant(0))
                for word in builder.words_of(self.fold, builder.count_words(self.fold))
            ]
            most = self.fold * (maximum >> self.word * self.limbs) + self.fold
            reached = builder.count_words(most)
            row[:reached], _ = builder.add_rows(row[:reached], wrapped)
        return row, self.tight

    def _cut(self, builder: LimbBuilder, words: list[int], maximum: int) -> tuple[list[int], int]:
        last = self.limbs - 1
        top = builder.shift_left(words[last:], self.slack)[1:]
        low = [*words[:last], builder.low_bits(words[last], self.word - self.slack)]
        row, _ = builder.add_rows(low, builder.times(top, self.offset))
        return row, (1 << self.exponent) - 1 + self.offset * (maximum >> self.exponent)
