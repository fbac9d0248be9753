"""Questions beyond intervals, for Z3: linear integer arithmetic over the words of one lemma.

A product of two words is a variable in its interval; everything else is linear. This is enough for what
depends on a case: where a fold carried, the rest is small, and the last chain cannot carry. Often the last
chains say it, and all before them only costs time, so that these are asked about first, by themselves.

Carries that nobody reads are proved to be 0 in the order of the instructions: those before a goal are 0. Not
so those of words that are added to themselves.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from efdgen.generator.limbs.integers import Integers, UnknownError
from efdgen.generator.limbs.intervals import Interval, Intervals
from efdgen.generator.limbs.operations import Chained, Constant, is_doubling
from efdgen.verify.limbs.wholes import chains
from efdgen.verify.solver import context, satisfiable
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from efdgen.generator.limbs.program import Instruction
    from efdgen.verify.limbs.lemma import Lemma

Term = Any  # Z3's terms carry no types

SOON, RESOURCES = 20_000, 6_000_000
"""Resource units of Z3, for a question that is also asked with more said, and for one that is not."""

_CHAINS = 6


def certainly_zero(lemma: Lemma, value: int) -> bool:
    """Return whether a value in a lemma is 0 for all words within the bounds of its premises."""
    return _is_impossible(_systems(lemma, (value,)), lambda system: [system.word(value) >= 1])


def certainly_within(lemma: Lemma) -> bool:
    """Return whether the result of a lemma is never outside its bounds."""
    result = lemma.result

    def outside(system: _System) -> list[Term]:
        number = system.number(result.words, result.positions)
        return [number > result.maximum, number < result.minimum]

    return _is_impossible(_systems(lemma, result.words), outside)


def _is_impossible(systems: Iterable[_System], conditions: Callable[[_System], list[Term]]) -> bool:
    """Return whether one of some systems excludes all conditions.

    Raises :class:`UndecidedError` where none is known to, and the budget ran out for one that says all.
    """
    undecided = None
    for system in systems:
        try:
            if all(system.excludes(condition) for condition in conditions(system)):
                return True
        except UndecidedError as error:
            undecided = undecided if system.tentative else error
    if undecided is not None:
        raise undecided
    return False


def _systems(lemma: Lemma, goals: tuple[int, ...]) -> Iterator[_System]:
    """Yield what the last chains before a goal say, soon also as wholes, and what all instructions do."""
    before = [i for i in lemma.instructions if i.results[0] <= max(goals)]
    last = _CHAINS * len(lemma.result.words)
    for instructions in ([before[-last:]] if last < len(before) else []) + [_leading_to(goals, before)]:
        yield _System(lemma, goals, instructions, tentative=True)
        system = _System(lemma, goals, instructions, tentative=False)
        system.relate_wholes(instructions)
        yield system


class _System:
    """The relations between the words on which some values depend, as far as some instructions say them.

    After a ``tentative`` one, the same is asked again with more relations and a larger budget.
    """

    def __init__(
        self,
        lemma: Lemma,
        goals: tuple[int, ...],
        instructions: Sequence[Instruction],
        *,
        tentative: bool,
    ) -> None:
        # Loaded when it is asked, for that takes time; it carries no types.
        self._z3 = z3 = import_module("z3")
        self._lemma = lemma
        self._context = context()
        self._solver = z3.Solver(ctx=self._context)
        self.tentative = tentative
        self._words: dict[int, Term] = {}
        self._intervals = self._analyse()
        self._goals = goals
        used = {*goals, *(v for i in instructions for v in (*i.results, *i.operation.operands))}
        for premise in lemma.premises:
            if used & set(premise.words):
                number = self.number(premise.words, premise.positions)
                self._solver.add(premise.minimum <= number, number <= premise.maximum)
        for instruction in instructions:
            self._relate(instruction)

    def relate_wholes(self, instructions: Sequence[Instruction]) -> None:
        """Say what follows for whole numbers from chains: it saves Z3 a long search, or costs it time."""
        for chain in chains(instructions):
            self._relate_whole(chain)

    def word(self, value: int) -> Term:
        """Return the variable of a value."""
        if value not in self._words:
            self._words[value] = self.variable(f"v{value}", self._intervals[value])
        return self._words[value]

    def number(self, words: tuple[int, ...], positions: tuple[int, ...]) -> Term:
        """Return a number as a term."""
        pairs = zip(words, positions, strict=True)
        return self.sum([(self.word(value), 1 << position) for value, position in pairs])

    def sum(self, parts: Sequence[tuple[Term, int]]) -> Term:
        """Return the sum of terms, each times a factor."""
        return self._z3.Sum([term if factor == 1 else term * factor for term, factor in parts])

    def either(self, condition: Term, one: Term, other: Term) -> Term:
        """Return one term where a condition holds, and another one elsewhere."""
        return self._z3.If(condition, one, other)

    def add(self, *relations: Term) -> None:
        """Say that relations hold."""
        self._solver.add(*relations)

    def excludes(self, condition: Term) -> bool:
        """Return whether no words satisfy a condition; raises :class:`UndecidedError`."""
        question = f"whether {condition}".replace("\n", " ")
        resources = SOON if self.tentative else RESOURCES
        return not satisfiable(self._solver, question, condition, resources=resources)

    def variable(self, name: str, interval: Interval) -> Term:
        """Return a variable in an interval."""
        variable = self._z3.Int(name, self._context)
        self._solver.add(interval.low <= variable, variable <= interval.high)
        return variable

    def _analyse(self) -> list[Interval]:
        lemma = self._lemma
        intervals, kind = lemma.bounds, Intervals(lemma.word)
        for instruction in lemma.instructions:
            intervals += instruction.operation.meaning(kind, intervals.__getitem__)
        return intervals

    def _relate(self, instruction: Instruction) -> None:
        """Say what an operation does, as far as its relations are linear."""
        operation, results = instruction.operation, instruction.results
        if isinstance(operation, Constant):
            return
        chained = isinstance(operation, Chained) and not is_doubling(operation)
        if chained and results[1] in self._lemma.unread.difference(self._goals):
            self.add(self.word(results[1]) == 0)
        relations = _Relations(self._lemma.word, self, results)
        with suppress(UnknownError):
            made = operation.meaning(
                relations, lambda value: _Known(self.word(value), self._intervals[value])
            )
            self.add(*relations.equations(made))

    def _relate_whole(self, chain: Sequence[Instruction]) -> None:
        """Say what a chain makes of two numbers."""
        base, total, made = 1 << self._lemma.word, [], []
        assert isinstance(chain[0].operation, Chained)
        sign = chain[0].operation.sign
        for at, instruction in enumerate(chain):
            left, right, *_ = instruction.operation.operands
            total.append((self.word(left) + sign * self.word(right)) * base**at)
            made.append(self.word(instruction.results[0]) * base**at)
        carried = sign * self.word(chain[-1].results[1]) * base ** len(chain)
        self._solver.add(self._z3.Sum(total) == self._z3.Sum(made) + carried)


class _Known(NamedTuple):
    """A term, and the interval of a word; times ``weight`` it may be a part of ``whole``."""

    term: Term
    interval: Interval | None = None
    whole: Term = None
    weight: int = 0

    @property
    def value(self) -> int | None:
        """The only value that it can have."""
        return self.interval.low if self.interval and self.interval.low == self.interval.high else None


class _Relations(Integers[_Known]):
    """Terms for the results of one operation; those that are not linear, such as low words, are unknown."""

    def __init__(self, word: int, system: _System, results: Sequence[int]) -> None:
        super().__init__(word)
        self._system, self._results, self._made = system, results, 0

    def equations(self, made: Sequence[_Known]) -> list[Term]:
        """Return the equations that terms are the results; both parts of a whole have one in common."""
        results, whole = [self._system.word(result) for result in self._results], made[0].whole
        weights = [part.weight for part in made if part.whole is whole]
        if whole is not None and list(map(abs, weights)) == [1, 1 << self.word]:
            return [self._system.sum([*zip(results, weights, strict=True)]) == whole]
        return [result == part.term for result, part in zip(results, made, strict=True)]

    def _variable(self, interval: Interval) -> Term:
        self._made += 1
        return self._system.variable(f"made{self._results[0]}_{self._made}", interval)

    def constant(self, value: int) -> _Known:
        interval = Interval(value, value)
        return _Known(self._variable(interval), interval)

    def sum(self, *parts: tuple[_Known, int]) -> _Known:
        return _Known(self._system.sum([(known.term, factor) for known, factor in parts]))

    def product(self, left: _Known, right: _Known) -> _Known:
        """Return a variable for a product, unless a factor is known."""
        for one, other in ((left, right), (right, left)):
            if one.value is not None:
                return _Known(one.value * other.term)
        if left.interval is None or right.interval is None:
            raise UnknownError
        return _Known(self._variable(left.interval.product(right.interval)))

    def cut(self, value: _Known, amount: int) -> tuple[_Known, _Known]:
        return _Known(value.term % (1 << amount)), _Known(value.term / (1 << amount))

    def halves(self, total: _Known) -> tuple[_Known, _Known]:
        parts = zip(self.cut(total, self.word), (1, 1 << self.word), strict=True)
        low, high = (part._replace(whole=total.term, weight=weight) for part, weight in parts)
        return low, high

    def low(self, total: _Known) -> _Known:
        raise UnknownError

    def chained(self, sign: int, left: _Known, right: _Known, bit: _Known | None) -> tuple[_Known, _Known]:
        low, carry = super().chained(sign, left, right, bit)
        return low, carry._replace(whole=low.whole, weight=sign << self.word)

    def funnel(self, high: _Known, low: _Known, amount: int) -> _Known:
        kept = (high.term * (1 << amount)) % (1 << self.word)
        return _Known(kept + low.term / (1 << self.word - amount))

    def select(self, bit: _Known, one: _Known, zero: _Known) -> _Known:
        if one.value is not None and zero.value is not None:
            return _Known(zero.value + (one.value - zero.value) * bit.term)
        return _Known(self._system.either(bit.term == 1, one.term, zero.term))

    def bitwise(self, operator: str, left: _Known, right: _Known) -> _Known:
        """Relate exactly where one operand is known, and a run of ones at an end; bound the others."""
        if operator == "^":
            raise UnknownError
        ones, either = (1 << self.word) - 1, operator == "|"
        for other, mask in ((left, right.value), (right, left.value)):
            # Bits of the value that are kept begin at 2^shift; those below become ones, or zeros.
            kept = 0 if mask is None else ones ^ mask if either else mask
            shift = (kept & -kept).bit_length() - 1
            if mask is not None and kept and kept == ones >> shift << shift:
                filled = mask if either else 0
                return _Known(other.term / (1 << shift) * (1 << shift) + filled)
        one, two, made = left.term, right.term, self._variable(Interval(0, ones))
        bounds = (made >= one, made >= two, made <= one + two)
        if not either:
            bounds = (made <= one, made <= two, made >= one + two - ones)
        self._system.add(*bounds)
        return _Known(made)


def _leading_to(goals: tuple[int, ...], instructions: Sequence[Instruction]) -> list[Instruction]:
    """Return the instructions on which the goals depend."""
    needed, found = set(goals), []
    for instruction in reversed(instructions):
        if needed & set(instruction.results):
            needed |= {*instruction.results, *instruction.operation.operands}
            found.append(instruction)
    return found[::-1]
