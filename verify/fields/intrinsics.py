"""Integer semantics of the intrinsics of carries, borrows and products: the low word and the high one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.words.arithmetic import Arithmetic
from efdgen.verify.words.values import Integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.words.places import Variable
    from efdgen.verify.words.values import Domain

Value = Any

_SUMS = ("_addcarry_u64", "x86_64::_addcarry_u64", "__builtin_ia32_addcarryx_u64")
_DIFFERENCES = ("_subborrow_u64", "x86_64::_subborrow_u64", "__builtin_ia32_sbb_u64")


class Intrinsics:
    """Intrinsics for words of a size, on whatever a domain computes with."""

    def __init__(self, language: str, word: int, domain: Domain) -> None:
        self._arithmetic = Arithmetic(language, word, domain)
        self._double = self._arithmetic.kinds["wide"]

    def routines(self) -> dict[str, Callable[..., Value]]:
        """Return the intrinsics by their names, in C and in Rust."""
        return {
            **dict.fromkeys(_SUMS, self._chained("+")),
            **dict.fromkeys(_DIFFERENCES, self._chained("-")),
            **dict.fromkeys(("u64::from", "u128::from"), self._widened),
            "_umul128": self._product,
            "umaal": self._product_and_words,
            "__builtin_addcll": self._built_in("+"),
            "__builtin_subcll": self._built_in("-"),
        }

    def _widened(self, value: Value) -> Integer:
        """Return a word, or a literal, as an integer of two words."""
        a = self._arithmetic
        return (
            a.converted(value, self._double) if isinstance(value, Integer) else a.integer(self._double, value)
        )

    def _split(self, sign: str, *values: Value) -> tuple[Integer, Integer]:
        """Return both words of what an operator makes of words, from left to right."""
        a, (found, *others) = self._arithmetic, map(self._widened, values)
        for other in others:
            found = a.binary(sign, found, other, wraps=True)
        return a.converted(found, a.word), a.converted(a.binary(">>", found, a.word.bits), a.word)

    def _chained(self, sign: str) -> Callable[..., Integer]:
        def call(carry: Value, x: Value, y: Value, place: Variable) -> Integer:
            low, high = self._split(sign, x, y, carry)
            place.write(low)
            return self._arithmetic.converted(self._lowest(high), self._arithmetic.kinds["carry"])

        return call

    def _built_in(self, sign: str) -> Callable[..., Integer]:
        def call(x: Value, y: Value, carry: Value, place: Variable) -> Integer:
            low, high = self._split(sign, x, y, carry)
            place.write(self._lowest(high))
            return low

        return call

    def _product_and_words(self, low: Variable, high: Variable, x: Value, y: Value) -> None:
        """Leave both words of x·y + low + high, which are less than 2^64 together, as Arm's UMAAL does."""
        a = self._arithmetic
        found = a.binary("*", self._widened(x), self._widened(y), wraps=True)
        for place in (low, high):
            found = a.binary("+", found, self._widened(place.read()), wraps=True)
        low.write(a.converted(found, a.word))
        high.write(a.converted(a.binary(">>", found, a.word.bits), a.word))

    def _lowest(self, word: Integer) -> Integer:
        """Return the lowest bit: a carry, or a borrow of a difference that is negative."""
        found: Integer = self._arithmetic.binary("&", word, 1)
        return found

    def _product(self, x: Value, y: Value, place: Variable) -> Integer:
        low, high = self._split("*", x, y)
        place.write(high)
        return low
