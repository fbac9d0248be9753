"""Builder of limb programs: words, chains of words, and numbers with claims.

Intervals are known as soon as a value is written, so that what cannot happen is never emitted: no addition of
zero, no carry if there is none.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from efdgen.generator.limbs.intervals import Interval, Intervals
from efdgen.generator.limbs.operations import (
    Add,
    And,
    Constant,
    Dot,
    Funnel,
    Mul,
    MulWide,
    Select,
    ShiftRight,
    Sub,
    Word,
)
from efdgen.generator.limbs.program import Block, Instruction, LimbProgram, Number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.program import Claim


class LimbBuilder:
    """Collects instructions over words of ``word`` bits, and the numbers that they make.

    A *row* is a list of words, least significant first, at positions 0, w, 2w, …
    ``for_gcc`` is whether the order is the one that suits gcc: squares start with their diagonal, and columns
    are all written down before they are carried. ``in_rows`` is whether a product takes up two words at once,
    as it is made: many machines do so in one instruction, and no chain of carries is shorter.
    """

    def __init__(self, word: int, *, for_gcc: bool = False, in_rows: bool = False) -> None:
        self.word = word
        self.for_gcc = for_gcc
        self.in_rows = in_rows
        self.intervals: list[Interval] = []
        self._kind = Intervals(word)
        self.numbers: list[Number] = []
        self._instructions: list[Instruction] = []
        self._constants: dict[int, int] = {}
        self._blocks: list[Block] = []
        self._inputs: list[int] = []
        self._start = 0

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        """The instructions written so far."""
        return tuple(self._instructions)

    # Words

    def emit(self, operation: Operation) -> tuple[int, ...]:
        """Append an operation and return its results."""
        first = len(self.intervals)
        self.intervals += operation.meaning(self._kind, self.intervals.__getitem__)
        results = tuple(range(first, first + operation.result_count))
        self._instructions.append(Instruction(operation, results))
        return results

    def constant(self, value: int) -> int:
        """Return the value of a word that is known."""
        if value not in self._constants:
            (self._constants[value],) = self.emit(Constant(value))
        return self._constants[value]

    def is_zero(self, value: int) -> bool:
        """Return whether a value can only be 0."""
        return self.intervals[value] == (0, 0)

    def mul(self, left: int, right: int) -> tuple[int, int]:
        """Return both words of a product; the high one is the constant 0 where it can only be.

        A product by a known power of two is a shift, and by a bit a choice: compilers make branches of
        products by bits.
        """
        if self.is_zero(left) or self.is_zero(right):
            return self.constant(0), self.constant(0)
        for one, other in ((left, right), (right, left)):
            low, high = self.intervals[one]
            if low == high and low & low - 1 == 0:
                shifted = self.shift_left([other], low.bit_length() - 1)
                return shifted[0], shifted[1] if len(shifted) > 1 else self.constant(0)
        if self.has_bit((left, right)):
            bit, other = (left, right) if self.intervals[left] == (0, 1) else (right, left)
            return self.select(bit, other, self.constant(0)), self.constant(0)
        if self.intervals[left].high * self.intervals[right].high >> self.word == 0:
            return self.emit(Mul(left, right))[0], self.constant(0)
        low, high = self.emit(MulWide(left, right))
        return low, high

    def has_bit(self, factors: tuple[int, int]) -> bool:
        """Return whether a factor of a product can only be 0 or 1, and is not known."""
        return any(self.intervals[factor] == (0, 1) for factor in factors)

    def mul_add(self, left: int, right: int, first: int, second: int) -> tuple[int, int]:
        """Return both words of a product and two more words added, for which these have room."""
        zero = self.constant(0)
        added = tuple((word, zero) for word in (first, second) if not self.is_zero(word))
        if not added:
            return self.mul(left, right)
        if self.has_bit((left, right)):
            low, high = self.emit(Dot((), (self.mul(left, right), *added)))
        else:
            low, high = self.emit(Dot(((left, right),), added))
        return low, high

    def add(self, left: int, right: int, carry: int | None = None) -> tuple[int, int | None]:
        """Return a sum and its carry, None where that can only be 0."""
        if carry is None and self.is_zero(right):
            return left, None
        if carry is None and self.is_zero(left):
            return right, None
        total, out = self.emit(Add(left, right, carry))
        return total, None if self.is_zero(out) else out

    def sub(self, left: int, right: int, borrow: int | None = None) -> tuple[int, int | None]:
        """Return a difference and its borrow, None where that can only be 0."""
        if borrow is None and self.is_zero(right):
            return left, None
        difference, out = self.emit(Sub(left, right, borrow))
        return difference, None if self.is_zero(out) else out

    def select(self, bit: int, one: int, zero: int) -> int:
        """Return ``one`` where ``bit`` is 1, and ``zero`` where it is 0."""
        return one if one == zero else self.emit(Select(bit, one, zero))[0]

    # Rows

    def masked(self, bit: int, row: Sequence[int]) -> list[int]:
        """Return a row where ``bit`` is 1, and zeros where it is 0."""
        return [self.select(bit, value, self.constant(0)) for value in row]

    def words_of(self, value: int, count: int) -> list[int]:
        """Return a known number as ``count`` words."""
        mask = (1 << self.word) - 1
        return [self.constant(value >> self.word * index & mask) for index in range(count)]

    def add_rows(self, left: Sequence[int], right: Sequence[int]) -> tuple[list[int], int | None]:
        """Add two rows in one chain; return as many words as the longer one has, and the last carry."""
        zero = self.constant(0)
        carry: int | None = None
        row = []
        for a, b in zip_longest(left, right, fillvalue=zero):
            total, carry = self.add(a, b, carry)
            row.append(total)
        return row, carry

    def add_rows_within(self, left: Sequence[int], right: Sequence[int], maximum: int) -> list[int]:
        """Add two rows whose sum is at most ``maximum``; return as many words as that needs."""
        row, carry = self.add_rows(left, right)
        count = self.count_words(maximum)
        if carry is not None and len(row) < count:
            row.append(carry)
        return row[:count]

    def _sub_rows(self, left: Sequence[int], right: Sequence[int]) -> tuple[list[int], int | None]:
        """Subtract a row in one chain; return the words, and the last borrow."""
        zero = self.constant(0)
        borrow: int | None = None
        row = []
        for a, b in zip_longest(left, right, fillvalue=zero):
            total, borrow = self.sub(a, b, borrow)
            row.append(total)
        return row, borrow

    def sub_rows_within(self, left: Sequence[int], right: Sequence[int], maximum: int) -> list[int]:
        """Subtract a row from one that is not smaller, in one chain; the result is at most ``maximum``."""
        return self._sub_rows(left, right)[0][: self.count_words(maximum)]

    def sub_rows_modulo(self, left: Sequence[int], right: Sequence[int], modulus: int) -> list[int]:
        """Subtract a row, and add a known number where that borrows; the result is less than that number."""
        row, borrow = self._sub_rows(left, right)
        if borrow is None:
            return row
        if self._shows_sign(modulus, len(row)):
            return self._made_positive(row, borrow, modulus)
        row, carry = self.add_rows(row, self.masked(borrow, self.words_of(modulus, len(row))))
        return self._within_modulus(row, borrow, carry, modulus)

    def add_rows_modulo(self, left: Sequence[int], right: Sequence[int], modulus: int) -> list[int]:
        """Add a row that is less than a known number, and subtract that where the sum is not less.

        The right one waits for nothing: it comes less the number, which is added again where nothing carries.
        """
        count = self.count_words(modulus)
        less, _ = self.add_rows(right, self.words_of((1 << self.word * count) - modulus, count))
        return self.add_less_modulo(left, less, modulus)

    def add_less_modulo(self, left: Sequence[int], less: Sequence[int], modulus: int) -> list[int]:
        """Add a row, and a known number where that does not carry; the result is less than that number."""
        count = self.count_words(modulus)
        row, carry = self.add_rows(left, less)
        if carry is None:
            raise AssertionError("the sum is less than it can be")
        if self._shows_sign(modulus, count):
            return self._made_positive(row, self.emit(Sub(self.constant(1), carry))[0], modulus)
        added = [self.select(carry, self.constant(0), word) for word in self.words_of(modulus, count)]
        row, known = self.add_rows(row, added)
        return self._within_modulus(row, self.emit(Sub(self.constant(1), carry))[0], known, modulus)

    def note_within(self, row: Sequence[int], maximum: int) -> None:
        """Say that a row is at most a known number; this is for the proof, and is not printed."""
        borrow: int | None = None
        for known, word in zip(self.words_of(maximum, len(row)), row, strict=True):
            if borrow is not None or self.intervals[word].high > self.intervals[known].low:
                _, borrow = self.sub(known, word, borrow)
        if borrow is not None:
            zero = self.constant(0)
            self.emit(Sub(zero, zero, borrow))

    def _shows_sign(self, modulus: int, count: int) -> bool:
        """Return whether a modulus is k·(c·2^(w(n-1)) - 1), and k = 2^j - 1 is on top of what is negative.

        So it is added as k·c on top, and k is subtracted; this is about numbers between -modulus and modulus.
        """
        ones = -modulus % (1 << self.word)
        few = ones > 1 and ones & ones + 1 == 0 and modulus << ones.bit_length() <= 1 << self.word * count
        return few and (modulus + ones) % (ones << self.word * (count - 1)) == 0

    def _made_positive(self, row: Sequence[int], negative: int, modulus: int) -> list[int]:
        """Add a number, which shows signs, to a row where that is negative, as its highest bits tell.

        No mask is needed, so that nothing waits for one.
        """
        ones, above = -modulus % (1 << self.word), self.word * (len(row) - 1)
        (sign,) = self.emit(ShiftRight(row[-1], self.word - ones.bit_length()))
        multiple, _ = self.mul(sign, self.constant((modulus + ones) // ones >> above))
        top, carry = self.add(row[-1], multiple)
        positive = self.sub_rows_within([*row[:-1], top], [sign], modulus)
        return self._within_modulus(positive, negative, carry, modulus)

    def _within_modulus(self, row: list[int], bit: int, carry: int | None, modulus: int) -> list[int]:
        """Cut off what is 0 of a row to which a number was added where a bit was 1, which then carried."""
        count = self.count_words(modulus)
        # This is for the proof, and is not printed.
        if carry is not None:
            self.emit(Sub(bit, carry))
        for word in row[count:]:
            self.emit(Sub(word, self.constant(0)))
        return row[:count]

    def mul_row(self, row: Sequence[int], factor: int) -> list[int]:
        """Multiply a row by a word: one more word. All products first, then nothing but one chain."""
        if not row:
            return []
        if self.in_rows:
            return self.add_product_row([self.constant(0)] * len(row), row, factor)
        products = [self.mul(value, factor) for value in row]
        lows = [low for low, _ in products]
        highs = [high for _, high in products]
        result, carry = lows[:1], None
        for low, high in zip_longest(lows[1:], highs[:-1]):
            total, carry = self.add(low, high, carry)
            result.append(total)
        top, _ = self.add(highs[-1], self.constant(0), carry)
        return result if self.is_zero(top) else [*result, top]

    def add_product_row(self, total: Sequence[int], row: Sequence[int], factor: int) -> list[int]:
        """Add a row times a word to a row of the same length: one more word, unless that can only be 0."""
        carry = self.constant(0)
        result = []
        for value, word in zip(row, total, strict=True):
            low, carry = self.mul_add(value, factor, word, carry)
            result.append(low)
        return result if self.is_zero(carry) else [*result, carry]

    def shift_left(self, row: Sequence[int], amount: int, below: int | None = None) -> list[int]:
        """Shift a row to the left by less than a word: one more word, unless that can only be 0.

        The bits that come in at the right are the highest of ``below``, or 0.
        """
        zero = self.constant(0)
        if amount == 0:
            return list(row)
        lower = [zero if below is None else below, *row[:-1]]
        shifted = [self.emit(Funnel(high, low, amount))[0] for high, low in zip(row, lower, strict=True)]
        if self.intervals[row[-1]].high >> self.word - amount:
            shifted.append(self.emit(Funnel(zero, row[-1], amount))[0])
        return shifted

    def doubled(self, row: Sequence[int], by_sums: int) -> list[int]:
        """Return twice a row: a given number of words by sums, in a chain, and what is above by shifts."""
        lower, carry = self.add_rows(row[:by_sums], row[:by_sums])
        if by_sums < len(row):
            return [*lower, *self.shift_left(row[by_sums:], 1, row[by_sums - 1] if by_sums else None)]
        return lower if carry is None else [*lower, carry]

    def times(self, row: Sequence[int], factor: int) -> list[int]:
        """Multiply a row by a known positive number: shifted where a word of it is a power of two."""
        total: list[int] = []
        words = [factor >> at & (1 << self.word) - 1 for at in range(0, factor.bit_length(), self.word)]
        for index, word in enumerate(words):
            if word == 0:
                continue
            if word & word - 1 == 0:
                part = self.shift_left(row, word.bit_length() - 1)
            else:
                part = self.mul_row(row, self.constant(word))
            part = [self.constant(0)] * index + part
            upper, carry = self.add_rows(total[index:], part[index:])
            total = [*total[:index], *part[len(total) : index], *upper] + ([] if carry is None else [carry])
        return total

    def low_bits(self, value: int, bits: int) -> int:
        """Return a value modulo 2^bits."""
        return self.emit(And(value, self.constant((1 << bits) - 1)))[0]

    def count_words(self, maximum: int) -> int:
        """Return how many words a number needs; 1 at least."""
        return max(1, -(-maximum.bit_length() // self.word))

    # Numbers

    def input(self, name: str, count: int, maximum: int) -> int:
        """Take in a number of ``count`` full words; inputs come before everything else."""
        return self.take_in(Number(name, (), self._positions(count), maximum))

    def take_in(self, number: Number) -> int:
        """Take in a number with words at its positions; inputs come before everything else."""
        values = []
        for index in range(len(number.positions)):
            (value,) = self.emit(Word(number.name, index))
            self.intervals[value] = number.word_interval(index, self.word)
            values.append(value)
        self.numbers.append(replace(number, words=tuple(values)))
        self._inputs.append(len(self.numbers) - 1)
        self._start = len(self._instructions)
        return len(self.numbers) - 1

    def define(self, text: str, row: Sequence[int], maximum: int, claim: Claim, minimum: int = 0) -> int:
        """Close a block: what was written since the last one makes the number ``row``, and the claim holds.

        Later blocks know of the number only that it is at least ``minimum`` and at most ``maximum``.
        """
        words = tuple(row)
        number = Number(text.partition(" ")[0], words, self._positions(len(words)), maximum, minimum)
        return self._close(number, claim, text)

    def define_limited(
        self,
        text: str,
        row: Sequence[int],
        positions: tuple[int, ...],
        claim: Claim,
        maximum: int | None = None,
    ) -> int:
        """Close a block that makes a number whose words overlap, each as large as it can be here.

        Later blocks know of each word only how large it can be, and of the number its maximum.
        """
        limits = tuple(self.intervals[value].high for value in row)
        if maximum is None:
            maximum = sum(limit << position for limit, position in zip(limits, positions, strict=True))
        number = Number(text.partition(" ")[0], tuple(row), positions, maximum, 0, limits)
        return self._close(number, claim, text)

    def _close(self, number: Number, claim: Claim, text: str) -> int:
        """Keep of words that are no constants only what the number says, for later blocks know no more."""
        known = frozenset(self._constants.values())
        for position, value in enumerate(number.words):
            if value not in known:
                self.intervals[value] = number.word_interval(position, self.word)
        self.numbers.append(number)
        index, stop = len(self.numbers) - 1, len(self._instructions)
        self._blocks.append(Block(self._start, stop, index, claim, text))
        self._start = stop
        return index

    def build(self, outputs: Sequence[tuple[str, int]]) -> LimbProgram:
        """Return the program."""
        return LimbProgram(
            self.word,
            tuple(self._instructions),
            tuple(self.intervals),
            tuple(self.numbers),
            tuple(self._blocks),
            tuple(self._inputs),
            tuple(outputs),
        )

    def _positions(self, count: int) -> tuple[int, ...]:
        return tuple(self.word * index for index in range(count))
