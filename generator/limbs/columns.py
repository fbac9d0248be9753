"""Columns of products of limbs, each a double word: products, squares and sums of them, and their carries.

If 2^(2h) is 2^h + 1 modulo p, and 2^h is in the middle of the limbs, the middle term of Karatsuba's product
is the sum that is folded anyway, and three products of halves are enough::

    (a0 + 2^h·a1)·(b0 + 2^h·b1) = a0·b0 + a1·b1 + 2^h·((a0 + a1)·(b0 + b1) - a0·b0)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.limbs.operations import Dot, DoubleWord, Funnel, ShiftRight

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.layout import LimbLayout
    from efdgen.generator.limbs.program import Number

Pair = tuple[int, int]  # two factors
Column = Callable[[], DoubleWord]


_ROWS_LATER = 4  # The first quarter of the rows comes last: gcc then spills least, as measured.
_LEAST_OF_TWO_CHAINS = 6  # limbs
_CARRY = 6  # cycles from one column to the next; there is a product in each


class _Halves(NamedTuple):
    """Pairs of factors of both halves of an operand, and of their sum, by columns."""

    low: list[list[Pair]]
    high: list[list[Pair]]
    sums: list[list[Pair]]


def of_product(
    builder: LimbBuilder, limbs: LimbLayout, left: Sequence[int], right: Sequence[int]
) -> list[Column]:
    """Return the columns of a product."""
    if limbs.splits:
        size = limbs.limbs // 2
        sums = [[builder.add(a, b)[0] for a, b in zip(x, x[size:], strict=False)] for x in (left, right)]
        parts = (left[:size], right[:size]), (left[size:], right[size:]), (sums[0], sums[1])
        return _of_halves(builder, _Halves(*(_meeting(*part) for part in parts)))
    multiples = _Multiples(builder)
    pairs: list[list[Pair]] = [[] for _ in range(_count(limbs))]
    first = limbs.limbs // _ROWS_LATER
    for i in (*range(first, limbs.limbs), *range(first)):
        for j, b in enumerate(right):
            for column, factor in _targets(limbs, i, j):
                pairs[column].append((multiples.of(left[i], factor), b))
    return [_column(builder, column) for column in pairs]


def of_square(builder: LimbBuilder, limbs: LimbLayout, words: Sequence[int]) -> list[Column]:
    """Return the columns of a square; what is off the diagonal is doubled in one factor."""
    multiples = _Multiples(builder)
    if limbs.splits:
        size = limbs.limbs // 2
        sums = [builder.add(a, b)[0] for a, b in zip(words, words[size:], strict=False)]
        parts = words[:size], words[size:], sums
        return _of_halves(builder, _Halves(*(_squared(multiples, part) for part in parts)))
    pairs: list[list[Pair]] = [[] for _ in range(_count(limbs))]
    for i, a in enumerate(words):
        for j, b in enumerate(words[i:], start=i):
            for column, factor in _targets(limbs, i, j):
                pairs[column].append((multiples.of(a, 1 if i == j else 2), multiples.of(b, factor)))
    return [_column(builder, column) for column in pairs]


def _column(builder: LimbBuilder, products: Sequence[Pair]) -> Column:
    """Return a sum of products, to be written down where it is first asked for."""
    return cache(lambda: dot(builder, products))


def ready(row: Iterable[DoubleWord]) -> list[Column]:
    """Return columns that are written down."""
    return [partial(_identity, pair) for pair in row]


def _identity(pair: DoubleWord) -> DoubleWord:
    return pair


def dot(
    builder: LimbBuilder,
    products: Sequence[Pair],
    added: Sequence[DoubleWord] = (),
    subtracted: Sequence[DoubleWord] = (),
) -> DoubleWord:
    """Return a sum of products and double words; what is 0 is left out."""
    chosen = [builder.mul(*pair) for pair in products if builder.has_bit(pair)]
    products = [pair for pair in products if not builder.has_bit(pair)]
    kept = tuple(pair for pair in (*chosen, *added) if not all(map(builder.is_zero, pair)))
    if not products and not subtracted and len(kept) == 1:
        return kept[0]
    low, high = builder.emit(Dot(tuple(products), kept, tuple(subtracted)))
    return low, high


def pairs_of(number: Number) -> list[DoubleWord]:
    """Return the columns of a wide number."""
    return list(zip(number.words[::2], number.words[1::2], strict=True))


def positions(limbs: LimbLayout, count: int) -> list[int]:
    """Return where a given number of columns are."""
    return [limbs.end * (at // limbs.limbs) + limbs.positions[at % limbs.limbs] for at in range(count)]


def total(
    builder: LimbBuilder, numbers: Sequence[tuple[Number, int]], bias: Sequence[int]
) -> list[DoubleWord]:
    """Return the sum of multiples of wide numbers and of a known one, column by column."""
    mask, row = (1 << builder.word) - 1, []
    for at, known in enumerate(bias):
        added = [(builder.constant(known & mask), builder.constant(known >> builder.word))]
        subtracted: list[DoubleWord] = []
        for number, factor in numbers:
            chosen = added if factor > 0 else subtracted
            chosen += [pairs_of(number)[at]] * abs(factor)
        row.append(dot(builder, (), added, subtracted))
    return row


def with_words(builder: LimbBuilder, row: Sequence[DoubleWord], words: Sequence[int]) -> list[DoubleWord]:
    """Add a word to each of the lowest columns."""
    zero = builder.constant(0)
    added = [dot(builder, (), (pair, (word, zero))) for pair, word in zip(row, words, strict=False)]
    return [*added, *row[len(words) :]]


def in_two_chains(limbs: LimbLayout, products: int = 0) -> bool:
    """Return whether both halves are carried at once: too few products to hide one chain of carries."""
    return limbs.wraps and limbs.limbs >= _LEAST_OF_TWO_CHAINS and products <= _CARRY * limbs.limbs


def reduced(builder: LimbBuilder, limbs: LimbLayout, row: Sequence[Column], products: int = 0) -> list[int]:
    """Return tight limbs of columns, each written down where it is carried, of a given number of products."""
    low, upper = row[: limbs.limbs], row[limbs.limbs :]
    folded: list[list[Pair]] = [[] for _ in low]
    if upper:
        above, (carry, rest) = carried(builder, upper, limbs.widths)
        if not builder.is_zero(rest):
            raise AssertionError("the last carry does not fit a word")
        for at, value in enumerate((*above, carry)):
            for column, factor in limbs.spread(limbs.limbs + at, limbs.end + limbs.positions[at]):
                folded[column].append((value, builder.constant(factor)))
    if in_two_chains(limbs, products):
        return _in_two_chains(builder, limbs, low)
    return wrapped(builder, limbs, *carried(builder, low, limbs.widths, folded))


def _in_two_chains(builder: LimbBuilder, limbs: LimbLayout, row: Sequence[Column]) -> list[int]:
    """Carry through both halves of the columns at once: what is carried into the other half goes first."""
    zero, widths, last = builder.constant(0), limbs.widths, limbs.limbs - 1
    middle = last // 2
    taken: dict[int, list[tuple[DoubleWord, int]]] = {}

    def give(carry: DoubleWord, targets: Iterable[tuple[int, int]]) -> None:
        for index, factor in targets:
            taken.setdefault(index, []).append((carry, factor))

    def with_taken(at: int, total: DoubleWord) -> DoubleWord:
        for carry, factor in taken.pop(at, []):
            total = _multiple_added(builder, total, carry, factor)
        return total

    def column(at: int) -> DoubleWord:
        return with_taken(at, row[at]())

    tops = {}
    for at, targets in ((last, limbs.wrap), (middle, ((middle + 1, 1),))):
        whole = row[at]()
        tops[at] = builder.low_bits(whole[0], widths[at])
        give(_shifted(builder, whole, widths[at]), targets)
    made = [0] * limbs.limbs
    for start, end in ((0, middle), (middle + 1, last)):
        chain = [partial(column, at) for at in range(start, end)]
        made[start:end], carry = carried(builder, chain, widths[start:end])
        whole = _word_or_double(builder, [], [(tops[end], zero), carry])
        made[end] = builder.low_bits(whole[0], widths[end])
        give(_shifted(builder, whole, widths[end]), limbs.wrap if end == last else ((end + 1, 1),))
    return [with_taken(at, (limb, zero))[0] for at, limb in enumerate(made)]


def _multiple_added(builder: LimbBuilder, total: DoubleWord, value: DoubleWord, factor: int) -> DoubleWord:
    """Add a small multiple of a double word to another."""
    known, zero = builder.constant(factor), builder.constant(0)
    if factor == 1:
        return _word_or_double(builder, [], [total, value])
    high, _ = builder.mul(value[1], known)
    return _word_or_double(builder, [(value[0], known)], [total, (zero, high)])


def carried(
    builder: LimbBuilder,
    row: Sequence[Column],
    widths: Sequence[int],
    products: Sequence[Sequence[Pair]] = (),
) -> tuple[list[int], DoubleWord]:
    """Carry from column to column, with ``products`` added; return limbs and the last carry."""
    zero = builder.constant(0)
    made: list[int] = []
    carry: DoubleWord = zero, zero
    for at, (column, width) in enumerate(zip(row, widths, strict=False)):
        whole = dot(builder, products[at] if products else (), (column(), carry))
        made.append(builder.low_bits(whole[0], width))
        carry = _shifted(builder, whole, width)
    return made, carry


def wrapped(builder: LimbBuilder, limbs: LimbLayout, row: Sequence[int], carry: DoubleWord) -> list[int]:
    """Add what the last carry is modulo p to the limbs, and carry once more as far as it is needed."""
    zero, made, at = builder.constant(0), list(row), 0
    factors, passed = dict(limbs.wrap), (zero, zero)
    while at < limbs.limbs:
        known = builder.constant(factors.get(at, 0))
        added = [(made[at], zero), passed, (zero, builder.mul(carry[1], known)[0])]
        products = [(carry[0], known)] if at in factors else []
        whole = _word_or_double(builder, products, added)
        fits = builder.is_zero(whole[1]) and builder.intervals[whole[0]].high <= limbs.limits[at]
        if at > max(factors) and fits:
            return [*made[:at], whole[0], *made[at + 1 :]]
        made[at] = builder.low_bits(whole[0], limbs.widths[at])
        passed = _shifted(builder, whole, limbs.widths[at])
        at += 1
    raise AssertionError("the last carry goes around twice")


def _word_or_double(
    builder: LimbBuilder, products: Sequence[Pair], added: Sequence[DoubleWord]
) -> DoubleWord:
    """Return a sum, by operations on words where it fits one."""
    of, zero = builder.intervals, builder.constant(0)
    most = sum(of[a].high * of[b].high for a, b in products)
    most += sum(of[low].high + (of[high].high << builder.word) for low, high in added)
    if most >> builder.word:
        return dot(builder, products, added)
    whole = zero
    for low, _ in (*(builder.mul(*pair) for pair in products), *added):
        whole, _ = builder.add(whole, low)
    return whole, zero


def _shifted(builder: LimbBuilder, pair: DoubleWord, amount: int) -> DoubleWord:
    """Shift a double word to the right."""
    low, high = pair
    if builder.is_zero(high):
        return builder.emit(ShiftRight(low, amount))[0], high
    (shifted,) = builder.emit(Funnel(high, low, builder.word - amount))
    if builder.intervals[high].high >> amount == 0:
        return shifted, builder.constant(0)
    return shifted, builder.emit(ShiftRight(high, amount))[0]


class _Multiples:
    """Small multiples of limbs, each made once."""

    def __init__(self, builder: LimbBuilder) -> None:
        self._builder = builder
        self._known: dict[tuple[int, int], int] = {}

    def of(self, value: int, factor: int) -> int:
        """Return a multiple that fits a word."""
        if (value, factor) not in self._known:
            multiple, _ = self._builder.mul(value, self._builder.constant(factor))
            self._known[value, factor] = multiple if factor != 1 else value
        return self._known[value, factor]


def _count(limbs: LimbLayout) -> int:
    return limbs.limbs if limbs.wraps else 2 * limbs.limbs - 1


def _targets(limbs: LimbLayout, i: int, j: int) -> list[tuple[int, int]]:
    """Return the columns that a product of two limbs is added to, and by which factors."""
    exponent = limbs.positions[i] + limbs.positions[j]
    if limbs.wraps:
        return limbs.spread(i + j, exponent)
    return [(i + j, 1 << exponent - positions(limbs, i + j + 1)[-1])]


def _meeting(left: Sequence[int], right: Sequence[int]) -> list[list[Pair]]:
    """Return pairs of limbs by the columns that they meet in."""
    count = len(left)
    return [
        [(left[i], right[k - i]) for i in range(count) if 0 <= k - i < count] for k in range(2 * count - 1)
    ]


def _squared(multiples: _Multiples, words: Sequence[int]) -> list[list[Pair]]:
    """Return pairs of limbs of one number likewise, two that are the same except for their order as one."""
    count = len(words)
    return [
        [
            (multiples.of(words[i], 1 if 2 * i == k else 2), words[k - i])
            for i in range(count)
            if i <= k - i < count
        ]
        for k in range(2 * count - 1)
    ]


def _of_halves(builder: LimbBuilder, halves: _Halves) -> list[Column]:
    """Return the columns of a product in three products of halves."""
    size = (len(halves.low) + 1) // 2
    low = [_column(builder, column) for column in halves.low]
    sums = [_column(builder, column) for column in halves.sums[size:]]

    def lower(k: int) -> DoubleWord:
        if k + size == len(low):
            return dot(builder, halves.high[k], [low[k]()])
        return dot(builder, halves.high[k], [low[k](), sums[k]()], [low[k + size]()])

    def upper(k: int) -> DoubleWord:
        if k + size == len(low):
            return dot(builder, halves.sums[k], [], [low[k]()])
        return dot(builder, [*halves.sums[k], *halves.high[k + size]], [sums[k]()], [low[k]()])

    return [cache(partial(make, k)) for make in (lower, upper) for k in range(size)]
