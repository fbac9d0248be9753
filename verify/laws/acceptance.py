"""The acceptance of a function's tests: hints other than the right ones, and inputs that they refuse.

A check is c·h + d, with a hint h that c and d do not hold. If c is not 0, it accepts one value of h alone:
the right one, which it accepts everywhere. If c is 0 and d is not, it accepts none; if both are 0, all. No
point of a curve is such a common zero if 1 is a combination of c, d, the relations and 1 - t·Δ, with the
discriminant Δ. A guard is 0 where one of its factors is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.primes import prime_factors
from efdgen.verify.laws.algebra import Ratio
from efdgen.verify.laws.basis import groebner_basis
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.laws.polynomials import Ring
from efdgen.verify.laws.weierstrass import WeierstrassForm
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.basis import Element
    from efdgen.verify.laws.generic import GenericInstance
    from efdgen.verify.laws.polynomials import Polynomial

_LARGE = 2**31 - 1


@dataclass(frozen=True)
class Acceptance:
    """The acceptance of a function's tests, in words, and the primes for which it is not proved.

    ``curves`` say on which curves, by equations in parameters alone, a check does not test its hint.
    """

    remarks: tuple[str, ...]
    excluded_primes: tuple[int, ...]
    curves: tuple[str, ...] = ()


def prove_tests(formula: Formula, program: Program) -> Acceptance:
    """Say what a program's checks and guards accept, given that they accept what is right.

    Raises :class:`Refuted` for a check that accepts every hint and for a guard that is never 0, and
    :class:`EfdgenError` where checks are not of the form c·h + d, one for each hint.
    """
    if not formula.tests and not formula.hints:
        return Acceptance((), ())
    if len(formula.hints) != len(formula.checks):
        raise EfdgenError(
            f"{len(formula.hints)} hints and {len(formula.checks)} checks; write one check for each hint"
        )
    names = [name for name in formula.scalar_inputs if name in _hint_names(formula)]
    free = replace(formula, hints=(), kind=replace(formula.kind, free=(*formula.kind.free, *names)))
    cases = generic_cases(free)
    remarks: dict[str, None] = {}
    primes: set[int] = set()
    curves: dict[str, None] = {}
    for instance in cases.instances:
        tests = _Tests(instance, program, names)
        for text, obstacles in tests.remarks():
            remarks[text] = None
            primes |= obstacles
        curves |= dict.fromkeys(tests.curves)
    return Acceptance(tuple(remarks), tuple(sorted(primes.union(cases.excluded_primes))), tuple(curves))


def _hint_names(formula: Formula) -> set[str]:
    return {str(getattr(hint.left, "text", "")) for hint in formula.hints}


class _Tests:
    """The tests of a program on one instance, whose hints are free."""

    def __init__(self, instance: GenericInstance, program: Program, hints: list[str]) -> None:
        self.instance, self.field, self.hints = instance, instance.field, hints
        self.values = instance.run(program)
        self.right: dict[str, Ratio] = {}
        self.known_zeros: set[str] = set()
        self.curves: list[str] = []

    def remarks(self) -> Iterable[tuple[str, set[int]]]:
        """Yield what is found of each test, with the primes for which it is not."""
        for number, hint in enumerate(self.hints, start=1):
            yield self._check(hint, self.values[f"check{number}"])
        for number, name in enumerate(self.instance.formula.guards, start=1):
            yield f"accepts nothing where {self._zeros(name, self.values[f'guard{number}'])}", set()

    def _check(self, hint: str, value: Ratio) -> tuple[str, set[int]]:
        generator, polynomial = self.field.generators[hint], self._known(value)
        later = [name for name in self.hints if name not in self.right and name != hint]
        if not value.denominator.is_constant() or polynomial.degree(generator) > 1:
            raise EfdgenError(f"the check of {hint} is not of the form c*{hint} + d, and may accept several")
        if any(polynomial.degree(self.field.generators[name]) > 0 for name in later):
            raise EfdgenError(f"the check of {hint} holds a hint that is checked later")
        slope = polynomial.coefficient({generator: 1})
        rest = polynomial - slope * generator
        if self.field.vanishes(slope):
            raise Refuted(f"the check of {hint} accepts every {hint}, or none")
        self.right[hint] = Ratio(-rest, slope)
        self.field.divisors[slope] = None
        if of_parameters := [self._equation(factor) for factor in self._of_parameters(slope)]:
            self.curves.append(f"does not test {hint} on curves with {' or '.join(of_parameters)}")
        factors = [text for text in self._factors(slope) if text not in self.known_zeros]
        if not factors:
            return f"{'with it' if self.known_zeros else 'accepts'} one {hint} alone", set()
        self.known_zeros |= set(factors)
        where = " or ".join(factors)
        obstacles = self._common_zeros(prod(self._of_inputs(slope), start=self.field.one), rest)
        if obstacles is None:
            also = " or ".join(self._factors(rest % slope))
            return f"accepts one {hint} alone, unless {where}: there none, or all where {also} too", set()
        return f"accepts one {hint} alone, unless {where}: there none", obstacles

    def _known(self, value: Ratio) -> Polynomial:
        """Return a numerator in which the hints that were checked before are what they have to be."""
        for name, right in self.right.items():
            value = self.field.substitute(value, name, right)
        known: Polynomial = value.numerator
        return known

    def _common_zeros(self, slope: Polynomial, rest: Polynomial) -> set[int] | None:
        """Return the primes for which two polynomials may have common zeros on a curve.

        None where they have some modulo a large prime, for then it is of no use to look for a proof over Q.
        """
        if not self._on_curves(_LARGE, slope, rest)[0].polynomial.is_constant():
            return None
        (one,) = self._on_curves(0, slope, rest)
        numbers = (number.denominator for each in one.cofactors for number in each.coefficients())
        return {prime for number in numbers for prime, _ in prime_factors(number)}

    def _on_curves(self, modulus: int, *polynomials: Polynomial) -> list[Element]:
        """Return a basis of the ideal of some polynomials, the relations, and 1 - t·Δ."""
        field, model = self.field, self.instance.formula.system.model
        discriminant = WeierstrassForm(model, field, self.instance.parameters).discriminant().numerator
        ring = Ring(field.ring.ngens() + 1, modulus)
        factors = prod((ring(factor) for factor, _ in discriminant.factor()), start=ring.one())
        inverse = 1 - ring.gens()[-1] * factors
        return groebner_basis(ring, [*map(ring, (*field.relations, *polynomials)), inverse])

    def _zeros(self, name: str, value: Ratio) -> str:
        factors = self._factors(value.numerator)
        if not factors:
            raise Refuted(f"the guard {name} is never 0, and guards nothing")
        return " or ".join(factors)

    def _factors(self, polynomial: Polynomial) -> list[str]:
        """Return the equations of a polynomial's factors; free coordinates, which are not 0, are left out."""
        free = {self.field.generators[name] for name in self.instance.free_coordinates}
        return [self._equation(factor) for factor in self._of_inputs(polynomial) if factor not in free]

    def _of_inputs(self, polynomial: Polynomial) -> list[Polynomial]:
        """Return the factors that are not of parameters alone."""
        return [factor for factor, _ in polynomial.factor() if not self._is_of_parameters(factor)]

    def _of_parameters(self, polynomial: Polynomial) -> list[Polynomial]:
        """Return the factors that are of parameters alone; on a curve to compile for, they are evaluated."""
        return [factor for factor, _ in polynomial.factor() if self._is_of_parameters(factor)]

    def _is_of_parameters(self, factor: Polynomial) -> bool:
        parameters = {self.field.generators[name] for name in self.instance.formula.all_parameters}
        return parameters.issuperset(factor.variables())

    def _equation(self, polynomial: Polynomial) -> str:
        text = self.field.text(self.field.primitive(Ratio(polynomial / polynomial.lc(), self.field.one)))
        return f"{text.replace('affine ', '')} = 0"
