"""Partly known field elements: sums of products of symbols and of their powers.

A *world* holds facts about its symbols: which are not 0, which are squares or not, and the square of a symbol
in terms of others. Normal forms give the factors that two elements have in
common. If it is not known whether something is 0, both ways are followed, one after the other, and each keeps
its assumptions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.mathematics.ground import Ground

Monomial: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Element:
    """Coefficients of products of powers of symbols, by these; none is 0. Powers may be negative."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @classmethod
    def of(cls, terms: Iterable[tuple[Monomial, Fraction]]) -> Element:
        """Return a sum of terms."""
        found: dict[Monomial, Fraction] = {}
        for monomial, coefficient in terms:
            found[monomial] = found.get(monomial, Fraction(0)) + coefficient
        return cls(tuple(sorted((m, c) for m, c in found.items() if c)))

    @classmethod
    def number(cls, value: int | Fraction) -> Element:
        """Return a number."""
        return cls.of([((), Fraction(value))])

    @classmethod
    def symbol(cls, name: str) -> Element:
        """Return a symbol."""
        return cls.of([(((name, 1),), Fraction(1))])

    def __add__(self, other: Element) -> Element:
        return Element.of((*self.terms, *other.terms))

    def __sub__(self, other: Element) -> Element:
        return self + other.times(-1)

    def __mul__(self, other: Element) -> Element:
        return Element.of((_product(m, n), c * d) for m, c in self.terms for n, d in other.terms)

    def __pow__(self, exponent: int) -> Element:
        """Return a power, which may be negative of a single term."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms
            powers = tuple((name, power * exponent) for name, power in monomial) if exponent else ()
            return Element(((powers, coefficient**exponent),))
        found = Element.number(1)
        for _ in range(exponent):
            found *= self
        return found

    def times(self, factor: int | Fraction) -> Element:
        """Return a multiple."""
        return Element.of((m, c * factor) for m, c in self.terms)


def _product(a: Monomial, b: Monomial) -> Monomial:
    powers = dict(a)
    for name, power in b:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


ZERO, ONE = Element.number(0), Element.number(1)


@dataclass
class World:
    """Facts about symbols, and the assumptions of the current path.

    In GF(2^m), coefficients count modulo 2. ``units`` are symbols that are not 0; ``characters`` are 1 for
    squares and -1 for other symbols, where known; ``squares`` are squares of symbols; ``told`` holds elements
    known to be squares or not; ``roots`` are inverse roots and their elements, by the choice of a sign; not
    all of the elements in one of ``never`` are 0. In GF(2^m), ``traces`` are traces of elements,
    ``solutions`` are z for z² + z, and ``evens`` are elements without their constant coefficients.
    """

    ground: Ground
    units: frozenset[str] = frozenset()
    characters: dict[str, int] = field(default_factory=dict)
    squares: dict[str, Element] = field(default_factory=dict)
    told: dict[Element, bool] = field(default_factory=dict)
    roots: dict[Element, Element] = field(default_factory=dict)
    never: tuple[tuple[Element, ...], ...] = ()
    traces: dict[Element, int] = field(default_factory=dict)
    solutions: dict[Element, Element] = field(default_factory=dict)
    evens: dict[Element, Element] = field(default_factory=dict)
    zeros: list[Element] = field(default_factory=list)
    others: list[Element] = field(default_factory=list)
    _taken: list[bool] = field(default_factory=list)
    _left: list[list[bool]] = field(default_factory=list)
    _at: int = 0
    _new: int = 0

    def ways(self) -> Iterator[None]:
        """Begin each way that there is, one after the other."""
        self._left = [[]]
        while self._left:
            self._taken, self._at, self._new = self._left.pop(), 0, 0
            self.zeros, self.others = [], []
            yield

    @property
    def exists(self) -> bool:
        """Return whether the assumptions of the current path do not contradict the facts."""
        return not any(all(self.vanishes(one) for one in group) for group in self.never)

    def normal(self, element: Element) -> Element:
        """Return an element without squares of symbols of which it is known what they are."""
        element = self._reduced(element)
        while found := self._reducible(element):
            term, name = found
            rest = Element((term,))
            element = element - rest + rest * Element.symbol(name) ** -2 * self.squares[name]
            element = self._reduced(element)
        return element

    def _reduced(self, element: Element) -> Element:
        """Return an element with coefficients modulo 2 in GF(2^m); refuse one with an even denominator."""
        if not self.ground.is_binary:
            return element
        if not all(coefficient.denominator % 2 for _, coefficient in element.terms):
            raise NotFollowedError("something is halved where 2 = 0")
        odd = (monomial for monomial, coefficient in element.terms if coefficient.numerator % 2)
        return Element(tuple((monomial, Fraction(1)) for monomial in odd))

    def _reducible(self, element: Element) -> tuple[tuple[Monomial, Fraction], str] | None:
        """Return a term with the square of a symbol of which it is known what it is, and the symbol."""
        found = (
            (term, name)
            for term in element.terms
            for name, power in term[0]
            if power > 1 and name in self.squares
        )
        return next(found, None)

    def choose(self) -> bool:
        """Choose one of two ways, and leave the other for later."""
        if self._at == len(self._taken):
            self._left.append([*self._taken, False])
            self._taken.append(True)
        self._at += 1
        return self._taken[self._at - 1]

    # Operations of functions

    def constant(self, value: int) -> Element:
        """Return a number."""
        return Element.number(value)

    def add(self, a: Element, b: Element) -> Element:
        """Return a + b."""
        return a + b

    def sub(self, a: Element, b: Element) -> Element:
        """Return a - b."""
        return a - b

    def mul(self, a: Element, b: Element) -> Element:
        """Return a·b."""
        return a * b

    def times(self, a: Element, factor: int | Fraction) -> Element:
        """Return a multiple."""
        return a.times(factor)

    def equal(self, a: Element, b: Element) -> bool:
        """Return whether two elements are equal: as far as it is known, or as it is assumed."""
        return self.is_zero(a - b)

    def select(self, flag: int, a: Element, b: Element) -> Element:
        """Return a where a flag is 1, b where it is 0."""
        return a if flag else b

    def is_zero(self, element: Element) -> bool:
        """Return whether an element is 0: as far as it is known, or as it is assumed."""
        found = self._known(element)
        if found is None:
            found = self.choose()
            (self.zeros if found else self.others).append(self.normal(element))
        return found

    def _known(self, element: Element) -> bool | None:
        element = self.normal(element)
        if self.vanishes(element):
            return True
        if self.is_unit(element) or any(_are_multiples(element, other) for other in self.others):
            return False
        if len(element.terms) == 2:
            one, other = (Element((term,)) for term in element.terms)
            known = self.is_unit(one) or self.is_unit(other)
            if known and self.character(one * other.times(-1)) == -1:
                return False
        return None

    def differs(self, element: Element) -> bool:
        """Return whether an element is not 0 by the facts and assumptions."""
        return self._known(element) is False

    def vanishes(self, element: Element) -> bool:
        """Return whether an element is 0 by the facts and assumptions."""
        element = self.normal(self._cleared(element))
        return not element.terms or any(_are_multiples(element, zero) for zero in self.zeros)

    def _cleared(self, element: Element) -> Element:
        """Return a multiple by a unit, without negative powers of symbols whose squares are known."""
        for name in self.squares.keys() & self.units:
            least = min((dict(monomial).get(name, 0) for monomial, _ in element.terms), default=0)
            element = element * Element.symbol(name) ** max(0, -least)
        return element

    def is_unit(self, element: Element) -> bool:
        """Return whether an element is known not to be 0."""
        element = self._reduced(element)
        return len(element.terms) == 1 and all(name in self.units for name, _ in element.terms[0][0])

    def character(self, element: Element) -> int:
        """Return 1 for a square and -1 for a non-square, apart from 0; 0 if neither is known."""
        if len(element.terms) != 1:
            return 0
        ((monomial, coefficient),) = element.terms
        if self.ground.is_binary:
            return 1
        number = coefficient.numerator * coefficient.denominator
        found = 1 if self.ground.power(number, self.ground.order // 2) == 1 else -1
        for name, power in monomial:
            found *= self.characters.get(name, 0) if power % 2 else 1
        return found

    def is_square(self, element: Element) -> bool:
        """Return whether an element is a square: as far as it is known, or as it is assumed; 0 is one."""
        element = self.normal(element)
        if not element.terms:
            return True
        if element in self.told:
            return self.told[element]
        found = self.character(element) if self.is_unit(element) else 0
        return found == 1 if found else self.choose()

    def inverse_root(self, element: Element) -> Element:
        """Return the inverse root of an element; where that is not known, anything."""
        element = self.normal(element)
        if not element.terms:
            return ZERO
        return self.roots[element] if element in self.roots else self.anything()

    def inverse_square_root(self, element: Element) -> tuple[bool, Element]:
        """Return whether an element is a square but 0, and the inverse root of it, or 0."""
        element = self.normal(element)
        if element in self.roots and self.character(element) != -1:
            return True, self.roots[element]
        if element.terms and self.character(element) != -1:
            raise NotFollowedError("a root is taken of what may be a square or none")
        return False, ZERO

    def trace(self, element: Element) -> int:
        """Return the trace of an element, which must be known."""
        element = self.normal(element)
        if element not in self.traces:
            raise NotFollowedError("a trace is taken that is not known")
        return self.traces[element]

    def solution(self, element: Element) -> Element:
        """Return a root of z² + z = a, or an arbitrary element where no root exists."""
        element = self.normal(element)
        return self.solutions[element] if element in self.solutions else self.anything()

    def even(self, element: Element) -> Element:
        """Return an element without its constant coefficient; of anything it is anything."""
        element = self.normal(element)
        return self.evens[element] if element in self.evens else self.anything()

    def anything(self) -> Element:
        """Return an element of which nothing is known."""
        self._new += 1
        return Element.symbol(f"any {self._new}")

    def inverse(self, element: Element) -> Element:
        """Return the inverse of what is 0 or known not to be."""
        element = self.normal(element)
        if not element.terms:
            return ZERO
        if not self.is_unit(element):
            raise NotFollowedError("something is inverted that may be 0 or not")
        return element**-1


def _are_multiples(one: Element, other: Element) -> bool:
    """Return whether an element is another times a number."""
    if not one.terms or not other.terms or len(one.terms) != len(other.terms):
        return False
    return one == other.times(one.terms[0][1] / other.terms[0][1])
