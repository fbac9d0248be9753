"""Bits that are 0, 1 or sums modulo 2 of symbols, words of them, and their operators in routines.

A symbol is a bit of a number, by the number's name and the bit's place. If an operator needs a bit's value
and it is not known, the proof decides it: each way is then followed by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.types import Integer
from efdgen.verify.symbols.forms import Form, combined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from efdgen.generator.routines.types import Type

Symbol: TypeAlias = tuple[str, int]
SIGN = -1  # the place of the bits of a negative number from its length on
_MOST = 2  # undecided symbols of a word on which there is arithmetic


@dataclass(frozen=True)
class Sum:
    """A sum modulo 2 of symbols, and of 1 if ``flipped``."""

    symbols: frozenset[Symbol]
    flipped: int = 0

    @property
    def single(self) -> Symbol:
        """The only symbol; raises :class:`RoutineError` if there are several."""
        if len(self.symbols) != 1:
            raise RoutineError("a sum modulo 2 of several bits counts as a number")
        (symbol,) = self.symbols
        return symbol


Bit: TypeAlias = int | Sum


def symbol_bit(symbol: Symbol) -> Sum:
    """Return a symbol as a bit."""
    return Sum(frozenset([symbol]))


def xor(one: Bit, other: Bit) -> Bit:
    """Return the sum of two bits modulo 2."""
    if isinstance(one, int) and isinstance(other, int):
        return one ^ other
    a = one if isinstance(one, Sum) else Sum(frozenset(), one)
    b = other if isinstance(other, Sum) else Sum(frozenset(), other)
    symbols, flipped = a.symbols ^ b.symbols, a.flipped ^ b.flipped
    return Sum(symbols, flipped) if symbols else flipped


def _chosen(one: Bit, other: Bit, absorbing: int) -> Bit:
    """Return ``and`` (0 absorbs) or ``or`` (1 absorbs) of bits of which one is known, or that are equal."""
    for a, b in ((one, other), (other, one)):
        if isinstance(a, int):
            return a if a == absorbing else b
    if one == other:
        return one
    raise RoutineError("two unknown bits meet in one")


_OPERATORS: dict[str, Callable[[Bit, Bit], Bit]] = {
    "^": xor,
    "&": lambda one, other: _chosen(one, other, 0),
    "|": lambda one, other: _chosen(one, other, 1),
}


@dataclass(frozen=True)
class Word:
    """A word of which some bit is a symbol: its bits, the lowest first, up to the highest that is not 0."""

    bits: tuple[Bit, ...]


def word(bits: Iterable[Bit]) -> int | Word:
    """Return the word of some bits: an integer if all of them are known."""
    found = tuple(bits)
    length = len(found)
    while length and found[length - 1] == 0:
        length -= 1
    found = found[:length]
    if any(isinstance(bit, Sum) for bit in found):
        return Word(found)
    return sum(bit << i for i, bit in enumerate(found) if isinstance(bit, int))


def bits_of(value: int | Word, size: int) -> list[Bit]:
    """Return the lowest bits of a word."""
    if isinstance(value, int):
        return [value >> i & 1 for i in range(size)]
    return [*value.bits[:size], *([0] * (size - len(value.bits)))]


def form_of_bit(bit: Bit) -> Form:
    """Return a bit as an integer form in its symbol."""
    if isinstance(bit, int):
        return {None: bit} if bit else {}
    return {bit.single: -1, None: 1} if bit.flipped else {bit.single: 1}


def form_of_word(value: int | Word) -> Form:
    """Return a word as an integer form in its bits."""
    if isinstance(value, int):
        return {None: value} if value else {}
    return combined(*((1 << i, form_of_bit(bit)) for i, bit in enumerate(value.bits)))


class Deciding(Protocol):
    """Known bits on one way of a proof."""

    def settled(self, bit: Bit) -> Bit:
        """Return a bit, given the known symbols."""

    def decide(self, symbol: Symbol) -> None:
        """Choose the value of a symbol on this way."""


class Bitwise(Integers):
    """Operators on words of symbols; sums of them are decided."""

    def __init__(self, facts: Deciding) -> None:
        self._facts = facts

    def known(self, value: Any) -> Any:  # noqa: ANN401 - words, integers, points
        """Return a value, given its known bits."""
        return word(map(self._facts.settled, value.bits)) if isinstance(value, Word) else value

    def decided(self, value: Any) -> int:  # noqa: ANN401 - a word or an integer
        """Return an integer that a word is, after its symbols were decided."""
        found = self.known(value)
        while isinstance(found, Word):
            symbols = {s for bit in found.bits if isinstance(bit, Sum) for s in bit.symbols}
            if len(symbols) > _MOST:
                raise RoutineError(f"arithmetic on a word of {len(symbols)} unknown bits")
            self._facts.decide(min(symbols))
            found = self.known(found)
        if not isinstance(found, int):
            raise RoutineError("a value is used of which nothing is known")
        return found

    def unary(self, operator: str, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator of a value that is decided."""
        return super().unary(operator, kind, self.decided(value))

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator bit by bit, or of values that are decided."""
        one, other = self.known(left), self.known(right)
        if isinstance(one, int) and isinstance(other, int):
            return super().binary(operator, kind, one, other)
        if isinstance(kind, Integer) and one is not None and other is not None:
            if operator in _OPERATORS:
                apply = _OPERATORS[operator]
                pairs = zip(bits_of(one, kind.bits), bits_of(other, kind.bits), strict=True)
                return self.known(word(apply(a, b) for a, b in pairs))
            if operator in ("<<", ">>") and isinstance(other, int):
                if not 0 <= other < kind.bits:
                    raise RoutineError(f"a shift by {other}")
                bits = bits_of(one, kind.bits)
                return word(bits[other:] if operator == ">>" else [0] * other + bits[: kind.bits - other])
        return super().binary(operator, kind, self.decided(one), self.decided(other))

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a word cut to the bits of another type."""
        found = self.known(value)
        if not isinstance(found, Word):
            return super().converted(kind, self.decided(found))
        return word(found.bits[: kind.bits]) if isinstance(kind, Integer) else found

    def mask(self, kind: Integer, bit: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return a mask of a bit that is decided."""
        return super().mask(kind, self.decided(bit))

    def public(self, value: Any) -> int:  # noqa: ANN401 - see Integers
        """Return an integer; one that depends on a scalar is decided."""
        return self.decided(value)
