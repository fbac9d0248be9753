"""Equations between names, solved one by one; the unsolvable ones remain as relations.

Solving ``s*t == r`` for t divides by s. The values with s = 0, and hence r = 0, are a case of their own, the
*degenerate* one; whoever makes the constraints takes both, as it takes every factor of an equation that is a
product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.laws.algebra import Ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.verify.laws.algebra import Polynomial, RationalFunctions


class ContradictionError(EfdgenError):
    """No values of the names satisfy the equations, or none that leaves an elliptic curve."""

    def __init__(self, reason: str = "the assumptions contradict each other") -> None:
        super().__init__(reason)


class SeveralCasesError(Exception):
    """An equation leaves several cases, and the choices do not say which one to take."""

    def __init__(self, number: int) -> None:
        super().__init__(f"{number} cases")
        self.number = number


class Constraints:
    """The values of a list of names, as rational functions of those that are left free.

    ``choices`` says which case to take of each equation that leaves several: of a^2 == 1 first a == 1 or
    a == -1, of s*t == r first s != 0 or s == 0. ``degenerate`` lists the slopes that were taken to be zero.
    ``taken`` counts the choices that were read. Every divisor of a solution is noted by the field.
    """

    def __init__(self, field: RationalFunctions, names: Iterable[str], choices: Sequence[int]) -> None:
        self.field = field
        self.values = {name: field.name(name) for name in names}
        self.free = set(self.values)
        self.relations: list[Polynomial] = []
        self.degenerate: list[Polynomial] = []
        self.chosen: list[Polynomial] = []
        self.taken = 0
        self.choices = tuple(choices)

    def require(self, difference: Ratio, candidates: Sequence[str]) -> None:
        """Make a rational function zero: solve it for a candidate, or keep it as a relation.

        Raises :class:`ContradictionError`, and :class:`SeveralCasesError` where the choices have run out.
        """
        polynomial = self.field.primitive(difference)
        if polynomial == 0:
            return
        if polynomial.is_constant():
            raise ContradictionError
        solution = self.field.solve(polynomial, [name for name in candidates if name in self.free])
        if solution is not None:
            self._solve(*solution, candidates)
            return
        factors = [factor for factor, _ in polynomial.factor()]
        factor = factors[self._case(len(factors))]
        if len(factors) > 1 or factor.degree() != polynomial.degree():
            self.chosen.append(factor)
        if factor.degree() == polynomial.degree():
            self.relations.append(polynomial)
        else:
            self.require(Ratio(factor, self.field.one), candidates)

    def _solve(self, name: str, value: Ratio, candidates: Sequence[str]) -> None:
        slope = value.denominator
        if self._may_vanish(slope) and self._case(2) == 1:
            self.degenerate.append(slope)
            self.chosen.append(slope)
            self.require(Ratio(slope, self.field.one), candidates)
            # The slope's solution is not in the numerator yet.
            rest = self._in_known(Ratio(value.numerator, self.field.one))
            self.require(rest, candidates)
        else:
            self.field.divisors[slope] = None
            self._substitute(name, value, candidates)

    def _may_vanish(self, slope: Polynomial) -> bool:
        """Return whether a factor of a slope divides nothing that is known not to be zero."""
        known = [divisor for divisor in self.field.divisors if not divisor.is_constant()]
        return any(not any(d % factor == 0 for d in known) for factor, _ in slope.factor())

    def _in_known(self, value: Ratio) -> Ratio:
        """Replace in a rational function of free names those that have been solved since."""
        for name, generator in self.field.generators.items():
            solved = self.values.get(name)
            if solved is not None and solved.numerator != generator:
                value = self.field.substitute(value, name, solved)
        return value

    def _case(self, number: int) -> int:
        if number == 1:
            return 0
        if self.taken == len(self.choices):
            raise SeveralCasesError(number)
        self.taken += 1
        return self.choices[self.taken - 1]

    def _substitute(self, name: str, value: Ratio, candidates: Sequence[str]) -> None:
        """Replace a name by what it was solved to, in everything that is known."""
        field = self.field
        self.free.remove(name)
        self.values = {known: field.substitute(old, name, value) for known, old in self.values.items()}
        divisors = [field.substitute(Ratio(divisor, field.one), name, value) for divisor in field.divisors]
        field.divisors = {divisor.numerator: None for divisor in divisors}
        if field.ring.zero() in field.divisors:
            raise ContradictionError
        relations, self.relations = self.relations, []
        for relation in relations:
            self.require(field.substitute(Ratio(relation, field.one), name, value), candidates)
