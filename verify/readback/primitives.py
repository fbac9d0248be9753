"""Functions on one or two words, each with its limb operation, in C and in Rust.

This is a second opinion: it follows from C and Rust, and not from the table of operations, so that a wrong
spelling there is seen. Their own text is proved by :mod:`efdgen.verify.fields.helpers`. A name that is in no
table is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.readback.domain import Words
    from efdgen.verify.words.arithmetic import Arithmetic

Value = Any


class Primitives:
    """The primitives of a language, on the values of a domain."""

    def __init__(self, arithmetic: Arithmetic, domain: Words) -> None:
        self._arithmetic, self._values = arithmetic, domain.values
        self._word, self._wide = arithmetic.word, arithmetic.kinds["wide"]
        self._carry = arithmetic.kinds["carry"]

    def in_c(self) -> dict[str, Callable[..., Value]]:
        """Return the primitives of C, by their names without a prefix."""
        values = self._values
        return {
            "word_addc": lambda bit, a, b, r: self._stored(
                r, self._chain(values.add, values.carry, bit, a, b)
            ),
            "word_subb": lambda bit, a, b, r: self._stored(
                r, self._chain(values.sub, values.borrow, bit, a, b)
            ),
            "word_mul": self._mul,
            "word_shld": self._shld,
            "word_twice": self._twice,
            "word_mask": self._mask,
            "wide_of": lambda low, high: self._made(self._wide, values.pair(self.word(low), self.word(high))),
            "wide_low": lambda x: self._made(self._word, values.low(self._double(x))),
            "wide_high": lambda x: self._made(self._word, values.high(self._double(x))),
            "wide_shift": self._wide_shift,
            "wide_add": lambda x, y: self._sum((self._double(x), 1), (self._double(y), 1)),
            "wide_sub": lambda x, y: self._sum((self._double(x), 1), (self._double(y), -1)),
            "wide_add_word": lambda x, a: self._sum((self._double(x), 1), (values.widened(self.word(a)), 1)),
            "wide_mul": self._wide_mul,
            "wide_mac": self._wide_mac,
            "wide_mul_add2": self._wide_mul_add2,
            **self._polynomials("poly_sqr"),
        }

    def _polynomials(self, square: str) -> dict[str, Callable[..., Value]]:
        """Return the functions on polynomials over GF(2), which have the same names but for the square."""
        values, made = self._values, self._made
        return {
            "poly_low": lambda x: made(self._word, values.poly_low(self._double(x))),
            "poly_high": lambda x: made(self._word, values.poly_high(self._double(x))),
            "poly_add": lambda x, y: made(self._wide, values.exclusive(self._double(x), self._double(y))),
            "poly_mul": lambda a, b: made(self._wide, values.carryless(self.word(a), self.word(b))),
            square: lambda a: made(self._wide, values.carryless(self.word(a), self.word(a))),
        }

    def in_rust(self) -> dict[str, Callable[..., Value]]:
        """Return the primitives of Rust, and the conversions of its integers."""
        values = self._values
        return {
            "add_carry": lambda bit, a, b: self._pair(self._chain(values.add, values.carry, bit, a, b)),
            "sub_borrow": lambda bit, a, b: self._pair(self._chain(values.sub, values.borrow, bit, a, b)),
            "mul_wide": self._mul_wide,
            "wide_mul": self._wide_mul,
            "wide_mac": self._wide_mac,
            "wide_mul_add2": self._wide_mul_add2,
            "mask": self._mask,
            **self._polynomials("poly_square"),
            f"u{self._word.bits}::from": lambda a: self._made(self._word, self.word(a)),
            f"u{self._wide.bits}::from": lambda a: self._made(self._wide, values.widened(self.word(a))),
        }

    def word(self, value: Value) -> int:
        """Return the value of an argument that is a word, or a carry as a word."""
        if isinstance(value, Integer) and value.kind == self._carry:
            value = Integer(self._word, value.raw)
        raw: int = self._arithmetic.integer(self._word, value).raw
        return raw

    def _double(self, value: Value) -> int:
        if not isinstance(value, Integer) or value.kind != self._wide:
            raise NotFollowedError(f"{value} stands where a double word should")
        raw: int = value.raw
        return raw

    def _bit(self, value: Value) -> int:
        """Return a carry, or the literal 0; any other word would lose bits."""
        if isinstance(value, Integer) and value.kind == self._carry:
            raw: int = value.raw
            return raw
        if isinstance(value, Integer) or value != 0:
            raise NotFollowedError(f"{value} stands where a carry should")
        return self._values.zero

    @staticmethod
    def _made(kind: Any, raw: int) -> Integer:  # noqa: ANN401 - a Kind
        return Integer(kind, raw)

    def _sum(self, *parts: tuple[int, int]) -> Integer:
        return Integer(self._wide, self._values.combined(parts))

    def _product(self, a: Value, b: Value) -> int:
        return self._values.product(self.word(a), self.word(b))

    def _chain(
        self, low: Callable[..., int], high: Callable[..., int], bit: Value, a: Value, b: Value
    ) -> tuple[int, int]:
        given = self.word(a), self.word(b), self._bit(bit)
        return low(*given), high(*given)

    def _stored(self, place: Value, found: tuple[int, int]) -> Integer:
        place.write(Integer(self._word, found[0]))
        return Integer(self._carry, found[1])

    def _pair(self, found: tuple[int, int]) -> list[Integer]:
        return [Integer(self._word, found[0]), Integer(self._carry, found[1])]

    def _mul(self, a: Value, b: Value, high: Value) -> Integer:
        product = self._product(a, b)
        high.write(Integer(self._word, self._values.high(product)))
        return Integer(self._word, self._values.low(product))

    def _mul_wide(self, a: Value, b: Value) -> list[Integer]:
        product = self._product(a, b)
        halves = self._values.low(product), self._values.high(product)
        return [Integer(self._word, half) for half in halves]

    def _wide_mul(self, a: Value, b: Value) -> Integer:
        return self._sum((self._product(a, b), 1))

    def _wide_mac(self, x: Value, a: Value, b: Value) -> Integer:
        return self._sum((self._double(x), 1), (self._product(a, b), 1))

    def _wide_mul_add2(self, a: Value, b: Value, c: Value, d: Value) -> Integer:
        widened = [(self._values.widened(self.word(word)), 1) for word in (c, d)]
        return self._sum((self._product(a, b), 1), *widened)

    def _amount(self, amount: Value) -> int:
        found = self._arithmetic.plain(amount)
        if not 0 < found < self._word.bits:
            raise NotFollowedError(f"a word is shifted by {found}")
        return found

    def _shld(self, high: Value, low: Value, amount: Value) -> Integer:
        return Integer(self._word, self._values.funnel(self.word(high), self.word(low), self._amount(amount)))

    def _wide_shift(self, x: Value, amount: Value) -> Integer:
        double, by = self._double(x), self._amount(amount)
        low, high = self._values.low(double), self._values.high(double)
        return Integer(self._word, self._values.funnel(high, low, self._word.bits - by))

    def _twice(self, bit: Value, high: Value, low: Value, place: Value) -> Integer:
        """Double a word of a row: what comes in must be the highest bit of the word below."""
        values, top = self._values, self._word.bits - 1
        if self._bit(bit) != values.shifted(">>", self.word(low), top):
            raise NotFollowedError("the bit that comes in is not the highest of the word below")
        place.write(Integer(self._word, values.funnel(self.word(high), self.word(low), 1)))
        return Integer(self._carry, values.shifted(">>", self.word(high), top))

    def _mask(self, bit: Value) -> Integer:
        return Integer(self._word, self._values.negated(self.word(bit)))
