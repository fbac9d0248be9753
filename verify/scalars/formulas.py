"""Proof that the formulas of a plan fail only where the affine law divides by zero.

On the generic instance of a formula each denominator of its output is a polynomial. Where it is a number
times powers of the inputs' own denominators and of the law's divisors, it vanishes where one of these does
and nowhere else; everywhere else the result is the point that the law gives, because the law is proved as an
identity of rational functions. On a complete curve the law has no vanishing divisor, and the formula is
complete.
"""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.signature import fixed_coordinates
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.syntax import names_in
from efdgen.generator.planning.complete import has_complete_law
from efdgen.generator.planning.representation import quotient
from efdgen.generator.programs.interpreter import run
from efdgen.verify.laws.generic import generic_cases

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.formulas.specialise import Specialised
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.algebra import Polynomial
    from efdgen.verify.laws.generic import GenericInstance


def require_formulas(plan: CurvePlan) -> str:
    """Return why additions and doublings are right for every input; raise :class:`EfdgenError` where not."""
    curve, roles = plan.curve, plan.roles
    complete_law = has_complete_law(curve.model, curve.prime, curve.parameters)
    if not complete_law and not plan.representation.infinite:
        raise EfdgenError(f"the addition law of {curve.name} has exceptional inputs")
    if complete_law and not roles.complete:
        return (
            "Branched: no divisor of the law vanishes; where a denominator of the result does, it is taken."
        )
    names = (
        roles.add,
        roles.double,
        roles.entry.add,
        *filter(None, (roles.entry.chain_add, roles.fixed_entry.chain_add)),
        roles.fixed_entry.add,
        roles.chain_double,
        roles.chain_last,
    )
    for name in dict.fromkeys(names):
        formula = plan.kernel(name).formula
        found = candidate(formula, curve.prime, curve.parameters).specialised
        require_exact(found, curve.prime)
        if not complete_law:
            require_neutral(found)
    if complete_law:
        return "Complete: no divisor of the law vanishes, and no denominator of the result unless one does."
    return "Branched: the result is at infinity only where both have one x-coordinate or one is neutral."


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


def require_neutral(specialised: Specialised) -> None:
    """Raise :class:`EfdgenError` where a neutral input, all denominators 0, gives something else."""
    for instance in generic_cases(specialised.formula).instances:
        _require_neutral(instance, specialised.program)


def _require_neutral(instance: GenericInstance, program: Program) -> None:
    formula, field = instance.formula, instance.field
    for number in formula.kind.inputs:
        own = {formula.coordinates(number)[v] for v in denominators(formula.system_of(number))}
        if not own or fixed_coordinates(formula, number):
            continue
        names = {name: field.zero if name in own else field.name(name) for name in formula.input_names}
        outputs = run(program, field, instance.parameters | names)
        for variable in denominators(formula.system_of(3)):
            if outputs[formula.coordinates(3)[variable]].numerator != 0:
                raise EfdgenError(f"{formula.id}: P{number} neutral gives a result that is not")


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
