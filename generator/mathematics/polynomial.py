"""Polynomials and rational functions in one unknown over a finite field, and the roots of a polynomial.

A polynomial is the tuple of its coefficients, the constant first, the last one not zero.
"""

from __future__ import annotations

from itertools import count, zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from efdgen.generator.mathematics.primes import square_root

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from efdgen.generator.mathematics.binary import BinaryField, Ground

Polynomial: TypeAlias = tuple[int, ...]


class PolynomialRing:
    """GF(p)[t] for an odd prime p."""

    def __init__(self, prime: int) -> None:
        self.prime = self.order = prime

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
        inverse = self.inverse(divisor[-1])
        remainder = list(dividend)
        quotient = [0] * max(len(dividend) - len(divisor) + 1, 0)
        for shift in reversed(range(len(quotient))):
            factor = quotient[shift] = self.times(remainder[shift + len(divisor) - 1], inverse)
            for i, coefficient in enumerate(divisor):
                remainder[shift + i] = self.difference(remainder[shift + i], self.times(factor, coefficient))
        return self.element(quotient), self.element(remainder)

    def gcd(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the greatest common divisor with leading coefficient 1; of two zeros, zero."""
        while right:
            left, right = right, self.divide(left, right)[1]
        return self.mul(left, (self.inverse(left[-1]),)) if left else left

    def power(self, base: Polynomial, exponent: int, modulus: Polynomial) -> Polynomial:
        """Return base^exponent modulo a polynomial, for an exponent of 0 or more."""
        result = self.divide((1,), modulus)[1]
        for bit in f"{exponent:b}":
            result = self.divide(self.mul(result, result), modulus)[1]
            if bit == "1":
                result = self.divide(self.mul(result, base), modulus)[1]
        return result

    def value(self, polynomial: Polynomial, at: int) -> int:
        """Return the value of a polynomial at an element of the field."""
        total = 0
        for coefficient in reversed(polynomial):
            total = self.difference(coefficient, self.times(self.difference(0, total), at))
        return total

    def inverse(self, value: int) -> int:
        """Return the inverse of an element that is not 0."""
        return pow(value, -1, self.prime)

    def times(self, left: int, right: int) -> int:
        """Return the product of two elements."""
        return left * right % self.prime

    def difference(self, left: int, right: int) -> int:
        """Return the difference of two elements."""
        return (left - right) % self.prime

    def roots(self, polynomial: Polynomial) -> list[int]:
        """Return the roots in the field of a polynomial, ascending, each once; raise ValueError for zero.

        Cantor and Zassenhaus: t^q - t is the product of all t - r; what a polynomial has in common with
        it is split, for odd q by the roots r for which r + shift is a square.
        """
        if not polynomial:
            raise ValueError("every value is a root of the zero polynomial")
        if len(polynomial) <= 3:
            return self._few_roots(polynomial)
        linear = self.sub(self.power((0, 1), self.order, polynomial), (0, 1))
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


class BinaryPolynomialRing(PolynomialRing):
    """GF(2^m)[t]."""

    def __init__(self, field: BinaryField) -> None:
        self.field, self.order = field, field.order

    def element(self, coefficients: Iterable[int]) -> Polynomial:
        """Return a polynomial, given elements of the field, the constant first."""
        reduced = list(coefficients)
        while reduced and reduced[-1] == 0:
            reduced.pop()
        return tuple(reduced)

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left + right."""
        return self.element(a ^ b for a, b in zip_longest(left, right, fillvalue=0))

    sub = add

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left · right."""
        product = [0] * (len(left) + len(right))
        for i, a in enumerate(left):
            for j, b in enumerate(right):
                product[i + j] ^= self.field.mul(a, b)
        return self.element(product)

    def inverse(self, value: int) -> int:
        """Return the inverse of an element that is not 0."""
        return self.field.inv(value)

    def times(self, left: int, right: int) -> int:
        """Return the product of two elements."""
        return self.field.mul(left, right)

    def difference(self, left: int, right: int) -> int:
        """Return the difference of two elements, which is their sum."""
        return left ^ right

    def _few_roots(self, polynomial: Polynomial) -> list[int]:
        """Return the roots of a polynomial of degree 0, 1 or 2, ascending."""
        field = self.field
        match polynomial:
            case (c, 0, a):
                return [field.square_root(field.mul(c, field.inv(a)))]
            case (c, b, a):
                # t = z·b/a, where z² + z = a·c/b².
                scale = field.mul(b, field.inv(a))
                z = field.solve(field.mul(c, field.inv(field.mul(scale, b))))
                return [] if z is None else sorted(field.mul(each, scale) for each in (z, z ^ 1))
            case (b, a):
                return [field.mul(b, field.inv(a))]
            case _:
                return []

    def _split(self, product: Polynomial) -> list[int]:
        """Return the roots of a product of different factors t - r, by the traces of x^i·r."""
        if len(product) <= 3:
            return self._few_roots(product)
        # The difference of two roots has trace 1 times some power of x: the trace is not degenerate.
        for exponent in range(self.field.degree):
            power = self.divide((0, 1 << exponent), product)[1]
            trace: Polynomial = ()
            for _ in range(self.field.degree):
                trace, power = self.add(trace, power), self.divide(self.mul(power, power), product)[1]
            factor = self.gcd(trace, product)
            if 1 < len(factor) < len(product):
                return self._split(factor) + self._split(self.divide(product, factor)[0])
        raise AssertionError


class Quotient(NamedTuple):
    """A numerator and a denominator, with no common factor taken out."""

    numerator: Polynomial
    denominator: Polynomial


class RationalFunctions:
    """F(t) as unreduced quotients; satisfies :class:`efdgen.generator.programs.interpreter.Field`."""

    def __init__(self, field: Ground) -> None:
        self.ring = PolynomialRing(field) if isinstance(field, int) else BinaryPolynomialRing(field)
        self._field = field
        self.unknown = Quotient((0, 1), (1,))

    def element(self, value: int) -> Quotient:
        """Return an element of the field as a constant function."""
        return Quotient(self.ring.element([value]), (1,))

    def constant(self, value: Fraction) -> Quotient:
        """Return a rational number; raise ZeroDivisionError where its denominator is 0 in the field."""
        if not isinstance(self._field, int):
            return self.element(self._field.constant(value))
        if value.denominator % self._field == 0:
            raise ZeroDivisionError
        return self.element(value.numerator * pow(value.denominator, -1, self._field))

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
