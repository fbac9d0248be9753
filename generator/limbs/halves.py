"""Products on machines that multiply halves of words alone, and a builder that makes others of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs import units
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.operation import Operation
from efdgen.generator.limbs.operations import Mul, ShiftRight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.limbs.integers import Integers, T

_MOST_SHIFTS = 3


@dataclass(frozen=True, slots=True)
class HalfMul(Operation):
    """``left · right``, which fits a word; both factors are below 2^size, where size is at most half of w.

    The instruction ignores what is above: a factor that may be larger is refused.
    """

    left: int
    right: int
    size: int = 32

    reads, counted, unit = ("left", "right"), "product", units.SHORT_PRODUCT
    text, lanes = "exact({left} * {right}, {size})", "mul"

    @property
    def factors(self) -> tuple[int, ...]:
        """The values that are multiplied."""
        return self.left, self.right

    def meaning(self, n: Integers[T], of: Callable[[int], T]) -> tuple[T, ...]:
        """Return the product."""
        return (n.short(of(self.left), of(self.right), self.size),)


class HalvesBuilder(LimbBuilder):
    """A builder of programs in which every factor of a product has at most half the bits of a word."""

    def emit(self, operation: Operation) -> tuple[int, ...]:
        """Append an operation and return its results; a product that fits a word is made of others."""
        if isinstance(operation, Mul):
            return (self._product(operation.left, operation.right),)
        return super().emit(operation)

    def _product(self, left: int, right: int) -> int:
        half = self.word // 2
        for one, other in ((left, right), (right, left)):
            low, high = self.intervals[one]
            if low == high and low.bit_count() <= _MOST_SHIFTS:
                places = (at for at in range(low.bit_length()) if low >> at & 1)
                return self._sum(self.shift_left([other], at)[0] for at in places)
        for one, other in ((left, right), (right, left)):
            if self.intervals[one].high >> half:
                below, above = self._halves(one, half)
                upper, _ = self.mul(above, other)
                return self._sum(iter((self.mul(below, other)[0], self.shift_left([upper], half)[0])))
        return super().emit(HalfMul(left, right, half))[0]

    def _halves(self, value: int, half: int) -> tuple[int, int]:
        """Return the halves of a word; those of a known number are known."""
        low, high = self.intervals[value]
        if low == high:
            return self.constant(low & (1 << half) - 1), self.constant(low >> half)
        return self.low_bits(value, half), self.emit(ShiftRight(value, half))[0]

    def _sum(self, parts: Iterator[int]) -> int:
        """Return a sum of words, which fits one."""
        total = next(parts)
        for part in parts:
            total, _ = self.add(total, part)
        return total
