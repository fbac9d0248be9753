"""Facts of one way through a routine: decided bits, and numbers of several words with their ranges.

A number is an integer in two's complement, which fills an array of words. Its words have bits of their own;
what it is, is a linear form in what it was made of. Ranges result from independent symbols, and from
numbers that differ by a constant.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.symbols.bits import SIGN, Sum, Word, bits_of, form_of_bit, symbol_bit, word, xor
from efdgen.verify.symbols.forms import combined, constant
from efdgen.verify.symbols.forms import number as constant_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.verify.symbols.bits import Bit, Symbol
    from efdgen.verify.symbols.forms import Form, Rational

WORD = 32


class DeadError(Exception):
    """No scalar takes this way."""


@dataclass
class Number:
    """An integer of several words: its form, its range, and its bits below ``length``; the sign follows them.

    ``low`` and ``high`` are narrowed by decisions.
    """

    name: str
    form: Form
    low: int
    high: int
    words: int
    length: int
    bits: tuple[Bit, ...]
    sign: Bit

    def value(self) -> list[int | Word]:
        """Return the words."""
        every = [*self.bits, *([self.sign] * (WORD * self.words - self.length))]
        return [word(every[WORD * i : WORD * i + WORD]) for i in range(self.words)]


@dataclass
class Facts:
    """Facts of one way; ``decisions`` choose it, and are extended where a new one is needed."""

    decisions: list[int] = field(default_factory=list)
    known: dict[Symbol, int] = field(default_factory=dict)
    numbers: dict[str, Number] = field(default_factory=dict)
    limits: dict[str, tuple[int, int]] = field(default_factory=dict)
    rounded: dict[str, Form] = field(default_factory=dict)
    """The forms of quotients over rational numbers."""
    cases: list[str] = field(default_factory=list)
    """The decisions in words."""
    _taken: int = 0
    _words: dict[tuple[int | Word, ...], Number] = field(default_factory=dict)

    def choose(self, statement: str) -> int:
        """Return whether a statement holds on this way; first it does not."""
        if self._taken == len(self.decisions):
            self.decisions.append(0)
        found = self.decisions[self._taken]
        self._taken += 1
        self.cases.append(statement if found else f"not {statement}")
        return found

    def decide(self, symbol: Symbol) -> None:
        """Choose the value of a bit; a sign, and the top bit, limit their number."""
        name, place = symbol
        self._assume(symbol, self.choose(f"{name} < 0" if place == SIGN else f"bit {place} of {name} set"))

    def _assume(self, symbol: Symbol, value: int) -> None:
        self.known[symbol] = value
        number, place = self.numbers.get(symbol[0]), symbol[1]
        if number is None:
            return
        if place == SIGN:
            ends = (number.low, -1) if value else (0, number.high)
        elif place == number.length - 1 and number.low >= 0:
            ends = (1 << place, number.high) if value else (number.low, (1 << place) - 1)
        else:
            return
        number.low, number.high = max(number.low, ends[0]), min(number.high, ends[1])
        if number.low > number.high:
            raise DeadError

    @contextmanager
    def assuming(self, symbol: Symbol, value: int) -> Iterator[None]:
        """Take a bit for known; raise :class:`DeadError` if it cannot have this value."""
        number = self.numbers[symbol[0]]
        before = number.low, number.high
        try:
            self._assume(symbol, value)
            yield
        finally:
            del self.known[symbol]
            number.low, number.high = before

    def settled(self, bit: Bit) -> Bit:
        """Return a bit, given the decisions."""
        if isinstance(bit, Sum) and self.known:
            for symbol in bit.symbols & self.known.keys():
                bit = xor(bit, xor(symbol_bit(symbol), self.known[symbol]))
        return bit

    def symbol(self, stem: str, low: int, high: int) -> str:
        """Return a new integer within limits."""
        name = f"{stem}{len(self.limits)}"
        self.limits[name] = low, high
        return name

    def quotient(self, form: Form, divisor: int) -> Form:
        """Return the quotient of a form, rounded down, as a form in a new integer."""
        low, high = self.range(form)
        name = self.symbol("quotient", low // divisor, high // divisor)
        rest = self.symbol("rest", 0, divisor - 1)
        self.rounded[name] = {
            s: Fraction(c) / divisor for s, c in combined((1, form), (-1, {rest: 1})).items()
        }
        return {name: 1}

    def make(
        self,
        stem: str,
        words: int,
        form: Form,
        limits: tuple[int, int] | None = None,
        low_bit: Bit | None = None,
    ) -> Number:
        """Return a number of a form, within limits if some are known; raise if it may not fit its words."""
        name = f"{stem}{len(self.numbers)}"
        low, high = self.range(form) if limits is None else limits
        if not -(1 << WORD * words - 1) <= low <= high < 1 << WORD * words - 1:
            raise RoutineError(f"a number up to {max(high, -low).bit_length()} bits in {words} words")
        length = max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0, 1)
        bits: list[Bit] = [symbol_bit((name, i)) for i in range(length)]
        if low_bit is not None:
            bits[0] = low_bit
        sign: Bit = symbol_bit((name, SIGN)) if low < 0 <= high else int(high < 0)
        found = Number(name, form, low, high, words, length, tuple(bits), sign)
        self.numbers[name] = found
        self._words[tuple(found.value())] = found
        return found

    def constant(self, value: int, words: int) -> Number:
        """Return an integer as a number."""
        if not -(1 << WORD * words - 1) <= value < 1 << WORD * words - 1:
            raise RoutineError(f"{value} in {words} words")
        bits = tuple(value >> i & 1 for i in range(WORD * words))
        return Number("", constant_form(value), value, value, words, WORD * words, bits, int(value < 0))

    def number(self, words: Sequence[int | Word]) -> Number:
        """Return the number that some words are."""
        if None in words:
            raise RoutineError("a number is read of which a word was never written")
        if all(isinstance(w, int) for w in words):
            size = WORD * len(words)
            value = sum(w << WORD * i for i, w in enumerate(words) if isinstance(w, int))
            return self.constant(value - (1 << size) * (value >> size - 1), len(words))
        found = self._words.get(tuple(words))
        if found is None:
            bits = self._settled(words)
            found = next((n for n in self.numbers.values() if self._settled(n.value()) == bits), None)
        if found is None:
            raise RoutineError("these words are no number that is known")
        return found

    def _settled(self, words: Sequence[int | Word]) -> list[Bit]:
        return [self.settled(bit) for item in words for bit in bits_of(item, WORD)]

    def bit_form(self, bit: Bit) -> Form:
        """Return a bit as a form, given the decisions."""
        return form_of_bit(self.settled(bit))

    def form_in_bits(self, number: Number) -> Form:
        """Return a number as a form in its bits."""
        parts = [(1 << i, self.bit_form(bit)) for i, bit in enumerate(number.bits)]
        return combined(*parts, (-1 << number.length, self.bit_form(number.sign)))

    def range(self, form: Form) -> tuple[int, int]:
        """Return the least and the greatest integer that a form can be."""
        low, high = self._interval(form)
        for number in self.numbers.values():
            for sign in (1, -1):
                rest = constant(self.exact(combined((1, form), (-sign, number.form))))
                if rest is not None:
                    ends = sorted((rest + sign * number.low, rest + sign * number.high))
                    low, high = max(low, ends[0]), min(high, ends[1])
        if low > high:
            raise DeadError
        return ceil(low), floor(high)

    def exact(self, form: Form) -> Form:
        """Return a form in which decided bits are numbers."""
        known = {s: self.known[s] for s in form if isinstance(s, tuple) and s in self.known}
        if not known:
            return form
        return combined(
            (1, {s: c for s, c in form.items() if s not in known}),
            (1, {None: sum(form[s] * value for s, value in known.items())}),
        )

    def _interval(self, form: Form) -> tuple[Rational, Rational]:
        form = self.exact(form)
        for name in reversed(self.rounded):
            if name in form:
                rest = {symbol: value for symbol, value in form.items() if symbol != name}
                form = combined((1, rest), (form[name], self.rounded[name]))
        low = high = form.get(None, 0)
        for symbol, times in form.items():
            if symbol is not None:
                least, most = self.limits.get(symbol, (0, 1)) if isinstance(symbol, str) else (0, 1)
                ends = sorted((times * least, times * most))
                low, high = low + ends[0], high + ends[1]
        return low, high
