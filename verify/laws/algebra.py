"""Rational functions over a polynomial ring, as unreduced pairs, modulo polynomials that are zero."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import comb, gcd, lcm
from typing import TYPE_CHECKING, Any

from efdgen.verify.effort import scaled
from efdgen.verify.laws.basis import MOST_PAIRS, groebner_basis
from efdgen.verify.laws.polynomials import Ring
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.verify.laws.basis import Element

Polynomial = Any  # from efdgen.verify.laws.polynomials, or Sage's, which carry no types
Number = Any

# Budgets: beyond these a proof would not end in a reasonable time. The database needs 38,000 terms and a
# degree of 354, for maps.
_MOST_PRODUCTS = 10**6
_MOST_TERMS = 5 * 10**4
_MOST_DEGREE = 512
_MOST_BITS = 10**6  # bits of the power of a number

_PROGRAM = "the program as rational functions"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A numerator and a denominator, with common factors left in; over Q both have integer coefficients.

    Products and sums raise :class:`UndecidedError` where they would have too many terms to go on with.
    """

    numerator: Polynomial
    denominator: Polynomial

    def __add__(self, other: Ratio) -> Ratio:
        if self.denominator == other.denominator:
            return Ratio(self.numerator + other.numerator, self.denominator)
        return Ratio(
            _product(self.numerator, other.denominator) + _product(other.numerator, self.denominator),
            _product(self.denominator, other.denominator),
        )

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio(_product(self.numerator, other.numerator), _product(self.denominator, other.denominator))

    def __rmul__(self, factor: int) -> Ratio:
        return Ratio(factor * self.numerator, self.denominator)

    def __pow__(self, exponent: int) -> Ratio:
        return Ratio(_power(self.numerator, exponent), _power(self.denominator, exponent))


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    if left.number_of_terms() * right.number_of_terms() > (most := scaled(_MOST_PRODUCTS)):
        raise UndecidedError(_PROGRAM, f"{most} products of terms")
    _require_degree(left.degree() + right.degree())
    return left * right


def _power(base: Polynomial, exponent: int) -> Polynomial:
    _require_degree(base.degree() * abs(exponent))
    terms = base.number_of_terms()
    if base.is_constant():
        bits = len(str(base)) * abs(exponent)  # at least a third of them, and no fewer than digits
        if base not in (-1, 0, 1) and bits > (most := scaled(_MOST_BITS)):
            raise UndecidedError(_PROGRAM, f"numbers of {most} digits")
    elif comb(terms + exponent - 1, exponent) > (most := scaled(_MOST_TERMS)):
        raise UndecidedError(_PROGRAM, f"{most} terms")
    return base**exponent


def _require_degree(degree: int) -> None:
    if degree > (most := scaled(_MOST_DEGREE)):
        raise UndecidedError(_PROGRAM, f"polynomials of degree {most}")


