"""Positions of unsaturated limbs, the value of 2^k modulo p in them, and their largest values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import isqrt
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.prime import PrimeField

if TYPE_CHECKING:
    from collections.abc import Sequence

Fold = tuple[int, int]  # the index of a limb, and a factor


@dataclass(frozen=True)
class LimbLayout:
    """Limbs of ``widths`` bits modulo 2^exponent - Σ factor·2^position.

    ``folds`` are the indices of the limbs at these positions, rising, and the factors. The widths sum up to
    the exponent, or to a little more where all are the same.
    """

    exponent: int
    folds: tuple[Fold, ...]
    widths: tuple[int, ...]
    word: int

    @cached_property
    def prime(self) -> int:
        """2^exponent - Σ factor·2^position."""
        return (1 << self.exponent) - sum(factor << self.positions[index] for index, factor in self.folds)

    @property
    def field(self) -> PrimeField:
        """The field GF(p)."""
        return PrimeField(self.prime)

    @property
    def limbs(self) -> int:
        """Limbs of a number."""
        return len(self.widths)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The positions of the limbs."""
        return tuple(accumulate(self.widths[:-1], initial=0))

    @property
    def end(self) -> int:
        """The position above the last limb."""
        return sum(self.widths)

    @cached_property
    def wrap(self) -> tuple[Fold, ...]:
        """The value of 2^end modulo p, in limbs."""
        return tuple((index, factor << self.end - self.exponent) for index, factor in self.folds)

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """A quarter more than ``widths`` bits."""
        return tuple((1 << width) + (1 << width - 2) for width in self.widths)

    @property
    def radix(self) -> int:
        """Elements are stored as they are."""
        return 1

    @cached_property
    def tight(self) -> int:
        """The largest number in tight limbs."""
        return self._whole(self.limits)

    @property
    def operand(self) -> int:
        """The largest number in limbs that are multiplied."""
        return self._whole((self.operand_limit,) * self.limbs)

    @property
    def largest_scale(self) -> int:
        """A quarter of what a limb leaves of a word."""
        return 1 << max(0, self.word - max(self.widths) - 3)

    @property
    def largest_word(self) -> int:
        """Its multiple of a limb is carried in one word."""
        return (1 << self.word - 1) - 1

    @property
    def splits(self) -> bool:
        """Return whether 2^end is such that Karatsuba's middle term is what is folded: 2^(end/2) + 1."""
        return self.wrap == ((0, 1), (self.limbs // 2, 1)) and self.limbs % 2 == 0

    def products(self, *, squared: bool) -> int:
        """Return the number of limb products in a product, or in a square."""
        size, times = (self.limbs // 2, 3) if self.splits else (self.limbs, 1)
        return times * (size * (size + 1) // 2 if squared else size**2)

    @property
    def exists(self) -> bool:
        """Return whether tight limbs can be multiplied, and what is carried last fits."""
        same = len(set(self.widths)) == 1
        small = max(factor for _, factor in self.wrap).bit_length() < min(self.widths) - 4
        return small and (self.wraps or same) and self.operand_limit >= max(self.limits)

    @cached_property
    def wraps(self) -> bool:
        """Return whether columns wrap around at once: a limb times all factors of a column fits a word."""
        return self._limit_of_wrapped >= max(self.limits)

    @cached_property
    def operand_limit(self) -> int:
        """The largest limb that is multiplied."""
        if self.wraps:
            return self._limit_of_wrapped
        return isqrt((self.largest_column >> 1) // self.limbs)

    @property
    def largest_column(self) -> int:
        """The largest column that is carried; half of it in one product, so that two can be added."""
        return (1 << (2 * self.word if self.wraps else self.word + min(self.widths)) - 1) - 1

    @cached_property
    def _limit_of_wrapped(self) -> int:
        totals: Counter[int] = Counter()
        largest = 2
        for i in range(self.limbs):
            for j in range(self.limbs):
                for column, factor in self.spread(i + j, self.positions[i] + self.positions[j]):
                    totals[column] += factor
                    largest = max(largest, factor)
        half = (1 << 2 * self.word - 2) - 1
        if self.splits:
            # A column has n/2 products of sums of both halves twice, and n/2 others.
            return min(isqrt(4 * half // (9 * self.limbs)), (1 << self.word - 1) - 1)
        return min(isqrt(half // max(totals.values())), ((1 << self.word) - 1) // largest)

    def spread(self, index: int, exponent: int) -> list[Fold]:
        """Return 2^exponent modulo p as multiples of limbs; ``index`` is that of its limb, however large."""
        if index < self.limbs:
            return [(index, 1 << exponent - self.positions[index])]
        found: Counter[int] = Counter()
        for target, factor in self.wrap:
            below = exponent - self.end + self.positions[target]
            for column, multiple in self.spread(index - self.limbs + target, below):
                found[column] += factor * multiple
        return sorted(found.items())

    def _whole(self, limbs: Sequence[int]) -> int:
        return sum(limb << position for limb, position in zip(limbs, self.positions, strict=True))
