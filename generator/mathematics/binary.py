"""Fields of characteristic 2: polynomials over GF(2) modulo an irreducible one.

A polynomial is an integer: bit i is the coefficient of x^i. An element of GF(2^m) is one of degree below m.
FLINT takes longer on integers, because a conversion there and back is slower than a product of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from efdgen.generator.mathematics.ground import GroundField
from efdgen.generator.mathematics.primes import prime_factors

if TYPE_CHECKING:
    from fractions import Fraction

MOST_DEGREE = 1024
_TERM = re.compile(r"\s*(?:x\s*(?:\^\s*([0-9]{1,6}))?|([01]))\s*")
_WINDOW = 4
_DIGITS = "0123456789abcdef"
# Up to this degree all products of a field are in a table.
_TINY = 8


def read_polynomial(text: str) -> int:
    """Return a polynomial over GF(2) in x, such as ``x^233 + x^74 + 1``.

    Raises ValueError for any other text, for a term that occurs twice, and for a degree above 1024.
    """
    found = 0
    for term in text.split("+"):
        match = _TERM.fullmatch(term)
        if match is None:
            raise ValueError(f"expected a sum such as x^233 + x^74 + 1, not {text[:60]!r}")
        exponent = 0 if match[2] else int(match[1] or 1)
        if exponent > MOST_DEGREE:
            raise ValueError(f"the degree is {exponent}; it must be at most {MOST_DEGREE}")
        if match[2] != "0":
            if found >> exponent & 1:
                raise ValueError(f"the term {term.strip()} occurs twice")
            found |= 1 << exponent
    return found


def polynomial_text(polynomial: int) -> str:
    """Write a polynomial over GF(2): ``x^233 + x^74 + 1``."""
    names = {0: "1", 1: "x"}
    exponents = [i for i in range(polynomial.bit_length() - 1, -1, -1) if polynomial >> i & 1]
    return " + ".join(names.get(exponent, f"x^{exponent}") for exponent in exponents) or "0"


def coefficients(polynomial: int) -> list[int]:
    """Return the coefficients of a polynomial over GF(2), the constant first."""
    return [int(bit) for bit in reversed(f"{polynomial:b}")]


def product(left: int, right: int) -> int:
    """Return the product of two polynomials, by windows of 4 bits."""
    multiples = [0, left]
    for number in range(1, 1 << _WINDOW - 1):
        double = multiples[number] << 1
        multiples += (double, double ^ left)
    table, found = dict(zip(_DIGITS, multiples, strict=True)), 0
    for digit in f"{right:x}":
        found = found << _WINDOW ^ table[digit]
    return found


def divide(dividend: int, divisor: int) -> tuple[int, int]:
    """Return quotient and remainder of polynomials; raise ZeroDivisionError for the zero divisor."""
    if not divisor:
        raise ZeroDivisionError
    quotient, size = 0, divisor.bit_length()
    while (shift := dividend.bit_length() - size) >= 0:
        quotient |= 1 << shift
        dividend ^= divisor << shift
    return quotient, dividend


def greatest_common_divisor(left: int, right: int) -> int:
    """Return the greatest common divisor of two polynomials."""
    while right:
        left, right = right, divide(left, right)[1]
    return left


def is_irreducible(polynomial: int) -> bool:
    """Return whether a polynomial of degree 1 or more is irreducible, by Rabin's test."""
    degree = polynomial.bit_length() - 1
    if degree < 1:
        return False
    ring = BinaryField(polynomial)
    powers = [ring.reduce(2)]
    for _ in range(degree):
        powers.append(ring.square(powers[-1]))
    if powers[degree] != powers[0]:
        return False
    return all(
        greatest_common_divisor(polynomial, powers[degree // factor] ^ powers[0]) == 1
        for factor, _ in prime_factors(degree)
    )


@dataclass(frozen=True)
class BinaryField(GroundField):
    """GF(2^m) by an irreducible polynomial of degree m; elements are integers in [0, 2^m).

    Satisfies :class:`efdgen.generator.programs.interpreter.Field`.
    """

    polynomial: int

    is_binary: ClassVar[Literal[True]] = True
    symbol: ClassVar[str] = "f"
    """The name of the modulus in texts."""

    @cached_property
    def degree(self) -> int:
        """The degree m."""
        return self.polynomial.bit_length() - 1

    @cached_property
    def order(self) -> int:
        """The number of elements."""
        return 1 << self.degree

    @property
    def characteristic(self) -> int:
        """The characteristic, 2."""
        return 2

    @cached_property
    def _lower(self) -> tuple[int, ...]:
        """The exponents of the polynomial below its degree."""
        return tuple(i for i in range(self.degree) if self.polynomial >> i & 1)

    def __str__(self) -> str:
        """Name the field: ``GF(2^233)``."""
        return f"GF(2^{self.degree})"

    @property
    def modulus_text(self) -> str:
        """The modulus: ``f = x^233 + x^74 + 1``."""
        return f"f = {polynomial_text(self.polynomial)}"

    def element_text(self, value: int) -> str:
        """Write an element, in hexadecimal except for 0 and 1."""
        return str(value) if value < 2 else hex(value)

    def signed(self, value: int) -> int:
        """Return a polynomial itself, which has no sign."""
        return value

    def reduce(self, value: int) -> int:
        """Return a polynomial modulo that of the field."""
        degree, mask = self.degree, self.order - 1
        while high := value >> degree:
            value &= mask
            for exponent in self._lower:
                value ^= high << exponent
        return value

    def constant(self, value: Fraction) -> int:
        """Return a rational number mod 2; raise ZeroDivisionError for an even denominator."""
        if value.denominator % 2 == 0:
            raise ZeroDivisionError
        return value.numerator % 2

    def add(self, left: int, right: int) -> int:
        """Return left + right."""
        return left ^ right

    def sub(self, left: int, right: int) -> int:
        """Return left - right, which is left + right."""
        return left ^ right

    def mul(self, left: int, right: int) -> int:
        """Return left · right."""
        if self.degree <= _TINY:
            return self._products[left << self.degree | right]
        return self.reduce(product(left, right))

    @cached_property
    def _products(self) -> bytes:
        """All products of a tiny field, of left · right at left · 2^m + right."""
        return _tiny_products(self.polynomial)

    def inv(self, value: int) -> int:
        """Return 1/value, by Euclid's algorithm; raise ZeroDivisionError for zero."""
        if not value:
            raise ZeroDivisionError
        (u, g), (v, h) = (value, 1), (self.polynomial, 0)
        while u != 1:
            shift = u.bit_length() - v.bit_length()
            if shift < 0:
                (u, g), (v, h), shift = (v, h), (u, g), -shift
            u ^= v << shift
            g ^= h << shift
        return self.reduce(g)

    def square(self, value: int) -> int:
        """Return value^2: a 0 goes between any two bits."""
        return self.reduce(int(f"{value:b}", 4))

    def power(self, value: int, exponent: int) -> int:
        """Return value^exponent for an exponent of 0 or more."""
        result = 1
        for bit in f"{exponent:b}":
            result = self.square(result)
            if bit == "1":
                result = self.mul(result, value)
        return result

    def square_root(self, value: int) -> int:
        """Return the square root, which every element has."""
        for _ in range(self.degree - 1):
            value = self.square(value)
        return value

    def trace(self, value: int) -> int:
        """Return the trace over GF(2), 0 or 1."""
        return (value & self.traces).bit_count() & 1

    @cached_property
    def traces(self) -> int:
        """The traces of all x^k, each as bit k, by Newton's identities.

        Bit k is k·e(k) + Σ e(i)·bit(k - i) for 0 < i < k, where e(i) is the coefficient of x^(m - i).
        """
        terms, bits = [self.degree - exponent for exponent in self._lower], [self.degree % 2]
        for k in range(1, self.degree):
            bits.append(sum(k if i == k else bits[k - i] for i in terms if i <= k) % 2)
        return sum(bit << k for k, bit in enumerate(bits))

    def solve(self, value: int) -> int | None:
        """Return the even solution z of z^2 + z = value; None where the trace of value is 1.

        z + 1 is the other one. For odd m it is the half-trace, for even m a sum with an element of trace 1.
        """
        if self.trace(value):
            return None
        found, doubled = 0, value
        if self.degree % 2:
            for _ in range((self.degree + 1) // 2):
                found ^= doubled
                doubled = self.square(self.square(doubled))
        else:
            # With Tr(w) = 1, z = Σ_{i<j} value^(2^i) w^(2^j) fulfils z² + z = value.
            weight, rest = self.traces & -self.traces, 1
            for _ in range(self.degree - 1):
                rest ^= weight
                found ^= self.mul(doubled, rest)
                doubled, weight = self.square(doubled), self.square(weight)
        return found & ~1

    def quadratic_roots(self, c: int, b: int, a: int) -> tuple[int, ...]:
        """Return the roots of a·t² + b·t + c for a ≠ 0."""
        if not b:
            return (self.square_root(self.mul(c, self.inv(a))),)
        # t = z·b/a, where z² + z = a·c/b².
        scale = self.mul(b, self.inv(a))
        z = self.solve(self.mul(c, self.inv(self.mul(scale, b))))
        return () if z is None else (self.mul(z, scale), self.mul(z ^ 1, scale))


@cache
def _tiny_products(polynomial: int) -> bytes:
    """Return the products of all pairs of polynomials of degree below 8, modulo a polynomial."""
    field, found = BinaryField(polynomial), bytearray()
    for left in range(field.order):
        row = [0]
        for right in range(1, field.order):
            row.append(field.reduce(row[right >> 1] << 1) ^ (left if right & 1 else 0))
        found += bytes(row)
    return bytes(found)
