"""Limbs in lanes: products by ``vpmadd52luq`` and ``vpmadd52huq``, which multiply 52 bits and add to 64.

A program is about one lane, and all lanes run it. Numbers are as in other unsaturated limbs::

    tight      operands of products: every limb below 2^52, by its interval
    loose      sums limb by limb; a difference starts from a multiple of p
    wide       columns of one word each, twice as many as limbs, or as many where 2^end is folded at once
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.halves import HalvesBuilder
from efdgen.generator.limbs.linear import sum_text
from efdgen.generator.limbs.operations import FusedHigh, FusedLow, ShiftRight, Sub
from efdgen.generator.limbs.program import Claim, Term
from efdgen.generator.limbs.unsaturated import UnsaturatedReduction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.linear import Summand

FACTOR_BITS = 52
"""Bits of a factor, and of the lower half of a product."""

_SCALE = 8


@dataclass(frozen=True)
class Lanes(UnsaturatedReduction, ABC):
    """Arithmetic that all lanes have in common; satisfies :class:`Reduction`.

    ``folds`` are the limbs of 2^exponent - p, of any prime of ``exponent`` bits. With ``by_halves`` programs
    have other products of halves of words alone.
    """

    by_halves: bool = False

    def begin(self) -> LimbBuilder:
        """Return the builder of a program."""
        return (HalvesBuilder if self.by_halves else LimbBuilder)(self.word)

    @property
    @abstractmethod
    def last_limit(self) -> int:
        """The largest last limb of a tight number."""

    @abstractmethod
    def carried(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Return tight limbs of a loose row, or the best that one pass makes of them."""

    @abstractmethod
    def reduced(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Return a loose row of ``radix`` times less than columns."""

    @property
    def folds_products(self) -> bool:
        """Return whether a product has no more columns than limbs."""
        return False

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """Full limbs, and the last one up to its limit."""
        return (*((1 << width) - 1 for width in self.widths[:-1]), self.last_limit)

    @property
    def operand_limits(self) -> tuple[int, ...]:
        """The largest limbs that are multiplied."""
        return self.limits

    @property
    def operand(self) -> int:
        """Limbs are compared one by one: this differs from ``tight``, and tells which limits are meant."""
        return self.tight + 1

    @property
    def largest_scale(self) -> int:
        """A few bits, for which columns have room."""
        return _SCALE

    def finished(self, builder: LimbBuilder, left: int, right: int, name: str) -> int | None:
        """Return None: products are wide first."""
        return None

    def multiplies(self, builder: LimbBuilder, number: int, factor: int, other: int) -> bool:
        """Return False: a number is scaled as a sum."""
        return False

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply column by column."""
        a, b = builder.numbers[left], builder.numbers[right]
        row = self._product(builder, a.words, b.words)
        return self._wide(builder, row, f"{name} = {a.name}·{b.name}", Term(1, (left, right)))

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square: what is off the diagonal is added first, and doubled."""
        number = builder.numbers[value]
        row = self._square(builder, number.words)
        return self._wide(builder, row, f"{name} = {number.name}²", Term(1, (value, value)))

    def wide_sum(self, builder: LimbBuilder, summands: Sequence[Summand], name: str) -> int | None:
        """Add columns, from a multiple of p on where some are subtracted; None if there is no room."""
        row = self._columns_sum(builder, [(builder.numbers[at].words, factor) for at, factor in summands])
        if row is None:
            return None
        claim = Claim(1, tuple(Term(factor, (at,)) for at, factor in summands), self.field)
        return builder.define_limited(f"{name} = {sum_text(builder, summands)}", row, self._at(row), claim)

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Reduce columns, scaled, and add limbs before the last carries."""
        number = builder.numbers[wide]
        row = list(number.words) if scale == 1 else self._columns_sum(builder, [(number.words, scale)])
        if row is None:
            raise AssertionError("a multiple leaves no room")
        other = None if addend is None else builder.numbers[addend]
        terms, text = [Term(scale, (wide,))], f"{name} = {'' if scale == 1 else f'{scale}·'}{number.name}"
        made = self.reduced(builder, row)
        if addend is not None and other is not None:
            terms.append(Term(self.radix, (addend,)))
            text += f" + {other.name}"
            made = [builder.add(a, b)[0] for a, b in zip(made, other.words, strict=True)]
        made = self._passed_on(builder, made)
        return builder.define_limited(text, made, self.positions, Claim(self.radix, tuple(terms), self.field))

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Reduce; that is tight."""
        return self.reduce(builder, wide, name)

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Carry, unless all limbs are small enough."""
        number = builder.numbers[loose]
        if self.are_within(
            builder, number.words, self.operand_limits if limit >= self.operand else self.limits
        ):
            return loose
        row = self._passed_on(builder, list(number.words))
        claim = Claim(1, (Term(1, (loose,)),), self.field)
        return builder.define_limited(f"{name} = {number.name}, carried", row, self.positions, claim)

    def fused(self, builder: LimbBuilder, row: list[int], at: int, left: int, right: int, half: int) -> None:
        """Add half of a product to a word of a row; one by a bit is a choice."""
        if builder.has_bit((left, right)):
            if half == 0:
                row[at], _ = builder.add(row[at], builder.mul(left, right)[0])
        elif not (builder.is_zero(left) or builder.is_zero(right)):
            (row[at],) = builder.emit((FusedLow, FusedHigh)[half](row[at], left, right))

    def chained(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Carry from limb to limb, up to the last one."""
        made = list(row)
        for at, width in enumerate(self.widths[:-1]):
            made[at], carry = self.split(builder, made[at], width)
            made[at + 1], _ = builder.add(made[at + 1], carry)
        return made

    def split(self, builder: LimbBuilder, value: int, width: int) -> tuple[int, int]:
        """Return the low bits of a word, and what is above them."""
        if builder.intervals[value].high >> width == 0:
            return value, builder.constant(0)
        (above,) = builder.emit(ShiftRight(value, width))
        return builder.low_bits(value, width), above

    def digits(self, value: int) -> list[int]:
        """Return a known number in limbs, the last one as large as it comes."""
        return self._split(value)

    def twice(self, builder: LimbBuilder, value: int, times: int = 1) -> int:
        """Return a word times 2^times, which has to fit."""
        return value if builder.is_zero(value) or not times else builder.shift_left([value], times)[0]

    def _passed_on(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Carry until limbs are tight; a pass that gains nothing is the last."""
        before = None
        while not self.are_within(builder, row, self.limits):
            highs = [builder.intervals[word].high for word in row]
            if highs == before:
                break
            row, before = self.carried(builder, row), highs
        return row

    @staticmethod
    def are_within(builder: LimbBuilder, words: Sequence[int], limits: Sequence[int]) -> bool:
        """Return whether words are at most their limits."""
        return all(builder.intervals[w].high <= most for w, most in zip(words, limits, strict=True))

    def _at(self, row: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.widths[0] * at for at in range(len(row)))

    def _wide(self, builder: LimbBuilder, row: Sequence[int], text: str, term: Term) -> int:
        claim = Claim(1, (term,), self.field if self.folds_products else None)
        return builder.define_limited(text, row, self._at(row), claim)

    def _product(self, builder: LimbBuilder, a: Sequence[int], b: Sequence[int]) -> list[int]:
        """Return columns; a row of products at a time, so that a column waits for no other product."""
        row = [builder.constant(0)] * (2 * self.limbs)
        for i in range(self.limbs):
            for half in (0, 1):
                for j in range(self.limbs):
                    self.fused(builder, row, i + j + half, a[i], b[j], half)
        return row

    def _square(self, builder: LimbBuilder, a: Sequence[int]) -> list[int]:
        row = [builder.constant(0)] * (2 * self.limbs)
        for i in range(self.limbs):
            for half in (0, 1):
                for j in range(i + 1, self.limbs):
                    self.fused(builder, row, i + j + half, a[i], a[j], half)
        row = [self.twice(builder, value) for value in row]
        for i in range(self.limbs):
            for half in (0, 1):
                self.fused(builder, row, 2 * i + half, a[i], a[i], half)
        return row

    def _columns_sum(
        self, builder: LimbBuilder, summands: Sequence[tuple[Sequence[int], int]]
    ) -> list[int] | None:
        count = len(summands[0][0])
        highs = [([builder.intervals[word].high for word in row], factor) for row, factor in summands]
        least = [sum(-f * row[at] for row, f in highs if f < 0) for at in range(count)]
        bias = self._bias(least, self._at(least))
        most = [sum(f * row[at] for row, f in highs if f > 0) for at in range(count)]
        if max(map(sum, zip(bias, most, strict=True))) >> self.word - 1:
            return None
        return [
            self._combined(builder, known, [(row[at], factor) for row, factor in summands])
            for at, known in enumerate(bias)
        ]

    @staticmethod
    def _combined(builder: LimbBuilder, known: int, summands: Sequence[Summand]) -> int:
        """Return a known number and multiples of words added, those that are subtracted last."""
        total = builder.constant(known)
        for word, factor in sorted(summands, key=lambda summand: summand[1] < 0):
            multiple, _ = builder.mul(word, builder.constant(abs(factor)))
            total = builder.add(total, multiple)[0] if factor > 0 else builder.emit(Sub(total, multiple))[0]
        return total
