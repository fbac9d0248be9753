"""Proof that a formula of tables over one Z fails only where the affine law divides by zero.

On the generic instance of a formula each denominator of its output is a polynomial. If it is a number
times powers of the inputs' own denominators and of the law's divisors, it vanishes where one of these does
and nowhere else; everywhere else the result is the point that the law gives, because the law is proved as an
identity of rational functions.
"""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import names_in
from efdgen.generator.planning.representation import quotient
from efdgen.verify.laws.generic import generic_cases

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.algebra import Polynomial
    from efdgen.verify.laws.generic import GenericInstance


def require_exact(specialised: Specialised, prime: int) -> None:
    """Raise :class:`EfdgenError` where a result can be undefined and the law defined, or the other way round.

    Each denominator of the result has to be a product of divisors of the law, of denominators of the inputs
    and of a number that p does not divide; and each divisor of the law for a coordinate that is divided by it
    has to be in it.
    """
    for instance in generic_cases(specialised.formula).instances:
        _require_exact(instance, specialised.program, prime)


def _require_exact(instance: GenericInstance, program: Program, prime: int) -> None:
    formula, outputs = instance.formula, instance.run(program)
    lawful = _irreducible(value.denominator for value in instance.expected[3].values())
    given = _irreducible(
        instance.coordinates[formula.coordinates(number)[variable]].numerator
        for number in formula.kind.inputs
        for variable in denominators(formula.system_of(number))
    )
    for variable, divided in _divided(formula.system_of(3)).items():
        value = outputs[formula.coordinates(3)[variable]].numerator
        if value == 0:
            raise EfdgenError(f"{formula.id}: {variable}3 is 0 for every input")
        left = _irreducible([value])
        met = [known for known in (*lawful, *given) if _take(instance, left, known, prime)]
        if left:
            where = instance.field.text(left[0])
            raise EfdgenError(f"{formula.id}: {variable}3 may be 0 where the law is defined, for {where} = 0")
        needed = _irreducible(instance.expected[3][coordinate].denominator for coordinate in divided)
        if not set(needed) <= set(met) or not _is_unit(value.unit(), prime):
            raise EfdgenError(f"{formula.id}: {variable}3 is not 0 where the affine law divides by 0")


def denominators(system: System) -> list[str]:
    """Return the variables by which affine coordinates are divided."""
    return list(_divided(system))


def _divided(system: System) -> dict[str, set[str]]:
    """Return the affine coordinates that are divided by a variable, by variables."""
    found: dict[str, set[str]] = {}
    for equation in system.meanings:
        ratio = quotient(equation.right)
        if ratio is not None and ratio.denominator:
            names = {name.text for name in names_in(equation.left)}
            found.setdefault(ratio.denominator, set()).update(names & set(system.model.coordinates))
    return found


def _irreducible(polynomials: Iterable[Polynomial]) -> list[Polynomial]:
    found: list[Polynomial] = []
    for polynomial in polynomials:
        found += [factor for factor, _ in polynomial.factor() if factor not in found]
    return found


def _take(instance: GenericInstance, factors: list[Polynomial], known: Polynomial, prime: int) -> bool:
    """Remove one or two factors that make up a known polynomial modulo the relations, if there are."""
    for number in (1, 2):
        for chosen in combinations(factors, number):
            if _proportional(instance, prod(chosen), known, prime):
                for factor in chosen:
                    factors.remove(factor)
                return True
    return False


def _proportional(instance: GenericInstance, left: Polynomial, right: Polynomial, prime: int) -> bool:
    """Return whether two polynomials are one, modulo the relations, up to a number that p does not divide."""
    left, right = instance.field.remainder(left), instance.field.remainder(right)
    if left == 0 or right == 0 or left.lm() != right.lm():
        return False
    number = left.lc() / right.lc()
    return bool(left == number * right) and _is_unit(number, prime)


def _is_unit(number: Fraction, prime: int) -> bool:
    return bool(number.numerator % prime and number.denominator % prime)
