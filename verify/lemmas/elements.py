"""Elements of a field as rational functions of coordinates, and which of them are 0.

A function is 0 where the relations say so, and not 0 where its numerator is a product of polynomials that are
known not to be. If neither is known, a proof follows both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.laws.algebra import Ratio, RationalFunctions
from efdgen.verify.laws.polynomials import Polynomial, Ring
from efdgen.verify.symbols.facts import DeadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.verify.symbols.facts import Facts

# Budgets of relations that a test adds, and of their bases: built-in curves need degree 6, 4 terms, 3 pairs.
_MOST_DEGREE = 8
_MOST_TERMS = 32
_MOST_PAIRS = 32


class Elements(RationalFunctions):
    """Rational functions over GF(p) in some names, modulo relations, on one way.

    ``nonzero`` are polynomials without a zero on this way. Over GF(2^m) coefficients are in GF(2), and other
    constants are ``known`` functions of names.
    """

    pairs = _MOST_PAIRS

    def __init__(self, prime: int, names: Iterable[str], facts: Facts) -> None:
        self.prime, self._facts = prime, facts
        self.nonzero: dict[Polynomial, None] = {}
        self.known: dict[int, Ratio] = {}
        super().__init__(names, binary=False)

    def _ring(self, names: int) -> Ring:
        return Ring(names, self.prime)

    def number(self, value: int) -> Ratio:
        """Return an integer modulo p, or an element of GF(2^m) that is known."""
        if self.prime == 2 and value > 1:
            return self.known[value]
        return Ratio(self.ring(value % self.prime), self.one)

    def choose(self, fact: str) -> int:
        """Return whether something is so on this way."""
        return self._facts.choose(fact)

    def relate(self, relations: Iterable[Polynomial]) -> None:
        """Make further polynomials zero; raise :class:`DeadError` where one that is not zero becomes so.

        A relation is divided by factors that are not zero.
        """
        found = [*self.basis, *relations]
        while True:
            self.impose(found)
            left = [self._root(self._left(polynomial)) for polynomial in self.basis]
            if any(polynomial.is_constant() for polynomial in left) or any(map(self.vanishes, self.nonzero)):
                raise DeadError
            if left == list(self.basis):
                break
            found = left
        for polynomial in list(self.nonzero):
            self.assume(polynomial)

    def assume(self, polynomial: Polynomial) -> None:
        """Take a polynomial for one without a zero; raise :class:`DeadError` if it is 0."""
        if self.vanishes(polynomial):
            raise DeadError
        for known in (polynomial, self.remainder(polynomial)):
            if not known.is_constant():
                self.nonzero[known] = None
                self.divisors[known] = None

    def is_zero(self, value: Ratio) -> int:
        """Return whether a function is 0 on this way."""
        rest = self.remainder(value.numerator)
        if rest == 0:
            return 1
        left = [self._left(known) for known in (value.numerator, rest)]
        if any(polynomial.is_constant() for polynomial in left):
            return 0
        for factor in self._parts(min(left, key=Polynomial.degree)):
            if factor.degree() > _MOST_DEGREE or factor.number_of_terms() > _MOST_TERMS:
                raise RoutineError(f"a test whether {self.text(factor)} is 0 is not followed")
            if self._facts.choose(f"{self.text(factor)} = 0"):
                self.relate([factor])
                return 1
            self.assume(factor)
        return 0

    def _root(self, polynomial: Polynomial) -> Polynomial:
        """Return the square root of a square over GF(2), which is 0 where it is."""
        terms = polynomial.dict() if self.prime == 2 and not polynomial.is_constant() else {}
        if not terms or any(exponent % 2 for exponents in terms for exponent in exponents):
            return polynomial
        return self._root(self.ring({tuple(e // 2 for e in exponents): v for exponents, v in terms.items()}))

    def _left(self, polynomial: Polynomial) -> Polynomial:
        """Return a polynomial without factors that are known not to be zero."""
        for known in self.nonzero:
            while not (common := polynomial.gcd(known)).is_constant():
                polynomial //= common
        return polynomial

    def _parts(self, polynomial: Polynomial) -> Iterator[Polynomial]:
        """Yield the names that divide a polynomial, and the quotient by these."""
        for name in polynomial.variables():
            if polynomial % name == 0:
                yield name
                while polynomial % name == 0:
                    polynomial //= name
        if not polynomial.is_constant():
            yield polynomial

    def inv(self, value: Ratio) -> Ratio:
        """Return 1/value, and 0 for 0, as generated code does."""
        return self.zero if self.is_zero(value) else Ratio(value.denominator, value.numerator)


class Lawful:
    """The same field where laws and meanings are solved: what they divide by is not 0."""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.constant, self.mul = elements.constant, elements.mul
        self.add, self.sub = elements.add, elements.sub

    def inv(self, value: Ratio) -> Ratio:
        """Return 1/value, and take value for one that is not 0."""
        self.elements.assume(value.numerator)
        return Ratio(value.denominator, value.numerator)


class Strict(Lawful):
    """The same field where meanings are tested: a division by 0 is an error."""

    def inv(self, value: Ratio) -> Ratio:
        """Return 1/value; raise ZeroDivisionError for 0."""
        if self.elements.is_zero(value):
            raise ZeroDivisionError
        return Ratio(value.denominator, value.numerator)
