"""Question 1: do a formula's outputs satisfy the law of its kind, on the generic curve?

The program is run on the generic instance; then every equation that says what an output
coordinate means is held against the affine group law. Nothing is sampled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.laws.cases import Cases
from efdgen.verify.laws.claims import claims
from efdgen.verify.laws.generic import GenericInstance, generic_cases
from efdgen.verify.laws.steps import in_parts
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program


def prove_law(formula: Formula, program: Program) -> Cases[GenericInstance]:
    """Prove that a program of a formula's signature satisfies its kind's laws; return the cases of the proof.

    Raises :class:`Refuted`, or :class:`EfdgenError` if there is nothing to prove it for, or where the
    program is not of the formula's signature.
    """
    _require_signature(formula, program)
    proved: Cases[GenericInstance] = Cases(())
    for part in in_parts(formula, program):
        cases = generic_cases(part.formula)
        for instance in cases.instances:
            check(instance, part.program)
        proved += cases
    return proved


def check(instance: GenericInstance, program: Program) -> None:
    """Hold a program against the laws on one instance; raise :class:`Refuted` where one does not hold."""
    for claim in claims(instance, program):
        if claim.failure:
            raise Refuted(f"{claim.text} {claim.failure}".lstrip(), claim.coordinates)


def _require_signature(formula: Formula, program: Program) -> None:
    unknown = {*program.inputs, *program.parameters} - {*formula.input_names, *formula.all_parameters}
    wanted = {*formula.output_names, *(test.target for test in formula.tests)}
    missing = wanted - {name for name, _ in program.outputs}
    if unknown or missing:
        wrong = [f"reads {name}" for name in sorted(unknown)] + [f"lacks {name}" for name in sorted(missing)]
        raise EfdgenError(f"the program is not of the formula's signature: it {', '.join(wrong)}")
