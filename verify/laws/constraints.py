"""Equations between names, solved one by one; what cannot be solved is kept as relations."""

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
    """An equation leaves several cases, and nobody said which one to take."""

    def __init__(self, number: int) -> None:
        super().__init__(f"{number} cases")
        self.number = number


class Constraints:
    """What a list of names is worth, as rational functions of those that are left free.

    ``choices`` says which case to take of each equation that leaves several: of a^2 == 1 first a == 1 or
    a == -1. Whatever is divided by in solving is noted by the field.
    """

    def __init__(self, field: RationalFunctions, names: Iterable[str], choices: Sequence[int]) -> None:
        self.field = field
        self.values = {name: field.name(name) for name in names}
        self.free = set(self.values)
        self.relations: list[Polynomial] = []
        self._choices = iter(choices)

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
            self._substitute(*solution, candidates)
            return
        factors = [factor for factor, _ in polynomial.factor()]
        factor = factors[self._case(len(factors))]
        if factor.degree() == polynomial.degree():
            self.relations.append(polynomial)
        else:
            self.require(Ratio(factor, self.field.one), candidates)

    def _case(self, number: int) -> int:
        case = 0 if number == 1 else next(self._choices, None)
        if case is None:
            raise SeveralCasesError(number)
        return case

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
