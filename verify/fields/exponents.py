"""Powers of an element x in loops of powers and roots: exponents as sums of symbols.

An element of a field of p elements is x^k·ζ^l, ζ of order 2^s where p - 1 = 2^s·q, q odd. Both exponents are
sums of symbols, integers or bits, times numbers; and x^q = ζ^e, where e is even for squares but 0, e = 2r
with any integer r, and odd for others.

An exponent that is known, or is 2^(s-1)·m, decides whether such an element is 1: it is for an even m. There a
bit h denotes m modulo 2: some r is in m, and h - (m - r) + 2r' is put for it everywhere, with a new r'. So
h is a symbol that any further step may compute with: what is chosen by 1 - h of two elements has an exponent
that is again such a sum, as long as the two differ by a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value = Any  # a power, None for 0, a flag


class Sum:
    """A sum of symbols times integers, with a number under the empty name."""

    def __init__(self, terms: Mapping[str, int] | int) -> None:
        terms = {"": terms} if isinstance(terms, int) else terms
        self.terms = {name: factor for name, factor in terms.items() if factor}

    def __add__(self, other: Sum) -> Sum:
        found = dict(self.terms)
        for name, factor in other.terms.items():
            found[name] = found.get(name, 0) + factor
        return Sum(found)

    def __mul__(self, factor: int) -> Sum:
        return Sum({name: factor * one for name, one in self.terms.items()})

    def __sub__(self, other: Sum) -> Sum:
        return self + other * -1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    @property
    def number(self) -> int | None:
        """The number that it is, if it is one."""
        return self.terms.get("", 0) if not self.terms.keys() - {""} else None

    def modulo(self, modulus: int) -> Sum:
        """Return it with factors in [0, modulus)."""
        return Sum({name: factor % modulus for name, factor in self.terms.items()})


class Power(NamedTuple):
    """x^k·ζ^l."""

    k: Sum
    l: Sum  # noqa: E741 - beside k


@dataclass(frozen=True)
class Byte:
    """A byte of an exponent, shifted; ``bit`` tells a bit of the exponent by its position."""

    at: int
    bit: Callable[[int], Value]
    shift: int = 0

    def __rshift__(self, amount: int) -> Byte:
        return Byte(self.at, self.bit, self.shift + amount)

    def __and__(self, mask: int) -> Value:
        if mask != 1 or not 0 <= self.shift < 8:
            raise NotFollowedError("bits of a byte are read one by one")
        return self.bit(8 * self.at + self.shift)


def bit_of(position: int) -> Sum:
    """Return a bit of an exponent of which nothing is known."""
    return Sum({f"e{position}": 1})


class Powers:
    """Operations on powers of x, which is 0, a square or not: its ``character``, or None for any x.

    An x of any character has products and nothing else.
    """

    def __init__(self, order: int, character: int | None) -> None:
        self.order, self.character = order, character
        self.adicity = (order - 1 & 1 - order).bit_length() - 1
        self.odd = order - 1 >> self.adicity
        self._unity_order = 1 << self.adicity
        self._known: dict[str, Sum] = {}
        self._new = 0
        self._unity: int | None = None
        half = {1: Sum({"r0": 2}), -1: Sum(1) if self.adicity == 1 else Sum({"r0": 2, "": 1})}
        self._e = half.get(character or 0, Sum(0))

    @property
    def x(self) -> Value:
        """The element itself."""
        return None if self.character == 0 else Power(Sum(1), Sum(0))

    # Operations of functions

    def constant(self, value: int) -> Value:
        """Return a number: 0, 1, or ζ, which is told by its order."""
        if value in (0, 1):
            return Power(Sum(0), Sum(0)) if value else None
        if (
            self._unity not in (None, value)
            or pow(value, self._unity_order >> 1, self.order) != self.order - 1
        ):
            raise NotFollowedError("a constant is no root of unity of order 2^s, or another one than before")
        self._unity = value
        return Power(Sum(0), Sum(1))

    def mul(self, a: Value, b: Value) -> Value:
        """Return a·b."""
        if a is None or b is None:
            return None
        return Power(a.k + b.k, self._normal(a.l + b.l))

    def equal(self, a: Value, b: Value) -> Value:
        """Return whether an element is 1: a truth value, or a bit as a sum."""
        if b is None or b.k.terms or self._normal(b.l).terms:
            raise NotFollowedError("elements are compared, and neither is 1")
        if a is None:
            return False
        exponent = self.unity_exponent(a)
        if exponent.number is not None:
            return exponent.number == 0
        half = self._unity_order >> 1
        if any(factor != half for factor in exponent.terms.values()):
            raise NotFollowedError("it is asked for more than the sign of an element")
        return Sum(1) - self._parity(Sum(dict.fromkeys(exponent.terms, 1)))

    def select(self, flag: Value, a: Value, b: Value) -> Value:
        """Return a where a flag is 1, b where it is 0."""
        if not isinstance(flag, Sum):
            return a if flag else b
        if a is None or b is None:
            if a is b:
                return a
            raise NotFollowedError("0 is chosen, or something else")
        k, other = (a.k - b.k).number, self._normal(a.l - b.l).number
        if k is None or other is None:
            raise NotFollowedError("elements are chosen that differ by more than a known power")
        return Power(b.k + flag * k, self._normal(b.l + flag * other))

    def _refuse(self, *_: Value) -> NoReturn:
        raise NotFollowedError("powers are multiplied, and nothing else")

    add = sub = times = is_zero = is_square = inverse = inverse_root = _refuse

    # Knowledge of exponents

    def unity_exponent(self, a: Power) -> Sum:
        """Return l where an element is ζ^l."""
        number = a.k.number
        if number is None or self.character is None:
            raise NotFollowedError("a power is no power of a root of unity")
        times, rest = divmod(number % (self.order - 1), self.odd)
        if rest:
            raise NotFollowedError("a power is no power of a root of unity")
        return self._normal(a.l + self._e * times)

    def _normal(self, exponent: Sum) -> Sum:
        """Return an exponent of ζ with what is put for symbols, modulo 2^s."""
        exponent = exponent.modulo(self._unity_order)
        while known := self._known.keys() & exponent.terms.keys():
            for name in known:
                exponent = exponent + (self._known[name] - Sum({name: 1})) * exponent.terms[name]
            exponent = exponent.modulo(self._unity_order)
        return exponent

    def _parity(self, m: Sum) -> Sum:
        """Return the bit that m is modulo 2, and put it for an integer in m."""
        name = next((name for name in m.terms if name.startswith("r")), None)
        if name is None:
            raise NotFollowedError("a bit is asked for that depends on other bits alone")
        self._new += 1
        bit = Sum({f"h{self._new}": 1})
        self._known[name] = bit - (m - Sum({name: 1})) + Sum({f"r{self._new}": 2})
        return bit
