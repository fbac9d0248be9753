"""Estimated cycles of a limb program, on a model of an out-of-order core.

Instructions enter in order, a few each cycle, and wait in a scheduler of limited size until their operands
and a port (:mod:`~efdgen.generator.limbs.units`) are there.

Registers are without number, so that the estimate is too low; but it tells good orders of one program from
bad ones. The program runs again and again, each time on its outputs.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappush, heapreplace
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.limbs.operations import Constant, Word
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.limbs.units import PORTS, PRODUCT, Unit

if TYPE_CHECKING:
    from efdgen.generator.limbs.program import LimbProgram

WIDTH = 4.5  # instructions that enter in a cycle
WAITING = 80  # instructions that wait for operands or a port
LOAD = 5  # cycles from a store to a load of the same word
RUNS = 3


class _Step(NamedTuple):
    kind: Unit
    reads: tuple[int, ...]
    defines: tuple[int, ...]


def estimate_cycles(program: LimbProgram) -> int:
    """Return about how many cycles one run takes among many, each on the outputs of the one before."""
    core = _Core(program)
    ends = [core.run() for _ in range(RUNS)]
    return ends[-1] - ends[-2]


class _Core:
    def __init__(self, program: LimbProgram) -> None:
        self._program = program
        known = {i.results[0] for i in program.instructions if isinstance(i.operation, Constant)}
        needed = LimbFunction("", program, ()).needed
        self._steps = [
            _Step(
                instruction.operation.runs_on(known),
                tuple(value for value in instruction.operation.operands if value not in known),
                instruction.results,
            )
            for instruction in program.instructions
            if not isinstance(instruction.operation, Constant | Word)
            and any(value in needed for value in instruction.results)
        ]
        self._ready = [0] * len(program.intervals)
        self._entered = 0.0
        self._waiting: list[int] = []
        self._busy: dict[str, defaultdict[int, int]] = {"any": defaultdict(int)}

    def run(self) -> int:
        """Run the program once more; return when its outputs are there."""
        self._load()
        for step in self._steps:
            self._entered += (2 if step.kind is PRODUCT else 1) / WIDTH
            if len(self._waiting) == WAITING:
                self._entered = max(self._entered, self._waiting[0])
            start = max((self._ready[value] for value in step.reads), default=0)
            start = self._issue(step.kind, max(start, int(self._entered) + 1))
            for value, latency in zip(step.defines, step.kind.latencies, strict=False):
                self._ready[value] = start + latency
            if len(self._waiting) < WAITING:
                heappush(self._waiting, start)
            elif start > self._waiting[0]:
                heapreplace(self._waiting, start)
        numbers = self._program.numbers
        return max(self._ready[value] for _, index in self._program.outputs for value in numbers[index].words)

    def _load(self) -> None:
        """Make the inputs ready: an output that begins with the same letter is what comes in again."""
        numbers = self._program.numbers
        stored = {name[:1]: numbers[index].words for name, index in self._program.outputs}
        for index in self._program.inputs:
            number = numbers[index]
            before = [self._ready[value] for value in stored.get(number.name[:1], ())]
            for at, value in enumerate(number.words):
                self._ready[value] = max(int(self._entered), before[at] if at < len(before) else 0) + LOAD

    def _issue(self, kind: Unit, start: int) -> int:
        """Return the first cycle from ``start`` on with a free port, and take it."""
        group, every = self._busy.setdefault(kind.group, defaultdict(int)), self._busy["any"]
        while group[start] >= kind.ports or every[start] >= PORTS:
            start += 1
        group[start] += 1
        if group is not every:
            every[start] += 1
        if kind is PRODUCT:
            every[start + 1] += 1
        return start
