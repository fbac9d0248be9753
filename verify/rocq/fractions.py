"""Values of names as fractions, with the numerators that the checker in Rocq computes.

A denominator is a product of powers of *bases*: irreducible polynomials, and prime numbers, that hypotheses
make invertible. Numerators are polynomials in the names that nothing determines.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.language.syntax import Binary, Name, Negative, Number
from efdgen.verify.laws.singular import singular_ring
from efdgen.verify.rocq.terms import ZERO, multiplied, raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.rocq.steps import Exponents, Polynomial


class Fraction(NamedTuple):
    """A numerator over a product of powers of bases."""

    exponents: Exponents
    numerator: Polynomial


def together(left: Exponents, right: Exponents) -> Exponents:
    """Return the exponents of a product."""
    return tuple(a + b for a, b in zip_longest(left, right, fillvalue=0))


def missing(left: Exponents, right: Exponents) -> Exponents:
    """Return the exponents by which the right product exceeds the left one, as far as it does."""
    return tuple(max(b - a, 0) for a, b in zip(left, right, strict=False)) + right[len(left) :]


def trimmed(exponents: Sequence[int]) -> Exponents:
    """Return exponents without zeros at the end."""
    last = max((place for place, exponent in enumerate(exponents) if exponent), default=-1)
    return tuple(exponents[: last + 1])


class Fractions:
    """Fractions over a ring of polynomials in some names, and the bases that are known to be units."""

    def __init__(self, names: Sequence[str], parameters: int, *, binary: bool, blocks: bool) -> None:
        """Order terms by degree; with ``blocks`` the last names, the parameters, count only after others."""
        self.binary, others = binary, len(names) - parameters
        two = blocks and parameters and others
        order = f"degrevlex({others}),degrevlex({parameters})" if two else "degrevlex"
        self.ring = singular_ring(len(names) or 1, 2 if binary else 0, order)
        self.names = list(names)
        self.values: dict[str, Fraction] = {
            name: Fraction((), generator) for name, generator in zip(names, self.ring.gens(), strict=False)
        }
        self.bases: list[Polynomial] = []
        self._powers: dict[Exponents, Polynomial] = {}

    def generator(self, name: str) -> Polynomial:
        """Return the polynomial that a name of the ring is."""
        return self.ring.gens()[self.names.index(name)]

    def product(self, exponents: Exponents) -> Polynomial:
        """Return a product of powers of bases."""
        key = trimmed(exponents)
        if key not in self._powers:
            found = self.ring.one()
            for base, exponent in zip(self.bases, key, strict=False):
                found *= base**exponent
            self._powers[key] = found
        return self._powers[key]

    def evaluate(self, expression: Expression) -> Fraction:
        """Return the value of an expression in known names."""
        match expression:
            case Number(value):
                return Fraction((), self.ring(value))
            case Name(text):
                return self.values[text]
            case Negative(inner):
                exponents, numerator = self.evaluate(inner)
                return Fraction(exponents, -numerator)
            case Binary("^", base, Number(exponent)):
                exponents, numerator = self.evaluate(base)
                return Fraction(tuple(exponent * e for e in exponents), numerator**exponent)
            case Binary("*", left, right):
                a, b = self.evaluate(left), self.evaluate(right)
                return Fraction(together(a.exponents, b.exponents), a.numerator * b.numerator)
            case Binary("+" | "-" as operator, left, right):
                b = self.evaluate(right)
                return self._sum(
                    self.evaluate(left), b if operator == "+" else Fraction(b.exponents, -b.numerator)
                )
        raise ValueError(f"not a polynomial: {expression}")

    def difference(self, left: Expression, right: Expression) -> Fraction:
        """Return left - right."""
        exponents, numerator = self.evaluate(right)
        return self._sum(self.evaluate(left), Fraction(exponents, -numerator))

    def _sum(self, a: Fraction, b: Fraction) -> Fraction:
        over_a, over_b = missing(a.exponents, b.exponents), missing(b.exponents, a.exponents)
        numerator = a.numerator * self.product(over_a) + b.numerator * self.product(over_b)
        return Fraction(together(a.exponents, over_a), numerator)

    def cancelled(self, exponents: Exponents, numerator: Polynomial) -> tuple[Exponents, Polynomial]:
        """Divide a numerator by bases, as often as exponents allow; return the exponents and the quotient."""
        found = [0] * len(exponents)
        for place, most in enumerate(exponents):
            while found[place] < most and numerator != 0:
                quotient = self._quotient(numerator, self.bases[place])
                if quotient is None:
                    break
                numerator = quotient
                found[place] += 1
        return trimmed(found), numerator

    def everywhere(self, numerator: Polynomial) -> tuple[Exponents, Polynomial]:
        """Divide a polynomial by bases as often as possible."""
        return self.cancelled((numerator.degree() + 64,) * len(self.bases), numerator)

    def _quotient(self, numerator: Polynomial, base: Polynomial) -> Polynomial | None:
        """Return an exact quotient with integer coefficients, or None."""
        if base.is_constant():
            prime = base.constant_coefficient()
            divides = all((c / prime).denominator() == 1 for c in numerator.coefficients())
            return numerator / prime if divides else None
        quotient, rest = numerator.quo_rem(base)
        integral = self.binary or quotient.denominator() == 1
        return quotient if rest == 0 and integral else None

    def factors(self, polynomial: Polynomial) -> tuple[int, list[tuple[Polynomial, int]]]:
        """Return an integer, and the irreducible factors with coprime integer coefficients."""
        if self.binary:
            found = (
                [] if polynomial.is_constant() else [(self.ring(p), int(e)) for p, e in polynomial.factor()]
            )
            return 1, found
        if polynomial.is_constant():
            return int(polynomial.constant_coefficient()), []
        number, found = polynomial.lc(), []
        for factor, exponent in polynomial.factor():
            if not factor.is_constant():
                primitive = self.ring(factor / factor.content())
                primitive *= -1 if primitive.lc() < 0 else 1
                found.append((primitive, int(exponent)))
                number /= primitive.lc() ** exponent
        return int(number), found

    def expression(self, polynomial: Polynomial) -> Expression:
        """Return a polynomial as an expression in names."""
        return polynomial_expression(polynomial, self.names)

    def factored(self, polynomial: Polynomial) -> Expression:
        """Return the product of a polynomial's factors as an expression."""
        number, found = self.factors(polynomial)
        powers = multiplied(raised(self.expression(factor), exponent) for factor, exponent in found)
        if self.binary or number >= 0:
            return multiplied((Number(number), powers))
        return Negative(multiplied((Number(-number), powers)))


def polynomial_expression(polynomial: Polynomial, names: Sequence[str]) -> Expression:
    """Return a polynomial with integer coefficients as an expression in the names of its generators."""
    found: Expression = ZERO
    for exponents, coefficient in sorted(polynomial.dict().items(), reverse=True):
        value = int(coefficient)
        powers = [raised(Name(names[i]), int(e)) for i, e in enumerate(exponents) if e]
        term = multiplied((Number(abs(value)), *powers))
        if found == ZERO:
            found = term if value > 0 else Negative(term)
        else:
            found = Binary("+" if value > 0 else "-", found, term)
    return found
