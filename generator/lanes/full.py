"""Lanes of limbs of 52 bits: a carry goes from limb to limb, since a limb of 2^52 would be 0 to a product.

Columns are folded from above, modulo 2^exponent - c with a c of one limb, or cleared from below.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.lanes.lanes import FACTOR_BITS, Lanes
from efdgen.generator.limbs.operations import FusedLow

if TYPE_CHECKING:
    from efdgen.generator.limbs.builder import LimbBuilder


_MOST_FOLDED = 6


class FullLanes(Lanes):
    """Limbs of 52 bits; what is above some bits of the last one is folded before a chain of carries."""

    @property
    def _last_width(self) -> int:
        return self.exponent - self.positions[-1]

    @property
    @abstractmethod
    def room(self) -> int:
        """The number of bits that a tight number may have above p's."""

    @property
    def last_limit(self) -> int:
        """The largest that there is room for."""
        return 1 << self._last_width + self.room

    @cached_property
    def _kept(self) -> int:
        """Bits that are not folded, as many as p has or more: the rest times a limb fits a word."""
        return self.exponent + max(0, self.room - _MOST_FOLDED)

    def carried(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Fold what is above in the last limb, and carry from limb to limb."""
        row = list(row)
        if builder.intervals[row[-1]].high > self.last_limit:
            row[-1], above = self.split(builder, row[-1], self._kept - self.positions[-1])
            for at, limb in enumerate(self._split((1 << self._kept) % self.prime)):
                multiple, _ = builder.mul(above, builder.constant(limb))
                row[at], _ = builder.add(row[at], multiple)
        return self.chained(builder, row)


class FoldedLanes(FullLanes):
    """Modulo 2^exponent - c: what is above 2^end is multiplied by one limb, which that is modulo p."""

    @property
    def room(self) -> int:
        """One."""
        return 1

    def reduced(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Carry through the upper columns, for they are multiplied, and fold them."""
        ((_, factor),) = self.wrap
        known = builder.constant(factor)
        low, high = [*row[: self.limbs], builder.constant(0)], row[self.limbs :]
        for at, column in enumerate(high):
            high[at], carry = self.split(builder, column, FACTOR_BITS)
            if at + 1 == len(high):
                multiple, _ = builder.mul(carry, known)
                low[-1], _ = builder.add(low[-1], multiple)
            else:
                high[at + 1], _ = builder.add(high[at + 1], carry)
        for at, digit in enumerate(high):
            for half in (0, 1):
                self.fused(builder, low, at + half, digit, known, half)
        *low, above = low
        for half in (0, 1):
            self.fused(builder, low, half, above, known, half)
        return low


class MontgomeryLanes(FullLanes):
    """Columns are cleared from below, each by a multiple of p.

    All but the last are cleared by a multiple of p that is -1 modulo 2^52, so that their quotients are the
    columns themselves; so is the last one if p is -1 itself.
    """

    @property
    def radix(self) -> int:
        """2^end."""
        return 1 << self.end

    @property
    def room(self) -> int:
        """Bits above p with which a product of operands is reduced below 3p."""
        return min((self.end - self.exponent) // 2, FACTOR_BITS - 1 - self._last_width)

    @cached_property
    def _inverse(self) -> int:
        """-1/p modulo 2^52; 1 where a column is its own quotient."""
        return -pow(self.prime, -1, 1 << FACTOR_BITS) % (1 << FACTOR_BITS)

    def reduced(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Clear the lower columns, one after the other."""
        row, prime, inverse = list(row), self.prime, self._inverse
        multiple = self._split((prime * inverse + 1) >> FACTOR_BITS)
        for at in range(self.limbs - (inverse != 1)):
            quotient, carry = self.split(builder, row[at], FACTOR_BITS)
            row[at + 1], _ = builder.add(row[at + 1], carry)
            self._add_multiple(builder, row, at + 1, quotient, multiple)
        if inverse != 1:
            self._clear_last(builder, row)
        return row[self.limbs :]

    def _clear_last(self, builder: LimbBuilder, row: list[int]) -> None:
        """Clear a column by a quotient that is a product modulo 2^52."""
        at, zero = self.limbs - 1, builder.constant(0)
        low, carry = self.split(builder, row[at], FACTOR_BITS)
        row[at] = low
        (quotient,) = builder.emit(FusedLow(zero, low, builder.constant(self._inverse)))
        self._add_multiple(builder, row, at, quotient, self._split(self.prime))
        _, above = self.split(builder, row[at], FACTOR_BITS)
        for value in (carry, above):
            row[at + 1], _ = builder.add(row[at + 1], value)

    def _add_multiple(
        self, builder: LimbBuilder, row: list[int], at: int, factor: int, limbs: list[int]
    ) -> None:
        for half in (0, 1):
            for index, limb in enumerate(limbs):
                self.fused(builder, row, at + index + half, factor, builder.constant(limb), half)
