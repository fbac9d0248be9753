"""Operations on elements of GF(p), and on pairs of them, in symbolic execution."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from efdgen.verify.words.values import Bit

if TYPE_CHECKING:
    from collections.abc import Callable

Value = Any  # an element of whatever kind, a pair of them, a structure, a place


class Pair(NamedTuple):
    """An element c0 + c1·i of GF(p²)."""

    c0: Value
    c1: Value


class Arithmetic:
    """Operations on elements of GF(p), and on pairs of them; ``world`` computes with the former."""

    def __init__(self, world: Value, nonresidue: int | None) -> None:
        self.world = world
        self._nonresidue = nonresidue or 0

    def add(self, a: Value, b: Value) -> Value:
        """Return a + b."""
        return self._each(self.world.add, a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """Return a - b."""
        return self._each(self.world.sub, a, b)

    def times(self, a: Value, factor: int | Fraction) -> Value:
        """Return a multiple."""
        return self._each(lambda x: self.world.times(x, factor), a)

    def neg(self, a: Value) -> Value:
        """Return -a."""
        return self.times(a, -1)

    def half(self, a: Value) -> Value:
        """Return a/2."""
        return self.times(a, Fraction(1, 2))

    def mul(self, a: Value, b: Value) -> Value:
        """Return a·b."""
        if not isinstance(a, Pair):
            return self.world.mul(a, b)
        mul, add, times = self.world.mul, self.world.add, self.world.times
        low = add(mul(a.c0, b.c0), times(mul(a.c1, b.c1), self._nonresidue))
        return Pair(low, add(mul(a.c0, b.c1), mul(a.c1, b.c0)))

    def sqr(self, a: Value) -> Value:
        """Return a²."""
        return self.mul(a, a)

    def sqr_n(self, a: Value, count: int) -> Value:
        """Return a^(2^n)."""
        for _ in range(count):
            a = self.sqr(a)
        return a

    def chain(self, a: Value, count: int, b: Value) -> Value:
        """Return a^(2^n)·b."""
        return self.mul(self.sqr_n(a, count), b)

    def norm(self, a: Pair) -> Value:
        """Return the norm of a pair."""
        return self.mul(a, self.conj(a)).c0

    def conj(self, a: Pair) -> Pair:
        """Return the conjugate."""
        return Pair(a.c0, self.world.times(a.c1, -1))

    def inverse(self, a: Value) -> Value:
        """Return 1/a, and 0 of 0."""
        if isinstance(a, Pair):
            scale = self.world.inverse(self.norm(a))
            return Pair(*(self.world.mul(part, scale) for part in self.conj(a)))
        return self.world.inverse(a)

    def is_zero(self, a: Value) -> Bit:
        """Return whether a is 0."""
        if isinstance(a, Pair):
            first, second = self.world.is_zero(a.c0), self.world.is_zero(a.c1)
            return Bit(first and second)
        return Bit(self.world.is_zero(a))

    def equal(self, a: Value, b: Value) -> Value:
        """Return whether a = b."""
        return self.is_zero(self.sub(a, b)) if isinstance(a, Pair) else self.world.equal(a, b)

    def select(self, flag: Value, a: Value, b: Value) -> Value:
        """Return a where a flag is 1, b where it is 0."""
        return self._each(lambda x, y: self.world.select(flag, x, y), a, b)

    def is_square(self, a: Value) -> Bit:
        """Return whether a is a square."""
        return Bit(self.world.is_square(self.norm(a) if isinstance(a, Pair) else a))

    def inverse_root(self, a: Value) -> Value:
        """Return an inverse root of a square, 0 of 0."""
        return self.world.inverse_root(a)

    def root_of_square(self, a: Value) -> Value:
        """Return a root of a square: the square times an inverse root of it."""
        return self.mul(a, self.inverse_root(a))

    def sqrt_ratio_z(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Return whether a/b is a square, and a root of it, or of another number."""
        root = self.mul(a, self.inverse_root(self.mul(a, b)))
        return self.equal(self.mul(b, self.sqr(root)), a), root

    def trace(self, a: Value) -> int:
        """Return the trace of an element of a binary field."""
        trace: int = self.world.trace(a)
        return trace

    def solution(self, a: Value) -> Value:
        """Return a root of z² + z = a, an element of a binary field."""
        return self.world.solution(a)

    def even(self, a: Value) -> Value:
        """Return an element of a binary field without its constant coefficient."""
        return self.world.even(a)

    def vanishes(self, a: Value) -> bool:
        """Return whether a is 0 by what is known."""
        return all(map(self.world.vanishes, a)) if isinstance(a, Pair) else self.world.vanishes(a)

    def same(self, a: Value, b: Value) -> bool:
        """Return whether two elements are equal by what is known."""
        return type(a) is type(b) and self.vanishes(self.sub(a, b))

    def number(self, value: int, *, pair: bool = False) -> Value:
        """Return a number, as a pair or not."""
        found = self.world.constant(value)
        return Pair(found, self.world.constant(0)) if pair else found

    @staticmethod
    def _each(operation: Callable[..., Value], *values: Value) -> Value:
        if not isinstance(values[0], Pair):
            return operation(*values)
        return Pair(*(operation(*parts) for parts in zip(*values, strict=True)))
