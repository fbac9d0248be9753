"""Polynomials and rational functions in one unknown over GF(p), and the roots of a polynomial.

A polynomial is the tuple of its coefficients in [0, p), the constant first, the last one not zero.
"""

from __future__ import annotations

from itertools import count, zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from efdgen.generator.mathematics.primes import square_root

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

Polynomial: TypeAlias = tuple[int, ...]


class PolynomialRing:
    """GF(p)[t] for an odd prime p."""

    def __init__(self, prime: int) -> None:
        self.prime = prime

    def element(self, coefficients: Iterable[int]) -> Polynomial:
        """Return a polynomial with its coefficients reduced, given any integers, the constant first."""
        reduced = [coefficient % self.prime for coefficient in coefficients]
        while reduced and reduced[-1] == 0:
            reduced.pop()
        return tuple(reduced)

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left + right."""
        return self.element(a + b for a, b in zip_longest(left, right, fillvalue=0))

    def sub(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left - right."""
        return self.element(a - b for a, b in zip_longest(left, right, fillvalue=0))

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left · right."""
        product = [0] * (len(left) + len(right))
        for i, a in enumerate(left):
            for j, b in enumerate(right):
                product[i + j] += a * b
        return self.element(product)

    def divide(self, dividend: Polynomial, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return quotient and remainder; raise ZeroDivisionError for the zero divisor."""
        if not divisor:
            raise ZeroDivisionError
        inverse = pow(divisor[-1], -1, self.prime)
        remainder = list(dividend)
        quotient = [0] * max(len(dividend) - len(divisor) + 1, 0)
        for shift in reversed(range(len(quotient))):
            factor = quotient[shift] = remainder[shift + len(divisor) - 1] * inverse % self.prime
            for i, coefficient in enumerate(divisor):
                remainder[shift + i] = (remainder[shift + i] - factor * coefficient) % self.prime
        return self.element(quotient), self.element(remainder)

    def gcd(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the greatest common divisor with leading coefficient 1; of two zeros, zero."""
        while right:
            left, right = right, self.divide(left, right)[1]
        return self.mul(left, (pow(left[-1], -1, self.prime),)) if left else left

    def power(self, base: Polynomial, exponent: int, modulus: Polynomial) -> Polynomial:
        """Return base^exponent modulo a polynomial, for an exponent of 0 or more."""
        result = self.divide((1,), modulus)[1]
        for bit in f"{exponent:b}":
            result = self.divide(self.mul(result, result), modulus)[1]
            if bit == "1":
                result = self.divide(self.mul(result, base), modulus)[1]
        return result

    def value(self, polynomial: Polynomial, at: int) -> int:
        """Return the value of a polynomial at an element of GF(p)."""
        total = 0
        for coefficient in reversed(polynomial):
            total = (total * at + coefficient) % self.prime
        return total

    def roots(self, polynomial: Polynomial) -> list[int]:
        """Return the roots in GF(p) of a polynomial, ascending, each once; raise ValueError for zero.

        Cantor and Zassenhaus: t^p - t is the product of all t - r; what a polynomial has in common with
        it is split by the roots r for which r + shift is a square.
        """
        if not polynomial:
            raise ValueError("every value is a root of the zero polynomial")
        if len(polynomial) <= 3:
            return self._few_roots(polynomial)
        linear = self.sub(self.power((0, 1), self.prime, polynomial), (0, 1))
        return sorted(self._split(self.gcd(linear, polynomial)))

    def _few_roots(self, polynomial: Polynomial) -> list[int]:
        """Return the roots of a polynomial of degree 0, 1 or 2, ascending."""
        match polynomial:
            case (c, b, a):
                root = square_root(b * b - 4 * a * c, self.prime)
                halves = [] if root is None else [-b - root, -b + root]
                return sorted({half * pow(2 * a, -1, self.prime) % self.prime for half in halves})
            case (b, a):
                return [-b * pow(a, -1, self.prime) % self.prime]
            case _:
                return []

    def _split(self, product: Polynomial) -> list[int]:
        """Return the roots of a product of different factors t - r."""
        if len(product) <= 3:
            return self._few_roots(product)
        # For two roots some shift makes one a square and the other not: the squares are no coset.
        for shift in count():
            squares = self.power((shift % self.prime, 1), (self.prime - 1) // 2, product)
            factor = self.gcd(self.sub(squares, (1,)), product)
            if 1 < len(factor) < len(product):
                return self._split(factor) + self._split(self.divide(product, factor)[0])
        raise AssertionError


class Quotient(NamedTuple):
    """A numerator and a denominator, with no common factor taken out."""

    numerator: Polynomial
    denominator: Polynomial


class RationalFunctions:
    """GF(p)(t) as unreduced quotients; satisfies :class:`efdgen.generator.programs.interpreter.Field`."""

    def __init__(self, prime: int) -> None:
        self.ring = PolynomialRing(prime)
        self.unknown = Quotient((0, 1), (1,))

    def element(self, value: int) -> Quotient:
        """Return an element of GF(p) as a constant function."""
        return Quotient(self.ring.element([value]), (1,))

    def constant(self, value: Fraction) -> Quotient:
        """Return a rational number mod p; raise ZeroDivisionError where p divides its denominator."""
        if value.denominator % self.ring.prime == 0:
            raise ZeroDivisionError
        return self.element(value.numerator * pow(value.denominator, -1, self.ring.prime))

    def add(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left + right."""
        ring = self.ring
        if left.denominator == right.denominator:
            return Quotient(ring.add(left.numerator, right.numerator), left.denominator)
        first = ring.mul(left.numerator, right.denominator)
        second = ring.mul(right.numerator, left.denominator)
        return Quotient(ring.add(first, second), ring.mul(left.denominator, right.denominator))

    def sub(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left - right."""
        return self.add(left, Quotient(self.ring.sub((), right.numerator), right.denominator))

    def mul(self, left: Quotient, right: Quotient) -> Quotient:
        """Return left · right."""
        ring = self.ring
        return Quotient(
            ring.mul(left.numerator, right.numerator), ring.mul(left.denominator, right.denominator)
        )

    def inv(self, value: Quotient) -> Quotient:
        """Return 1/value; raise ZeroDivisionError for zero."""
        if not value.numerator:
            raise ZeroDivisionError
        return Quotient(value.denominator, value.numerator)

    def reduced(self, value: Quotient) -> Quotient:
        """Take the greatest common divisor out of a numerator and a denominator."""
        common = self.ring.gcd(value.numerator, value.denominator)
        numerator, _ = self.ring.divide(value.numerator, common)
        denominator, _ = self.ring.divide(value.denominator, common)
        return Quotient(numerator, denominator)
