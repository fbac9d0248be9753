"""The cases of a formula's assumptions, one theorem each, and what else a proof asks of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Number
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.rocq.formulas import first_law
from efdgen.verify.rocq.fractions import polynomial_expression
from efdgen.verify.rocq.relations import UnsupportedError
from efdgen.verify.rocq.terms import names_of, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.laws.generic import GenericInstance
    from efdgen.verify.rocq.prove import Proof


@dataclass(frozen=True)
class TheoremCases:
    """The cases that a formula is certified in, and those that are left out, in words.

    A case is left out where it holds nothing, or only what is a limit of the others, or special points.
    ``excluded_primes`` are those to which efdgen's own proof does not carry over.
    """

    instances: tuple[GenericInstance, ...]
    left_out: tuple[str, ...]
    excluded_primes: tuple[int, ...]


def cases_of(formula: Formula) -> TheoremCases:
    """Return the cases that a formula's assumptions leave; raise :class:`EfdgenError` if they are unclear."""
    output = formula.kind.outputs[0]
    first = replace(output, law=first_law(formula))
    kind = replace(formula.kind, outputs=(first, *formula.kind.outputs[1:]))
    found = generic_cases(replace(formula, kind=kind))
    left_out = dict.fromkeys(_said(case) for case in found.void)
    return TheoremCases(found.instances, tuple(filter(None, left_out)), found.excluded_primes)


def _said(case: GenericInstance) -> str:
    """Return what is 0 in a case, in words; nothing for a number, which is 0 for excluded primes alone."""
    zeros = [zero for zero in zeros_of(case) if names_of(zero)]
    equations = " and ".join(f"{words(zero)} == 0".replace("affine ", "") for zero in zeros)
    is_special = case.contradiction is None and not case.is_in_closure_of_others
    why = "special points, or scales of 0" if is_special else "nothing, or only limits of the rest"
    return f"{equations}, which holds {why}" if zeros else ""


def zeros_of(instance: GenericInstance) -> tuple[Expression, ...]:
    """Return what is 0 in a case, in the formula's names; affine coordinates are ``affine x1``."""
    names = [*instance.field.generators]
    return tuple(polynomial_expression(instance.field.ring(p), names) for p in instance.chosen)


def require_divisors(proof: Proof, instance: GenericInstance, excluded_primes: Sequence[int]) -> None:
    """Raise :class:`UnsupportedError` where a proof divides by what it must not.

    It must not divide by a polynomial that is 0 everywhere in its case, or by a prime that is not excluded.
    """
    named = {**instance.parameters, **instance.coordinates}
    values = {new: named[old] for old, new in proof.statement.called.items() if old in named}
    for number, point in instance.points.items():
        values |= {proof.statement.called[f"affine {c}{number}"]: v for c, v in point.items()}
    for divisor in proof.divisors:
        if isinstance(divisor, Number) and divisor.value not in excluded_primes:
            raise UnsupportedError(
                f"the proof divides by {divisor.value}, which the verdict does not exclude"
            )
        value = evaluate(divisor, instance.field, values)
        if instance.field.vanishes(value.numerator):
            raise UnsupportedError(f"the proof divides by {words(divisor)}, which is 0 in its case")
