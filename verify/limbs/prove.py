"""Question 4: does a limb program compute its program modulo p, for all inputs in bounds, losing nothing?

Three steps. Each block keeps its claim, as polynomials in words and carries. The claims together are the
program, as polynomials in the inputs modulo p. And what goes out may come in again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import le
from typing import TYPE_CHECKING

from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.program import Claim
from efdgen.generator.programs.interpreter import run
from efdgen.verify.limbs.binary import prove_binary_lemma
from efdgen.verify.limbs.carries import certainly_within, certainly_zero
from efdgen.verify.limbs.execution import Execution
from efdgen.verify.limbs.lemma import Lemma, lemmas
from efdgen.verify.limbs.polynomial import add, polynomials, reduce, scale, variable
from efdgen.verify.verdicts import Refuted, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.limbs.contract import Contract
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Program
    from efdgen.verify.limbs.polynomial import Polynomial, PolynomialsModulo, PolynomialsOver


@dataclass(frozen=True)
class LimbCertificate:
    """A proof: the numbers of blocks, of different blocks, and of queries to Z3."""

    blocks: int
    lemmas: int
    questions: int


@cache
def prove_lemma(lemma: Lemma) -> int:
    """Prove a lemma; return how often Z3 was asked. Raises :class:`Refuted`."""
    result, claim = lemma.result, lemma.claim
    if claim.modulus and claim.modulus.is_binary:
        prove_binary_lemma(lemma, claim.modulus)
        return 0
    execution = Execution(lemma, certainly_zero)
    premises = [execution.value(premise) for premise in lemma.premises]
    claimed = _value(claim, premises, polynomials(None))
    difference = add(scale(execution.value(result), claim.factor), claimed, -1)
    remainder = reduce(difference, claim.modulus.order if claim.modulus else 0)
    if remainder:
        raise Refuted(f"{len(remainder)} terms of the claim do not vanish")
    for value, limit in zip(result.words, result.limits, strict=bool(result.limits)):
        if execution.intervals[value].high > limit:
            raise Refuted("a word of the result may exceed its limit")
    if not (execution.keeps_bounds(result) or certainly_within(lemma)):
        raise Refuted("the result may exceed its bound")
    return execution.questions


def prove_limb_program(limbs: LimbProgram, program: Program, plan: AnyPlan) -> LimbCertificate:
    """Prove that a limb program computes a program in a plan's representation; raises :class:`Refuted`."""
    return prove_contract(limbs, field_contract(program, plan))


def prove_contract(limbs: LimbProgram, contract: Contract) -> LimbCertificate:
    """Prove that a limb program keeps a contract; raises :class:`Refuted`."""
    proved: dict[Lemma, int] = {}
    for block, lemma in zip(limbs.blocks, lemmas(limbs), strict=True):
        try:
            proved[lemma] = prove_lemma(lemma)
        except Refuted as refuted:
            raise Refuted(f"{block.text}: {refuted}") from None
        except UndecidedError as undecided:
            raise undecided.within(block.text) from None
    _check_ports(limbs, contract)
    _check_composition(limbs, contract)
    return LimbCertificate(len(limbs.blocks), len(proved), sum(proved.values()))


def _check_ports(limbs: LimbProgram, contract: Contract) -> None:
    """Require that what comes in is all that may, and that what goes out is nothing but what may."""
    inputs = {limbs.numbers[index].name: limbs.numbers[index] for index in limbs.inputs}
    outputs = {name: limbs.numbers[index] for name, index in limbs.outputs}
    for kind, numbers, ports in (("inputs", inputs, contract.inputs), ("outputs", outputs, contract.outputs)):
        if set(numbers) != set(ports):
            raise Refuted(f"the {kind} have other names")
        for name, number in numbers.items():
            if number.positions != ports[name].positions:
                raise Refuted(f"{name} has its words elsewhere")
    for name, port in contract.inputs.items():
        number = inputs[name]
        if number.minimum or number.maximum < port.maximum or not _limited(port.limits, number.limits):
            raise Refuted(f"{name} is not taken up to its bound")
    for name, port in contract.outputs.items():
        number = outputs[name]
        if number.maximum > port.maximum or not _limited(number.limits, port.limits):
            raise Refuted(f"{name} may exceed its bound")


def _limited(words: Sequence[int], limits: Sequence[int]) -> bool:
    """Return whether words are limited at least as much as they must be."""
    return not limits or (len(words) == len(limits) and all(map(le, words, limits)))


def _check_composition(limbs: LimbProgram, contract: Contract) -> None:
    """Require that the blocks' claims, one put into the other, are the outputs times their radices."""
    modulus = contract.modulus
    ring = polynomials(modulus)
    inputs = {limbs.numbers[index].name: variable(at) for at, index in enumerate(limbs.inputs)}
    values = {
        index: ring.mul(ring.number(contract.inputs[name].radix), inputs[name])
        for name, index in ((limbs.numbers[index].name, index) for index in limbs.inputs)
    }
    for block in limbs.blocks:
        claim = block.claim
        if not _says_something(claim.modulus, modulus):
            raise Refuted(f"{block.text}: the claim says nothing modulo p")
        value = _value(claim, values, ring)
        try:
            values[block.result] = (
                value if claim.factor == 1 else ring.mul(ring.inv(ring.number(claim.factor)), value)
            )
        except ZeroDivisionError:
            raise Refuted(f"{block.text}: the claim is about a multiple") from None
    expected = run(contract.meaning, ring, inputs)
    for name, index in limbs.outputs:
        if values[index] != ring.mul(ring.number(contract.outputs[name].radix), expected[name]):
            raise Refuted(f"{name} is another polynomial in the inputs")


def _says_something(claimed: Ground | None, wanted: Ground | None) -> bool:
    """Return whether what is claimed in one ring holds in another: of integers it holds modulo any prime."""
    return claimed == wanted or (claimed is None and wanted is not None and not wanted.is_binary)


def _value(
    claim: Claim,
    numbers: Sequence[Polynomial] | Mapping[int, Polynomial],
    ring: PolynomialsModulo | PolynomialsOver,
) -> Polynomial:
    """Return the sum of a claim's terms."""
    total: Polynomial = {}
    for term in claim.terms:
        part = ring.number(term.coefficient)
        for factor in term.factors:
            part = ring.mul(part, numbers[factor])
        total = ring.add(total, part)
    return total
