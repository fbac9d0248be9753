"""A limb program: straight-line, single assignment, over words of w bits.

Words make numbers, and numbers make field elements::

    number   minimum  ≤  S  =  Σ words[i]·2^positions[i]  ≤  maximum
    block    instructions 40 to 71 define the number S, and S ≡ 2·X·B (mod p)

A block is what a proof is about. It reads words of numbers that are defined before it, and its claim says
which number it makes of them; claims compose to what the whole program computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from efdgen.generator.limbs.intervals import Interval, Intervals
from efdgen.generator.limbs.operations import CarrylessDot, Constant, Funnel, Word

if TYPE_CHECKING:
    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.mathematics.ground import Ground


def full_words(word: int, count: int) -> tuple[int, ...]:
    """Return the positions of words that leave no bit unused."""
    return tuple(word * index for index in range(count))


@dataclass(frozen=True, slots=True)
class Instruction:
    """An operation, and the numbers of the values that it defines."""

    operation: Operation
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """An integer in words, ``Σ words[i]·2^positions[i]``, and the largest and the least that it can be.

    ``limits`` are the largest that its words can be; without them, what the number's maximum says of each.
    """

    name: str
    words: tuple[int, ...]
    positions: tuple[int, ...]
    maximum: int
    minimum: int = 0
    limits: tuple[int, ...] = ()

    def is_of_columns(self, word: int) -> bool:
        """Return whether words of w bits are in pairs, each a column of products."""
        pairs = zip(self.positions[::2], self.positions[1::2], strict=False)
        return bool(self.limits) and all(high == low + word for low, high in pairs)

    def word_interval(self, index: int, word: int) -> Interval:
        """Return what the bounds of the number say of one word of w bits."""
        limit = self.limits[index] if self.limits else (1 << word) - 1
        return Interval(0, min(limit, self.maximum >> self.positions[index]))


@dataclass(frozen=True, slots=True)
class Term:
    """``coefficient`` times the product of ``factors``, which are indices of numbers."""

    coefficient: int
    factors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """``factor · result ≡ Σ terms`` in the field ``modulus``; equal as integers where that is None.

    If it is a binary field, numbers are polynomials over GF(2), and the two sides are one element of it.
    """

    factor: int
    terms: tuple[Term, ...]
    modulus: Ground | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions ``start`` to ``stop`` (excluded) define the number ``result`` and satisfy ``claim``."""

    start: int
    stop: int
    result: int
    claim: Claim
    text: str


@dataclass(frozen=True)
class LimbProgram:
    """Instructions on words of ``word`` bits, the numbers that they make, and what each block claims.

    ``inputs`` and ``outputs`` are indices of numbers; an input's words are :class:`Word` instructions in
    front of all blocks. ``intervals`` holds one interval for each value.
    Raises :class:`ValueError` for what is no such program.
    """

    word: int
    instructions: tuple[Instruction, ...]
    intervals: tuple[Interval, ...]
    numbers: tuple[Number, ...]
    blocks: tuple[Block, ...]
    inputs: tuple[int, ...]
    outputs: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        self._check_instructions()
        self._check_numbers()
        self._check_blocks()

    @property
    def read(self) -> frozenset[int]:
        """The values that an instruction or a number reads."""
        by_instructions = chain.from_iterable(i.operation.operands for i in self.instructions)
        return frozenset(by_instructions) | frozenset(chain.from_iterable(n.words for n in self.numbers))

    def is_bit(self, value: int) -> bool:
        """Return whether an interval says that a value is 0 or 1."""
        return self.intervals[value].low >= 0 and self.intervals[value].high <= 1

    def _check_instructions(self) -> None:
        defined = 0
        carryless: set[tuple[int, ...]] = set()
        bits: set[int] = set()
        for instruction in self.instructions:
            operation, results = instruction.operation, instruction.results
            if any(not 0 <= value < defined for value in operation.operands):
                raise ValueError(f"{instruction} reads a value before it is defined")
            if results != tuple(range(defined, defined + operation.result_count)):
                raise ValueError(f"{instruction} does not define the next values")
            if not bits.isdisjoint(operation.factors):
                raise ValueError(f"{instruction} multiplies a bit, and compilers may branch on it")
            if not all(map(self.is_bit, operation.bits)):
                raise ValueError(f"{instruction} takes for a bit what is none")
            defined += len(results)
            if not isinstance(operation, Word):
                bits |= {value for value in results if self.intervals[value] == (0, 1)}
            if isinstance(operation, CarrylessDot):
                carryless.add(results)
            match operation:
                case Constant(value) if not 0 <= value < 1 << self.word:
                    raise ValueError(f"{value} is no word")
                case CarrylessDot(_, added) if not {*added} <= carryless:
                    raise ValueError(f"{instruction} adds what is no sum of carry-less products")
                case Funnel(_, _, amount) if not 0 < amount < self.word:
                    raise ValueError(f"{instruction} shifts by {amount}")
        if len(self.intervals) != defined:
            raise ValueError("one interval for each value")

    def _check_numbers(self) -> None:
        for number in self.numbers:
            if len(number.words) != len(number.positions) or not 0 <= number.minimum <= number.maximum:
                raise ValueError(f"{number} is no number")
        definitions = {r: i.operation for i in self.instructions for r in i.results}
        for index in self.inputs:
            number = self.numbers[index]
            expected = [Word(number.name, position) for position in range(len(number.words))]
            if [definitions[value] for value in number.words] != expected:
                raise ValueError(f"{number.name} is not made of input words")

    def _check_blocks(self) -> None:
        made = set(self.inputs)
        at = sum(isinstance(instruction.operation, Word) for instruction in self.instructions)
        for block in self.blocks:
            if block.start != at or block.stop < at:
                raise ValueError(f"{block.text}: blocks cover the program in order")
            if any(factor not in made for term in block.claim.terms for factor in term.factors):
                raise ValueError(f"{block.text}: the claim is about a number that is not made yet")
            made.add(block.result)
            at = block.stop
        if at != len(self.instructions) or any(index not in made for _, index in self.outputs):
            raise ValueError("blocks do not make the whole program")


def analyse(
    word: int, instructions: tuple[Instruction, ...], inputs: tuple[Number, ...]
) -> tuple[Interval, ...]:
    """Return an interval for each value, from the bounds of the inputs on."""
    bounds = {value: n.word_interval(i, word) for n in inputs for i, value in enumerate(n.words)}
    intervals: list[Interval] = []
    kind = Intervals(word)
    for instruction in instructions:
        found = instruction.operation.meaning(kind, intervals.__getitem__)
        intervals += [bounds.get(value, i) for value, i in zip(instruction.results, found, strict=True)]
    return tuple(intervals)