class RationalFunctions:
    """Fractions of polynomials over Q, or over GF(2), in the given names, modulo relations between them.

    Satisfies :class:`efdgen.generator.programs.interpreter.Field`. ``divisors`` collects what was divided by;
    where the relations make one of them zero, nothing that was computed means anything.
    """

    pairs = MOST_PAIRS
    """The budget of pairs of a Gröbner basis."""

    def __init__(self, names: Iterable[str], *, binary: bool) -> None:
        # Rings take no names like 2d, so generators are numbered and looked up by position.
        ordered = list(names)
        self.binary = binary
        self.ring = self._ring(len(ordered))
        self.one = self.ring.one()
        self.zero = Ratio(self.ring.zero(), self.one)
        self.generators: dict[str, Polynomial] = dict(zip(ordered, self.ring.gens(), strict=True))
        self.relations: Sequence[Polynomial] = ()
        self.basis: Sequence[Polynomial] = ()
        self.elements: Sequence[Element] = ()
        self.divisors: dict[Polynomial, None] = {}
        self._checked = 0
        self._names = dict(zip(map(str, self.ring.gens()), ordered, strict=True))

    def _ring(self, names: int) -> Any:  # noqa: ANN401 - of one of two classes
        return Ring(names, 2 if self.binary else 0)

    def impose(self, relations: Sequence[Polynomial]) -> None:
        """Make polynomials zero, by a Gröbner basis; those with coprime leading monomials are one already.

        ``elements`` are the basis with cofactors, if it is not the relations.
        """
        self.relations = [relation for relation in relations if relation != 0]
        leading = [relation.lm() for relation in self.relations]
        coprime = all(left.gcd(right) == 1 for left, right in combinations(leading, 2))
        self.elements = () if coprime else groebner_basis(self.ring, self.relations, self.pairs)
        self.basis = self.relations if coprime else [element.polynomial for element in self.elements]

    def name(self, text: str) -> Ratio:
        """Return a name as a rational function."""
        return Ratio(self.generators[text], self.one)

    def constant(self, value: Fraction) -> Ratio:
        """Return a rational number; raise ZeroDivisionError for 1/2 in characteristic 2."""
        integer = Ratio(self.ring(value.numerator), self.one)
        if value.denominator == 1:
            return integer
        return integer * self.inv(Ratio(self.ring(value.denominator), self.one))

    def add(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left + right."""
        return left + right

    def sub(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left - right."""
        return left - right

    def mul(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left · right."""
        return left * right

    def inv(self, value: Ratio) -> Ratio:
        """Return 1/value, and note the divisor."""
        if value.numerator == 0:
            raise ZeroDivisionError
        self.divisors[value.numerator] = None
        return Ratio(value.denominator, value.numerator)

    def remainder(self, polynomial: Polynomial) -> Polynomial:
        """Return the normal form modulo the relations; raise :class:`UndecidedError` for many terms."""
        if polynomial.number_of_terms() > (most := scaled(_MOST_TERMS)):
            raise UndecidedError("whether a polynomial is in the ideal of the relations", f"{most} terms")
        return polynomial.reduced(self.basis) if self.basis else polynomial

    def vanishes(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial is zero modulo the relations."""
        return bool(polynomial == 0 or self.remainder(polynomial) == 0)

    def equal(self, left: Ratio, right: Ratio) -> bool:
        """Return whether two rational functions are the same modulo the relations."""
        return self.vanishes((left - right).numerator)

    def require_divisors(self) -> None:
        """Raise ZeroDivisionError where the relations make zero what was divided by since the last time."""
        for divisor in islice(self.divisors, self._checked, None):
            if self.vanishes(divisor):
                raise ZeroDivisionError
        self._checked = len(self.divisors)

    def primitive(self, value: Ratio) -> Polynomial:
        """Return the numerator without its content and what it has in common with the denominator.

        Such a factor comes of clearing denominators and would make an ideal that holds the numerator more
        than the function's zeros.
        """
        numerator, denominator = value.numerator, value.denominator
        if numerator == 0:
            return numerator
        self.divisors[self.ring(self.content(numerator))] = None
        while not denominator.is_constant():
            common = numerator.gcd(denominator)
            if common.is_constant():
                break
            numerator //= common
        return numerator / self.content(numerator)

    def content(self, polynomial: Polynomial) -> Number:
        """Return the greatest number that divides all coefficients; over GF(2) it is 1."""
        if self.binary:
            return Fraction(1)
        values = polynomial.coefficients()
        return Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))

    def solve(self, polynomial: Polynomial, candidates: Iterable[str]) -> tuple[str, Ratio] | None:
        """Solve polynomial = 0 for the first name in which it is linear and irreducible.

        A name whose slope is a number comes first: no case is excluded by dividing by it. The caller notes
        the slope, which is the denominator, as a divisor.
        """
        linear = [name for name in candidates if polynomial.degree(self.generators[name]) == 1]
        slopes = {name: polynomial.coefficient({self.generators[name]: 1}) for name in linear}
        for name in sorted(linear, key=lambda name: not slopes[name].is_constant()):
            slope = slopes[name]
            rest = polynomial - slope * self.generators[name]
            if slope.is_constant() or slope.gcd(rest).is_constant():
                return name, Ratio(-rest, slope)
        return None

    def substitute(self, value: Ratio, name: str, by: Ratio) -> Ratio:
        """Replace a name in a rational function by another rational function."""
        generator = self.generators[name]
        degree = max(value.numerator.degree(generator), value.denominator.degree(generator))
        if degree <= 0:
            return value

        def homogeneous(polynomial: Polynomial) -> Polynomial:
            coefficients = (polynomial.coefficient({generator: power}) for power in range(degree + 1))
            terms = (
                _product(
                    coefficient, _product(_power(by.numerator, power), _power(by.denominator, degree - power))
                )
                for power, coefficient in enumerate(coefficients)
                if coefficient != 0
            )
            return sum(terms, start=self.ring.zero())

        return Ratio(homogeneous(value.numerator), homogeneous(value.denominator))

    def text(self, polynomial: Polynomial, limit: int = 160, names: Mapping[str, str] | None = None) -> str:
        """Write a polynomial with the names it was made of, shortened beyond ``limit`` characters.

        ``names`` are others for some of them.
        """
        known = {generator: (names or {}).get(name, name) for generator, name in self._names.items()}
        text = re.sub(r"v\d+", lambda match: known[match.group()], str(polynomial))
        if len(text) <= limit:
            return text
        whole = text[:limit].rpartition(" ")[0].rstrip(" +-")
        return f"{whole}… ({len(polynomial.monomials())} terms)"


class ReducedFunctions(RationalFunctions):
    """Rational functions without common factors; slower at each step, but sums of sums stay small."""

    def add(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left + right."""
        return self._reduced(left + right)

    def sub(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left - right."""
        return self._reduced(left - right)

    def mul(self, left: Ratio, right: Ratio) -> Ratio:
        """Return left · right."""
        return self._reduced(left * right)

    def _reduced(self, value: Ratio) -> Ratio:
        if value.denominator.is_constant():
            return value
        common = value.numerator.gcd(value.denominator)
        return (
            value if common.is_constant() else Ratio(value.numerator // common, value.denominator // common)
        )
