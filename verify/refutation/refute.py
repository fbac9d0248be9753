"""Search for the reasons why a formula is false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import names_in
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.claims import claims
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.refutation.counterexample import smallest_counterexample
from efdgen.verify.refutation.refutation import JudgedClaim, Refutation, Step
from efdgen.verify.refutation.repair import repairs
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.algebra import Polynomial, RationalFunctions
    from efdgen.verify.laws.claims import Claim
    from efdgen.verify.laws.generic import GenericInstance


def refute(formula: Formula) -> Refutation:
    """Return why a formula is false; raise :class:`EfdgenError` where its assumptions cannot be fulfilled."""
    cases, program = generic_cases(formula), lower(formula)
    judged = [(instance, *_decided(instance, program)) for instance in cases.instances]
    instance, found, undecided = next((j for j in judged if any(claim.failure for claim in j[1])), judged[0])
    failing = [claim for claim in found if claim.failure]
    holding = {name for claim in found if not claim.failure for name in claim.coordinates}
    wrong = {name for claim in failing for name in claim.coordinates or formula.output_names}
    steps, cleared = _steps(formula, wrong), _steps(formula, holding)
    return Refutation(
        (*(_judged(instance, claim) for claim in found), *undecided),
        tuple(steps),
        smallest_counterexample(formula, cases.excluded_primes),
        repairs(formula),
        tuple(step for step in steps if step not in cleared),
    )


def _decided(instance: GenericInstance, program: Program) -> tuple[list[Claim], list[JudgedClaim]]:
    """Return the claims up to the first that is too large to be decided, and that one."""
    found = []
    try:
        for claim in claims(instance, program):
            found.append(claim)
    except UndecidedError as undecided:
        return found, [JudgedClaim(undecided.question, None, f"is undecided after {undecided.budget}", "")]
    return found, []


def _judged(instance: GenericInstance, claim: Claim) -> JudgedClaim:
    wrong = claim.failure and claim.residue is not None
    residue = factored(instance.field, claim.residue) if wrong else ""
    return JudgedClaim(claim.text, not claim.failure, claim.failure or claim.success, residue)


def factored(field: RationalFunctions, polynomial: Polynomial) -> str:
    """Write a polynomial as a product of its factors, in parentheses."""
    names = {name: name.removeprefix("affine ") for name in field.generators}
    factors = []
    for factor, power in polynomial.factor():
        exponent = f"^{power}" if power > 1 else ""
        factors.append(f"({field.text(factor, names=names)}){exponent}")
    return "*".join(factors)


def _steps(formula: Formula, outputs: Iterable[str]) -> list[Step]:
    """Return the steps on which outputs depend, in order."""
    needed, found = set(outputs), []
    for step in reversed((*formula.assignments, *formula.ghosts)):
        if step.target in needed:
            needed.discard(step.target)
            needed |= {name.text for name in names_in(step.value)}
            found.append(Step(step.at.line, f"{step.target} = {print_expression(step.value)}"))
    return found[::-1]
