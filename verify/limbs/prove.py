"""Question 4: does a limb program compute its program modulo p, for all inputs in bounds, losing nothing?

Three steps. Each block keeps its claim, as polynomials in words and carries. The claims together are the
program, as polynomials in the inputs modulo p. And what goes out may come in again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.interpreter import run
from efdgen.generator.limbs.program import Claim
from efdgen.verify.laws.law import Refuted
from efdgen.verify.limbs.carries import certainly_within, certainly_zero
from efdgen.verify.limbs.execution import Execution
from efdgen.verify.limbs.lemma import Lemma, lemmas
from efdgen.verify.limbs.polynomial import PolynomialsModulo, add, constant, multiply, reduce, scale, variable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.program import Program
    from efdgen.verify.limbs.polynomial import Polynomial


@dataclass(frozen=True)
class LimbCertificate:
    """What was proved: how many blocks, how many of them different, and how often Z3 was asked."""

    blocks: int
    lemmas: int
    questions: int


@cache
def prove_lemma(lemma: Lemma) -> int:
    """Prove a lemma; return how often Z3 was asked. Raises :class:`Refuted`."""
    questions = 0

    def ask(lemma: Lemma, value: int) -> bool:
        nonlocal questions
        questions += 1
        return certainly_zero(lemma, value)

    execution = Execution(lemma, ask)
    result, claim = lemma.result, lemma.claim
    premises = [execution.value(premise) for premise in lemma.premises]
    difference = add(scale(execution.value(result), claim.factor), _value(claim, premises), -1)
    remainder = reduce(difference, claim.modulus)
    if remainder:
        raise Refuted(f"{len(remainder)} terms of the claim do not vanish")
    if execution.interval(result).high > result.maximum:
        questions += 1
        if not certainly_within(lemma):
            raise Refuted("the result may exceed its bound")
    return questions


def prove_limb_program(limbs: LimbProgram, program: Program, plan: FieldPlan) -> LimbCertificate:
    """Prove that a limb program computes a program in a plan's representation; raises :class:`Refuted`."""
    proved: dict[Lemma, int] = {}
    for block, lemma in zip(limbs.blocks, lemmas(limbs), strict=True):
        try:
            proved[lemma] = prove_lemma(lemma)
        except Refuted as refuted:
            raise Refuted(f"{block.text}: {refuted}") from None
    _check_composition(limbs, program, plan)
    _check_closure(limbs, plan)
    return LimbCertificate(len(limbs.blocks), len(proved), sum(proved.values()))


def _check_composition(limbs: LimbProgram, program: Program, plan: FieldPlan) -> None:
    """Require that the blocks' claims, one put into the other, are the program's outputs times the radix."""
    field, radix = PolynomialsModulo(plan.prime), plan.reduction.radix
    inputs = {limbs.numbers[index].name: variable(at) for at, index in enumerate(limbs.inputs)}
    values = {index: scale(inputs[limbs.numbers[index].name], radix) for index in limbs.inputs}
    for block in limbs.blocks:
        if block.claim.modulus % plan.prime or block.claim.factor % plan.prime == 0:
            raise Refuted(f"{block.text}: the claim says nothing modulo p")
        inverse = pow(block.claim.factor, -1, plan.prime)
        values[block.result] = reduce(scale(_value(block.claim, values, plan.prime), inverse), plan.prime)
    expected = run(program, field, inputs)
    if set(expected) != {name for name, _ in limbs.outputs}:
        raise Refuted("the outputs have other names")
    for name, index in limbs.outputs:
        if values[index] != reduce(scale(expected[name], radix), plan.prime):
            raise Refuted(f"{name} is another polynomial in the inputs")


def _check_closure(limbs: LimbProgram, plan: FieldPlan) -> None:
    reduction = plan.reduction
    for index in limbs.inputs:
        if limbs.numbers[index].maximum < reduction.tight:
            raise Refuted(f"{limbs.numbers[index].name} does not take every tight number")
    for name, index in limbs.outputs:
        number = limbs.numbers[index]
        if number.maximum > reduction.tight or len(number.words) > reduction.limbs:
            raise Refuted(f"{name} is not tight")


def _value(
    claim: Claim, numbers: Sequence[Polynomial] | Mapping[int, Polynomial], modulus: int = 0
) -> Polynomial:
    """Return the sum of a claim's terms."""
    total: Polynomial = {}
    for term in claim.terms:
        part = constant(term.coefficient)
        for factor in term.factors:
            part = multiply(part, numbers[factor], modulus)
        total = add(total, part)
    return reduce(total, modulus)
