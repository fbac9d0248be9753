"""The cases that equations leave, and those that a proof has to consider.

Equations may have several components, and each is a case: a == 1 and a == -1 of a^2 == 1, and s != 0 and
s == 0 where s*t == r is solved for t. The cases together are all values of all names. One with s == 0 needs
no proof where it lies in the closure of the others: each component of k equations in n names has dimension
n - k or more, so that a smaller case is no component, and a polynomial identity that holds on the others
holds there by continuity.

The meaning of coordinates may leave cases of special points: ``y == X/T`` is solved by X = y·T, and T is
open where y = 0 and X = 0. A law is about points in general position, represented with nonzero scales, so
that such a case needs no proof if the same assumptions leave one of general points. Representatives of
special points are limits of those of others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.verify.laws.basis import dimension
from efdgen.verify.laws.characteristic import excluded_primes
from efdgen.verify.laws.constraints import Constraints, ContradictionError, SeveralCasesError
from efdgen.verify.laws.irreducible import is_irreducible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.verify.laws.algebra import Polynomial, RationalFunctions


class Case:
    """Names over a field of rational functions, with the relations that one case leaves between them.

    ``choices`` say which case, as :class:`Constraints` has them. Subclasses impose equations and count them.
    If the case is empty, ``contradiction`` says why, and the case serves for nothing else.
    """

    def __init__(self, field: RationalFunctions, names: Iterable[str], choices: Sequence[int]) -> None:
        self.field = field
        self.contradiction: ContradictionError | None = None
        self._constraints = Constraints(field, names, choices)
        self._equations = 0
        self._curves: list[Polynomial] = []
        self._choices_of_assumptions: int | None = None

    def build(self) -> None:
        """Impose the equations; raises :class:`SeveralCasesError` where the choices have run out."""
        try:
            self._impose()
            self.field.require_divisors()
        except ContradictionError as contradiction:
            self.contradiction = contradiction
        except ZeroDivisionError:
            self.contradiction = ContradictionError(
                "the assumptions leave only singular curves, or exceptional points"
            )

    def _impose(self) -> None:
        raise NotImplementedError

    @property
    def chosen(self) -> tuple[Polynomial, ...]:
        """The polynomials that are zero in this case and tell it apart from others."""
        return tuple(self._constraints.chosen)

    @property
    def is_special(self) -> bool:
        """Return whether the case is one of special points or scales, by what coordinates mean."""
        return False

    def has_assumptions_of(self, other: Case) -> bool:
        """Return whether assumptions leave both cases, and what coordinates mean tells them apart."""
        cases = [each._constraints.choices[: each._choices_of_assumptions] for each in (self, other)]
        return cases[0] == cases[1] and self._of_parameters() == other._of_parameters()

    def _of_parameters(self) -> object:
        """Return the case's parameters."""
        raise NotImplementedError

    @property
    def is_in_closure_of_others(self) -> bool:
        """Return whether a case in which a slope is zero is too small to be a component of its own."""
        if not self._constraints.degenerate:
            return False
        solved = len(self._constraints.values) - len(self._constraints.free)
        names: int = self.field.ring.ngens()
        own = dimension([each.lm() for each in self.field.basis], names)
        return own - solved < names - self._equations

    def require_irreducible(self, parameters: Iterable[str]) -> None:
        """Raise :class:`EfdgenError` where the relations are not one family."""
        generators = [self.field.generators[name] for name in parameters]
        if is_irreducible(generators, self._constraints.relations, self._curves):
            return
        zero = " and ".join(f"{self.field.text(slope)} = 0" for slope in self._constraints.degenerate)
        raise EfdgenError(
            f"the assumptions leave several cases{f' with {zero}' if zero else ''} that cannot be told apart"
            "; add one that holds in a single case"
        )


C = TypeVar("C", bound=Case)


@dataclass(frozen=True)
class Cases(Generic[C]):
    """All cases that equations leave.

    ``instances`` are those that a proof is made on; ``void`` those that hold nothing, or lie in the closure
    of the others.
    """

    instances: tuple[C, ...]
    void: tuple[C, ...] = ()

    def __add__(self, other: Cases[C]) -> Cases[C]:
        return Cases((*self.instances, *other.instances), (*self.void, *other.void))

    @property
    def excluded_primes(self) -> tuple[int, ...]:
        """The primes to which a proof on these cases does not carry over."""
        return excluded_primes((*self.instances, *self.void))


def all_cases(make: Callable[[Sequence[int]], C], parameters: Iterable[str]) -> Cases[C]:
    """Make every case; raise :class:`EfdgenError` if there is none, or one is not a single family."""
    names = tuple(parameters)
    instances: list[C] = []
    void: list[C] = []
    pending: list[tuple[int, ...]] = [()]
    while pending:
        choices = pending.pop()
        case = make(choices)
        try:
            case.build()
        except SeveralCasesError as several:
            pending += [(*choices, number) for number in reversed(range(several.number))]
            continue
        (instances if case.contradiction is None and not case.is_in_closure_of_others else void).append(case)
    general = [case for case in instances if not case.is_special]
    special = [case for case in instances if case.is_special and any(map(case.has_assumptions_of, general))]
    void += special
    instances = [case for case in instances if case not in special]
    for case in instances:
        case.require_irreducible(names)
    if not instances:
        raise next(case.contradiction for case in reversed(void) if case.contradiction is not None)
    return Cases(tuple(instances), tuple(void))
