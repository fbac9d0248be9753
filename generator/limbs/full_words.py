"""Numbers in saturated limbs: the common part of all reductions over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from efdgen.generator.limbs import halving, multiply
from efdgen.generator.limbs.linear import combine, plan_sum
from efdgen.generator.limbs.program import Claim, Term, full_words
from efdgen.generator.limbs.reduction import PrimeReduction
from efdgen.generator.limbs.short_sums import short_sum
from efdgen.generator.mathematics.prime import PrimeField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.linear import Summand


class FullReduction(PrimeReduction, Protocol):
    """A reduction over full words, with what :class:`FullWords` asks of it.

    ``loosest`` is the largest number that ``tighten`` takes. A multiple of p·``wide_unit`` has no low words:
    a cheap bias for wide numbers. ``reduced`` is the largest that ``reduce`` makes of a wide number, given
    its maximum.
    """

    @property
    def loosest(self) -> int: ...  # noqa: D102 - said above
    @property
    def wide_unit(self) -> int: ...  # noqa: D102

    def reduced(self, maximum: int) -> int: ...  # noqa: D102


class FullWords:
    """Sums and products of numbers in full words, for a :class:`FullReduction` to inherit."""

    @property
    def field(self: FullReduction) -> PrimeField:
        """The field GF(p)."""
        return PrimeField(self.prime)

    @property
    def positions(self: FullReduction) -> tuple[int, ...]:
        """The positions of the words of a tight number."""
        return full_words(self.word, self.limbs)

    @property
    def limits(self) -> tuple[int, ...]:
        """Full words have none."""
        return ()

    @property
    def largest_word(self: FullReduction) -> int:
        """A multiple of a tight number by it is not too large to be tightened."""
        return min(self.loosest // self.tight, (1 << self.word) - 1)

    def input(self: FullReduction, builder: LimbBuilder, name: str) -> int:
        """Take in a tight number."""
        return builder.input(name, self.limbs, self.tight)

    def known(self: FullReduction, builder: LimbBuilder, residue: int, text: str) -> int:
        """Return a number below p that is known."""
        claim = Claim(1, (Term(residue, ()),))
        return builder.define(text, builder.words_of(residue, self.limbs), residue, claim)

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply two operands; the result is wide."""
        return multiply.product(builder, left, right, name)

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square an operand; the result is wide."""
        return multiply.square(builder, value, name)

    def finished(self, builder: LimbBuilder, left: int, right: int, name: str) -> int | None:
        """Return None: a product is wide before it is reduced."""
        del builder, left, right, name
        return None

    def multiplies(self: FullReduction, builder: LimbBuilder, number: int, factor: int, other: int) -> bool:
        """Return whether ``factor`` times a number is an operand with tight reduced products."""
        scaled = factor * builder.numbers[number].maximum
        reduced = self.reduced(scaled * builder.numbers[other].maximum)
        return scaled <= self.operand and reduced <= self.tight

    def wide_sum(
        self: FullReduction, builder: LimbBuilder, summands: Sequence[Summand], name: str
    ) -> int | None:
        """Add multiples of wide numbers; None where the sum, reduced, would be too large."""
        total = plan_sum(builder, summands, self.prime * self.wide_unit)
        if self.reduced(total.maximum) > self.loosest:
            return None
        return combine(builder, total, self.field, name)

    def loose_sum(
        self: FullReduction,
        builder: LimbBuilder,
        summands: Sequence[Summand],
        name: str,
        onto: Summand | None,
        *,
        shared: bool,
    ) -> int | None:
        """Add multiples of loose numbers; None where the sum would be too large."""
        wide, scale = onto or (0, 0)
        reduced = scale * self.reduced(builder.numbers[wide].maximum) if onto else 0
        spare, limit = max(0, -reduced), self.loosest - max(0, reduced)
        total = plan_sum(builder, summands, self.prime, spare, limit if shared else 0)
        return None if total.maximum > limit else combine(builder, total, self.field, name)

    def tight_sum(
        self: FullReduction, builder: LimbBuilder, left: int | None, right: int, sign: int, name: str
    ) -> int | None:
        """Add or subtract in the shortest chains that there are."""
        return short_sum(builder, self, left, right, sign, name)

    def half(self: FullReduction, builder: LimbBuilder, number: int, name: str) -> int:
        """Return half of a loose number, loose."""
        return halving.half(builder, number, self.field, name)

    def multiple(self: FullReduction, builder: LimbBuilder, number: int, factor: int, name: str) -> int:
        """Multiply by a word, and tighten."""
        left, right = builder.numbers[number], builder.numbers[factor]
        row, maximum = builder.mul_row(left.words, right.words[0]), left.maximum * right.maximum
        claim = Claim(1, (Term(1, (number, factor)),))
        text = f"{left.name}{right.name} = {left.name}·{right.name}"
        loose = builder.define(text, row[: builder.count_words(maximum)], maximum, claim)
        return self.tighten(builder, loose, name, self.tight)

    def in_words(self, builder: LimbBuilder, number: int) -> int:
        """Return the number itself."""
        del builder
        return number

    def kept(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return the number itself."""
        del builder, name
        return number

    def of_words(self: FullReduction, builder: LimbBuilder, number: int, name: str) -> int:
        """Multiply by the radix modulo p."""
        if self.radix != 1:
            square = self.radix**2 % self.prime
            radix = self.known(builder, square, "radix = R² mod p")
            wide = self.product(builder, radix, number, "wide")
            number = self.reduce(builder, wide, "loose")
        return self.tighten(builder, number, name, self.tight)
