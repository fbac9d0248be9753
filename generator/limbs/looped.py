"""Montgomery's reduction in words of 32 bits as loops: the least code for a product, for any odd prime.

Every word of p is a factor, 0, 1 and 2^w - 1 too, so that one loop serves every prime of a length.
Products and sums are reduced to [0, p) by one difference::

    product      t = a·b                      n rows of n products
    reduce       t = t + m·p·2^(wi)           n rows, m = -t[i]/p mod 2^w; the low half becomes 0
    difference   r = t - p,  r + p where that borrows
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.linear import sum_text
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.operations import Add, Dot, MulLow, Select, Sub
from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder


@dataclass(frozen=True)
class LoopedMontgomery(MontgomeryReduction):
    """Reduction modulo an odd prime whose products and sums are printed as loops."""

    @property
    def tight(self) -> int:
        """Less than p, so that equal elements have equal words."""
        return self.prime - 1

    @property
    def inverse(self) -> int:
        """-1/p modulo 2^w."""
        return pow(-self.prime, -1, 1 << self.word)

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply two numbers of n words row by row; a known word is a factor as any other."""
        first, second = builder.numbers[left], builder.numbers[right]
        zero = builder.constant(0)
        total = [zero] * (2 * self.limbs)
        for at, factor in enumerate(second.words):
            carry = zero
            for index, word in enumerate(first.words):
                total[at + index], carry = _mul_add(builder, word, factor, total[at + index], carry)
            total[at + self.limbs] = carry
        claim = Claim(1, (Term(1, (left, right)),))
        text = f"{name} = {first.name}·{second.name}"
        return builder.define(text, total, first.maximum * second.maximum, claim)

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Multiply an operand by itself."""
        return self.product(builder, value, value, name)

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Clear the low half of a wide number, and subtract p from the high half where it is not less."""
        number, zero = builder.numbers[wide], builder.constant(0)
        if number.maximum >= self.prime * self.radix:
            return None
        row, prime = list(number.words), builder.words_of(self.prime, self.limbs)
        bit: int | None = None
        for at in range(self.limbs):
            (quotient,) = builder.emit(MulLow(row[at], builder.constant(self.inverse)))
            carry = zero
            for index, word in enumerate(prime):
                row[at + index], carry = _mul_add(builder, word, quotient, row[at + index], carry)
            row[at + self.limbs], bit = builder.emit(Add(row[at + self.limbs], carry, bit))
        assert bit is not None
        claim = Claim(self.radix, (Term(1, (wide,)),), self.field)
        text = f"{name}_loose = {number.name}/R"
        loose = builder.define(text, [*row[self.limbs :], bit], self.reduced(number.maximum), claim)
        words = builder.numbers[loose].words
        claim = Claim(1, (Term(1, (loose,)),), self.field)
        reduced = self._difference(builder, words, prime)
        return builder.define(f"{name} = {name}_loose, reduced", reduced, self.tight, claim)

    def tight_sum(
        self, builder: LimbBuilder, left: int | None, right: int, sign: int, name: str
    ) -> int | None:
        """Add or subtract; p is subtracted from a sum that reaches it, and added to a negative difference."""
        zero = builder.constant(0)
        a = [zero] * self.limbs if left is None else builder.numbers[left].words
        b: Sequence[int] = builder.numbers[right].words
        top = zero
        if sign > 0:
            row, bit = [], None
            for one, other in zip(a, b, strict=True):
                total, bit = builder.emit(Add(one, other, bit))
                row.append(total)
            assert bit is not None
            a, b, top = row, builder.words_of(self.prime, self.limbs), bit
        summands = [(right, sign)] if left is None else [(left, 1), (right, sign)]
        claim = Claim(1, tuple(Term(factor, (index,)) for index, factor in summands), self.field)
        reduced = self._difference(builder, [*a, top], b)
        return builder.define(f"{name} = {sum_text(builder, summands)}", reduced, self.tight, claim)

    def of_words(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Multiply any number of n words by R² modulo p."""
        square = self.known(builder, self.radix**2 % self.prime, "square = R² mod p")
        made = self.reduce_tight(builder, self.product(builder, number, square, "wide"), name)
        assert made is not None
        return made

    def to_words(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Multiply by 1, and so divide by R."""
        one = self.known(builder, 1, "one = 1")
        made = self.reduce_tight(builder, self.product(builder, number, one, "wide"), name)
        assert made is not None
        return made

    def without(self, builder: LimbBuilder, number: int, least: int) -> tuple[list[int], int | None]:
        """Return the words of a number less a known one, and a carry where that is not negative."""
        inverted = builder.words_of(self.radix - 1 - least, self.limbs)
        row: list[int] = []
        carry = builder.constant(1)
        for word, known in zip(builder.numbers[number].words, inverted, strict=True):
            total, carry = builder.emit(Add(word, known, carry))
            row.append(total)
        return row, carry

    def _difference(self, builder: LimbBuilder, left: Sequence[int], right: Sequence[int]) -> list[int]:
        """Return left - right, and p more where that borrows; the left one has a word more."""
        zero, prime = builder.constant(0), builder.words_of(self.prime, self.limbs)
        row: list[int] = []
        bit: int | None = None
        for one, other in zip(left, [*right, zero], strict=True):
            difference, bit = builder.emit(Sub(one, other, bit))
            row.append(difference)
        assert bit is not None
        made: list[int] = []
        carry: int | None = None
        for word, known in zip(row, prime, strict=False):
            (masked,) = builder.emit(Select(bit, known, zero))
            total, carry = builder.emit(Add(word, masked, carry))
            made.append(total)
        # This is for the proof, and is not printed.
        rest, carried = builder.emit(Add(row[-1], zero, carry))
        builder.emit(Sub(bit, carried))
        builder.emit(Sub(rest, zero))
        return made


def _mul_add(builder: LimbBuilder, left: int, right: int, first: int, second: int) -> tuple[int, int]:
    """Return both words of left·right + first + second."""
    zero = builder.constant(0)
    low, high = builder.emit(Dot(((left, right),), ((first, zero), (second, zero))))
    return low, high
