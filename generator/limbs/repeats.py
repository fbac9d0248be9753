"""Search for instructions of a function that repeat on other words.

Two iterations are alike where the same instructions read the same constants and each other's results in the
same way. Other operands may differ: results of the previous iteration, an input, or a few single words. No
carry passes from one iteration to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import CarrylessDot, Chained, Constant, Dot, Funnel, Word
from efdgen.generator.limbs.spelling import printed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.limbs.spelling import LimbFunction

_SHORTEST = 8  # instructions of an iteration
_MOST_WORDS = 2  # single words that an iteration reads
_AROUND = 7  # lines of a function beside its instructions

# Double words and rows that are doubled are printed by more than one instruction.
_NEVER_REPEATED = (Word, Constant, Dot, CarrylessDot)


@dataclass(frozen=True)
class Repeat:
    """Instructions that repeat from ``start`` on, and the operands and results of each iteration.

    ``carried`` maps the places of results that the next iteration reads to the values that the first one
    reads instead. ``words`` are the other single words, one for every iteration.
    """

    start: int
    period: int
    results: tuple[tuple[int, ...], ...]
    carried: Mapping[int, int] = field(hash=False)
    inputs: tuple[str, ...]
    words: tuple[tuple[int, ...], ...]

    @property
    def stop(self) -> int:
        """The place after the last iteration."""
        return self.start + self.period * len(self.results)

    @property
    def saved(self) -> int:
        """The lines that calls save, before the step itself is printed."""
        return (self.period - 1) * len(self.results) - 2

    @property
    def length(self) -> int:
        """The lines of the step."""
        return self.period + len(self.results[0]) + _AROUND


class Finder:
    """Finds what repeats among the instructions of a function that are printed, block by block.

    ``last`` is where a value is read last: the number of an instruction, or infinity where it goes out.
    """

    def __init__(self, function: LimbFunction) -> None:
        program = function.program
        self.parts = [*printed(function)]
        self.printed = [*chain.from_iterable(part for _, part in self.parts)]
        self._word, self._needed = program.word, function.needed
        self.numbers = {program.numbers[index].name: program.numbers[index] for index in program.inputs}
        self.definitions = {value: i.operation for i in program.instructions for value in i.results}
        self._carries = {i.results[1] for i in program.instructions if isinstance(i.operation, Chained)}
        self._places = {
            value: (at, n) for at, i in enumerate(self.printed) for n, value in enumerate(i.results)
        }
        self.last: dict[int, float] = {}
        for at, instruction in enumerate(self.printed):
            self.last.update(dict.fromkeys(instruction.operation.operands, at))
        self.last.update(dict.fromkeys(chain.from_iterable(n.words for _, n in function.outputs), inf))
        if function.returned is not None:
            self.last[function.returned] = inf
        self._crossed = self._boundaries_with_carries()

    def _boundaries_with_carries(self) -> list[bool]:
        """Return for each place whether a carry that is made before it is read there or later."""
        crossed = [False] * (len(self.printed) + 1)
        for value in self._carries & self._places.keys() & self.last.keys():
            start, last = self._places[value][0] + 1, min(self.last[value], len(self.printed))
            for at in range(start, int(last) + 1):
                crossed[at] = True
        return crossed

    def repeats(self) -> list[Repeat]:
        """Return what repeats within the blocks, in order."""
        found: list[Repeat] = []
        start = 0
        for _, part in self.parts:
            found += self._between(start, start + len(part))
            start += len(part)
        return found

    def _between(self, start: int, stop: int) -> list[Repeat]:
        """Return the repeats between two instructions that save most, in order."""
        best = max(self._candidates(start, stop), key=lambda found: found.saved - found.length, default=None)
        if best is None:
            return []
        return [*self._between(start, best.start), best, *self._between(best.stop, stop)]

    def _candidates(self, start: int, stop: int) -> Iterator[Repeat]:
        """Yield what repeats between two instructions, without multiples of a period that is found."""
        kinds = [type(instruction.operation) for instruction in self.printed[start:stop]]
        found: list[tuple[int, int, int]] = []
        for period in range(_SHORTEST, len(kinds) // 2 + 1):
            for first, last in _stretches(kinds, period):
                if any(a <= first and last <= b and period % known == 0 for a, b, known in found):
                    continue
                repeats = [*self._within(start + first, start + last, period)]
                if repeats:
                    found.append((first, last, period))
                yield from repeats

    def _within(self, start: int, stop: int, period: int) -> Iterator[Repeat]:
        """Yield what repeats in a stretch of instructions whose kinds do."""
        for offset in range(period):
            at = start + offset
            while at + 2 * period <= stop:
                count = self._alike(at, period, stop)
                # An instruction that reads a carry of the last iteration has to follow it.
                repeats = (self._taken(at, period, iterations) for iterations in range(count, 1, -1))
                if repeat := next(filter(None, repeats), None):
                    yield repeat
                at += count * period

    def _alike(self, start: int, period: int, stop: int) -> int:
        """Return how many iterations from an instruction on are alike."""
        if self._crossed[start] or self._crossed[start + period]:
            return 1
        first, count = self._shapes(start, period), 1
        if None in first:
            return 1
        while start + (count + 1) * period <= stop and self._shapes(start + count * period, period) == first:
            count += 1
        return count

    def _shapes(self, start: int, period: int) -> list[tuple[object, ...] | None]:
        """Return what instructions do: two iterations are alike where it is the same."""
        return [self._shape(at, start) for at in range(start, start + period)]

    def _shape(self, at: int, start: int) -> tuple[object, ...] | None:
        """Return what an instruction does in an iteration; None where no step can have it."""
        instruction = self.printed[at]
        operation = instruction.operation
        if isinstance(operation, _NEVER_REPEATED) or (
            isinstance(operation, Funnel) and operation.amount == 1
        ):
            return None
        reads: list[object] = []
        for value in operation.operands:
            (where, which), known = self._places.get(value, (-1, 0)), self.definitions[value]
            own = (where - start, which) if where >= start else None
            reads.append(known if isinstance(known, Constant) else own)
        used = tuple(value in self._needed for value in instruction.results)
        return type(operation), getattr(operation, "amount", None), tuple(reads), used

    def _taken(self, start: int, period: int, count: int) -> Repeat | None:
        """Return iterations as a repeat; None where carries or many words pass from one to another."""
        iterations = [range(start + period * n, start + period * (n + 1)) for n in range(count)]
        made = {
            (at - iteration.start, n)
            for iteration in iterations
            for at in iteration
            for n, value in enumerate(self.printed[at].results)
            if self.last.get(value, -1) >= iteration.stop
        }
        results = tuple(
            tuple(self.printed[iteration.start + at].results[n] for at, n in sorted(made))
            for iteration in iterations
        )
        carried: dict[int, int] = {}
        inputs: dict[str, None] = {}
        words: list[tuple[int, ...]] = []
        for values in dict.fromkeys(zip(*map(self._reads, iterations), strict=True)):
            place = self._place(values, results)
            if place is not None and place not in carried:
                carried[place] = values[0]
            elif len({*values}) == 1 and (name := self._input(values[0])):
                inputs[name] = None
            else:
                words.append(values)
        crossing = {*chain.from_iterable(results), *carried.values(), *chain.from_iterable(words)}
        if len(words) > _MOST_WORDS or not crossing.isdisjoint(self._carries):
            return None
        # The last iteration tells which of these each instruction reads.
        read = [results[-2][place] for place in carried] + [each[-1] for each in words]
        read += chain.from_iterable(self.numbers[name].words for name in inputs)
        if len(read) != len({*read}):
            return None
        return Repeat(start, period, results, carried, tuple(inputs), tuple(words))

    def _reads(self, iteration: range) -> list[int]:
        """Return what an iteration reads from outside, constants apart."""
        values = chain.from_iterable(self.printed[at].operation.operands for at in iteration)
        return [
            value
            for value in values
            if not isinstance(self.definitions[value], Constant)
            and self._places.get(value, (-1, 0))[0] < iteration.start
        ]

    @staticmethod
    def _place(values: Sequence[int], results: Sequence[Sequence[int]]) -> int | None:
        """Return the place among the results of an iteration at which the next one reads a word."""
        made = zip(values[1:], results, strict=False)
        ((value, before), *others) = made
        if value not in before:
            return None
        place = before.index(value)
        return place if all(found[place] == value for value, found in others) else None

    def _input(self, value: int) -> str | None:
        """Return the input of single words to which a word belongs."""
        word = self.definitions[value]
        if not isinstance(word, Word) or self.numbers[word.number].is_of_columns(self._word):
            return None
        return word.number


def _stretches(kinds: Sequence[type], period: int) -> Iterator[tuple[int, int]]:
    """Yield where the kinds of instructions repeat with a period, twice or more: from one to another."""
    alike = 0
    for at in range(len(kinds) - period + 1):
        if at + period < len(kinds) and kinds[at] == kinds[at + period]:
            alike += 1
            continue
        if alike >= period:
            yield at - alike, at + period
        alike = 0
