"""Intervals of values, derived from their defining operations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from efdgen.generator.limbs.operations import (
    Add,
    And,
    CarrylessDot,
    Constant,
    Dot,
    Funnel,
    Mul,
    MulLow,
    MulWide,
    Or,
    Select,
    ShiftLeft,
    ShiftRight,
    Sub,
    Word,
    Xor,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.limbs.operations import DoubleWord, Operation


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


def interval_rule(operation: Operation, word: int, of: Callable[[int], Interval]) -> tuple[Interval, ...]:
    """Return an interval for each result of an operation, given those of its operands.

    ``word`` is the number of bits of a word. An operation that must lose nothing is taken at its word: its
    interval is cut at the largest number that fits.
    """
    largest = (1 << word) - 1
    match operation:
        case Word():
            return (Interval(0, largest),)
        case Constant(value):
            return (Interval(value, value),)
        case MulWide(left, right):
            return _split(of(left).product(of(right)), word)
        case Dot():
            low, high = _split(dot_total(operation, word, of), word)
            return low, _fitting(high, largest)
        case CarrylessDot():
            return _split(Interval(0, (1 << dot_bits(operation, word, of)) - 1), word)
        case MulLow(left, right):
            return _split(of(left).product(of(right)), word)[:1]
        case Mul(left, right):
            return (_fitting(of(left).product(of(right)), largest),)
        case Add(left, right, carry):
            return _split(of(left) + of(right) + (Interval(0, 0) if carry is None else of(carry)), word)
        case Sub(left, right, borrow):
            low, high = _split(
                of(left) - of(right) - (Interval(0, 0) if borrow is None else of(borrow)), word
            )
            return low, Interval(-high.high, -high.low)
        case And(left, right):
            return (Interval(0, min(of(left).high, of(right).high)),)
        case Or(left, right) | Xor(left, right):
            return (Interval(0, (1 << max(of(left).high.bit_length(), of(right).high.bit_length())) - 1),)
        case ShiftLeft(value, amount):
            return (_fitting(of(value).product(Interval(1 << amount, 1 << amount)), largest),)
        case ShiftRight(value, amount):
            return (of(value) >> amount,)
        case Funnel(high, low, amount):
            brought = of(low) >> word - amount
            if of(high).high >> word - amount:
                return (Interval(0, largest),)
            return (of(high).product(Interval(1 << amount, 1 << amount)) + brought,)
        case Select(_, one, zero):
            return (Interval(min(of(one).low, of(zero).low), max(of(one).high, of(zero).high)),)
        case _:
            assert_never(operation)


def dot_total(operation: Dot, word: int, of: Callable[[int], Interval]) -> Interval:
    """Return the interval of a whole sum of products."""

    def double(pair: DoubleWord) -> Interval:
        low, high = of(pair[0]), of(pair[1])
        return Interval(low.low + (high.low << word), low.high + (high.high << word))

    total = sum((of(left).product(of(right)) for left, right in operation.products), Interval(0, 0))
    for pair in operation.added:
        total += double(pair)
    for pair in operation.subtracted:
        total -= double(pair)
    return total


def dot_bits(operation: CarrylessDot, word: int, of: Callable[[int], Interval]) -> int:
    """Return how many coefficients a whole sum of carry-less products may have."""

    def bits(value: int) -> int:
        return of(value).high.bit_length()

    products = ((bits(left), bits(right)) for left, right in operation.products)
    added = (word + bits(high) if bits(high) else bits(low) for low, high in operation.added)
    return max((*(left + right - 1 for left, right in products if left and right), *added), default=0)


def _split(total: Interval, word: int) -> tuple[Interval, Interval]:
    """Return the intervals of ``total mod 2^w`` and ``⌊total / 2^w⌋``."""
    high = total >> word
    if high.low == high.high:
        return Interval(total.low - (high.low << word), total.high - (high.low << word)), high
    return Interval(0, (1 << word) - 1), high


def _fitting(exact: Interval, largest: int) -> Interval:
    return Interval(max(0, min(exact.low, largest)), min(exact.high, largest))
