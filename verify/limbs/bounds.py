"""How large a polynomial in words can be.

An interval for each variable gives one bound. A second comes of putting whole numbers for their words:
``a0 + 2^w·a1 + …`` is A, and its bound is exact. The better of the two counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.intervals import Interval
from efdgen.verify.limbs.polynomial import add, substitute, variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.verify.limbs.polynomial import Polynomial


class Bounds:
    """Intervals of variables, and which variables are the words of a number.

    Variables are numbered in the order in which they are made.
    """

    def __init__(self) -> None:
        self._intervals: list[Interval] = []
        self._wholes: list[tuple[int, Polynomial]] = []

    def new(self, interval: Interval) -> Polynomial:
        """Return a variable that lies in an interval."""
        self._intervals.append(interval)
        return variable(len(self._intervals) - 1)

    def note_whole(self, words: Polynomial, interval: Interval) -> None:
        """Note an interval in which a sum of multiples of variables lies.

        One of the variables must have the coefficient 1; it gives way to the whole.
        """
        lowest = next((monomial[0] for monomial, c in words.items() if c == 1 and len(monomial) == 1), None)
        if lowest is not None:
            whole = self.new(interval)
            rest = add(words, variable(lowest), -1)
            self._wholes.append((lowest, add(whole, rest, -1)))

    def interval(self, polynomial: Polynomial) -> Interval:
        """Return an interval in which the polynomial lies."""
        best = self._direct(polynomial)
        for lowest, by in self._wholes:
            if any(lowest in monomial for monomial in polynomial):
                replaced = substitute(polynomial, lowest, by)
                if len(replaced) < len(polynomial):
                    polynomial = replaced
                    found = self._direct(polynomial)
                    best = Interval(max(best.low, found.low), min(best.high, found.high))
        return best

    def _direct(self, polynomial: Mapping[tuple[int, ...], int]) -> Interval:
        total = Interval(0, 0)
        for monomial, coefficient in polynomial.items():
            part = Interval(coefficient, coefficient)
            for number in monomial:
                part = part.product(self._intervals[number])
            total += part
        return total
