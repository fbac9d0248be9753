"""Intervals of values, derived from their defining operations alone."""

from __future__ import annotations

from typing import NamedTuple

from efdgen.generator.limbs.integers import Integers


class Interval(NamedTuple):
    """The integers from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __add__(self, other: Interval) -> Interval:  # type: ignore[override]
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __rshift__(self, amount: int) -> Interval:
        return Interval(self.low >> amount, self.high >> amount)

    def product(self, other: Interval) -> Interval:
        """Return the interval of products of what is in two intervals."""
        corners = [a * b for a in self for b in other]
        return Interval(min(corners), max(corners))


class Intervals(Integers[Interval]):
    """Intervals of results, by those of operands.

    An operation that must lose nothing is taken at its word: its interval is cut at the largest number that
    fits.
    """

    def input(self, number: str, index: int) -> Interval:
        """Return the interval of all words."""
        return Interval(0, (1 << self.word) - 1)

    def constant(self, value: int) -> Interval:
        """Return the interval of one integer."""
        return Interval(value, value)

    def sum(self, *parts: tuple[Interval, int]) -> Interval:
        """Return the interval of sums."""
        low = high = 0
        for (least, most), factor in parts:
            low += (least if factor > 0 else most) * factor
            high += (most if factor > 0 else least) * factor
        return Interval(low, high)

    def product(self, left: Interval, right: Interval) -> Interval:
        """Return the interval of products."""
        return left.product(right)

    def cut(self, value: Interval, amount: int) -> tuple[Interval, Interval]:
        """Return the intervals of ``value mod 2^amount`` and ``⌊value / 2^amount⌋``."""
        above = value >> amount
        if above.low == above.high:
            return Interval(value.low - (above.low << amount), value.high - (above.low << amount)), above
        return Interval(0, (1 << amount) - 1), above

    def bitwise(self, operator: str, left: Interval, right: Interval) -> Interval:
        """Return an interval from 0 on; results have no more bits than operands."""
        if operator == "&":
            return Interval(0, min(left.high, right.high))
        return Interval(0, (1 << max(left.high.bit_length(), right.high.bit_length())) - 1)

    def column(
        self, products: list[tuple[Interval, Interval]], added: list[tuple[Interval, Interval]]
    ) -> tuple[Interval, Interval]:
        """Return the intervals of both words, by the number of coefficients that the sum may have."""
        bits = [[value.high.bit_length() for value in pair] for pair in products]
        sizes = [left + right - 1 for left, right in bits if left and right]
        sizes += [self.pair(low, high).high.bit_length() for low, high in added]
        return self.halves(Interval(0, (1 << max(sizes, default=0)) - 1))

    def narrow(self, factor: Interval, bits: int) -> Interval:
        """Return the part of an interval below 2^bits."""
        return Interval(min(factor.low, (1 << bits) - 1), min(factor.high, (1 << bits) - 1))

    def fitting(self, exact: Interval, words: int = 1) -> Interval:
        """Return the part of an interval that fits."""
        largest = (1 << self.word * words) - 1
        return Interval(max(0, min(exact.low, largest)), min(exact.high, largest))

    def funnel(self, high: Interval, low: Interval, amount: int) -> Interval:
        """Return the interval of all words where top bits may be lost."""
        if high.high >> self.word - amount:
            return Interval(0, (1 << self.word) - 1)
        return super().funnel(high, low, amount)

    def select(self, bit: Interval, one: Interval, zero: Interval) -> Interval:
        """Return the interval of both."""
        return Interval(min(one.low, zero.low), max(one.high, zero.high))
