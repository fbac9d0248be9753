"""Instructions of lanes as they are printed: without masks that products do not need, in an order for a core.

Products ignore what is above 52 bits of a factor, or 32, so that a mask of as many bits is left out of it.
The order is made greedily: of the oldest instructions that are ready, those first whose results are waited
for longest, as long as there are registers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.limbs.halves import HalfMul
from efdgen.generator.limbs.operations import And, Constant, FusedHigh, FusedLow, Mul, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.program import Instruction, LimbProgram


@dataclass(frozen=True)
class Core:
    """A core in instructions on 512 bits: how many begin in a cycle, how many of these multiply, latencies.

    ``window`` is how far ahead of the oldest instruction another may be ordered, ``registers`` how many
    values are kept.
    """

    starts: int
    products: int
    latency: int
    other: int
    window: int = 150
    registers: int = 30


ZEN_4 = Core(starts=2, products=1, latency=4, other=1)
"""Its operations on 512 bits are done in two halves."""


def needed(program: LimbProgram) -> list[Instruction]:
    """Return the instructions that a program's outputs need, none for a mask of a factor."""
    wanted = {value for _, number in program.outputs for value in program.numbers[number].words}
    kept = []
    for instruction in reversed(_unmasked(program)):
        if not wanted.isdisjoint(instruction.results):
            wanted.update(instruction.operation.operands)
            kept.append(instruction)
    return kept[::-1]


def estimate(instructions: Sequence[Instruction], core: Core = ZEN_4) -> float:
    """Return about how many cycles instructions take.

    Either the products fill the core or all instructions do; a tenth is added for the gaps of an order.
    """
    counted = Counter(_multiplies(i.operation) for i in instructions if not _is_given(i))
    return max(counted[True] / core.products, counted.total() / core.starts) + counted.total() / 10


def ordered(program: LimbProgram, core: Core = ZEN_4) -> tuple[Instruction, ...]:
    """Return the instructions of a program in order, constants and loads first."""
    instructions = needed(program)
    schedule = _Schedule([i for i in instructions if not _is_given(i)], program, core)
    return (*filter(_is_given, instructions), *schedule.order)


def _is_given(instruction: Instruction) -> bool:
    return isinstance(instruction.operation, Constant | Word)


def _multiplies(operation: Operation) -> bool:
    return isinstance(operation, FusedLow | FusedHigh | HalfMul | Mul)


def _unmasked(program: LimbProgram) -> list[Instruction]:
    """Return instructions whose factors are not masked."""
    constants = ((i.results[0], i.operation) for i in program.instructions)
    known = {value: found.value for value, found in constants if isinstance(found, Constant)}
    masked: dict[tuple[int, int], int] = {}
    made = []
    for instruction in program.instructions:
        operation = instruction.operation
        if isinstance(operation, FusedLow | FusedHigh | HalfMul):
            left, right = (masked.get((factor, operation.size), factor) for factor in operation.factors)
            operation = replace(operation, left=left, right=right)
        elif isinstance(operation, And):
            for value, mask in ((operation.left, operation.right), (operation.right, operation.left)):
                if mask in known:
                    masked[instruction.results[0], known[mask].bit_length()] = value
        made.append(replace(instruction, operation=operation))
    return made


class _Schedule:
    """A greedy order of instructions, cycle by cycle; each makes one value."""

    def __init__(self, instructions: Sequence[Instruction], program: LimbProgram, core: Core) -> None:
        self._core = core
        self._multiplies = [_multiplies(i.operation) for i in instructions]
        places = {i.results[0]: at for at, i in enumerate(instructions)}
        self._reads = [[places[v] for v in {*i.operation.operands} & places.keys()] for i in instructions]
        self._readers: list[list[int]] = [[] for _ in instructions]
        for at, reads in enumerate(self._reads):
            for read in reads:
                self._readers[read].append(at)
        self._left = [len(readers) for readers in self._readers]
        stored = {value for _, number in program.outputs for value in program.numbers[number].words}
        for value in stored & places.keys():
            self._left[places[value]] += 1
        self._heights = self._waited_for()
        self._ready = [-1] * len(instructions)
        self._rest = list(range(len(instructions)))
        self._alive = cycle = 0
        self.order: list[Instruction] = []
        while self._rest:
            self.order += [instructions[at] for at in self._begun(cycle)]
            cycle += 1

    def _latency(self, at: int) -> int:
        return self._core.latency if self._multiplies[at] else self._core.other

    def _waited_for(self) -> list[int]:
        """Return the cycles from the beginning of each instruction to the end of the last that needs it."""
        heights = [0] * len(self._reads)
        for at in reversed(range(len(self._reads))):
            after = max((heights[reader] for reader in self._readers[at]), default=0)
            heights[at] = after + self._latency(at)
        return heights

    def _begun(self, cycle: int) -> list[int]:
        """Return the instructions that begin in a cycle."""
        begun: list[int] = []
        oldest, products = self._rest[0], 0
        for at in sorted(self._candidates(cycle), key=lambda at: -self._heights[at]):
            if len(begun) == self._core.starts:
                break
            if self._multiplies[at] and products == self._core.products:
                continue
            freed = sum(self._left[read] == 1 for read in self._reads[at])
            if not freed and at != oldest and self._alive >= self._core.registers:
                continue
            for read in self._reads[at]:
                self._left[read] -= 1
            self._alive += 1 - freed
            self._ready[at] = cycle + self._latency(at)
            begun.append(at)
            products += self._multiplies[at]
        for at in begun:
            self._rest.remove(at)
        return begun

    def _candidates(self, cycle: int) -> Iterator[int]:
        """Yield what is ready, near the oldest instruction."""
        last = self._rest[0] + self._core.window
        for at in self._rest:
            if at > last:
                return
            if all(0 <= self._ready[read] <= cycle for read in self._reads[at]):
                yield at
