"""Polynomials with coefficients that are integers, or elements of a field, as dictionaries.

The proofs about words need sums, products, and a look at every coefficient. No polynomial here is
divided or brought to normal form, so that plain dictionaries do, without the second that it takes to load a
computer algebra system.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.ground import Ground

Monomial = tuple[int, ...]  # variables in rising order, each as often as its degree
Polynomial = dict[Monomial, int]


def constant(value: int) -> Polynomial:
    """Return a number as a polynomial."""
    return {(): value} if value else {}


def variable(number: int) -> Polynomial:
    """Return a variable as a polynomial."""
    return {(number,): 1}


def add(left: Mapping[Monomial, int], right: Mapping[Monomial, int], factor: int = 1) -> Polynomial:
    """Return left + factor·right."""
    total = dict(left)
    for monomial, coefficient in right.items():
        value = total.get(monomial, 0) + factor * coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def scale(polynomial: Mapping[Monomial, int], factor: int) -> Polynomial:
    """Return factor·polynomial."""
    return {monomial: factor * coefficient for monomial, coefficient in polynomial.items()} if factor else {}


def multiply(left: Mapping[Monomial, int], right: Mapping[Monomial, int], modulus: int = 0) -> Polynomial:
    """Return left·right, with coefficients in [0, modulus) where one is given."""
    total: Polynomial = {}
    for one, a in left.items():
        for other, b in right.items():
            monomial = tuple(sorted(one + other)) if one and other else one or other
            total[monomial] = total.get(monomial, 0) + a * b
    return reduce(total, modulus)


def reduce(polynomial: Mapping[Monomial, int], modulus: int) -> Polynomial:
    """Return a polynomial without zeros, its coefficients in [0, modulus) where a modulus is given."""
    if modulus:
        polynomial = {monomial: coefficient % modulus for monomial, coefficient in polynomial.items()}
    return {monomial: coefficient for monomial, coefficient in polynomial.items() if coefficient}


def substitute(polynomial: Mapping[Monomial, int], number: int, by: Mapping[Monomial, int]) -> Polynomial:
    """Replace a variable by a polynomial."""
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        part: Mapping[Monomial, int] = {tuple(v for v in monomial if v != number): coefficient}
        for _ in range(monomial.count(number)):
            part = multiply(part, by)
        for other, value in part.items():
            total[other] = total.get(other, 0) + value
    return reduce(total, 0)


def evaluate(polynomial: Mapping[Monomial, int], values: Mapping[int, int], modulus: int) -> int:
    """Return the value of a polynomial at a point, in [0, modulus)."""
    return sum(c * prod(values[number] for number in m) for m, c in polynomial.items()) % modulus


class PolynomialsModulo:
    """The ring of these polynomials modulo a prime, or over the integers where the prime is 0.

    It satisfies :class:`efdgen.generator.programs.interpreter.Field`. Nothing is inverted but numbers:
    ``inv`` raises :class:`ZeroDivisionError` for anything else, and for any number but 1 over the integers.
    """

    def __init__(self, prime: int) -> None:
        self.prime = prime

    def number(self, value: int) -> Polynomial:
        """Return an integer modulo p."""
        return reduce(constant(value), self.prime)

    def constant(self, value: Fraction) -> Polynomial:
        """Return a rational number modulo p."""
        if value.denominator == 1:
            return reduce(constant(value.numerator), self.prime)
        if self.prime == 0:
            raise ZeroDivisionError
        return constant(value.numerator * pow(value.denominator, -1, self.prime) % self.prime)

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left + right."""
        return reduce(add(left, right), self.prime)

    def sub(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left - right."""
        return reduce(add(left, right, -1), self.prime)

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left · right."""
        return multiply(left, right, self.prime)

    def inv(self, value: Polynomial) -> Polynomial:
        """Return the inverse of a number."""
        if set(value) != {()}:
            raise ZeroDivisionError
        return self.constant(Fraction(1, value[()]))


class PolynomialsOver:
    """The ring of polynomials with coefficients in a binary field.

    It satisfies :class:`efdgen.generator.programs.interpreter.Field`; only numbers are inverted.
    """

    def __init__(self, field: BinaryField) -> None:
        self._field = field

    def number(self, value: int) -> Polynomial:
        """Return an element, given as a polynomial over GF(2) that need not be reduced."""
        return constant(self._field.reduce(value))

    def constant(self, value: Fraction) -> Polynomial:
        """Return a rational number modulo 2."""
        return constant(self._field.constant(value))

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left + right."""
        total = {monomial: left.get(monomial, 0) ^ right.get(monomial, 0) for monomial in {**left, **right}}
        return reduce(total, 0)

    def sub(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left - right, which is left + right."""
        return self.add(left, right)

    def mul(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return left · right."""
        total: Polynomial = {}
        for one, a in left.items():
            for other, b in right.items():
                monomial = tuple(sorted(one + other))
                total[monomial] = total.get(monomial, 0) ^ self._field.mul(a, b)
        return reduce(total, 0)

    def inv(self, value: Polynomial) -> Polynomial:
        """Return the inverse of a number."""
        if set(value) != {()}:
            raise ZeroDivisionError
        return constant(self._field.inv(value[()]))


def polynomials(modulus: Ground | None) -> PolynomialsModulo | PolynomialsOver:
    """Return the polynomials over a field, or over the integers for None."""
    if modulus is None:
        return PolynomialsModulo(0)
    return PolynomialsOver(modulus) if modulus.is_binary else PolynomialsModulo(modulus.prime)
