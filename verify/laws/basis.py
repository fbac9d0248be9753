"""Gröbner bases by Buchberger's algorithm, with what each element is made of.

Every element is a combination of the given polynomials, whose cofactors are computed with it. The pairs of
least degree come first; those with coprime leading monomials are left out, and those whose lowest common
multiple a third leading monomial divides, if both pairs with it are done [1979-buchberger].
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.effort import scaled
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.laws.polynomials import Polynomial, Ring

# Beyond these numbers a proof would not end in a reasonable time; the database needs 40 pairs.
MOST_PAIRS = 2000
_MOST_TERMS = 20000


class Element(NamedTuple):
    """An element of an ideal, with the cofactors of the given polynomials of which it is the combination."""

    polynomial: Polynomial
    cofactors: tuple[Polynomial, ...]

    def minus(self, factor: Polynomial, other: Element) -> Element:
        """Return this without a multiple of another."""
        pairs = zip(self.cofactors, other.cofactors, strict=True)
        return Element(
            self.polynomial - factor * other.polynomial, tuple(one - factor * two for one, two in pairs)
        )

    def times(self, factor: Polynomial) -> Element:
        """Return a multiple of this."""
        return Element(factor * self.polynomial, tuple(factor * each for each in self.cofactors))


def groebner_basis(ring: Ring, polynomials: Sequence[Polynomial], budget: int = MOST_PAIRS) -> list[Element]:
    """Return the reduced Gröbner basis of an ideal; raise :class:`UndecidedError` beyond a budget."""
    one, zero = ring.one(), ring.zero()
    found = [
        _monic(Element(each, tuple(one if place == other else zero for other in range(len(polynomials)))))
        for place, each in enumerate(polynomials)
        if each != 0
    ]
    pairs, pending = 0, set(combinations(range(len(found)), 2))
    while pending:
        left, right = min(pending, key=lambda pair: (_lcm(found, *pair).degree(), pair))
        pending.remove((left, right))
        if _is_needless(found, pending, left, right):
            continue
        pairs += 1
        if pairs > (most := scaled(budget)):
            raise UndecidedError("a Gröbner basis", f"{most} pairs")
        common = _lcm(found, left, right)
        one_side = found[left].times(common // found[left].polynomial.lm())
        rest = _reduced(one_side.minus(common // found[right].polynomial.lm(), found[right]), found)
        if rest.polynomial != 0:
            pending |= {(place, len(found)) for place in range(len(found))}
            found.append(_monic(rest))
            if rest.polynomial.is_constant():
                return [found[-1]]
    return _interreduced(found)


def _lcm(found: Sequence[Element], left: int, right: int) -> Polynomial:
    return found[left].polynomial.lm().lcm(found[right].polynomial.lm())


def _is_needless(found: Sequence[Element], pending: set[tuple[int, int]], left: int, right: int) -> bool:
    """Return whether a pair is known to give nothing."""
    one, other = (found[place].polynomial.lm() for place in (left, right))
    common = one.lcm(other)
    if common.degree() == one.degree() + other.degree():
        return True
    return any(
        third not in {left, right}
        and common % element.polynomial.lm() == 0
        and (min(left, third), max(left, third)) not in pending
        and (min(right, third), max(right, third)) not in pending
        for third, element in enumerate(found)
    )


def _reduced(element: Element, others: Sequence[Element]) -> Element:
    """Return an element without the terms that leading monomials of others divide."""
    rest, quotients = element.polynomial.divided([other.polynomial for other in others])
    if any(each.number_of_terms() > (most := scaled(_MOST_TERMS)) for each in (rest, *quotients)):
        raise UndecidedError("a Gröbner basis", f"{most} terms")
    for quotient, other in zip(quotients, others, strict=True):
        if quotient != 0:
            element = element.minus(quotient, other)
    return element


def _monic(element: Element) -> Element:
    number = element.polynomial.ring(element.polynomial.lc())
    return element.times(element.polynomial.ring(number.inverse()))


def _interreduced(found: Sequence[Element]) -> list[Element]:
    """Return the reduced basis: no term of an element is a multiple of another's leading monomial."""
    least: list[Element] = []
    for element in sorted(found, key=lambda element: element.polynomial.order()[0]):
        if all(element.polynomial.lm() % other.polynomial.lm() != 0 for other in least):
            least.append(element)
    return [_reduced(element, [other for other in least if other is not element]) for element in least]


def dimension(leading: Sequence[Polynomial], names: int) -> int:
    """Return the dimension of an ideal, from the leading monomials of its Gröbner basis in ``names`` names.

    It is the largest number of names such that each of the monomials has a name that is not among them
    [2015-cox-little-oshea] 9.1.
    """
    supports = [{name.place for name in monomial.variables()} for monomial in leading]
    for size in range(names + 1):
        if any(
            all(set(chosen) & support for support in supports) for chosen in combinations(range(names), size)
        ):
            return names - size
    return -1
