"""One block of a limb program by itself, in a form that is the same for each occurrence.

A point formula consists of few different blocks: products, squares, reductions, sums. Each is proved once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.limbs.intervals import Interval
from efdgen.generator.limbs.operations import Constant
from efdgen.generator.limbs.program import Claim, Instruction, Number, Term
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.limbs.program import Block, LimbProgram


@dataclass(frozen=True)
class Lemma:
    """For all words within the bounds of ``premises``, ``instructions`` make ``result`` as ``claim`` says.

    Values are numbered from 0: the ``inputs`` words of the premises first, then what the instructions define.
    ``unread`` are values that no instruction and no number of the program reads. The claim's factors are
    indices of premises.
    """

    word: int
    inputs: int
    premises: tuple[Number, ...]
    instructions: tuple[Instruction, ...]
    unread: frozenset[int]
    result: Number
    claim: Claim

    @property
    def bounds(self) -> list[Interval]:
        """Intervals of the words of the premises, by the bounds of these."""
        largest = [(1 << self.word) - 1] * self.inputs
        for premise in self.premises:
            for index, value in enumerate(premise.words):
                if value < self.inputs:
                    largest[value] = min(largest[value], premise.word_interval(index, self.word).high)
        return [Interval(0, most) for most in largest]


def lemmas(program: LimbProgram) -> Iterator[Lemma]:
    """Yield one lemma for each block, in order; raise Refuted where a block reads what no number holds."""
    constants = {i.results[0]: i for i in program.instructions if isinstance(i.operation, Constant)}
    holders: dict[int, list[int]] = {}
    read = program.read

    def hold(index: int) -> None:
        for value in program.numbers[index].words:
            holders.setdefault(value, []).append(index)

    for index in program.inputs:
        hold(index)
    for block in program.blocks:
        yield _isolate(program, block, constants, holders, read)
        hold(block.result)


def _isolate(
    program: LimbProgram,
    block: Block,
    constants: Mapping[int, Instruction],
    holders: Mapping[int, list[int]],
    read: frozenset[int],
) -> Lemma:
    body = [
        i for i in program.instructions[block.start : block.stop] if not isinstance(i.operation, Constant)
    ]
    result = program.numbers[block.result]
    own = {value for instruction in body for value in instruction.results}
    used = (*(value for instruction in body for value in instruction.operation.operands), *result.words)
    outside = [value for value in dict.fromkeys(used) if value not in own]
    premises = dict.fromkeys(factor for term in block.claim.terms for factor in term.factors)
    for value in outside:
        if value not in constants:
            if value not in holders:
                raise Refuted(f"{block.text}: v{value} is read, but belongs to no number")
            premises |= dict.fromkeys(holders[value])
    words = dict.fromkeys(value for index in premises for value in program.numbers[index].words)
    inputs = [value for value in words if value not in constants]
    known = [constants[value] for value in dict.fromkeys((*words, *outside)) if value in constants]

    instructions = (*known, *body)
    defined = (*inputs, *(value for instruction in instructions for value in instruction.results))
    names = {value: name for name, value in enumerate(defined)}
    indices = {index: at for at, index in enumerate(premises)}
    terms = (Term(term.coefficient, tuple(indices[f] for f in term.factors)) for term in block.claim.terms)
    return Lemma(
        program.word,
        len(inputs),
        tuple(_anonymous(program.numbers[index], names) for index in premises),
        tuple(_renumbered(instruction, names) for instruction in instructions),
        frozenset(names[value] for value in own - read),
        _anonymous(result, names),
        replace(block.claim, terms=tuple(terms)),
    )


def _anonymous(number: Number, names: Mapping[int, int]) -> Number:
    return replace(number, name="", words=tuple(names[value] for value in number.words))


def _renumbered(instruction: Instruction, names: Mapping[int, int]) -> Instruction:
    operation = instruction.operation.on(tuple(names[v] for v in instruction.operation.operands))
    return Instruction(operation, tuple(names[value] for value in instruction.results))
