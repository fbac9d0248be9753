"""The operations of a limb program on words of w bits, each defined on integers or on polynomials over GF(2).

Some operations have two results, the low word first: a product or a sum of products and its high word, a
sum or a difference and its carry or borrow, which is a bit. No other operation loses anything, but those that
say so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, TypeAlias, assert_never


@dataclass(frozen=True, slots=True)
class Word:
    """Word number ``index`` of the input that is called ``number``."""

    number: str
    index: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number in [0, 2^w)."""

    value: int


@dataclass(frozen=True, slots=True)
class MulWide:
    """``left · right = low + 2^w·high``."""

    left: int
    right: int


DoubleWord: TypeAlias = tuple[int, int]  # the low word and the high one


@dataclass(frozen=True, slots=True)
class Dot:
    """``Σ left·right + Σ added - Σ subtracted = low + 2^w·high``, which fits two words, and is not negative.

    This is a column of products, with carries into it. The summands and subtrahends are double words.
    """

    products: tuple[tuple[int, int], ...]
    added: tuple[DoubleWord, ...] = ()
    subtracted: tuple[DoubleWord, ...] = ()


@dataclass(frozen=True, slots=True)
class CarrylessDot:
    """``Σ left·right + Σ added = low + x^w·high`` in GF(2)[x], where bit i of a word is a coefficient of x^i.

    This is a column of carry-less products; what is added are both results of one such sum.
    """

    products: tuple[tuple[int, int], ...]
    added: tuple[DoubleWord, ...] = ()


@dataclass(frozen=True, slots=True)
class MulLow:
    """``left · right mod 2^w``: the high word is lost, as in Montgomery's quotients."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Mul:
    """``left · right``, which fits a word."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Add:
    """``left + right + carry = sum + 2^w·carry'``; what nothing reads on the left must be 0.

    The carry of a word that is added to itself need not be: it is the word's highest bit.
    """

    left: int
    right: int
    carry: int | None = None


@dataclass(frozen=True, slots=True)
class Sub:
    """``left - right - borrow = difference - 2^w·borrow'``; likewise."""

    left: int
    right: int
    borrow: int | None = None


@dataclass(frozen=True, slots=True)
class And:
    """Bits that are 1 in both."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Or:
    """Bits that are 1 in at least one."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Xor:
    """Bits that are 1 in exactly one."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class ShiftLeft:
    """``value · 2^amount``, which fits a word."""

    value: int
    amount: int


@dataclass(frozen=True, slots=True)
class ShiftRight:
    """``⌊value / 2^amount⌋``: the low bits are lost."""

    value: int
    amount: int


@dataclass(frozen=True, slots=True)
class Funnel:
    """The high word of ``(high·2^w + low) · 2^amount``: the top bits of ``high`` are lost.

    This is ``shld``: shifting a number to the left takes one for each word, and the bits that one loses
    are those that the next one brings in. Read as ``shrd``, it shifts to the right by w - amount.
    """

    high: int
    low: int
    amount: int


@dataclass(frozen=True, slots=True)
class Select:
    """``one`` where ``bit`` is 1, ``zero`` where it is 0, without a branch."""

    bit: int
    one: int
    zero: int


Operation: TypeAlias = (
    Word
    | Constant
    | MulWide
    | Dot
    | CarrylessDot
    | MulLow
    | Mul
    | Add
    | Sub
    | And
    | Or
    | Xor
    | ShiftLeft
    | ShiftRight
    | Funnel
    | Select
)


_PAIR = attrgetter("left", "right")
_READ: dict[type, Callable[[Any], tuple[int, ...]]] = {
    **dict.fromkeys((Word, Constant), lambda _: ()),
    **dict.fromkeys((MulWide, MulLow, Mul, And, Or, Xor), _PAIR),
    **dict.fromkeys((ShiftLeft, ShiftRight), lambda o: (o.value,)),
    Add: lambda o: (o.left, o.right) if o.carry is None else (o.left, o.right, o.carry),
    Sub: lambda o: (o.left, o.right) if o.borrow is None else (o.left, o.right, o.borrow),
    Funnel: attrgetter("high", "low"),
    Select: attrgetter("bit", "one", "zero"),
    Dot: lambda o: tuple(chain.from_iterable(chain(o.products, o.added, o.subtracted))),
    CarrylessDot: lambda o: tuple(chain.from_iterable(chain(o.products, o.added))),
}


def operands(operation: Operation) -> tuple[int, ...]:
    """Return the values that an operation reads, from left to right, a carry last."""
    return _READ[type(operation)](operation)


def factors(operation: Operation) -> tuple[int, ...]:
    """Return the values that an operation multiplies as integers, except by shifts."""
    match operation:
        case Mul(left, right) | MulWide(left, right) | MulLow(left, right):
            return left, right
        case Dot(products):
            return tuple(value for pair in products for value in pair)
        case _:
            return ()


def is_doubling(operation: Operation) -> bool:
    """Return whether a word is added to itself; the carry that comes out is the word's highest bit."""
    return isinstance(operation, Add) and operation.left == operation.right


def result_count(operation: Operation) -> int:
    """Return how many values an operation defines: 1 or 2."""
    match operation:
        case MulWide() | Dot() | CarrylessDot() | Add() | Sub():
            return 2
        case Word() | Constant() | MulLow() | Mul() | And() | Or() | Xor():
            return 1
        case ShiftLeft() | ShiftRight() | Funnel() | Select():
            return 1
        case _:
            assert_never(operation)


def with_operands(operation: Operation, values: tuple[int, ...]) -> Operation:
    """Return the same operation on other values."""
    match operation, values:
        case ((Word() | Constant()), ()):
            return operation
        case ((Add() | Sub()), (left, right, *carry)):
            return type(operation)(left, right, *carry)
        case ((MulWide() | MulLow() | Mul() | And() | Or() | Xor()), (left, right)):
            return type(operation)(left, right)
        case ((ShiftLeft(_, amount) | ShiftRight(_, amount)), (value,)):
            return type(operation)(value, amount)
        case Funnel(_, _, amount), (high, low):
            return Funnel(high, low, amount)
        case Select(), (bit, one, zero):
            return Select(bit, one, zero)
        case Dot(products, added, _), _ if len(values) == len(operands(operation)):
            pairs = tuple(zip(values[::2], values[1::2], strict=True))
            first, second = len(products), len(products) + len(added)
            return Dot(pairs[:first], pairs[first:second], pairs[second:])
        case CarrylessDot(products), _ if len(values) == len(operands(operation)):
            pairs = tuple(zip(values[::2], values[1::2], strict=True))
            return CarrylessDot(pairs[: len(products)], pairs[len(products) :])
        case _:
            raise ValueError(f"{operation} does not take {values}")
