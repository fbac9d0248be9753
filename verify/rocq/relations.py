"""Polynomials that are 0, as the checker counts them, and division by those that count as relations."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.primes import prime_factors
from efdgen.verify.rocq.fractions import Fraction, Fractions, missing, trimmed
from efdgen.verify.rocq.steps import Combine, Reason, Relate, Rule, Shorter

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.rocq.steps import Cofactors, Polynomial, Step

_FEW_TERMS = 24
"""Up to this number of terms, cofactors of a claim are written down; beyond it Rocq divides."""


class UnsupportedError(EfdgenError):
    """A statement whose proof needs more than certificates can say."""


class Relations:
    """The relations between free names; every method adds its steps to a list."""

    def __init__(self, fractions: Fractions, steps: list[Step]) -> None:
        self._fractions, self._steps = fractions, steps
        self._zeros: list[Polynomial] = []
        self._equations: dict[int, int] = {}  # equations of relations, by their numbers among the zeros
        self._basis: list[int] | None = []

    @property
    def polynomials(self) -> list[Polynomial]:
        """The relations."""
        return [self._zeros[number] for number in self._equations]

    def add(self, equation: int, numerator: Polynomial) -> None:
        """Make an equation, by its number and the numerator of its difference, a relation."""
        cancelled, shorter = self._fractions.everywhere(numerator)
        self._steps.append(Relate(equation, Shorter(cancelled, shorter, ()) if cancelled else None))
        self._equations[len(self._zeros)] = equation
        self._zeros.append(shorter)
        self._basis = None

    def remove(self, which: Callable[[Polynomial], bool]) -> list[int]:
        """Count some relations no more; return the numbers of their equations."""
        found = [number for number in self._equations if which(self._zeros[number])]
        if found:
            self._basis = None
        return [self._equations.pop(number) for number in found]

    def normal(self, polynomial: Polynomial) -> Polynomial:
        """Return the remainder of a polynomial by the relations."""
        basis = self._numbers()
        return polynomial.reduce([self._zeros[i] for i in basis]) if basis else polynomial

    def shortened(self, value: Fraction) -> tuple[Fraction, Shorter | None]:
        """Cancel bases in a fraction, and take the remainder by the relations where that is much shorter."""
        fractions = self._fractions
        cancelled, numerator = fractions.cancelled(value.exponents, value.numerator)
        remainder, cofactors = self._reduced(numerator)
        if not cancelled and not cofactors:
            return value, None
        outer = fractions.product(cancelled)
        shorter = Shorter(cancelled, remainder, tuple((i, q * outer) for i, q in cofactors))
        return Fraction(trimmed(missing(cancelled, value.exponents)), remainder), shorter

    def reason(self, numerator: Polynomial, what: str) -> Reason:
        """Return why a polynomial in the ideal of the relations is 0; raise :class:`UnsupportedError`."""
        cofactors = self._cofactors(numerator)
        terms = sum(cofactor.number_of_terms() for cofactor in cofactors.values())
        if terms > _FEW_TERMS and (rules := self._rules()):
            return Reason(rules=rules)
        common = 1
        for cofactor in () if self._fractions.binary else cofactors.values():
            common = cofactor.denominator().lcm(common)
        bases, powers = self._fractions.bases, dict[int, int]()
        for prime, power in prime_factors(int(common)):
            if self._fractions.ring(prime) not in bases:
                raise UnsupportedError(f"the proof divides by {prime}: {what}")
            powers[bases.index(self._fractions.ring(prime))] = power
        multiplied = trimmed([powers.get(place, 0) for place in range(len(bases))])
        return Reason(multiplied, (), tuple((number, q * common) for number, q in cofactors.items()))

    def _numbers(self) -> list[int]:
        """Return the numbers of a Gröbner basis of the relations."""
        if self._basis is None:
            relations = self.polynomials
            ideal = self._fractions.ring.ideal(relations)
            leading = [relation.lm() for relation in relations]
            if all(a.gcd(b) == 1 for a, b in combinations(leading, 2)):
                self._basis = list(self._equations)
            else:
                self._basis = [self._element(p, ideal) for p in ideal.groebner_basis()]
        return self._basis

    def _element(self, polynomial: Polynomial, ideal: object) -> int:
        """Return the number of an element of the basis, a relation or a combination of them."""
        binary = self._fractions.binary
        polynomial *= 1 if binary else polynomial.denominator()
        for number in self._equations:
            if self._zeros[number] in (polynomial, -polynomial):
                return number
        cofactors = polynomial.lift(ideal)
        common = 1
        for cofactor in () if binary else cofactors:
            common = cofactor.denominator().lcm(common)
        pairs = zip(self._equations, cofactors, strict=True)
        self._steps.append(Combine(tuple((i, q * common) for i, q in pairs if q != 0)))
        self._zeros.append(polynomial * common)
        return len(self._zeros) - 1

    def _reduced(self, numerator: Polynomial) -> tuple[Polynomial, Cofactors]:
        """Return the remainder of a polynomial, and cofactors, if that is much shorter and integral."""
        held = {v for i in self._numbers() for v in self._zeros[i].variables()}
        if held.isdisjoint(numerator.variables()):
            return numerator, ()
        remainder = self.normal(numerator)
        if 3 * remainder.number_of_terms() > 2 * numerator.number_of_terms():
            return numerator, ()
        cofactors = self._cofactors(numerator - remainder)
        if not self._fractions.binary and any(p.denominator() != 1 for p in (remainder, *cofactors.values())):
            return numerator, ()
        return remainder, tuple(cofactors.items())

    def _cofactors(self, rest: Polynomial) -> dict[int, Polynomial]:
        """Return cofactors of a polynomial in the ideal, by the numbers of polynomials that are 0."""
        found: dict[int, Polynomial] = {}
        while rest != 0:
            for number in self._numbers():
                remainder = rest.reduce([self._zeros[number]])
                if remainder != rest:
                    quotient = (rest - remainder) // self._zeros[number]
                    found[number] = found.get(number, 0) + quotient
                    rest = remainder
        return {number: q for number, q in found.items() if q != 0}

    def _rules(self) -> tuple[Rule, ...]:
        """Return the basis as rules; nothing if a leading coefficient is not 1 or -1."""
        found = []
        for number in self._numbers():
            polynomial = self._zeros[number]
            if polynomial.lc() not in (1, -1):
                return ()
            found.append(Rule(number, bool(polynomial.lc() != 1), polynomial.lm()))
        return tuple(found)
