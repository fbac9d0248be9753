"""What is known of a formula that is false, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import names_in
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.claims import claims
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.refutation.counterexample import Counterexample, smallest_counterexample
from efdgen.verify.refutation.repair import Repair, repairs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.laws.claims import Claim
    from efdgen.verify.laws.generic import GenericInstance


@dataclass(frozen=True)
class JudgedClaim:
    """One equation about the outputs: whether it holds, why not, and the factors of its residue."""

    claim: str
    holds: bool
    reason: str
    residue: str


@dataclass(frozen=True)
class Step:
    """A step of the formula, by its line."""

    line: int
    text: str


@dataclass(frozen=True)
class Refutation:
    """Why a formula is false.

    ``claims`` are all equations about its outputs, ``steps`` those on which a wrong output depends;
    ``repairs`` are single edits with each of which the formula is proved.
    """

    claims: tuple[JudgedClaim, ...]
    steps: tuple[Step, ...]
    counterexample: Counterexample | None
    repairs: tuple[Repair, ...]

    def fields(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return asdict(self)


def refute(formula: Formula) -> Refutation:
    """Return why a formula is false; raise :class:`EfdgenError` where its claims cannot be decided."""
    cases, program = generic_cases(formula), lower(formula)
    judged = [(instance, list(claims(instance, program))) for instance in cases.instances]
    instance, found = next((j for j in judged if any(claim.failure for claim in j[1])), judged[0])
    wrong = {name for claim in found if claim.failure for name in claim.coordinates}
    return Refutation(
        tuple(_judged(instance, claim) for claim in found),
        tuple(_steps(formula, wrong or formula.output_names)),
        smallest_counterexample(formula, cases.excluded_primes),
        tuple(repairs(formula)),
    )


def _judged(instance: GenericInstance, claim: Claim) -> JudgedClaim:
    factors = []
    if claim.failure and claim.residue is not None:
        for factor, power in claim.residue.factor():
            exponent = f"^{power}" if power > 1 else ""
            factors.append(f"({instance.field.text(factor).replace('affine ', '')}){exponent}")
    return JudgedClaim(claim.text, not claim.failure, claim.failure, "*".join(factors))


def _steps(formula: Formula, outputs: Iterable[str]) -> list[Step]:
    """Return the steps on which outputs depend, in order."""
    needed, found = set(outputs), []
    for step in reversed((*formula.assignments, *formula.ghosts)):
        if step.target in needed:
            needed.discard(step.target)
            needed |= {name.text for name in names_in(step.value)}
            found.append(Step(step.at.line, f"{step.target} = {print_expression(step.value)}"))
    return found[::-1]
