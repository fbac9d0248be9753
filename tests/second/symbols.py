"""Integers with unknowns: polynomials over words, and over quotients and remainders by powers of two.

An operation of a translated function makes of symbols what it makes of integers, so it runs on them as it is.
Two values are equal for all inputs if their polynomials are. An undecided question raises
:class:`UndecidedError`; then nothing is proved.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, int]


class UndecidedError(Exception):
    """A comparison whose result depends on the input."""


class Domain:
    """Unknowns by numbers: their bounds, and the operations that they are results of."""

    def __init__(self) -> None:
        self.bounds: list[tuple[int, int]] = []
        self._known: dict[object, int] = {}

    def unknown(self, key: object, low: int, high: int) -> Symbol:
        """Return the unknown of a key, which is between two integers."""
        if low == high:
            return self.constant(low)
        if (low, high) == (-1, 0):
            return -self.unknown(("negative", key), 0, 1)
        if key not in self._known:
            self._known[key] = len(self.bounds)
            self.bounds.append((low, high))
        return Symbol(self, {(self._known[key],): 1})

    def constant(self, value: int) -> Symbol:
        """Return an integer."""
        return Symbol(self, {(): value} if value else {})

    def product(self, one: Monomial, other: Monomial) -> Monomial:
        """Return the product of monomials; a bit is its own square."""
        factors = sorted(one + other)
        bits = (0, 1)
        return tuple(
            factor
            for at, factor in enumerate(factors)
            if not at or factor != factors[at - 1] or self.bounds[factor] != bits
        )


class Symbol:
    """An integer that depends on unknowns."""

    def __init__(self, domain: Domain, terms: Polynomial) -> None:
        self._domain, self.terms = domain, terms
        self._bounds: tuple[int, int] | None = None

    @property
    def key(self) -> frozenset[tuple[Monomial, int]]:
        """A key that equal polynomials share."""
        return frozenset(self.terms.items())

    @property
    def value(self) -> int | None:
        """The integer, of a constant."""
        return self.terms.get((), 0) if not self.terms.keys() - {()} else None

    def bounds(self) -> tuple[int, int]:
        """Return integers between which it is."""
        self._bounds = self._bounds or self._found()
        return self._bounds

    def _found(self) -> tuple[int, int]:
        low = high = 0
        for monomial, factor in self.terms.items():
            ends = [factor, factor]
            for unknown in monomial:
                products = [end * bound for end in ends for bound in self._domain.bounds[unknown]]
                ends = [min(products), max(products)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def _made(self, other: object) -> Symbol:
        return other if isinstance(other, Symbol) else self._domain.constant(int(other))

    def _of(self, terms: Polynomial) -> Symbol:
        return Symbol(self._domain, {monomial: factor for monomial, factor in terms.items() if factor})

    def _each(self, change: Callable[[int], int]) -> Symbol:
        return self._of({monomial: change(factor) for monomial, factor in self.terms.items()})

    def __add__(self, other: object) -> Symbol:
        terms = dict(self.terms)
        for monomial, factor in self._made(other).terms.items():
            terms[monomial] = terms.get(monomial, 0) + factor
        return self._of(terms)

    def __neg__(self) -> Symbol:
        return self._each(lambda factor: -factor)

    def __sub__(self, other: object) -> Symbol:
        return self + -self._made(other)

    def __rsub__(self, other: object) -> Symbol:
        return -self + other

    def __mul__(self, other: object) -> Symbol:
        terms: Polynomial = {}
        for monomial, factor in self._made(other).terms.items():
            for own, times in self.terms.items():
                found = self._domain.product(own, monomial)
                terms[found] = terms.get(found, 0) + factor * times
        return self._of(terms)

    def __lshift__(self, amount: int) -> Symbol:
        return self._each(lambda factor: factor << amount)

    def __rshift__(self, amount: int) -> Symbol:
        """Return the quotient by 2^amount, rounded down."""
        unit = 1 << amount
        whole = self._each(lambda factor: factor // unit if factor >= 0 else -(-factor // unit))
        rest = self - (whole << amount)
        low, high = rest.bounds()
        if low >= 0 and high < unit:
            return whole
        if low < 0:
            # Only the sign counts: it is that of the quotient by a smaller power.
            amount = min(amount, max((-low - 1).bit_length(), high.bit_length()))
        if not amount:
            return whole + rest
        for bits in rest._valuations(amount):
            upper, lower = rest._split(bits)
            if lower is not None:
                return whole + (upper >> amount - bits)
        return whole + self._domain.unknown((">>", rest.key, amount), low >> amount, high >> amount)

    def low(self, bits: int) -> Symbol:
        """Return the remainder by 2^bits."""
        rest = self._each(lambda factor: factor if factor & (1 << bits) - 1 else 0)
        low, high = rest.bounds()
        if low >= 0 and high < 1 << bits:
            return rest
        if low < 0 and max((-low - 1).bit_length(), high.bit_length()) < bits:
            return rest - ((rest >> bits) << bits)
        rest = rest._each(lambda factor: factor & (1 << bits) - 1)
        low, high = rest.bounds()
        if high < 1 << bits:
            return rest
        for size in rest._valuations(bits):
            upper, lower = rest._split(size)
            if lower is not None:
                return (upper.low(bits - size) << size) + lower
        return self._domain.unknown(("%", rest.key, bits), 0, (1 << bits) - 1)

    def _valuations(self, below: int) -> list[int]:
        """Return the numbers of zero bits at the ends of factors, the largest first."""
        found = {(factor & -factor).bit_length() - 1 for factor in self.terms.values()}
        return sorted((bits for bits in found if 0 < bits < below), reverse=True)

    def _split(self, bits: int) -> tuple[Symbol, Symbol | None]:
        """Return quotient and remainder by 2^bits if these are sums of its own terms."""
        upper = self._of(
            {m: factor >> bits for m, factor in self.terms.items() if not factor & (1 << bits) - 1}
        )
        lower = self - (upper << bits)
        low, high = lower.bounds()
        return upper, lower if low >= 0 and high < 1 << bits else None

    def _mask(self) -> tuple[Symbol, int] | None:
        """Return the bit that all bits repeat, and their number."""
        unit = gcd(*self.terms.values())
        bit = self._each(lambda factor: factor // unit) if unit else self
        if unit & unit + 1 or bit.bounds() not in ((0, 1), (0, 0), (1, 1)):
            return None
        return bit, unit.bit_length()

    def _common(self, other: Symbol) -> Symbol | None:
        """Return the bits that two values have in common, if one is a mask."""
        sides = (self, other), (other, self)
        for one, two in sides:
            mask, (low, high) = one._mask(), two.bounds()
            if mask and low >= 0 and high < 1 << mask[1]:
                return mask[0] * two
        for one, two in sides:
            if two.value is not None and two.value >= 0 and not two.value & two.value + 1:
                return one.low(two.value.bit_length())
        return None

    def __and__(self, other: object) -> Symbol:
        other = self._made(other)
        common = self._common(other)
        return self._opaque("&", other) if common is None else common

    def __or__(self, other: object) -> Symbol:
        other = self._made(other)
        if not (self * other).terms:
            return self + other
        for one, two in ((self, other), (other, self)):
            low, high = two.bounds()
            if low >= 0 and all(not factor & (1 << high.bit_length()) - 1 for factor in one.terms.values()):
                return self + other
        common = self._common(other)
        return self._opaque("|", other) if common is None else self + other - common

    def __xor__(self, other: object) -> Symbol:
        other = self._made(other)
        common = self._common(other)
        return self._opaque("^", other) if common is None else self + other - common * 2

    def _opaque(self, operator: str, other: Symbol) -> Symbol:
        (low, high), (least, most) = self.bounds(), other.bounds()
        if min(low, least) < 0:
            raise UndecidedError(f"{operator} of negative numbers")
        top = min(high, most) if operator == "&" else (1 << max(high, most).bit_length()) - 1
        return self._domain.unknown((operator, frozenset({self.key, other.key})), 0, top)

    def _sign(self, other: object) -> tuple[int, int]:
        return (self - other).bounds()

    def __lt__(self, other: object) -> bool:
        low, high = self._sign(other)
        if high >= 0 > low:
            raise UndecidedError("a comparison")
        return high < 0

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __le__(self, other: object) -> bool:
        return self < self._made(other) + 1

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        difference = self - other
        low, high = difference.bounds()
        if difference.terms and low <= 0 <= high:
            raise UndecidedError("a comparison")
        return not difference.terms

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = None
    __radd__, __rmul__, __rand__, __ror__, __rxor__ = __add__, __mul__, __and__, __or__, __xor__
