"""Kinds of integers: all that the meaning of an operation on words is made of.

An operation states its results once, by the methods of :class:`Integers`. Python's integers, intervals,
polynomials, Z3's terms, sums over GF(2) and the values of a printed text are kinds, each in its own module.
"""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class UnknownError(Exception):
    """An operation on integers that a kind of them does not have."""


class Integers(Generic[T]):
    """Integers of one kind, beside words of ``word`` bits.

    Sums, products, cuts and bits are a kind's own; the rest follows from these, unless a kind does it better.
    """

    def __init__(self, word: int) -> None:
        self.word = word

    def input(self, number: str, index: int) -> T:
        """Return a word of the input that is called ``number``."""
        raise UnknownError

    def constant(self, value: int) -> T:
        """Return a known integer."""
        raise UnknownError

    def sum(self, *parts: tuple[T, int]) -> T:
        """Return a sum of integers, each times a known factor."""
        raise UnknownError

    def product(self, left: T, right: T) -> T:
        """Return a product."""
        raise UnknownError

    def cut(self, value: T, amount: int) -> tuple[T, T]:
        """Return ``value mod 2^amount`` and ``⌊value / 2^amount⌋``."""
        raise UnknownError

    def bitwise(self, operator: str, left: T, right: T) -> T:
        """Return ``&``, ``|`` or ``^`` of two words."""
        raise UnknownError

    def column(self, products: list[tuple[T, T]], added: list[tuple[T, T]]) -> tuple[T, T]:
        """Return both words of a sum over GF(2): of products, and of polynomials by their words."""
        raise UnknownError

    def fitting(self, exact: T, words: int = 1) -> T:
        """Return an integer that has to fit some words, which a kind may check."""
        return exact

    def narrow(self, factor: T, bits: int) -> T:
        """Return an integer that has to be below 2^bits, which a kind may check."""
        return factor

    def fused(self, added: T, left: T, right: T, bits: int, half: int) -> T:
        """Return a word and one half of a product added: ``mod 2^bits``, or what is above.

        Both factors have to be below 2^bits, and the sum has to fit a word.
        """
        product = self.product(self.narrow(left, bits), self.narrow(right, bits))
        return self.fitting(self.sum((added, 1), (self.cut(product, bits)[half], 1)))

    def short(self, left: T, right: T, bits: int) -> T:
        """Return a product that fits a word; both factors have to be below 2^bits, which is half of one."""
        return self.fitting(self.product(self.narrow(left, bits), self.narrow(right, bits)))

    def halves(self, total: T) -> tuple[T, T]:
        """Return ``total mod 2^w`` and ``⌊total / 2^w⌋``."""
        return self.cut(total, self.word)

    def low(self, total: T) -> T:
        """Return ``total mod 2^w``."""
        return self.cut(total, self.word)[0]

    def pair(self, low: T, high: T) -> T:
        """Return ``low + 2^w·high``."""
        return self.sum((low, 1), (high, 1 << self.word))

    def chained(self, sign: int, left: T, right: T, bit: T | None) -> tuple[T, T]:
        """Return ``left ± (right + bit)`` modulo 2^w, and the carry or the borrow."""
        low, high = self.halves(self.chain(sign, left, right, bit))
        return low, high if sign == 1 else self.sum((high, -1))

    def chain(self, sign: int, left: T, right: T, bit: T | None) -> T:
        """Return ``left ± (right + bit)``."""
        return self.sum((left, 1), (right, sign), *([] if bit is None else [(bit, sign)]))

    def shifted_left(self, value: T, amount: int) -> T:
        """Return ``value · 2^amount``, which has to fit a word."""
        return self.fitting(self.sum((value, 1 << amount)))

    def shifted_right(self, value: T, amount: int) -> T:
        """Return ``⌊value / 2^amount⌋``."""
        return self.cut(value, amount)[1]

    def funnel(self, high: T, low: T, amount: int) -> T:
        """Return the high word of ``(high·2^w + low) · 2^amount`` modulo 2^(2w)."""
        kept, _ = self.cut(high, self.word - amount)
        _, brought = self.cut(low, self.word - amount)
        return self.sum((brought, 1), (kept, 1 << amount))

    def select(self, bit: T, one: T, zero: T) -> T:
        """Return ``one`` where ``bit`` is 1, ``zero`` where it is 0."""
        return self.sum((zero, 1), (self.product(bit, self.sum((one, 1), (zero, -1))), 1))
