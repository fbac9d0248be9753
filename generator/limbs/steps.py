"""Steps of limb functions: what repeats on other words is printed once, as a function, and called.

Rows of a product are such steps, and so are the iterations of a Montgomery reduction::

    r0 … r6   = a·b0
    step(r, r, a, b1)       r0 … r6 = (r1 … r6) + a·b1
    step(r, r, a, b2)       likewise
    …

A step reads what the one before it made, numbers of the function as they are, and single words. Nothing is
claimed of it: a reader follows it where it is called.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Constant, Word
from efdgen.generator.limbs.program import Instruction, LimbProgram, Number, full_words
from efdgen.generator.limbs.repeats import Finder
from efdgen.generator.limbs.spelling import LimbFunction, printed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.limbs.program import Block
    from efdgen.generator.limbs.repeats import Repeat

PREVIOUS, RESULT = "x", "r"  # the results of the previous step and of this one

_LEAST_SAVED = 12  # lines
_LETTERS = "abcdefgh"  # names of what a step reads


class Part(LimbProgram):
    """A subprogram without claims."""

    def _check_blocks(self) -> None:
        pass


@dataclass(frozen=True)
class Call:
    """A call of a step: its arguments after the results and what the step before made, and the results.

    An argument is an input by its name, or a word.
    """

    arguments: tuple[str | int, ...]
    results: tuple[int, ...]


@dataclass(frozen=True)
class Run:
    """Calls of one step, one after the other.

    ``first`` are the words that the first step reads of what would have been made before it, or the input
    that is just these; None where no step reads what another made.
    """

    step: LimbFunction
    calls: tuple[Call, ...]
    first: str | tuple[int | None, ...] | None

    @property
    def reads_inputs(self) -> bool:
        """True if a call is given an input of the function."""
        return any(isinstance(given, str) for call in self.calls for given in (*call.arguments, self.first))

    @property
    def read(self) -> Iterator[int]:
        """The words that calls are given one by one."""
        for call in self.calls:
            yield from (argument for argument in call.arguments if isinstance(argument, int))
        if isinstance(self.first, tuple):
            yield from (value for value in self.first if value is not None)


class Steps:
    """The steps of the functions of a text, each once: those that make the text shorter."""

    def __init__(self, functions: Iterable[LimbFunction] = ()) -> None:
        self._taken: dict[str, tuple[_Stepped, dict[Repeat, object]]] = {}
        saved = Counter[object]()
        for function in functions:
            stepped = _Stepped(function)
            keys = {repeat: stepped.key(repeat) for repeat in stepped.repeats}
            for repeat, key in keys.items():
                saved[key] += repeat.saved + (0 if key in saved else -repeat.length)
            self._taken[function.name] = stepped, keys
        self._steps: dict[object, LimbFunction] = {}
        for name, (stepped, keys) in self._taken.items():
            for repeat, key in keys.items():
                if saved[key] >= _LEAST_SAVED and key not in self._steps:
                    self._steps[key] = stepped.function(repeat, self._unused(f"{name}_step"))

    @property
    def functions(self) -> tuple[LimbFunction, ...]:
        """The steps."""
        return tuple(self._steps.values())

    def parts(self, function: LimbFunction) -> list[tuple[Block | None, list[Instruction | Run]]]:
        """Return the printed instructions of each block of a function, with runs in place of repeats.

        Words that only steps read are not loaded.
        """
        if function.name not in self._taken:
            return [(block, [*instructions]) for block, instructions in printed(function)]
        stepped, keys = self._taken[function.name]
        runs = {repeat: self._steps[key] for repeat, key in keys.items() if key in self._steps}
        return stepped.with_runs(runs)

    def _unused(self, name: str) -> str:
        """Return a name, with a number where a step has it already."""
        taken = sum(step.name.startswith(name) for step in self._steps.values())
        return f"{name}_{taken + 1}" if taken else name


class _Stepped:
    """A function and what repeats in it."""

    def __init__(self, function: LimbFunction) -> None:
        self._finder = Finder(function)
        self.repeats = self._finder.repeats()
        self._name, self._word = function.name, function.program.word
        self._intervals = function.program.intervals

    def with_runs(
        self, runs: Mapping[Repeat, LimbFunction]
    ) -> list[tuple[Block | None, list[Instruction | Run]]]:
        """Return the blocks with calls of steps in place of what repeats, without unread words."""
        starts = {repeat.start: (repeat, step) for repeat, step in runs.items()}
        found: list[tuple[Block | None, list[Instruction | Run]]] = []
        at = 0
        for block, part in self._finder.parts:
            items: list[Instruction | Run] = []
            stop = at + len(part)
            while at < stop:
                if at in starts:
                    repeat, step = starts[at]
                    items.append(self._run(repeat, step))
                    at = repeat.stop
                else:
                    items.append(self._finder.printed[at])
                    at += 1
            found.append((block, items))
        read = {value for value, last in self._finder.last.items() if last == inf}
        for item in chain.from_iterable(items for _, items in found):
            read.update(item.read if isinstance(item, Run) else item.operation.operands)
        return [(block, [item for item in items if _is_read(item, read)]) for block, items in found]

    def _run(self, repeat: Repeat, step: LimbFunction) -> Run:
        calls = tuple(
            Call((*repeat.inputs, *(words[iteration] for words in repeat.words)), results)
            for iteration, results in enumerate(repeat.results)
        )
        return Run(step, calls, self._first(repeat))

    def key(self, repeat: Repeat) -> object:
        """Return the key of repeats that become calls of one step."""
        program = self._program(repeat)
        return program.instructions, program.numbers, len(repeat.words)

    def function(self, repeat: Repeat, name: str) -> LimbFunction:
        """Return a step as a function."""
        program = self._program(repeat)
        scalars = frozenset(n.name for n in program.numbers[len(program.inputs) - len(repeat.words) : -1])
        doc = f"A step of {self._name}"
        doc += f"; {PREVIOUS} is the result of the step before." if repeat.carried else "."
        return LimbFunction(name, program, (doc,), scalars=scalars)

    def _first(self, repeat: Repeat) -> str | tuple[int | None, ...] | None:
        """Return what the first iteration reads of what would have been made before it."""
        if not repeat.carried:
            return None
        words = {place: self._finder.definitions[value] for place, value in repeat.carried.items()}
        numbers = {word.number for word in words.values() if isinstance(word, Word)}
        for name in numbers:
            long_enough = len(self._finder.numbers[name].words) >= len(repeat.results[0])
            if long_enough and all(word == Word(name, place) for place, word in words.items()):
                return name
        return tuple(repeat.carried.get(place) for place in range(len(repeat.results[0])))

    def _given(self, repeat: Repeat) -> list[tuple[str, Sequence[int]]]:
        """Return what a step is given, by name, and the words of it in the last iteration."""
        letters = iter(_LETTERS)
        given: list[tuple[str, Sequence[int]]] = [(PREVIOUS, repeat.results[-2])] if repeat.carried else []
        given += [(next(letters), self._finder.numbers[name].words) for name in repeat.inputs]
        return [*given, *((next(letters), words[-1:]) for words in repeat.words)]

    def _program(self, repeat: Repeat) -> Part:
        """Return the last iteration as a program of its own."""
        given = self._given(repeat)
        numbers: list[Number] = []
        made: list[Instruction] = []
        for name, words in given:
            own = tuple(range(len(made), len(made) + len(words)))
            numbers.append(self._number(name, own))
            made += (Instruction(Word(name, at), (value,)) for at, value in enumerate(own))
        body = self._finder.printed[repeat.stop - repeat.period : repeat.stop]
        used = dict.fromkeys(chain.from_iterable(i.operation.operands for i in body))
        constants = [value for value in used if isinstance(self._finder.definitions[value], Constant)]
        values = [*chain.from_iterable(words for _, words in given), *constants]
        values += chain.from_iterable(i.results for i in body)
        renamed = {value: at for at, value in enumerate(values)}
        for operation, results in (
            *((self._finder.definitions[value], (value,)) for value in constants),
            *((i.operation, i.results) for i in body),
        ):
            reads = operation.on(tuple(renamed[value] for value in operation.operands))
            made.append(Instruction(reads, tuple(renamed[value] for value in results)))
        output = self._number(RESULT, tuple(renamed[value] for value in repeat.results[-1]))
        inputs, intervals = tuple(range(len(numbers))), tuple(self._intervals[value] for value in values)
        outputs = ((RESULT, len(numbers)),)
        return Part(self._word, tuple(made), intervals, (*numbers, output), (), inputs, outputs)

    def _number(self, name: str, words: tuple[int, ...]) -> Number:
        """Return a number of full words."""
        positions = full_words(self._word, len(words))
        return Number(name, words, positions, (1 << self._word * len(words)) - 1)


def _is_read(item: Instruction | Run, read: Collection[int]) -> bool:
    """Return whether an item is no word that comes in and is not read."""
    return isinstance(item, Run) or not isinstance(item.operation, Word) or item.results[0] in read
