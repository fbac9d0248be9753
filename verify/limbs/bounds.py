"""Bounds of a polynomial in words.

An interval for each variable gives one bound. Others come of what is known of several variables: whole
numbers are put for their words, ``a0 + 2^w·a1 + …`` is A, whose bound is exact; and equations are used, such
as ``2^w·h = m·c - r0``, for which the polynomial is multiplied by 2^w. The best of them counts.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from efdgen.generator.limbs.intervals import Interval
from efdgen.verify.limbs.polynomial import add, scale, substitute, variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.verify.limbs.polynomial import Polynomial


class Bounds:
    """Intervals of variables, and equations between them.

    Variables are numbered in the order in which they are made.
    """

    def __init__(self) -> None:
        self._intervals: list[Interval] = []
        self._wholes: list[tuple[Polynomial, Polynomial]] = []
        self._equations: list[tuple[int, int, Polynomial]] = []

    def new(self, interval: Interval) -> Polynomial:
        """Return a variable that lies in an interval."""
        self._intervals.append(interval)
        return variable(len(self._intervals) - 1)

    def of(self, number: int) -> Interval:
        """Return the interval of a variable."""
        return self._intervals[number]

    def note_whole(self, words: Polynomial, interval: Interval) -> None:
        """Note an interval in which a sum of multiples of variables lies: a number, in its words."""
        self._wholes.append((words, self.new(interval)))

    def note_equation(self, polynomial: Polynomial, factor: int) -> None:
        """Note that a polynomial is 0, where it has a term ``±factor·variable``; the newest one is taken."""
        newest = max((m for m, c in polynomial.items() if len(m) == 1 and abs(c) == factor), default=None)
        if newest is not None:
            sign = polynomial[newest] // factor
            rest = {monomial: c for monomial, c in polynomial.items() if monomial != newest}
            self._equations.append((newest[0], factor, scale(rest, -sign)))

    def interval(self, polynomial: Polynomial) -> Interval:
        """Return an interval in which the polynomial lies."""
        best, multiple = self._direct(polynomial), 1
        for number, factor, by in reversed(self._equations):
            coefficient = polynomial.get((number,), 0)
            if coefficient and sum(number in monomial for monomial in polynomial) == 1:
                rest = {monomial: c * factor for monomial, c in polynomial.items() if monomial != (number,)}
                polynomial, multiple = add(rest, by, coefficient), multiple * factor
                best = _intersection(best, self._direct(polynomial), multiple)
        for words, whole in self._wholes:
            for replaced, factor in _replacements(polynomial, words, whole):
                found = _intersection(best, self._direct(replaced), multiple * factor)
                if found != best or len(replaced) < len(polynomial):
                    best, polynomial, multiple = found, replaced, multiple * factor
        return best

    def _direct(self, polynomial: Mapping[tuple[int, ...], int]) -> Interval:
        total = Interval(0, 0)
        for monomial, coefficient in polynomial.items():
            part = Interval(coefficient, coefficient)
            for number in monomial:
                part = part.product(self._intervals[number])
            total += part
        return total


def _replacements(
    polynomial: Polynomial, words: Polynomial, whole: Polynomial
) -> Iterator[tuple[Polynomial, int]]:
    """Yield multiples of a polynomial with a whole number put for its words, and which multiple it is.

    It is put into every product for its lowest word, or subtracted so often that its highest word goes.
    """
    lowest = next((monomial[0] for monomial, c in words.items() if c == 1 and len(monomial) == 1), -1)
    if any(lowest in monomial for monomial in polynomial):
        rest = add(words, variable(lowest), -1)
        yield substitute(polynomial, lowest, add(whole, rest, -1)), 1
    highest = max(words, key=words.__getitem__, default=())
    if words and highest in polynomial:
        common = gcd(polynomial[highest], words[highest])
        often, factor = polynomial[highest] // common, words[highest] // common
        yield add(add(scale(polynomial, factor), words, -often), whole, often), factor


def _intersection(known: Interval, found: Interval, multiple: int) -> Interval:
    """Return what is in an interval, and times ``multiple`` in another."""
    return Interval(max(known.low, -(-found.low // multiple)), min(known.high, found.high // multiple))
