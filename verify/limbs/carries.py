"""Questions beyond intervals, for Z3: linear integer arithmetic over the words of one lemma.

A product of two words is a variable in its interval; everything else is linear. This is enough for what
depends on a case: where a fold carried, the rest is small, and the last chain cannot carry. Often the last
chains say it, and all before them only costs time, so that these are asked about first, by themselves.

Carries that nobody reads are proved to be 0 in the order of the instructions: those before a goal are 0. Not
so those of words that are added to themselves.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.generator.limbs.intervals import Interval, interval_rule
from efdgen.generator.limbs.operations import (
    Add,
    And,
    Constant,
    Dot,
    Funnel,
    Mul,
    MulLow,
    MulWide,
    Or,
    Select,
    ShiftLeft,
    ShiftRight,
    Sub,
    Word,
    Xor,
    is_doubling,
    operands,
)
from efdgen.verify.limbs.wholes import chains
from efdgen.verify.solver import context, satisfiable
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from efdgen.generator.limbs.operations import Operation
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
        used = {*goals, *(v for i in instructions for v in (*i.results, *operands(i.operation)))}
        for premise in lemma.premises:
            if used & set(premise.words):
                number = self.number(premise.words, premise.positions)
                self._solver.add(premise.minimum <= number, number <= premise.maximum)
        for instruction in instructions:
            self._relate(instruction.operation, instruction.results)

    def relate_wholes(self, instructions: Sequence[Instruction]) -> None:
        """Say what follows for whole numbers from chains: it saves Z3 a long search, or costs it time."""
        for chain in chains(instructions):
            self._relate_whole(chain)

    def word(self, value: int) -> Term:
        """Return the variable of a value."""
        if value not in self._words:
            self._words[value] = self._variable(f"v{value}", self._intervals[value])
        return self._words[value]

    def number(self, words: tuple[int, ...], positions: tuple[int, ...]) -> Term:
        """Return a number as a term."""
        pairs = zip(words, positions, strict=True)
        return self._z3.Sum([self.word(value) * (1 << position) for value, position in pairs])

    def excludes(self, condition: Term) -> bool:
        """Return whether no words satisfy a condition; raises :class:`UndecidedError`."""
        question = f"whether {condition}".replace("\n", " ")
        resources = SOON if self.tentative else RESOURCES
        return not satisfiable(self._solver, question, condition, resources=resources)

    def _variable(self, name: str, interval: Interval) -> Term:
        variable = self._z3.Int(name, self._context)
        self._solver.add(interval.low <= variable, variable <= interval.high)
        return variable

    def _analyse(self) -> list[Interval]:
        lemma = self._lemma
        intervals = [Interval(0, (1 << lemma.word) - 1)] * lemma.inputs
        for premise in lemma.premises:
            for index, value in enumerate(premise.words):
                if value < lemma.inputs:
                    bound = premise.word_interval(index, lemma.word)
                    intervals[value] = min(intervals[value], bound)
        for instruction in lemma.instructions:
            intervals += interval_rule(instruction.operation, lemma.word, intervals.__getitem__)
        return intervals

    def _relate(self, operation: Operation, results: tuple[int, ...]) -> None:
        add, word, base = self._solver.add, self.word, 1 << self._lemma.word
        unread = isinstance(operation, Add | Sub) and results[1] in self._lemma.unread.difference(self._goals)
        if unread and not is_doubling(operation):
            add(word(results[1]) == 0)
        match operation:
            case Constant() | Word() | MulLow() | Xor():
                pass
            case And(left, right) | Or(left, right):
                self._relate_bits(operation, left, right, word(results[0]))
            case MulWide(left, right):
                add(word(results[0]) + base * word(results[1]) == self._product(left, right, results[0]))
            case Dot(products, added, subtracted):
                parts = [self._product(*pair, (results[0], at)) for at, pair in enumerate(products)]
                parts += [word(low) + base * word(high) for low, high in added]
                parts += [-word(low) - base * word(high) for low, high in subtracted]
                add(word(results[0]) + base * word(results[1]) == self._z3.Sum(parts))
            case Mul(left, right):
                add(word(results[0]) == self._product(left, right, results[0]))
            case Add(left, right, carry):
                incoming = 0 if carry is None else word(carry)
                add(word(left) + word(right) + incoming == word(results[0]) + base * word(results[1]))
            case Sub(left, right, borrow):
                incoming = 0 if borrow is None else word(borrow)
                add(word(left) - word(right) - incoming == word(results[0]) - base * word(results[1]))
            case ShiftLeft(value, amount):
                add(word(results[0]) == word(value) * (1 << amount))
            case ShiftRight(value, amount):
                add(word(results[0]) == word(value) / (1 << amount))
            case Funnel(high, low, amount):
                brought = word(low) / (1 << self._lemma.word - amount)
                add(word(results[0]) == (word(high) * (1 << amount)) % base + brought)
            case Select(bit, one, zero) if self._is_known(one) and self._is_known(zero):
                first, second = (self._intervals[value].low for value in (one, zero))
                add(word(results[0]) == second + (first - second) * word(bit))
            case Select(bit, one, zero):
                add(word(results[0]) == self._z3.If(word(bit) == 1, word(one), word(zero)))

    def _relate_bits(self, operation: And | Or, left: int, right: int, result: Term) -> None:
        """Relate exactly where one operand is known, and a run of ones at an end; bound the others."""
        word, ones = self.word, (1 << self._lemma.word) - 1
        either = isinstance(operation, Or)
        for value, mask in ((left, right), (right, left)):
            low, high = self._intervals[mask]
            # Bits of the value that are kept begin at 2^shift; those below become ones, or zeros.
            kept = ones ^ low if either else low
            shift = (kept & -kept).bit_length() - 1
            if low == high and kept and kept == ones >> shift << shift:
                filled = low if either else 0
                self._solver.add(result == word(value) / (1 << shift) * (1 << shift) + filled)
                return
        total = word(left) + word(right)
        bounds = (result >= word(left), result >= word(right), result <= total)
        if not either:
            bounds = (result <= word(left), result <= word(right), result >= total - ones)
        self._solver.add(*bounds)

    def _relate_whole(self, chain: Sequence[Instruction]) -> None:
        """Say what a chain makes of two numbers."""
        base, total, made = 1 << self._lemma.word, [], []
        sign = 1 if isinstance(chain[0].operation, Add) else -1
        for at, instruction in enumerate(chain):
            left, right, *_ = operands(instruction.operation)
            total.append((self.word(left) + sign * self.word(right)) * base**at)
            made.append(self.word(instruction.results[0]) * base**at)
        carried = sign * self.word(chain[-1].results[1]) * base ** len(chain)
        self._solver.add(self._z3.Sum(total) == self._z3.Sum(made) + carried)

    def _is_known(self, value: int) -> bool:
        low, high = self._intervals[value]
        return low == high

    def _product(self, left: int, right: int, name: object) -> Term:
        for one, other in ((left, right), (right, left)):
            low, high = self._intervals[one]
            if low == high:
                return low * self.word(other)
        return self._variable(f"product{name}", self._intervals[left].product(self._intervals[right]))


def _leading_to(goals: tuple[int, ...], instructions: Sequence[Instruction]) -> list[Instruction]:
    """Return the instructions on which the goals depend."""
    needed, found = set(goals), []
    for instruction in reversed(instructions):
        if needed & set(instruction.results):
            needed |= {*instruction.results, *operands(instruction.operation)}
            found.append(instruction)
    return found[::-1]
