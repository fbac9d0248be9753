"""Montgomery reduction in n saturated limbs, for any odd prime: x is stored as x·R mod p, R = 2^(wn).

The lowest words of a wide number are cleared and dropped::

    low    l0  l1  l2  l3
         +  m0·p                   m0 = -l0/p mod 2^w: the lowest word becomes 0 and is dropped
         +      m1·p               m1 likewise, and so on
    high                h0  h1  h2  h3
                      = result ≤ high + p

A :class:`~.clearing.Step` for the prime says how multiples are added, and how many words go at a time.
A step's chain goes through all that is left, where that takes the fewest sums: where p ≡ -1 modulo many
words, there are few steps. Else it goes through the low half alone, and the high half is added at the end.

If p has as many bits as n words, the high half waits as high - p, and p is added to the result if nothing
carries: a tight number is less than p.

A loose number is brought down in one of two ways. If 2^(wn) - p is much smaller than p, the part above
2^(wn) is multiplied by it and added. Else the quotient by p is estimated from the leading word, at most a
trifle too small, and its multiple of p subtracted. The result is less than 2p and is compared with p.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from efdgen.generator.limbs import multiply
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.clearing import cheapest_step
from efdgen.generator.limbs.full_words import FullWords
from efdgen.generator.limbs.linear import combine, plan_sum
from efdgen.generator.limbs.operations import Add, MulWide, ShiftRight, Sub
from efdgen.generator.limbs.program import Claim, Term


@dataclass(frozen=True)
class MontgomeryReduction(FullWords):
    """Reduction modulo an odd prime over words of ``word`` bits; satisfies :class:`Reduction`."""

    prime: int
    word: int

    @property
    def limbs(self) -> int:
        """Words of a tight number."""
        return -(-self.prime.bit_length() // self.word)

    @property
    def radix(self) -> int:
        """R = 2^(wn)."""
        return 1 << self.word * self.limbs

    @property
    def complement(self) -> int:
        """2^(wn) - p."""
        return self.radix - self.prime

    @property
    def folds(self) -> bool:
        """Return whether loose numbers are folded by the complement, and not divided."""
        return self.complement.bit_length() <= self.word * self.limbs - self.word // 2

    @property
    def friendly(self) -> bool:
        """Return whether p ≡ -1 modulo 2^w."""
        return (self.prime + 1) % (1 << self.word) == 0

    @cached_property
    def tight(self) -> int:
        """Less than 2p with two bits of slack, as a product is: 2p·2p/R + p ≤ 2p. Else less than p.

        With four bits it is less than 3p where 3p shows signs: where only the highest word of p + 1 is not 0.
        """
        if 12 * self.prime <= self.radix and (self.prime + 1) % (self.radix >> self.word) == 0:
            return 3 * self.prime - 1
        return (2 if 4 * self.prime <= self.radix else 1) * self.prime - 1

    @property
    def operand(self) -> int:
        """Any number of n words."""
        return self.radix - 1

    @property
    def loosest(self) -> int:
        """Its quotient by p takes a quarter of a word."""
        return self.prime << self.word // 4

    @property
    def largest_scale(self) -> int:
        """The largest factor for which a scaled number remains a small part of the loosest."""
        return 1 << self.word // 4 - 4

    @property
    def wide_unit(self) -> int:
        """2^(wn)."""
        return self.radix

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square an operand; of few words the products are doubled by sums, but not for gcc."""
        by_sums = self.friendly and self.limbs <= multiply.MOST_KEPT and not builder.for_gcc
        return multiply.square(builder, value, name, by_sums=by_sums)

    def reduced(self, maximum: int) -> int:
        """Return the largest that a wide number is reduced to."""
        return (maximum >> self.word * self.limbs) + self.prime

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Return scale·wide/R + addend; what is scaled by more than 1 is reduced once before."""
        number = builder.numbers[wide]
        if abs(scale) != 1:
            once = self.reduce(builder, wide, f"{name}_once")
            summands = [(once, scale)] if addend is None else [(once, scale), (addend, 1)]
            return combine(builder, plan_sum(builder, summands, self.prime), self.field, name)
        low, high = list(number.words[: self.limbs]), list(number.words[self.limbs :])
        minimum, maximum = 0, self.reduced(number.maximum)
        chain = builder.add_rows_within if scale > 0 else builder.sub_rows_within
        terms, text = [Term(scale, (wide,))], f"{name} = {'' if scale > 0 else '-'}{number.name}/R"
        if addend is not None:
            other = builder.numbers[addend]
            minimum = other.minimum if scale > 0 else other.minimum - maximum
            maximum = other.maximum + maximum if scale > 0 else other.maximum
            high = chain(other.words, high, maximum)
            terms.append(Term(self.radix, (addend,)))
            text += f" + {other.name}"
        if scale > 0 and self._clears_whole:
            row = self._clear(builder, [*low, *high], (maximum - self.prime + 1) * self.radix - 1)
        else:
            row = chain(high, self._clear(builder, low, self.radix - 1), maximum)
        return builder.define(text, row, maximum, Claim(self.radix, tuple(terms), self.field), minimum)

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Return low/R + high, less p where that is not less; None where both steps do as well."""
        number = builder.numbers[wide]
        if 2 * self.prime <= self.radix or number.maximum >= self.prime * self.radix:
            return None
        cleared = self._clear(builder, list(number.words[: self.limbs]), self.radix - 1)
        builder.note_within(cleared, self.prime)
        row = builder.add_rows_modulo(cleared, number.words[self.limbs :], self.prime)
        claim = Claim(self.radix, (Term(1, (wide,)),), self.field)
        return builder.define(f"{name} = {number.name}/R, reduced", row, self.tight, claim)

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Fold by the complement of p, or divide by p; where that is asked for, until it is less than p."""
        number = builder.numbers[loose]
        if number.maximum <= limit:
            return loose
        claim = Claim(1, (Term(1, (loose,)),), self.field)
        at_once = self._remainder(builder, list(number.words), number.maximum) if limit < self.prime else None
        if at_once is not None:
            return builder.define(f"{name} = {number.name}, reduced", at_once, limit, claim)
        make = self._fold if self.folds else self._divide
        row, maximum = make(builder, list(number.words), number.maximum)
        made = builder.define(f"{name} = {number.name}, brought down", row, maximum, claim)
        return self.tighten(builder, made, name, limit)

    @cached_property
    def _clears_whole(self) -> bool:
        """Return whether clearing a wide number takes fewer sums than clearing its low half and adding."""
        sums = []
        for count in (2 * self.limbs, self.limbs):
            builder = LimbBuilder(self.word)
            words = builder.numbers[builder.input("wide", 2 * self.limbs, self.radix**2 - 1)].words
            row = self._clear(builder, list(words[:count]), (1 << self.word * count) - 1)
            builder.add_rows(words[count:], row)
            sums.append(sum(isinstance(i.operation, Add | Sub) for i in builder.instructions))
        return sums[0] < sums[1]

    def _clear(self, builder: LimbBuilder, row: list[int], largest: int) -> list[int]:
        """Return (row + M·p)/R for the M below R that makes this an integer, of a row up to ``largest``."""
        done = 0
        while done < self.limbs:
            if builder.is_zero(row[0]):
                # A known number may end in words that are 0: nothing is added, and n words stay n.
                row, done = [*row[1:], builder.constant(0)][: max(self.limbs, len(row) - 1)], done + 1
                continue
            step = cheapest_step(self.prime, self.word, self.limbs - done)
            done += step.words
            maximum = largest + ((1 << self.word * done) - 1) * self.prime >> self.word * done
            row = step.take(builder, row, maximum)
        return row

    def _remainder(self, builder: LimbBuilder, words: list[int], maximum: int) -> list[int] | None:
        """Return V modulo p in one step: V - q·p, and p more where that is negative; None if V is large.

        If 2^s is a little less than p, q = V >> s is at least V/p - 1, and at most V/p + 1 for a V that is
        not large. So is (V >> s) + 1, if 2^s is a little more. None, too, if q·p has many products.
        """
        bits, modulus = self.prime.bit_length(), builder.words_of(self.prime, self.limbs)
        if maximum < 2 * self.prime:
            return builder.sub_rows_modulo(words, modulus, self.prime)
        for below, more in ((bits - 1, 0), (bits, 1)):
            largest, whole = (maximum >> below) + more, below == builder.word * self.limbs
            if largest * abs((1 << below) - self.prime) > self.prime or not (self.friendly or whole):
                continue
            at, shift = divmod(below, builder.word)
            quotient = builder.shift_left(words[at:], builder.word - shift)[1] if shift else words[at]
            quotient, _ = builder.add(quotient, builder.constant(more))
            if whole:
                less = builder.times([quotient], self.complement)
                return builder.add_less_modulo(words[: self.limbs], less, self.prime)
            words = builder.add_rows_within(words, [quotient], maximum + largest)
            return builder.sub_rows_modulo(words, builder.times([quotient], self.prime + 1), self.prime)
        return None

    def _fold(self, builder: LimbBuilder, words: list[int], maximum: int) -> tuple[list[int], int]:
        low, top = words[: self.limbs], words[self.limbs :]
        complement = builder.words_of(self.complement, builder.count_words(self.complement))
        if maximum < self.radix + self.prime:
            # The top is a bit, and what is left when it is 1 is below p: nothing carries.
            row, _ = builder.add_rows(low, builder.masked(top[0], complement))
            return row, self.radix - 1
        row, carry = builder.add_rows(low, builder.times(top, self.complement))
        if carry is not None:
            reached = builder.count_words(self.complement * ((maximum >> self.word * self.limbs) + 1))
            row[:reached], _ = builder.add_rows(row[:reached], builder.masked(carry, complement))
        return row, self.radix - 1

    def _divide(self, builder: LimbBuilder, words: list[int], maximum: int) -> tuple[list[int], int]:
        below, factor, extra, left = self._division(maximum)
        at, shift = divmod(below, self.word)
        leading = builder.shift_left(words[at:], self.word - shift)[1] if shift else words[at]
        _, high = builder.emit(MulWide(leading, builder.constant(factor)))
        (quotient,) = builder.emit(ShiftRight(high, extra))
        if self.friendly:
            words = builder.add_rows_within(words, [quotient], maximum + (maximum // self.prime))
            return builder.sub_rows_within(words, builder.times([quotient], self.prime + 1), left), left
        multiple = builder.mul_row(builder.words_of(self.prime, self.limbs), quotient)
        return builder.sub_rows_within(words, multiple, left), left

    def _division(self, maximum: int) -> tuple[int, int, int, int]:
        """Return how to divide numbers up to ``maximum`` by p, and what is left at most.

        The quotient is estimated as ``(V >> below) · factor >> w + extra``: since the factor is larger than
        2^(w+below+extra)/p - 1, it is larger than V/p - 1 - 2^below/p - (V >> below)/2^(w+extra).
        """
        below = max(0, maximum.bit_length() - self.word)
        extra = self.word - ((1 << self.word + below) // self.prime).bit_length()
        factor = (1 << self.word + below + extra) // self.prime
        leading = maximum >> below
        return (
            below,
            factor,
            extra,
            self.prime + (1 << below) + (self.prime * leading >> self.word + extra) + 1,
        )
