"""Rational functions over a polynomial ring, as unreduced pairs, and equations solved for a name.

This file and its neighbours in ``verify`` are the only ones that import Sage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import sage.rings.integer  # noqa: F401 - Sage's modules load in this order only
from sage.rings.finite_rings.finite_field_constructor import GF
from sage.rings.polynomial.polynomial_ring_constructor import PolynomialRing
from sage.rings.rational_field import QQ

from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from efdgen.generator.language.syntax import Expression

Polynomial = Any  # Sage's polynomials carry no types


class Ratio(NamedTuple):
    """A numerator and a denominator, with no common factor taken out."""

    numerator: Polynomial
    denominator: Polynomial


class RationalFunctions:
    """The field of fractions of a polynomial ring over Q, or over GF(2), in the given names.

    Satisfies :class:`efdgen.generator.interpreter.Field`.
    """

    def __init__(self, names: Iterable[str], *, binary: bool) -> None:
        base = GF(2) if binary else QQ
        # Sage takes no names like 2d, so generators are numbered and looked up by position.
        ordered = list(names)
        self.ring = PolynomialRing(base, len(ordered), "v", order="degrevlex")
        self.base = base
        self.one = self.ring.one()
        self.generators: dict[str, Polynomial] = dict(zip(ordered, self.ring.gens(), strict=True))
        self._names = dict(zip(map(str, self.ring.gens()), ordered, strict=True))

    def name(self, text: str) -> Ratio:
        """Return a name as a rational function."""
        return Ratio(self.generators[text], self.one)

    def constant(self, value: Fraction) -> Ratio:
        """Return a rational number; raise ZeroDivisionError for 1/2 in characteristic 2."""
        return Ratio(self.ring(self.base(value.numerator) / self.base(value.denominator)), self.one)

    def add(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left + right."""
        if left.denominator == right.denominator:
            return Ratio(left.numerator + right.numerator, left.denominator)
        return Ratio(
            left.numerator * right.denominator + right.numerator * left.denominator,
            left.denominator * right.denominator,
        )

    def sub(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left - right."""
        return self.add(left, Ratio(-right.numerator, right.denominator))

    def mul(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left · right."""
        return Ratio(left.numerator * right.numerator, left.denominator * right.denominator)

    def inv(self, value: Ratio) -> Ratio:
        """Return 1/value."""
        if value.numerator == 0:
            raise ZeroDivisionError
        return Ratio(value.denominator, value.numerator)

    def evaluate(self, expression: Expression, names: Mapping[str, Ratio]) -> Ratio:
        """Return the value of an expression; a name that is not given stands for itself."""
        match expression:
            case Number(value):
                return Ratio(self.ring(value), self.one)
            case Name(text):
                return names[text] if text in names else self.name(text)
            case Group(inner):
                return self.evaluate(inner, names)
            case Negative(inner):
                value = self.evaluate(inner, names)
                return Ratio(-value.numerator, value.denominator)
            case Binary("^", base, Number(exponent)):
                value = self.evaluate(base, names)
                return Ratio(value.numerator**exponent, value.denominator**exponent)
            case Binary(operator, left, right):
                a, b = self.evaluate(left, names), self.evaluate(right, names)
                match operator:
                    case "+":
                        return self.add(a, b)
                    case "-":
                        return self.sub(a, b)
                    case "*":
                        return self.mul(a, b)
                    case _:
                        return self.mul(a, self.inv(b))

    def difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Ratio:
        """Return left - right of an equation."""
        return self.sub(self.evaluate(equation.left, names), self.evaluate(equation.right, names))

    def primitive(self, value: Ratio) -> Polynomial:
        """Return the numerator without the factors that it has in common with the denominator.

        Such a factor comes of clearing denominators and would make an ideal that holds the
        numerator more than the function's zeros.
        """
        numerator, denominator = value
        while not denominator.is_constant() and not numerator.is_zero():
            common = numerator.gcd(denominator)
            if common.is_constant():
                break
            numerator //= common
        return numerator

    def solve(self, polynomial: Polynomial, candidates: Iterable[str]) -> tuple[str, Ratio] | None:
        """Solve polynomial = 0 for the first candidate in which it is linear; None where there is none."""
        for name in candidates:
            generator = self.generators[name]
            if polynomial.degree(generator) == 1:
                slope = polynomial.coefficient({generator: 1})
                return name, Ratio(-(polynomial - slope * generator), slope)
        return None

    def text(self, polynomial: Polynomial, limit: int = 160) -> str:
        """Write a polynomial with the names it was made of, shortened beyond ``limit`` characters."""
        import re

        text = re.sub(r"v\d+", lambda match: self._names[match.group()], str(polynomial))
        return text if len(text) <= limit else f"{text[:limit]}… ({len(polynomial.monomials())} terms)"
