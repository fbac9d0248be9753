"""Machine integers, and the interface of a domain that follows a routine on them."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Protocol

COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}

Raw = Any  # a domain's value: an integer, a term, a polynomial


class Kind(NamedTuple):
    """The type of a machine integer."""

    bits: int
    signed: bool

    @property
    def least(self) -> int:
        """The least value."""
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def most(self) -> int:
        """The largest value."""
        return (1 << self.bits - self.signed) - 1

    def wrapped(self, value: int) -> int:
        """Return the value that is congruent to an integer modulo 2^bits."""
        return (value - self.least) % (1 << self.bits) + self.least


@dataclass(frozen=True)
class Integer:
    """A machine integer; counters and literals are Python's own integers."""

    kind: Kind
    raw: Raw


class NotFollowedError(ValueError):
    """An action of a routine that is not understood, or not allowed, such as an overflow."""


class DependsOnDataError(NotFollowedError):
    """A branch, an index, a number of turns or an amount of a shift that depends on data."""


class Bit(int):
    """A bit that is known while a routine is followed, but depends on data: no branch may ask for it."""

    def __and__(self, other: int) -> Bit:
        return Bit(int(self) & int(other))

    def __or__(self, other: int) -> Bit:
        return Bit(int(self) | int(other))

    def __xor__(self, other: int) -> Bit:
        return Bit(int(self) ^ int(other))

    def _refuse(self, _: int) -> NoReturn:
        raise DependsOnDataError("a branch, an index or a shift depends on data")

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __lshift__ = __rlshift__ = _refuse


class Domain(Protocol):
    """The arithmetic of machine integers.

    A result of an operation that does not wrap (``wraps``) fits its type, which is required or to be proved.
    """

    def constant(self, value: int, kind: Kind) -> Raw:
        """Return an integer that fits its type."""

    def binary(self, operator: str, a: Raw, b: Raw, kind: Kind, wraps: bool) -> Raw:
        """Return ``+``, ``-``, ``*``, ``&``, ``|`` or ``^`` of two integers of one type."""

    def shift(self, operator: str, a: Raw, amount: Raw, kind: Kind) -> Raw:
        """Return an integer shifted to the left, bits lost, or to the right, by its sign if it has one."""

    def convert(self, a: Raw, source: Kind, target: Kind) -> Raw:
        """Return what is congruent in another type."""

    def plain(self, a: Raw) -> int:
        """Return an integer that all data agree on, or raise :class:`DependsOnDataError`."""

    def amount(self, a: Raw) -> Raw:
        """Return by how much is shifted."""

    def compare(self, operator: str, a: Raw, b: Raw, kind: Kind) -> bool:
        """Return whether a comparison of two integers of one type holds."""


class Known(ABC):
    """A domain whose integers are known, or for which no question may be asked."""

    @abstractmethod
    def plain(self, a: Raw) -> int:
        """Return an integer that all data agree on, or raise :class:`DependsOnDataError`."""

    def amount(self, a: Raw) -> Raw:
        """Return by how much is shifted, which must be known."""
        return self.plain(a)

    def compare(self, operator: str, a: Raw, b: Raw, kind: Kind) -> bool:
        """Return whether a comparison holds of two integers, which must be known."""
        return COMPARED[operator](self.plain(a), self.plain(b))


class Plain(Known):
    """Python's integers: routines are run."""

    def constant(self, value: int, kind: Kind) -> Raw:
        """Return an integer that fits its type."""
        return value

    def binary(self, operator: str, a: Raw, b: Raw, kind: Kind, wraps: bool) -> Raw:
        """Return ``+``, ``-``, ``*``, ``&``, ``|`` or ``^`` of two integers of one type."""
        exact = exactly(operator, a, b)
        value = kind.wrapped(exact)
        if value != exact and not wraps:
            raise NotFollowedError(f"{a} {operator} {b} overflows")
        return value

    def shift(self, operator: str, a: Raw, amount: Raw, kind: Kind) -> Raw:
        """Return an integer shifted to the left, bits lost, or to the right, by its sign if it has one."""
        return kind.wrapped(a << amount) if operator == "<<" else a >> amount

    def convert(self, a: Raw, source: Kind, target: Kind) -> Raw:
        """Return what is congruent in another type."""
        return target.wrapped(a)

    def plain(self, a: Raw) -> int:
        """Return the integer, unless that is a bit that depends on data."""
        if isinstance(a, Bit):
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return int(a)


class Secret(Known):
    """Integers of which nothing is known: whatever depends on them is an error, and nothing else is."""

    def constant(self, value: int, kind: Kind) -> Raw:
        """Return nothing."""

    def binary(self, operator: str, a: Raw, b: Raw, kind: Kind, wraps: bool) -> Raw:
        """Return nothing."""

    def shift(self, operator: str, a: Raw, amount: Raw, kind: Kind) -> Raw:
        """Return nothing."""

    def convert(self, a: Raw, source: Kind, target: Kind) -> Raw:
        """Return nothing."""

    def plain(self, a: Raw) -> int:
        """Raise :class:`DependsOnDataError`."""
        raise DependsOnDataError("a branch, an index or a shift depends on data")


def exactly(operator: str, a: int, b: int) -> int:
    """Return the exact result of an operator on two integers, division rounding down."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a // b
        case "%":
            return a % b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<":
            return a << b
        case ">>":
            return a >> b
        case _:
            raise NotFollowedError(f"there is no operator {operator}")
