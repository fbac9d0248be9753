"""Unsaturated limbs: sums without carries, products in columns, and carries where bounds require them.

::

    tight      l0 + 2^51·l1 + 2^102·l2 + …       limbs of little more than 51 bits, each in a word
    loose      the same, up to a word each       sums limb by limb; a difference starts from a multiple of p
    wide       columns of two words each         c_k = Σ l_i·m_j, i + j = k
    reduce     carries from column to column, and from the last one to those that 2^(51·5) mod p is made of
    tighten    every limb gives what it has above 51 bits to the next, all at once

If 2^(51·5) mod p fits a word, it is multiplied into an operand, and columns wrap around at once. Otherwise
there are 2n - 1 columns; the upper ones are carried into limbs, and these multiplied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs import columns, packing
from efdgen.generator.limbs.layout import LimbLayout
from efdgen.generator.limbs.linear import sum_text
from efdgen.generator.limbs.operations import Add, ShiftRight, Sub
from efdgen.generator.limbs.program import Claim, Number, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.linear import Summand

Multiple = tuple[int, int]  # a value, and its factor

_MOST_ADDED = 4  # times that a wide number is added to another


class UnsaturatedReduction(LimbLayout):
    """Computing with the limbs of a layout; satisfies :class:`Reduction`."""

    def input(self, builder: LimbBuilder, name: str) -> int:
        """Take in a tight number."""
        return builder.take_in(Number(name, (), self.positions, self.tight, 0, self.limits))

    def known(self, builder: LimbBuilder, residue: int, text: str) -> int:
        """Return a number below p that is known."""
        row = [builder.constant(limb) for limb in self._split(residue)]
        return builder.define_limited(text, row, self.positions, Claim(1, (Term(residue, ()),)))

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply column by column."""
        a, b = builder.numbers[left], builder.numbers[right]
        pairs = [column() for column in columns.of_product(builder, self, a.words, b.words)]
        claim = Claim(1, (Term(1, (left, right)),), self.field if self.wraps else None)
        return self._columns(builder, f"{name} = {a.name}·{b.name}", pairs, claim)

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square column by column."""
        number = builder.numbers[value]
        pairs = [column() for column in columns.of_square(builder, self, number.words)]
        claim = Claim(1, (Term(1, (value, value)),), self.field if self.wraps else None)
        return self._columns(builder, f"{name} = {number.name}²", pairs, claim)

    def finished(self, builder: LimbBuilder, left: int, right: int, name: str) -> int | None:
        """Multiply two operands, and carry from every column as soon as it is there.

        gcc wants all columns before their carries where these go in two chains: None for it there.
        """
        a, b = builder.numbers[left], builder.numbers[right]
        squared = left == right
        if builder.for_gcc and columns.in_two_chains(self, self.products(squared=squared)):
            return None
        if squared:
            row = columns.of_square(builder, self, a.words)
        else:
            row = columns.of_product(builder, self, a.words, b.words)
        made = columns.reduced(builder, self, row, self.products(squared=squared))
        claim, text = Claim(1, (Term(1, (left, right)),), self.field), f"{name} = {a.name}·{b.name}"
        return builder.define_limited(text, made, self.positions, claim)

    def multiplies(self, builder: LimbBuilder, number: int, factor: int, other: int) -> bool:
        """Return whether ``factor`` times a number is an operand."""
        del other
        words = builder.numbers[number].words
        return factor * max(builder.intervals[word].high for word in words) <= self.operand_limit

    def wide_sum(self, builder: LimbBuilder, summands: Sequence[Summand], name: str) -> int | None:
        """Add columns, from a multiple of p on where some are subtracted; None if there is no room."""
        numbers = [builder.numbers[index] for index, _ in summands]
        least, most = ([0] * (len(numbers[0].words) // 2) for _ in range(2))
        for number, (_, factor) in zip(numbers, summands, strict=True):
            if abs(factor) > _MOST_ADDED:
                return None
            for at, (low, high) in enumerate(columns.pairs_of(number)):
                size = builder.intervals[low].high + (builder.intervals[high].high << self.word)
                (least if factor < 0 else most)[at] += abs(factor) * size
        bias = self._bias(least, columns.positions(self, len(least)))
        if max(map(sum, zip(bias, most, strict=True))) > self.largest_column:
            return None
        row = columns.total(builder, [(n, f) for n, (_, f) in zip(numbers, summands, strict=True)], bias)
        claim = Claim(1, tuple(Term(factor, (index,)) for index, factor in summands), self.field)
        return self._columns(builder, f"{name} = {sum_text(builder, summands)}", row, claim)

    def loose_sum(
        self,
        builder: LimbBuilder,
        summands: Sequence[Summand],
        name: str,
        onto: Summand | None,
        *,
        shared: bool,
    ) -> int | None:
        """Add limb by limb, from a multiple of p on that no limb is subtracted below; None if too large."""
        del shared, onto  # A multiple of p is added again where more is subtracted; carries come after all.
        row = self._sum(builder, [(builder.numbers[index].words, factor) for index, factor in summands])
        if row is None:
            return None
        claim = Claim(1, tuple(Term(factor, (index,)) for index, factor in summands), self.field)
        return builder.define_limited(f"{name} = {sum_text(builder, summands)}", row, self.positions, claim)

    def tight_sum(
        self, builder: LimbBuilder, left: int | None, right: int, sign: int, name: str
    ) -> int | None:
        """Add limb by limb, and carry."""
        summands = [(right, sign)] if left is None else [(left, 1), (right, sign)]
        row = self._sum(builder, [(builder.numbers[index].words, factor) for index, factor in summands])
        if row is None:
            return None
        claim = Claim(1, tuple(Term(factor, (index,)) for index, factor in summands), self.field)
        text = f"{name} = {sum_text(builder, summands)}"
        return builder.define_limited(text, self._passed_on(builder, row), self.positions, claim)

    def half(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Shift limb by limb to the right, and add (p + 1)/2 where the lowest bit was 1."""
        index = self.tighten(builder, number, name, self.operand)
        whole = builder.numbers[index]
        odd = builder.low_bits(whole.words[0], 1)
        added = builder.masked(odd, [builder.constant(limb) for limb in self._split((self.prime + 1) // 2)])
        row = []
        for at, (word, more) in enumerate(zip(whole.words, added, strict=True)):
            (total,) = builder.emit(ShiftRight(word, 1))
            if at + 1 < self.limbs:
                bit = builder.low_bits(whole.words[at + 1], 1)
                total, _ = builder.add(total, builder.shift_left([bit], self.widths[at] - 1)[0])
            row.append(builder.emit(Add(total, more))[0])
        claim = Claim(2, (Term(1, (index,)),), self.field)
        return builder.define_limited(f"{name} = {whole.name}/2", row, self.positions, claim)

    def multiple(self, builder: LimbBuilder, number: int, factor: int, name: str) -> int:
        """Multiply every limb, and carry."""
        a, k = builder.numbers[number], builder.numbers[factor]
        row = columns.ready([columns.dot(builder, [(word, k.words[0])]) for word in a.words])
        carried = columns.wrapped(builder, self, *columns.carried(builder, row, self.widths))
        claim = Claim(1, (Term(1, (number, factor)),), self.field)
        made = self._passed_on(builder, carried)
        return builder.define_limited(f"{name} = {a.name}·{k.name}", made, self.positions, claim)

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Carry from column to column with what is added; what is scaled is carried before."""
        number, text = builder.numbers[wide], f"{name} = {scale if abs(scale) != 1 else '-' * (scale < 0)}"
        terms, text = [Term(scale, (wide,))], f"{text}{number.name}"
        other = None if addend is None else builder.numbers[addend]
        if addend is not None and other is not None:
            terms.append(Term(1, (addend,)))
            text += f" + {other.name}"
        row = columns.pairs_of(number)
        if scale == 1 and other is not None:
            row = columns.with_words(builder, row, other.words)
        made = columns.reduced(builder, self, columns.ready(row))
        if scale != 1:
            summands = [(made, scale), *([] if other is None else [(other.words, 1)])]
            scaled = self._sum(builder, summands)
            if scaled is None:
                raise AssertionError("a multiple leaves no room")
            made = scaled
        return builder.define_limited(text, made, self.positions, Claim(1, tuple(terms), self.field))

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Reduce; that is tight."""
        return self.reduce(builder, wide, name)

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Carry from every limb to the next, unless all limbs are small enough."""
        number = builder.numbers[loose]
        most = (self.operand_limit,) * self.limbs if limit >= self.operand else self.limits
        if all(builder.intervals[w].high <= m for w, m in zip(number.words, most, strict=True)):
            return loose
        row = self._passed_on(builder, list(number.words))
        claim = Claim(1, (Term(1, (loose,)),), self.field)
        return builder.define_limited(f"{name} = {number.name}, carried", row, self.positions, claim)

    def in_words(self, builder: LimbBuilder, number: int) -> int:
        """Fold what is above p's bits, carry from limb to limb, and pack."""
        return packing.in_words(builder, self, number)

    def kept(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Split into limbs."""
        return self.of_words(builder, number, name)

    def of_words(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Split into limbs, and fold what is above them."""
        row = packing.limbs_of(builder, self, builder.numbers[number].words)
        claim = Claim(1, (Term(1, (number,)),), self.field)
        text = f"{name} = {builder.numbers[number].name}, in limbs"
        return builder.define_limited(text, self._passed_on(builder, row), self.positions, claim)

    def _split(self, value: int, positions: Sequence[int] | None = None) -> list[int]:
        """Return a number in limbs, the last one as large as it comes."""
        positions = positions or self.positions
        ends = [*positions[1:], max(positions[-1], value.bit_length()) + 1]
        return [value >> at & (1 << end - at) - 1 for at, end in zip(positions, ends, strict=True)]

    def _bias(self, least: Sequence[int], positions: Sequence[int]) -> list[int]:
        """Return a multiple of p in limbs that are at least what is subtracted from each; 0 for nothing."""
        if not any(least):
            return [0] * len(least)
        whole = sum(limb << position for limb, position in zip(least, positions, strict=True))
        rest = [*self._split(-whole % self.prime), *[0] * (len(least) - self.limbs)]
        return [a + b for a, b in zip(least, rest, strict=True)]

    def _sum(self, builder: LimbBuilder, summands: Sequence[tuple[Sequence[int], int]]) -> list[int] | None:
        """Add multiples of rows limb by limb; None where a limb may exceed a word."""
        highs = [([builder.intervals[word].high for word in row], factor) for row, factor in summands]
        least = [sum(-f * row[at] for row, f in highs if f < 0) for at in range(self.limbs)]
        bias = self._bias(least, self.positions)
        added = [sum(f * row[at] for row, f in highs if f > 0) for at in range(self.limbs)]
        if max(map(sum, zip(bias, added, strict=True))) >> self.word:
            return None
        made = []
        for at, known in enumerate(bias):
            total = builder.constant(known)
            for row, factor in sorted(summands, key=lambda summand: summand[1] < 0):
                multiple, _ = builder.mul(row[at], builder.constant(abs(factor)))
                if factor > 0:
                    total, _ = builder.add(total, multiple)
                else:
                    total, _ = builder.emit(Sub(total, multiple))
            made.append(total)
        return made

    def _passed_on(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Let every limb give what it has above its bits to the next, the last one to those it wraps to."""
        while any(builder.intervals[w].high > most for w, most in zip(row, self.limits, strict=True)):
            given = [builder.emit(ShiftRight(w, width))[0] for w, width in zip(row, self.widths, strict=True)]
            made = [builder.low_bits(w, width) for w, width in zip(row, self.widths, strict=True)]
            for at, value in enumerate(given[:-1]):
                made[at + 1], _ = builder.add(made[at + 1], value)
            for index, factor in self.wrap:
                multiple, _ = builder.mul(given[-1], builder.constant(factor))
                made[index], _ = builder.add(made[index], multiple)
            row = made
        return row

    def _columns(self, builder: LimbBuilder, text: str, row: Sequence[tuple[int, int]], claim: Claim) -> int:
        at = columns.positions(self, len(row))
        positions = tuple(position + part for position in at for part in (0, self.word))
        return builder.define_limited(text, [word for pair in row for word in pair], positions, claim)
