"""The common part of C and Rust printers of limb programs: names of values, and which of them are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import CarrylessDot, Chained, Constant, Dot, Funnel, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.limbs.operations import DoubleWord
    from efdgen.generator.limbs.program import Block, Instruction, LimbProgram, Number


@dataclass(frozen=True)
class LimbFunction:
    """A limb program that is printed as a function: its name, and what its comment says.

    A *test* stores nothing and returns the highest word of its only output. Inputs by the names in
    ``scalars`` are single words, which are passed by value.
    """

    name: str
    program: LimbProgram
    doc: tuple[str, ...]
    test: bool = False
    scalars: frozenset[str] = frozenset()

    @property
    def inputs(self) -> tuple[Number, ...]:
        """The numbers that come in."""
        return tuple(self.program.numbers[index] for index in self.program.inputs)

    @property
    def outputs(self) -> tuple[tuple[str, Number], ...]:
        """The names of the outputs, and their numbers; none of a test."""
        if self.test:
            return ()
        return tuple((name, self.program.numbers[index]) for name, index in self.program.outputs)

    @property
    def returned(self) -> int | None:
        """The value that a test returns."""
        if not self.test:
            return None
        ((_, index),) = self.program.outputs
        return self.program.numbers[index].words[-1]

    @cached_property
    def needed(self) -> frozenset[int]:
        """Values on which depends what is stored or returned; the others need not be computed."""
        stored = {value for _, number in self.outputs for value in number.words}
        needed = stored if self.returned is None else {self.returned}
        for instruction in reversed(self.program.instructions):
            if not needed.isdisjoint(instruction.results):
                needed.update(instruction.operation.operands)
        return frozenset(needed)


class Spelling:
    """Names the values of a program: words ``t_7``, carries ``c_7``, constants as ``literal`` spells them.

    A carry that is read as a word goes through ``widen``.
    """

    def __init__(
        self, function: LimbFunction, literal: Callable[[int], str], widen: Callable[[str], str]
    ) -> None:
        program = function.program
        self._bits = program.word
        self.read = function.needed
        self._literal = literal
        self._widen = widen
        self._definitions = {v: i.operation for i in program.instructions for v in i.results}
        self._carries = {i.results[1] for i in program.instructions if isinstance(i.operation, Chained)}
        self.columns = frozenset(_columns(program))
        self.double_words = self.columns | frozenset(_carryless(program))
        self.as_words = self.read & frozenset(self._read_as_words(function))
        self.called: dict[int, str] = {
            number.words[0]: number.name for number in function.inputs if number.name in function.scalars
        }

    def name(self, value: int) -> str:
        """Return the name by which a value is defined, or that it has already: one in ``called``."""
        return self.called.get(value) or (f"c_{value}" if value in self._carries else f"t_{value}")

    def column(self, pair: DoubleWord) -> str | None:
        """Return the name of a column, an integer in a double word, that is there as such."""
        return f"s_{pair[0]}" if pair in self.columns else None

    def double_word(self, pair: DoubleWord) -> str | None:
        """Return the name of a double word that is there as such."""
        return f"s_{pair[0]}" if pair in self.double_words else None

    def _read_as_words(self, function: LimbFunction) -> Iterator[int]:
        """Yield what is read word by word, and not as half of a double word."""
        for instruction in function.program.instructions:
            if self.read.isdisjoint(instruction.results):
                continue
            match instruction.operation:
                case Funnel(high, low) if (low, high) in self.columns:
                    pass
                case Dot(products, added, subtracted):
                    yield from (value for pair in products for value in pair)
                    for pair in (*added, *subtracted):
                        yield from () if pair in self.double_words else pair
                case CarrylessDot(products):
                    yield from (value for pair in products for value in pair)
                case operation:
                    yield from operation.operands
        for _, number in function.outputs:
            if not number.is_of_columns(function.program.word):
                yield from number.words
        if function.returned is not None:
            yield function.returned

    def word(self, value: int) -> str:
        """Return an expression for a value as a word."""
        match self._definitions[value]:
            case Constant(known):
                return self._literal(known)
            case _:
                return self._widen(self.name(value)) if value in self._carries else self.name(value)

    def chosen(self, mask: str, one: int, zero: int, invert: str) -> str:
        """Return an expression for one of two values by a mask: of ones for the first, unless that is 0."""
        if self.known(one) == 0:
            one, zero = zero, one
        chosen = mask if self._is_ones(one) else f"{self.word(one)} & {mask}"
        return chosen if self.known(zero) == 0 else f"({chosen}) | ({self.word(zero)} & {invert}{mask})"

    def _is_ones(self, value: int) -> bool:
        return self.known(value) == (1 << self._bits) - 1

    def is_input(self, value: int) -> bool:
        """Return whether a value is a word of an input."""
        return isinstance(self._definitions[value], Word)

    def known(self, value: int) -> int | None:
        """Return a constant's number."""
        operation = self._definitions[value]
        return operation.value if isinstance(operation, Constant) else None


def _carryless(program: LimbProgram) -> Iterator[DoubleWord]:
    """Yield the pairs of words that sums of carry-less products make."""
    for instruction in program.instructions:
        if isinstance(instruction.operation, CarrylessDot):
            yield instruction.results[0], instruction.results[1]


def _columns(program: LimbProgram) -> Iterator[DoubleWord]:
    """Yield the pairs of words that are columns: what sums of products make, and columns that come in."""
    for instruction in program.instructions:
        if isinstance(instruction.operation, Dot):
            yield instruction.results[0], instruction.results[1]
    for index in program.inputs:
        if program.numbers[index].is_of_columns(program.word):
            words = program.numbers[index].words
            yield from zip(words[::2], words[1::2], strict=True)


def stored_size(number: Number, word: int) -> tuple[bool, int]:
    """Return whether a number is stored as double words, and how many words or double words it has."""
    columns = number.is_of_columns(word)
    return columns, len(number.words) // 2 if columns else len(number.words)


def by_blocks(program: LimbProgram) -> Iterator[tuple[Block | None, tuple[Instruction, ...]]]:
    """Yield what is in front of all blocks, then each block that has instructions to print.

    A block without a text is yielded as none: the function's own comment says what it makes.
    """
    first = program.blocks[0].start if program.blocks else len(program.instructions)
    yield None, program.instructions[:first]
    for block in program.blocks:
        body = program.instructions[block.start : block.stop]
        if any(not isinstance(instruction.operation, Constant) for instruction in body):
            yield (block if block.text else None), body


def printed(function: LimbFunction) -> Iterator[tuple[Block | None, list[Instruction]]]:
    """Yield each block with its instructions whose results are read and have no name yet."""
    for block, instructions in by_blocks(function.program):
        yield block, [instruction for instruction in instructions if _is_printed(instruction, function)]


def block_text(program: LimbProgram, block: Block) -> str:
    """Say what a block makes: ``S = X·B, below 2^512``."""
    return f"{block.text}, below 2^{program.numbers[block.result].maximum.bit_length()}"


def _is_printed(instruction: Instruction, function: LimbFunction) -> bool:
    """Return whether an instruction makes something that is read, and that has no name yet."""
    match instruction.operation:
        case Constant():
            return False
        case Word(number, _) if number in function.scalars:
            return False
    return not function.needed.isdisjoint(instruction.results)
