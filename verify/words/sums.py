"""Machine integers as polynomials over the integers: sums and products are followed exactly.

A symbol is an integer in an interval: one that comes in, or ⌊x/2^k⌋ of a polynomial x, the same for the same
x. A multiple of 2^k leaves no symbol, so that sums over limbs telescope, and the result of a routine is
compared as a polynomial. A mask is a polynomial of a bit, -b; x & -b is then x·b.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from efdgen.verify.words.values import DependsOnDataError, Known, NotFollowedError, exactly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.verify.words.values import Kind

Monomial: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Polynomial:
    """Coefficients of products of symbols, by these; none is 0."""

    terms: tuple[tuple[Monomial, int], ...]

    @classmethod
    def of(cls, terms: Iterable[tuple[Monomial, int]]) -> Polynomial:
        """Return a sum of terms."""
        found: dict[Monomial, int] = defaultdict(int)
        for monomial, coefficient in terms:
            found[monomial] += coefficient
        return cls(tuple(sorted((m, c) for m, c in found.items() if c)))

    @classmethod
    def constant(cls, value: int) -> Polynomial:
        """Return an integer."""
        return cls.of([((), value)])

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial.of((*self.terms, *other.terms))

    def __mul__(self, factor: int) -> Polynomial:
        return Polynomial.of((m, factor * c) for m, c in self.terms)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other * -1

    def is_divisible(self, divisor: int) -> bool:
        """Return whether every coefficient is a multiple of an integer."""
        return all(c % divisor == 0 for _, c in self.terms)

    def parts(self) -> tuple[Polynomial, int]:
        """Return what depends on symbols, and the constant."""
        constant = self.terms[0][1] if self.terms and self.terms[0][0] == () else 0
        return Polynomial(self.terms[bool(constant) :]), constant

    def divided(self, divisor: int) -> Polynomial:
        """Return the quotient by an integer that divides every coefficient."""
        return Polynomial(tuple((m, c // divisor) for m, c in self.terms))


Interval: TypeAlias = tuple[int, int]
_BIT: Interval = (0, 1)


class Sums(Known):
    """Polynomials, and what is known of them: an overflow that intervals do not exclude is an error.

    ``mixed`` are the words of which a symbol is the ``|``.
    """

    def __init__(self) -> None:
        self._symbols: dict[str, Interval] = {}
        self._ends: dict[Monomial, Interval] = {}
        self._floors: dict[tuple[Polynomial, int], Polynomial] = {}
        self._known: dict[Polynomial, Interval] = {}
        self._mixtures: dict[tuple[str, frozenset[Polynomial]], Polynomial] = {}
        self.mixed: dict[Polynomial, frozenset[Polynomial]] = {}

    def symbol(self, name: str, low: int, high: int) -> Polynomial:
        """Return a new symbol for an integer in an interval."""
        if name in self._symbols:
            raise ValueError(f"{name} is there already")
        self._symbols[name] = low, high
        return Polynomial.of([((name,), 1)])

    def know(self, value: Polynomial, low: int, high: int) -> None:
        """Take as given that a polynomial lies in an interval."""
        least, most = self.interval(value)
        varying, constant = value.parts()
        self._known[varying] = max(low, least) - constant, min(high, most) - constant

    def interval(self, value: Polynomial) -> Interval:
        """Return bounds for a polynomial."""
        varying, constant = value.parts()
        low = high = 0
        for monomial, coefficient in varying.terms:
            least, most = self._ends.get(monomial) or self._ends_of(monomial)
            if coefficient < 0:
                least, most = most, least
            low, high = low + coefficient * least, high + coefficient * most
        known = self._known.get(varying)
        if known is None:
            return low + constant, high + constant
        return max(low, known[0]) + constant, min(high, known[1]) + constant

    def _ends_of(self, monomial: Monomial) -> Interval:
        """Return, and keep, bounds for a product of symbols."""
        ends = (1, 1)
        for name in monomial:
            found = [a * b for a, b in product(ends, self._symbols[name])]
            ends = min(found), max(found)
        self._ends[monomial] = ends
        return ends

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a product; the square of a bit is that bit."""
        return Polynomial.of((self._monomial(m + n), c * d) for m, c in a.terms for n, d in b.terms)

    def _monomial(self, names: Monomial) -> Monomial:
        bits = {name for name in names if self._symbols[name] == _BIT}
        return tuple(sorted((*bits, *(name for name in names if name not in bits))))

    def floor(self, value: Polynomial, bits: int) -> Polynomial:
        """Return ⌊value/2^bits⌋: what divides evenly, and a symbol for the rest unless that is known."""
        size = 1 << bits
        rest = Polynomial.of((m, (c + (size >> 1)) % size - (size >> 1)) for m, c in value.terms)
        whole = (value - rest).divided(size)
        low, high = (end >> bits for end in self.interval(rest))
        if low == high:
            return self._quotient(value, bits, whole + Polynomial.constant(low))
        if self.interval(rest) == (-1, 0):
            return self._quotient(value, bits, whole + rest)
        # If it is -1 or 0, it tells the sign, however many bits are shifted out.
        key = rest, -1 if (low, high) == (-1, 0) else bits
        if key not in self._floors:
            name = f"floor {len(self._floors)}"
            sign = key[1] == -1
            self._floors[key] = self.symbol(name, 0, 1) * -1 if sign else self.symbol(name, low, high)
        return self._quotient(value, bits, whole + self._floors[key])

    def _quotient(self, value: Polynomial, bits: int, found: Polynomial) -> Polynomial:
        """Keep what is known of a value for its quotient by 2^bits, and that there is a remainder."""
        self.know(value - found * (1 << bits), 0, (1 << bits) - 1)
        return self._known_as(found, *(end >> bits for end in self.interval(value)))

    def remainder(self, value: Polynomial, bits: int) -> Polynomial:
        """Return value modulo 2^bits, in [0, 2^bits)."""
        return value - self.floor(value, bits) * (1 << bits)

    def wrapped(self, value: Polynomial, kind: Kind) -> Polynomial:
        """Return what is congruent in a type."""
        low, high = self.interval(value)
        if kind.least <= low and high <= kind.most:
            return value
        above = self.floor(value - Polynomial.constant(kind.least), kind.bits)
        return self._known_as(value - above * (1 << kind.bits), kind.least, kind.most)

    # Operations of a domain

    def constant(self, value: int, kind: Kind) -> Polynomial:
        """Return an integer that fits its type."""
        return Polynomial.constant(value)

    def binary(self, operator: str, a: Polynomial, b: Polynomial, kind: Kind, wraps: bool) -> Polynomial:
        """Return ``+``, ``-``, ``*``, ``&``, ``|`` or ``^`` of two integers of one type."""
        if operator in "&|^":
            return self._bitwise(operator, a, b, kind)
        exact = self.times(a, b) if operator == "*" else a + b if operator == "+" else a - b
        # The intervals of both tell more than the symbols do, of which some cancel.
        ends = [exactly(operator, x, y) for x, y in product(self.interval(a), self.interval(b))]
        self.know(exact, min(ends), max(ends))
        low, high = self.interval(exact)
        if not wraps and not kind.least <= low <= high <= kind.most:
            raise NotFollowedError(f"{operator} may overflow {kind}: {low:#x} to {high:#x}")
        return self.wrapped(exact, kind)

    def _bitwise(self, operator: str, a: Polynomial, b: Polynomial, kind: Kind) -> Polynomial:
        """Return an operator of constants or bits, or one with a mask: low bits, or all or none."""
        (x, low), (y, high) = a.parts(), b.parts()
        if not x.terms and not y.terms:
            return Polynomial.constant(exactly(operator, low, high))
        if self._is_bit(a) and self._is_bit(b):
            both = self.times(a, b)
            found = both if operator == "&" else a + b - both * (2 if operator == "^" else 1)
            return self._known_as(found, 0, 1)
        for value, mask in ((a, b), (b, a)) if operator != "|" else ():
            low, high = self.interval(mask)
            if operator == "&" and low == high >= 0 and low & low + 1 == 0:
                return self.remainder(value, low.bit_length())
            bit = self.times(Polynomial.constant(-1), mask) if kind.signed else self._bit(mask, kind)
            if bit is not None and self.interval(bit) == _BIT:
                both = self.times(value, bit)
                ends = self.interval(value)
                if operator == "&":
                    return self._known_as(both, *ends, 0)
                ones = -1 if kind.signed else kind.most
                self._known_as(value - both * 2, *ends, *(-end for end in ends))
                return self._known_as(value + bit * ones - both * 2, *ends, *(ones - end for end in ends))
        if operator == "&":
            raise NotFollowedError("& of sums, and neither is a mask")
        if self._are_apart(a, b) or self._are_apart(b, a):
            return self._known_as(a + b, kind.least, kind.most)
        return self._mixed(operator, a, b, kind)

    def _are_apart(self, high: Polynomial, low: Polynomial) -> bool:
        """Return whether one integer has no bits where another one, which is not negative, has any."""
        least, most = self.interval(low)
        return least >= 0 and high.is_divisible(1 << most.bit_length())

    def _is_bit(self, value: Polynomial) -> bool:
        low, high = self.interval(value)
        return low >= 0 and high <= 1

    def _mixed(self, operator: str, a: Polynomial, b: Polynomial, kind: Kind) -> Polynomial:
        """Return ``|`` or ``^`` as a symbol: what went into it is kept, and of ``^`` its sign is known."""
        for value, other in ((a, b), (b, a)):
            if not value.terms:
                return other
        parts = frozenset({a, b})
        if operator == "|":
            parts = self.mixed.get(a, frozenset({a})) | self.mixed.get(b, frozenset({b}))
        if len(parts) == 1:
            return a if operator == "|" else a - b
        key = operator, parts
        if key not in self._mixtures:
            found = self.symbol(f"mixed {len(self._mixtures)}", kind.least, kind.most)
            self._mixtures[key] = found
            if operator == "|":
                self.mixed[found] = parts
            elif kind.signed:
                x, y = (self.floor(part, kind.bits - 1) * -1 for part in (a, b))
                self._floors[found, -1] = (x + y - self.times(x, y) * 2) * -1
        return self._mixtures[key]

    def _known_as(self, value: Polynomial, *ends: int) -> Polynomial:
        """Keep that a value lies among some integers."""
        self.know(value, min(ends), max(ends))
        return value

    @staticmethod
    def _bit(mask: Polynomial, kind: Kind) -> Polynomial | None:
        return mask.divided(kind.most) if mask.is_divisible(kind.most) else None

    def shift(self, operator: str, a: Polynomial, amount: int, kind: Kind) -> Polynomial:
        """Return an integer shifted to the left, bits lost, or to the right, by its sign if it has one."""
        if operator == ">>":
            return self.floor(a, amount)
        more = self._known_as(a * (1 << amount), *(end << amount for end in self.interval(a)))
        return self.wrapped(more, kind)

    def convert(self, a: Polynomial, source: Kind, target: Kind) -> Polynomial:
        """Return what is congruent in another type."""
        return self.wrapped(a, target)

    def plain(self, a: Polynomial) -> int:
        """Return an integer that all data agree on, or raise :class:`DependsOnDataError`."""
        low, high = self.interval(a)
        if low != high:
            raise DependsOnDataError("a branch, an index or a shift depends on data")
        return low
