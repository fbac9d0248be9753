"""A lemma's instructions on polynomials: each word as its exact integer.

::

    low, high = a · b           low = a·b - 2^w·high           high is a new variable; a sum of products too
    fused halves of a · b       likewise, with 2^52            one variable for both halves
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
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.limbs.integers import Integers
from efdgen.generator.limbs.intervals import Interval, Intervals
from efdgen.generator.limbs.operations import Chained, Constant, is_doubling
from efdgen.generator.limbs.printer import operation_text
from efdgen.verify.limbs.bounds import Bounds
from efdgen.verify.limbs.polynomial import add, constant, evaluate, multiply, reduce, scale, substitute
from efdgen.verify.limbs.wholes import always_within, chains
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from efdgen.generator.limbs.program import Instruction, Number
    from efdgen.verify.limbs.lemma import Lemma
    from efdgen.verify.limbs.polynomial import Polynomial
    from efdgen.verify.limbs.wholes import Fact


class _Known(NamedTuple):
    """A polynomial and an interval for it, and the value of the lemma that it is, if it is one."""

    exact: Polynomial
    interval: Interval
    value: int | None = None


class Execution(Integers[_Known]):
    """Runs a lemma; afterwards ``polynomials`` and ``intervals`` hold what is known of each value.

    ``certainly_zero`` decides about an unread carry where the intervals of its chain do not, nor whole
    numbers; ``questions`` is how often Z3 was asked.
    """

    def __init__(self, lemma: Lemma, certainly_zero: Callable[[Lemma, int], bool]) -> None:
        super().__init__(lemma.word)
        self.bounds = Bounds()
        self._ranges = Intervals(lemma.word)
        self.polynomials: list[Polynomial] = []
        self.intervals: list[Interval] = []
        self._lemma = lemma
        self._ask = certainly_zero
        self.questions = 0
        self._defined = {value: i.operation for i in lemma.instructions for value in i.results}
        self._congruences: list[tuple[int, Polynomial]] = []
        self._point = _Point(self.word)
        self._facts: list[Fact] = []
        # For each variable, the values whose polynomials may have it.
        self._holders: defaultdict[int, set[int]] = defaultdict(set)
        self._splits: dict[tuple[Hashable, int], tuple[Polynomial, Polynomial]] = {}
        self._take_premises()
        for instruction in lemma.instructions:
            if not isinstance(instruction.operation, Constant):
                self._execute(instruction)

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
        self.intervals += lemma.bounds
        for interval in lemma.bounds:
            self._append(self.bounds.new(interval) if interval.high else {})
        for instruction in lemma.instructions:
            if isinstance(instruction.operation, Constant):
                known = instruction.operation.value
                self.intervals.append(Interval(known, known))
                self._append(constant(known))
        for premise in lemma.premises:
            whole, interval = self.value(premise), Interval(premise.minimum, premise.maximum)
            self.bounds.note_whole(whole, interval)
            self._facts.append((whole, interval))

    def _execute(self, instruction: Instruction) -> None:
        self._instruction = instruction
        if any(self.intervals[bit].high > 1 for bit in instruction.operation.bits):
            raise self._refuted("takes for a bit what may be more")
        made = instruction.operation.meaning(self, self._known)
        self.intervals += (known.interval for known in made)
        for known in made:
            self._append(known.exact)

    def _known(self, value: int) -> _Known:
        return _Known(self.polynomials[value], self.intervals[value], value)

    def _refuted(self, problem: str) -> Refuted:
        return Refuted(f"{operation_text(self._instruction.operation)} {problem}")

    def _append(self, polynomial: Polynomial) -> None:
        """Take a polynomial for the next value."""
        for monomial in polynomial:
            for number in monomial:
                self._holders[number].add(len(self.polynomials))
        self.polynomials.append(polynomial)

    # The lemma's values as integers

    def constant(self, value: int) -> _Known:
        """Return a known integer."""
        return _Known(constant(value), Interval(value, value))

    def sum(self, *parts: tuple[_Known, int]) -> _Known:
        """Return a sum of polynomials."""
        total: Polynomial = {}
        for known, factor in parts:
            total = add(total, known.exact, factor)
        return _Known(total, self._ranges.sum(*((known.interval, factor) for known, factor in parts)))

    def product(self, left: _Known, right: _Known) -> _Known:
        """Return a product of polynomials."""
        return _Known(multiply(left.exact, right.exact), left.interval.product(right.interval))

    def fitting(self, exact: _Known, words: int = 1) -> _Known:
        """Return an integer; refuse one that may not fit some words."""
        largest = (1 << self.word * words) - 1
        low, high = exact.interval
        if low < 0 or high > largest:
            found = self.bounds.interval(exact.exact)
            if max(low, found.low) < 0 or min(high, found.high) > largest:
                raise self._refuted(f"may not fit {'a word' if words == 1 else 'two words'}")
        return exact._replace(interval=self._ranges.fitting(exact.interval, words))

    def narrow(self, factor: _Known, bits: int) -> _Known:
        """Return a factor; refuse one that may not be below 2^bits."""
        if factor.interval.high >> bits and self.bounds.interval(factor.exact).high >> bits:
            raise self._refuted(f"has a factor that may exceed {bits} bits")
        return factor._replace(interval=self._ranges.narrow(factor.interval, bits))

    def cut(self, value: _Known, amount: int) -> tuple[_Known, _Known]:
        """Return both parts; what is above is a variable."""
        return self._both(self._split(value, amount), self._ranges.cut(value.interval, amount))

    def halves(self, total: _Known) -> tuple[_Known, _Known]:
        """Return both words of a total; what is above is a variable, unless the total tells more."""
        intervals = self._ranges.halves(total.interval)
        return self._both(self._parts(total.exact, intervals[1]), intervals)

    def low(self, total: _Known) -> _Known:
        """Return a variable that is congruent to a total."""
        return _Known(self._congruent(total.exact), self._ranges.low(total.interval))

    def select(self, bit: _Known, one: _Known, zero: _Known) -> _Known:
        """Return one of two polynomials."""
        exact = super().select(bit, one, zero).exact
        return _Known(exact, self._ranges.select(bit.interval, one.interval, zero.interval))

    def bitwise(self, operator: str, left: _Known, right: _Known) -> _Known:
        """Return the low bits that a known mask keeps, or a new variable."""
        if operator == "&":
            for known, (low, high) in ((left, right.interval), (right, left.interval)):
                if low == high and high & high + 1 == 0:
                    return self.cut(known, high.bit_length())[0]
        interval = self._ranges.bitwise(operator, left.interval, right.interval)
        return _Known(self.bounds.new(interval), interval)

    def chained(self, sign: int, left: _Known, right: _Known, bit: _Known | None) -> tuple[_Known, _Known]:
        """Return a sum or a difference, and what it carries, which must be 0 where nothing reads it."""
        operation, results = self._instruction.operation, self._instruction.results
        if not isinstance(operation, Chained):
            return super().chained(sign, left, right, bit)
        total = self.chain(sign, left, right, bit)
        if is_doubling(operation) and left.interval.high:
            return self._twice(left, total, bit)
        if sign == -1 and bit is None and self._is_multiple(total.exact):
            self._note_equation(total.exact)
            return _Known({}, Interval(0, 0)), _Known({}, Interval(0, 0))
        low, high = self._ranges.halves(total.interval)
        if results[1] in self._lemma.unread and high != (0, 0):
            if not (self._chain_fits(operation) or self._certainly_zero(results[1])):
                raise self._refuted("drops a carry that may be 1")
            high = Interval(0, 0)
        if results[0] in self._lemma.unread and results[1] in self._lemma.unread:
            self._vanish(results[0], total.exact)
        made, carried = self._both(self._parts(total.exact, high), (low, high))
        return made, carried if sign == 1 else self.sum((carried, -1))

    @staticmethod
    def _both(
        exact: tuple[Polynomial, Polynomial], intervals: tuple[Interval, Interval]
    ) -> tuple[_Known, _Known]:
        return _Known(exact[0], intervals[0]), _Known(exact[1], intervals[1])

    def _twice(self, word: _Known, total: _Known, bit: _Known | None) -> tuple[_Known, _Known]:
        """Return twice a word, with a carry: its highest bit carries, so that a shift may read it instead."""
        kept, above = self.cut(word, self.word - 1)
        low = self.chain(1, kept, kept, bit)
        return self._both((low.exact, above.exact), self._ranges.halves(total.interval))

    def _vanish(self, value: int, polynomial: Polynomial) -> None:
        """Use that a word which is cut off is 0, as it must be: the carry that came into it is the rest."""
        if polynomial and not (
            self._always_within(polynomial, Interval(0, 0)) or self._certainly_zero(value)
        ):
            raise self._refuted("cuts off a word that may not be 0")
        if polynomial:
            self._note_equation(polynomial)

    def _note_equation(self, polynomial: Polynomial) -> None:
        """Use that a polynomial is 0: its newest variable that is a term gives way to the rest."""
        self.bounds.note_equation(polynomial, 1 << self.word)
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
            self._point = _Point(self.word, self._congruences)

    def _parts(self, total: Polynomial, high: Interval) -> tuple[Polynomial, Polynomial]:
        """Return ``total mod 2^w`` and ``⌊total / 2^w⌋``, given an interval of the latter."""
        if high.low == high.high:
            return add(total, constant(high.low << self.word), -1), constant(high.low)
        if all(coefficient % (1 << self.word) == 0 for coefficient in total.values()):
            return {}, {monomial: coefficient >> self.word for monomial, coefficient in total.items()}
        upper = self.bounds.new(high)
        lower = add(total, upper, -1 << self.word)
        if self._is_multiple(total):
            self._note_equation(lower)
            return {}, upper
        self._note_word(lower, 1 << self.word)
        return lower, upper

    def _note_word(self, polynomial: Polynomial, size: int) -> None:
        """Note that a polynomial is at least 0 and less than ``size``."""
        word = self.bounds.new(Interval(0, size - 1))
        self.bounds.note_equation(add(polynomial, word, -1), size)

    def _congruent(self, product: Polynomial) -> Polynomial:
        """Return a variable in the range of words, and keep that it is congruent to a product."""
        word = self.bounds.new(Interval(0, (1 << self.word) - 1))
        ((number,),) = word
        self._congruences.append((number, product))
        self._point.place(number, product)
        return word

    def _is_multiple(self, polynomial: Polynomial) -> bool:
        """Return whether congruences show that a polynomial is a multiple of 2^w."""
        if evaluate(polynomial, self._point, 1 << self.word):
            return False
        left = reduce(polynomial, 1 << self.word)
        for number, product in reversed(self._congruences):
            if any(number in monomial for monomial in left):
                left = reduce(substitute(left, number, product), 1 << self.word)
        return not left

    def _split(self, value: _Known, amount: int) -> tuple[Polynomial, Polynomial]:
        """Return a value modulo 2^amount, and what is above; the same variable each time it is asked for."""
        known = frozenset(value.exact.items()) if value.value is None else value.value
        if (known, amount) not in self._splits:
            self._splits[known, amount] = self._divided(value, amount)
        return self._splits[known, amount]

    def _divided(self, value: _Known, amount: int) -> tuple[Polynomial, Polynomial]:
        if all(coefficient % (1 << amount) == 0 for coefficient in value.exact.values()):
            return {}, {monomial: coefficient >> amount for monomial, coefficient in value.exact.items()}
        above = value.interval >> amount
        upper = constant(above.low) if above.low == above.high else self.bounds.new(above)
        lower = add(value.exact, upper, -1 << amount)
        self._note_word(lower, 1 << amount)
        self._facts.append((lower, Interval(0, (1 << amount) - 1)))
        return lower, upper

    def _chain_fits(self, last: Chained) -> bool:
        """Return whether a chain of additions cannot carry from its last word, or of subtractions borrow."""
        chain = [last]
        while (bit := chain[0].operands[2:]) and isinstance(before := self._defined.get(bit[0]), type(last)):
            chain.insert(0, before)
        positions = tuple(self.word * index for index in range(len(chain)))
        first = chain[0].operands[2:]
        lefts, rights = (tuple(step.operands[side] for step in chain) for side in (0, 1))
        left, right = self._row(lefts, positions), self._row(rights, positions)
        incoming = self.intervals[first[0]] if first else Interval(0, 0)
        sign = last.sign
        total = add(self._weighted(lefts, positions), self._weighted(rights, positions), sign)
        for incoming_bit in first:
            total = add(total, self.polynomials[incoming_bit], sign)
        found, largest = self.bounds.interval(total), (1 << self.word * len(chain)) - 1
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
            positions = tuple(self.word * index for index in range(len(chain)))
            whole = self._weighted([instruction.results[0] for instruction in chain], positions)
            facts.append((whole, Interval(0, (1 << self.word * len(chain)) - 1)))
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
