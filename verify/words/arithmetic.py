"""Operators and casts of machine integers, by the rules of C or of Rust."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from efdgen.verify.words.places import Element, Variable, View
from efdgen.verify.words.values import (
    COMPARED,
    Bit,
    DependsOnDataError,
    Integer,
    Kind,
    NotFollowedError,
    exactly,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.verify.words.values import Domain

Value = Any  # an Integer, an integer, a truth value, a list of values, a place, a structure, a closure

_INT_BITS = 31
_COUNTERS = ("int", "unsigned", "size_t", "usize", "u32", "u8", "bool")

# Types of integers; only some are types of words.
_NUMBER = re.compile(r"(?:volatile )?(?:u?int\d+_t|[ui]\d+|int|unsigned|size_t|[ui]size)")


class Arithmetic:
    """Types by their names, with words of a size, and what is done with values of them in a language."""

    def __init__(
        self,
        language: str,
        word: int,
        domain: Domain,
        structures: Mapping[str, Callable[[], dict[str, Value]]] | None = None,
    ) -> None:
        self.domain = domain
        self._structures = dict(structures or {})
        self.word = Kind(word, signed=False)
        self.signed = Kind(word, signed=True)
        self._language = language
        double, unsigned = Kind(2 * word, signed=True), Kind(2 * word, signed=False)
        self.kinds = {
            **dict.fromkeys(("word", "Word", f"uint{word}_t"), self.word),
            **dict.fromkeys(("signed", "Signed", f"int{word}_t"), self.signed),
            **dict.fromkeys(("sum", "Sum", "__int128" if word == 64 else "int64_t"), double),
            "uint8_t": Kind(8, signed=False),
            "carry": self.word if (language, word) == ("c", 32) else Kind(8, signed=False),
            **dict.fromkeys(("wide", "poly", f"uint{2 * word}_t", f"u{2 * word}"), unsigned),
            f"u{word}": self.word,
        }
        for name in self._structures:
            self.kinds.pop(name, None)

    def integer(self, kind: Kind, value: Value) -> Integer:
        """Return a value of a type, which it must have already unless it is a literal."""
        if isinstance(value, Integer):
            if self._language == "c" and not value.kind.signed and value.kind.bits < kind.bits:
                return self.converted(value, kind)
            if value.kind != kind:
                raise NotFollowedError(f"{value.kind} stands where {kind} should")
            return value
        if not isinstance(value, int) or not kind.least <= value <= kind.most:
            raise NotFollowedError(f"{value} does not fit {kind}")
        return Integer(kind, self.domain.constant(int(value), kind))

    def plain(self, value: Value) -> int:
        """Return a value that must not depend on data."""
        if isinstance(value, Bit):
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return self.domain.plain(value.raw) if isinstance(value, Integer) else int(value)

    def binary(self, sign: str, left: Value, right: Value, wraps: bool | None = None) -> Value:
        """Return what an operator makes of two values; C's unsigned integers wrap, and none else."""
        if sign == "+" and isinstance(left, list | View):
            return View(left, right, len(left) - right)
        if not isinstance(left, Integer) and not isinstance(right, Integer):
            return self._compared(sign, left, right) if sign in COMPARED else self._counter(sign, left, right)
        if sign in ("<<", ">>"):
            return self._shifted(sign, left, right)
        if self._language == "c" and isinstance(left, Integer) and isinstance(right, Integer):
            left, right = self._promoted(left, right), self._promoted(right, left)
        kind = left.kind if isinstance(left, Integer) else right.kind
        a, b = self.integer(kind, left).raw, self.integer(kind, right).raw
        if sign in COMPARED:
            return self.domain.compare(sign, a, b, kind)
        if wraps is None:
            wraps = self._language == "c" and not kind.signed
        return Integer(kind, self.domain.binary(sign, a, b, kind, wraps))

    def _counter(self, sign: str, left: Value, right: Value) -> Value:
        """Return what an operator makes of two counters or literals, which C has as an int."""
        found = exactly(sign, left, right)
        if self._language == "c" and isinstance(found, int) and found.bit_length() > _INT_BITS:
            raise NotFollowedError(f"{found} does not fit an int")
        return found

    @staticmethod
    def _compared(sign: str, left: Value, right: Value) -> bool:
        """Compare counters; what depends on data is not compared."""
        for value in (left, right):
            if isinstance(value, Bit) or not isinstance(value, int):
                raise DependsOnDataError("a branch, an index or a shift depends on data")
        return COMPARED[sign](left, right)

    def _shifted(self, sign: str, left: Value, right: Value) -> Value:
        if not isinstance(left, Integer):
            return self._counter(sign, left, self.plain(right))
        amount = self.domain.amount(right.raw) if isinstance(right, Integer) else right
        if isinstance(amount, int) and not 0 <= amount < left.kind.bits:
            raise NotFollowedError(f"a word is shifted by {amount}")
        return Integer(left.kind, self.domain.shift(sign, left.raw, amount, left.kind))

    def _promoted(self, value: Integer, other: Integer) -> Integer:
        """Return an integer in the wider one of two types, where that has its value."""
        wider = other.kind.bits > value.kind.bits and (other.kind.signed or not value.kind.signed)
        return self.converted(value, other.kind) if wider else value

    def widened(self, value: Value) -> Integer:
        """Return a signed word, or a literal, as a sum."""
        kind = self.kinds["Sum"]
        return self.converted(value, kind) if isinstance(value, Integer) else self.integer(kind, value)

    def converted(self, value: Integer, kind: Kind) -> Integer:
        """Return what is congruent in another type."""
        return (
            value if value.kind == kind else Integer(kind, self.domain.convert(value.raw, value.kind, kind))
        )

    def cast(self, name: str, value: Value) -> Value:
        """Return a value in the type of a name."""
        if name == "void":
            return None
        if name in _COUNTERS:
            return self._counted(value, Kind(32, signed=name == "int"))
        kind = self.kinds[name]
        if isinstance(value, Integer):
            return self.converted(value, kind)
        if isinstance(value, Bit):
            return Integer(kind, value)
        return Integer(kind, self.domain.constant(kind.wrapped(int(value)), kind))

    def _counted(self, value: Value, kind: Kind) -> Value:
        """Return a value as a counter, which depends on data if it did before."""
        try:
            return self.plain(value)
        except DependsOnDataError:
            return value if isinstance(value, Bit) else self.converted(value, kind)

    def typed(self, name: str | None, value: Value) -> Value:
        """Return a value as something of a type is declared with it."""
        if name in self._structures and isinstance(value, list):
            return self._filled(self._structures[name](), value)
        kind = self.kinds.get((name or "").removeprefix("volatile "))
        if kind is None or isinstance(value, Variable | Element):
            return value
        return (
            [self.typed(name, item) for item in value]
            if isinstance(value, list)
            else self.integer(kind, value)
        )

    def declared(self, name: str | None, value: Value) -> Value:
        """Return a value as a variable of a type; another type than those of words may lose a part."""
        numbers = value if isinstance(value, list) else [value]
        if name is not None and _NUMBER.fullmatch(name) and name not in self.kinds:
            kind = Kind(32, signed=name == "int")
            for number in numbers:
                if name not in _COUNTERS or (isinstance(number, Integer) and number.kind != kind):
                    raise NotFollowedError(f"{number} stands where {name} should")
        return self.typed(name, value)

    def structure(self, name: str | None) -> Value:
        """Return what is declared as something of a type, without a value: a structure, or nothing yet."""
        return self._structures[name]() if name in self._structures else None

    def _filled(self, place: dict[str, Value], values: list[Value]) -> dict[str, Value]:
        """Return a structure with values as they are in braces."""
        for name, value in zip(place, values, strict=True):
            place[name] = self._filled(place[name], value) if isinstance(place[name], dict) else value
        return place

    def wrapping(self, name: str, left: Value, *right: Value) -> Value:
        """Return what one of Rust's operations does that wrap: as in C, signed integers must not.

        Rust's plain operators may be checked, and a check of secrets is a branch.
        """
        one, other = (0, left) if name == "neg" else (left, right[0])
        sign = {"add": "+", "sub": "-", "mul": "*", "neg": "-"}[name]
        signed = [value.kind.signed for value in (one, other) if isinstance(value, Integer)]
        return self.binary(sign, one, other, wraps=not any(signed))
