"""A lemma's instructions on polynomials: each word as its exact integer.

::

    low, high = a · b           low = a·b - 2^w·high           high is a new variable; a sum of products too
    sum, carry = a + b + c      sum = a + b + c - 2^w·carry    carry is a new variable, 0 or 1
    q = a >> k                  q is a new variable            a - 2^k·q is what was lost
    bit ? a : b                 b + bit·(a - b)
    m = low(a · b)              m is a new variable            m ≡ a·b modulo 2^w is kept

No new variable is needed where intervals say that nothing carries. If a total is a multiple of 2^w, its low
word is 0, and the carry times 2^w is the total: Montgomery's reduction clears a word in this way. If a
difference of two words is a multiple of 2^w, the words are the same. Both are equations, by which a
variable goes.

A carry that nobody reads must be 0, and so must a sum of which nothing is read, which is cut off a number;
:class:`Refuted` where this cannot be shown. The sum that is 0 is an equation, by which a variable goes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.limbs.intervals import Interval, dot_total, interval_rule
from efdgen.generator.limbs.operations import (
    Add,
    And,
    CarrylessDot,
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
from efdgen.generator.limbs.printer import operation_text
from efdgen.verify.limbs.bounds import Bounds
from efdgen.verify.limbs.polynomial import add, constant, evaluate, multiply, reduce, scale, substitute
from efdgen.verify.limbs.wholes import always_within, chains
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.program import Number
    from efdgen.verify.limbs.lemma import Lemma
    from efdgen.verify.limbs.polynomial import Polynomial
    from efdgen.verify.limbs.wholes import Fact


class Execution:
    """Runs a lemma; afterwards ``polynomials`` and ``intervals`` hold what is known of each value.

    ``certainly_zero`` decides about an unread carry where the intervals of its chain do not, nor whole
    numbers; ``questions`` is how often Z3 was asked.
    """

    def __init__(self, lemma: Lemma, certainly_zero: Callable[[Lemma, int], bool]) -> None:
        self.bounds = Bounds()
        self.polynomials: list[Polynomial] = []
        self.intervals: list[Interval] = []
        self._lemma = lemma
        self._word = lemma.word
        self._ask = certainly_zero
        self.questions = 0
        self._defined = {value: i.operation for i in lemma.instructions for value in i.results}
        self._congruences: list[tuple[int, Polynomial]] = []
        self._point = _Point(self._word)
        self._facts: list[Fact] = []
        # For each variable, the values whose polynomials may have it.
        self._holders: defaultdict[int, set[int]] = defaultdict(set)
        self._splits: dict[tuple[int, int], tuple[Polynomial, Polynomial]] = {}
        self._take_premises()
        for instruction in lemma.instructions:
            if not isinstance(instruction.operation, Constant):
                self._execute(instruction.operation, instruction.results)

    def value(self, number: Number) -> Polynomial:
        """Return a number as a polynomial."""
        return self._weighted(number.words, number.positions)

    def interval(self, number: Number) -> Interval:
        """Return an interval for a number, from its polynomial and from its words."""
        return self._row(number.words, number.positions)

    def keeps_bounds(self, number: Number) -> bool:
        """Return whether a number is shown to be within its bounds."""
        wanted, found = Interval(number.minimum, number.maximum), self.interval(number)
        within = wanted.low <= found.low and found.high <= wanted.high
        return within or self._always_within(self.value(number), wanted)

    def _take_premises(self) -> None:
        lemma = self._lemma
        largest = [(1 << self._word) - 1] * lemma.inputs
        for premise in lemma.premises:
            for index, value in enumerate(premise.words):
                if value < lemma.inputs:
                    largest[value] = min(largest[value], premise.word_interval(index, self._word).high)
        for most in largest:
            self.intervals.append(Interval(0, most))
            self._append(self.bounds.new(Interval(0, most)) if most else {})
        for instruction in lemma.instructions:
            if isinstance(instruction.operation, Constant):
                known = instruction.operation.value
                self.intervals.append(Interval(known, known))
                self._append(constant(known))
        for premise in lemma.premises:
            whole, interval = self.value(premise), Interval(premise.minimum, premise.maximum)
            self.bounds.note_whole(whole, interval)
            self._facts.append((whole, interval))

    def _execute(self, operation: Operation, results: tuple[int, ...]) -> None:
        intervals = interval_rule(operation, self._word, self.intervals.__getitem__)
        match operation:
            case Add(_, _, int(bit)) | Sub(_, _, int(bit)) | Select(bit) if self.intervals[bit].high > 1:
                raise Refuted(f"{operation_text(operation)} takes for a bit what may be more")
            case MulWide(left, right):
                total = multiply(self.polynomials[left], self.polynomials[right])
                polynomials: tuple[Polynomial, ...] = self._parts(total, intervals[1])
            case Dot():
                polynomials = self._parts(self._dot(operation), intervals[1])
            case MulLow(left, right):
                polynomials = (self._congruent(multiply(self.polynomials[left], self.polynomials[right])),)
            case Add() | Sub():
                intervals, polynomials = self._sum(operation, results, intervals)
            case _:
                polynomials = (self._single(operation, intervals[0]),)
        self.intervals += intervals
        for polynomial in polynomials:
            self._append(polynomial)

    def _append(self, polynomial: Polynomial) -> None:
        """Take a polynomial for the next value."""
        for monomial in polynomial:
            for number in monomial:
                self._holders[number].add(len(self.polynomials))
        self.polynomials.append(polynomial)

    def _dot(self, operation: Dot) -> Polynomial:
        """Return a sum of products as a whole, which must fit two words, before subtractions too."""
        if operation.subtracted:
            self._dot(replace(operation, subtracted=()))
        total: Polynomial = {}
        for left, right in operation.products:
            total = add(total, multiply(self.polynomials[left], self.polynomials[right]))
        for sign, pairs in ((1, operation.added), (-1, operation.subtracted)):
            for low, high in pairs:
                total = add(total, self.polynomials[low], sign)
                total = add(total, self.polynomials[high], sign << self._word)
        known = dot_total(operation, self._word, self.intervals.__getitem__)
        if known.low < 0 or known.high >> 2 * self._word:
            found = self.bounds.interval(total)
            if found.low < 0 or found.high >> 2 * self._word:
                raise Refuted(f"{operation_text(operation)} may not fit two words")
        return total

    def _single(self, operation: Operation, interval: Interval) -> Polynomial:
        match operation:
            case Mul(left, right):
                return self._fitting(operation, multiply(self.polynomials[left], self.polynomials[right]))
            case ShiftLeft(value, amount):
                return self._fitting(operation, scale(self.polynomials[value], 1 << amount))
            case ShiftRight(value, amount):
                return self._cut(value, amount)[1]
            case Funnel(high, low, amount):
                kept, _ = self._cut(high, self._word - amount)
                _, brought = self._cut(low, self._word - amount)
                return add(brought, kept, 1 << amount)
            case Select(bit, one, zero):
                difference = add(self.polynomials[one], self.polynomials[zero], -1)
                return add(self.polynomials[zero], multiply(self.polynomials[bit], difference))
            case And(left, right):
                for value, mask in ((left, right), (right, left)):
                    low, high = self.intervals[mask]
                    if low == high and high & high + 1 == 0:
                        return self._cut(value, high.bit_length())[0]
                return self.bounds.new(interval)
            case Or() | Xor():
                return self.bounds.new(interval)
            case MulWide() | Dot() | CarrylessDot() | MulLow() | Add() | Sub() | Word() | Constant():
                raise AssertionError(operation)
            case _:
                assert_never(operation)

    def _sum(
        self, operation: Add | Sub, results: tuple[int, ...], intervals: tuple[Interval, ...]
    ) -> tuple[tuple[Interval, ...], tuple[Polynomial, ...]]:
        sign = 1 if isinstance(operation, Add) else -1
        left, right, *carries = (self.polynomials[value] for value in operands(operation))
        if is_doubling(operation) and self.intervals[operation.left].high:
            return intervals, self._twice(operation.left, carries)
        total = add(left, right, sign)
        for carry in carries:
            total = add(total, carry, sign)
        if sign == -1 and not carries and self._is_multiple(total):
            self._note_equation(total)
            return (Interval(0, 0), Interval(0, 0)), ({}, {})
        if results[1] in self._lemma.unread and intervals[1] != (0, 0):
            if not (self._chain_fits(operation) or self._certainly_zero(results[1])):
                raise Refuted(f"{operation_text(operation)} drops a carry that may be 1")
            intervals = intervals[0], Interval(0, 0)
        if results[0] in self._lemma.unread and results[1] in self._lemma.unread:
            self._vanish(operation, results[0], total)
        low, high = intervals[1]
        parts = self._parts(total, Interval(low, high) if sign == 1 else Interval(-high, -low))
        return intervals, (parts[0], scale(parts[1], sign))

    def _twice(self, value: int, carries: Sequence[Polynomial]) -> tuple[Polynomial, Polynomial]:
        """Return twice a word, with a carry: its highest bit carries, so that a shift may read it instead."""
        kept, above = self._cut(value, self._word - 1)
        low = scale(kept, 2)
        for carry in carries:
            low = add(low, carry)
        return low, above

    def _vanish(self, operation: Add | Sub, value: int, polynomial: Polynomial) -> None:
        """Use that a word which is cut off is 0, as it must be: the carry that came into it is the rest."""
        if polynomial and not (
            self._always_within(polynomial, Interval(0, 0)) or self._certainly_zero(value)
        ):
            raise Refuted(f"{operation_text(operation)} cuts off a word that may not be 0")
        if polynomial:
            self._note_equation(polynomial)

    def _note_equation(self, polynomial: Polynomial) -> None:
        """Use that a polynomial is 0: its newest variable that is a term gives way to the rest."""
        self.bounds.note_equation(polynomial, 1 << self._word)
        self._facts.append((polynomial, Interval(0, 0)))
        newest = _newest(polynomial)
        if newest is not None:
            rest = {monomial: c for monomial, c in polynomial.items() if monomial != newest}
            by = scale(rest, -polynomial[newest])
            holders = self._holders.pop(newest[0], set())
            for value in holders:
                self.polynomials[value] = substitute(self.polynomials[value], newest[0], by)
            for number in {number for monomial in by for number in monomial}:
                self._holders[number] |= holders
            self._congruences = [(q, substitute(known, newest[0], by)) for q, known in self._congruences]
            self._point = _Point(self._word, self._congruences)

    def _parts(self, total: Polynomial, high: Interval) -> tuple[Polynomial, Polynomial]:
        """Return ``total mod 2^w`` and ``⌊total / 2^w⌋``, given an interval of the latter."""
        if high.low == high.high:
            return add(total, constant(high.low << self._word), -1), constant(high.low)
        if all(coefficient % (1 << self._word) == 0 for coefficient in total.values()):
            return {}, {monomial: coefficient >> self._word for monomial, coefficient in total.items()}
        upper = self.bounds.new(high)
        lower = add(total, upper, -1 << self._word)
        if self._is_multiple(total):
            self._note_equation(lower)
            return {}, upper
        self._note_word(lower, 1 << self._word)
        return lower, upper

    def _note_word(self, polynomial: Polynomial, size: int) -> None:
        """Note that a polynomial is at least 0 and less than ``size``."""
        word = self.bounds.new(Interval(0, size - 1))
        self.bounds.note_equation(add(polynomial, word, -1), size)

    def _congruent(self, product: Polynomial) -> Polynomial:
        """Return a variable in the range of words, and keep that it is congruent to a product."""
        word = self.bounds.new(Interval(0, (1 << self._word) - 1))
        ((number,),) = word
        self._congruences.append((number, product))
        self._point.place(number, product)
        return word

    def _is_multiple(self, polynomial: Polynomial) -> bool:
        """Return whether congruences show that a polynomial is a multiple of 2^w."""
        if evaluate(polynomial, self._point, 1 << self._word):
            return False
        left = reduce(polynomial, 1 << self._word)
        for number, product in reversed(self._congruences):
            if any(number in monomial for monomial in left):
                left = reduce(substitute(left, number, product), 1 << self._word)
        return not left

    def _cut(self, value: int, amount: int) -> tuple[Polynomial, Polynomial]:
        """Return a value modulo 2^amount, and what is above; the same variable each time it is asked for."""
        if (value, amount) not in self._splits:
            above = self.intervals[value] >> amount
            upper = constant(above.low) if above.low == above.high else self.bounds.new(above)
            lower = add(self.polynomials[value], upper, -1 << amount)
            self._note_word(lower, 1 << amount)
            self._facts.append((lower, Interval(0, (1 << amount) - 1)))
            self._splits[value, amount] = lower, upper
        return self._splits[value, amount]

    def _fitting(self, operation: Operation, exact: Polynomial) -> Polynomial:
        if self.bounds.interval(exact).high >> self._word and self._loses(operation):
            raise Refuted(f"{operation_text(operation)} may not fit a word")
        return exact

    def _loses(self, operation: Operation) -> bool:
        highs = [self.intervals[value].high for value in operands(operation)]
        exact = highs[0] << operation.amount if isinstance(operation, ShiftLeft) else highs[0] * highs[-1]
        return bool(exact >> self._word)

    def _chain_fits(self, last: Add | Sub) -> bool:
        """Return whether a chain of additions cannot carry from its last word, or of subtractions borrow."""
        chain = [last]
        while (bit := operands(chain[0])[2:]) and isinstance(before := self._defined.get(bit[0]), type(last)):
            chain.insert(0, before)
        positions = tuple(self._word * index for index in range(len(chain)))
        first = operands(chain[0])[2:]
        lefts, rights = (tuple(operands(step)[side] for step in chain) for side in (0, 1))
        left, right = self._row(lefts, positions), self._row(rights, positions)
        incoming = self.intervals[first[0]] if first else Interval(0, 0)
        sign = 1 if isinstance(last, Add) else -1
        total = add(self._weighted(lefts, positions), self._weighted(rights, positions), sign)
        for incoming_bit in first:
            total = add(total, self.polynomials[incoming_bit], sign)
        found, largest = self.bounds.interval(total), (1 << self._word * len(chain)) - 1
        if sign == 1:
            fits = min((left + right + incoming).high, found.high) <= largest
            return fits or self._always_within(total, Interval(found.low, largest))
        fits = max((left - right - incoming).low, found.low) >= 0
        return fits or self._always_within(total, Interval(0, found.high))

    def _always_within(self, polynomial: Polynomial, wanted: Interval) -> bool:
        """Return whether whole numbers show that a polynomial lies in an interval."""
        self.questions += 1
        known = len(self.polynomials)
        done = (i for i in self._lemma.instructions if i.results[-1] < known)
        facts = [*self._facts]
        for chain in chains(done):
            positions = tuple(self._word * index for index in range(len(chain)))
            whole = self._weighted([instruction.results[0] for instruction in chain], positions)
            facts.append((whole, Interval(0, (1 << self._word * len(chain)) - 1)))
        return always_within(polynomial, wanted, facts, self.bounds.of)

    def _certainly_zero(self, value: int) -> bool:
        """Return whether Z3 finds a value to be 0 from what instructions do to words."""
        self.questions += 1
        return self._ask(self._lemma, value)

    def _row(self, values: tuple[int, ...], positions: tuple[int, ...]) -> Interval:
        exact = self.bounds.interval(self._weighted(values, positions))
        words = self._words_interval(values, positions)
        return Interval(max(exact.low, words.low), min(exact.high, words.high))

    def _words_interval(self, values: Sequence[int], positions: Sequence[int]) -> Interval:
        total = Interval(0, 0)
        for value, position in zip(values, positions, strict=True):
            low, high = self.intervals[value]
            total += Interval(low << position, high << position)
        return total

    def _weighted(self, values: Sequence[int], positions: Sequence[int]) -> Polynomial:
        total: Polynomial = {}
        for value, position in zip(values, positions, strict=True):
            total = add(total, self.polynomials[value], 1 << position)
        return total


class _Point(dict[int, int]):
    """Values of variables modulo 2^w that keep congruences: what is not a multiple of 2^w here is none."""

    def __init__(self, word: int, congruences: Iterable[tuple[int, Polynomial]] = ()) -> None:
        super().__init__()
        self._modulus = 1 << word
        for number, product in congruences:
            self.place(number, product)

    def place(self, number: int, product: Polynomial) -> None:
        """Give a variable the value to which it is congruent."""
        self[number] = evaluate(product, self, self._modulus)

    def __missing__(self, number: int) -> int:
        # Any value would do; powers of small numbers have few relations.
        return self.setdefault(number, (number + 3) ** 41 % self._modulus)


def _newest(polynomial: Polynomial) -> tuple[int, ...] | None:
    """Return the newest variable that is a term of a polynomial, with the factor 1 or -1."""
    return max((term for term, c in polynomial.items() if len(term) == 1 and c in (1, -1)), default=None)
