"""Arithmetic in GF(2^m) on words: carry-less products in columns, and two ways to reduce them.

A number is a polynomial over GF(2) in n words, bit i of word j the coefficient of x^(wj + i). Sums are
exclusive ors and never grow, so that loose numbers are tight ones. With f = x^m + r::

    wide = low + x^m·high    ≡ low + r·high          folded until nothing is above x^m
    wide = q·f + rest        q = ⌊high·μ / x^m⌋      by two products, where r has many terms or a high degree
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.operations import CarrylessDot, Funnel, ShiftLeft, ShiftRight, Xor
from efdgen.generator.limbs.program import Claim, Term, full_words
from efdgen.generator.mathematics import binary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.builder import LimbBuilder
    from efdgen.generator.limbs.linear import Summand
    from efdgen.generator.limbs.operations import DoubleWord
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.options import RepresentationKind, Target

# Karatsuba from this number of words on.
_LEAST_FOR_HALVES = 2
# Sums of shifted words that cost about as much as one product of two words.
_SHIFTS = 4


@dataclass(frozen=True)
class BinaryPlan:
    """A binary field and what an element is in words of ``word`` bits: n full words."""

    ground: BinaryField
    word: int
    target: Target
    reduction: BinaryReduction
    reason: str
    representation: RepresentationKind = "saturated"
    in_rows: bool = False
    has_columns: bool = False


def binary_plan(field: BinaryField, word: int, target: Target) -> BinaryPlan:
    """Return the plan of a binary field in words of 32 or 64 bits."""
    reduction = BinaryReduction(field, word)
    way = f"{reduction.folds} folds" if reduction.is_folded else "two products with known polynomials"
    words = f"{reduction.limbs} full {word}-bit word{'s' * (reduction.limbs > 1)}"
    text = binary.polynomial_text(field.polynomial)
    return BinaryPlan(field, word, target, reduction, f"f = {text}: {words}, reduced by {way}")


@dataclass(frozen=True)
class BinaryReduction:
    """Numbers below x^m in words of ``word`` bits; satisfies :class:`Reduction`."""

    field: BinaryField
    word: int
    limits: tuple[int, ...] = ()
    radix: int = 1
    largest_scale: int = 1
    largest_word: int = 1

    @cached_property
    def limbs(self) -> int:
        """Words of an element."""
        return -(-self.field.degree // self.word)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The positions of the words of an element."""
        return full_words(self.word, self.limbs)

    @cached_property
    def tight(self) -> int:
        """The largest number that stands for an element."""
        return self.field.order - 1

    @property
    def operand(self) -> int:
        """The largest number that is multiplied."""
        return self.tight

    @cached_property
    def lower(self) -> tuple[int, ...]:
        """The exponents of r = f - x^m, falling."""
        return tuple(i for i in reversed(range(self.field.degree)) if self.field.polynomial >> i & 1)

    @cached_property
    def folds(self) -> int:
        """Folds after which nothing of a product is above x^m."""
        above, times = self.field.degree - 1, 0
        while above > 0:
            above, times = above - (self.field.degree - self.lower[0]), times + 1
        return times

    @cached_property
    def is_folded(self) -> bool:
        """Return whether folds cost less than two products with known polynomials."""
        degree = self.field.degree
        above = (max(0, degree - 1 - at * (degree - self.lower[0])) for at in range(self.folds))
        shifts = sum(len(self.lower) * -(-bits // self.word) for bits in above)
        return shifts <= _SHIFTS * 2 * self.limbs**2

    def input(self, builder: LimbBuilder, name: str) -> int:
        """Take in an element."""
        return builder.input(name, self.limbs, self.tight)

    def known(self, builder: LimbBuilder, residue: int, text: str) -> int:
        """Return an element that is known."""
        claim = Claim(1, (Term(residue, ()),), self.field)
        return builder.define(text, builder.words_of(residue, self.limbs), self.tight, claim)

    def product(self, builder: LimbBuilder, left: int, right: int, name: str) -> int:
        """Multiply two elements; the result is wide."""
        one, other = builder.numbers[left], builder.numbers[right]
        row = _row(builder, _columns(builder, one.words, other.words))
        return self._wide(builder, row, f"{name} = {one.name}·{other.name}", Term(1, (left, right)))

    def square(self, builder: LimbBuilder, value: int, name: str) -> int:
        """Square an element; the result is wide."""
        number = builder.numbers[value]
        row = [half for word in number.words for half in builder.emit(CarrylessDot(((word, word),)))]
        return self._wide(builder, row, f"{name} = {number.name}²", Term(1, (value, value)))

    def finished(self, builder: LimbBuilder, left: int, right: int, name: str) -> int | None:
        """Return None: a product is wide before it is reduced."""
        del builder, left, right, name
        return None

    def multiplies(self, builder: LimbBuilder, number: int, factor: int, other: int) -> bool:
        """Return False: coefficients are 0 or 1."""
        del builder, number, factor, other
        return False

    def wide_sum(self, builder: LimbBuilder, summands: Sequence[Summand], name: str) -> int | None:
        """Add wide numbers."""
        return self._sum(builder, [index for index, _ in summands], name)

    def loose_sum(
        self,
        builder: LimbBuilder,
        summands: Sequence[Summand],
        name: str,
        onto: Summand | None,
        *,
        shared: bool,
    ) -> int | None:
        """Add elements."""
        del onto, shared
        return self._sum(builder, [index for index, _ in summands], name)

    def tight_sum(
        self, builder: LimbBuilder, left: int | None, right: int, sign: int, name: str
    ) -> int | None:
        """Add two elements; the negative of one is itself."""
        del sign
        return right if left is None else self._sum(builder, [left, right], name)

    def half(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Raise :class:`EfdgenError`: nothing has a half where 2 = 0."""
        del builder, number
        raise EfdgenError(f"{name}: there are no halves in {self.field}")

    def multiple(self, builder: LimbBuilder, number: int, factor: int, name: str) -> int:
        """Multiply an element by another."""
        return self.reduce(builder, self.product(builder, number, factor, f"{name}_wide"), name)

    def reduce(
        self, builder: LimbBuilder, wide: int, name: str, scale: int = 1, addend: int | None = None
    ) -> int:
        """Reduce a wide number, and add an element to it; the scale is 1 or -1."""
        del scale
        number = builder.numbers[wide]
        row, terms, text = list(number.words), [Term(1, (wide,))], f"{name} = {number.name}"
        if addend is not None:
            other = builder.numbers[addend]
            row = _added(builder, row, other.words)
            terms.append(Term(1, (addend,)))
            text += f" + {other.name}"
        row = self._folded(builder, row, 0 if self.is_folded else 1)
        row = row if self.is_folded else self._divided(builder, row)
        claim = Claim(1, tuple(terms), self.field)
        return builder.define(text, row, self.tight, claim)

    def reduce_tight(self, builder: LimbBuilder, wide: int, name: str) -> int | None:
        """Reduce a wide number."""
        return self.reduce(builder, wide, name)

    def tighten(self, builder: LimbBuilder, loose: int, name: str, limit: int) -> int:
        """Return the number itself."""
        del builder, name, limit
        return loose

    def in_words(self, builder: LimbBuilder, number: int) -> int:
        """Return the number itself."""
        del builder
        return number

    def kept(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return the number itself."""
        del builder, name
        return number

    def of_words(self, builder: LimbBuilder, number: int, name: str) -> int:
        """Return a number of as many words as an element, reduced."""
        return number if builder.numbers[number].maximum <= self.tight else self.reduce(builder, number, name)

    def _wide(self, builder: LimbBuilder, row: Sequence[int], text: str, term: Term) -> int:
        bits = 2 * self.field.degree - 1
        words = row[: -(-bits // self.word)]
        return builder.define(text, words, (1 << bits) - 1, Claim(1, (term,), self.field))

    def _sum(self, builder: LimbBuilder, indices: Sequence[int], name: str) -> int:
        numbers = [builder.numbers[index] for index in sorted(indices)]
        row: list[int] = []
        for number in numbers:
            row = _added(builder, row, number.words)
        text = f"{name} = {' + '.join(number.name for number in numbers)}"
        terms = tuple(Term(1, (index,)) for index in sorted(indices))
        maximum = max(number.maximum for number in numbers)
        return builder.define(text, row, maximum, Claim(1, terms, self.field))

    def _folded(self, builder: LimbBuilder, row: list[int], last: int) -> list[int]:
        """Replace x^(2^k·m) by r^(2^k) until nothing is above, for every k down to the last.

        A product has twice the bits of an element, and none from x^(2·m) on. A word may have more.
        """
        most = (_bits(builder, row) - 1) // self.field.degree
        for k in reversed(range(last, most.bit_length())):
            degree = self.field.degree << k
            while _bits(builder, row) > degree:
                high = _shifted_right(builder, row, degree)
                row = _cut(builder, row, degree)
                for exponent in self.lower:
                    row = _added(builder, row, _shifted_left(builder, high, exponent << k))
        return row

    def _divided(self, builder: LimbBuilder, row: list[int]) -> list[int]:
        """Subtract the multiple of f that has the coefficients above x^(m-1), found by a known reciprocal."""
        degree, polynomial = self.field.degree, self.field.polynomial
        high = _shifted_right(builder, row, degree)
        reciprocal = binary.divide(1 << 2 * degree, polynomial)[0]
        quotient = _shifted_right(builder, _times(builder, high, reciprocal), degree)
        rest = polynomial & (1 << degree) - 1
        return _cut(builder, _added(builder, row, _times(builder, quotient, rest)), degree)


def _cut(builder: LimbBuilder, row: Sequence[int], degree: int) -> list[int]:
    """Return a row modulo x^degree."""
    count, above = -(-degree // builder.word), degree % builder.word
    words = [*row[:count]]
    if above and len(words) == count and builder.intervals[words[-1]].high >> above:
        words[-1] = builder.low_bits(words[-1], above)
    return words


def _columns(builder: LimbBuilder, left: Sequence[int], right: Sequence[int]) -> list[DoubleWord]:
    """Return the 2n - 1 columns of the product of two rows of n words, by halves of them (Karatsuba)."""
    count = len(left)
    if count < _LEAST_FOR_HALVES:
        return _products(builder, left, right)
    half = -(-count // 2)
    low = _columns(builder, left[:half], right[:half])
    high = _columns(builder, left[half:], right[half:])
    sums = (_added(builder, list(row[:half]), row[half:]) for row in (left, right))
    middle = _columns(builder, *sums)
    columns: list[list[DoubleWord]] = [[] for _ in range(2 * count - 1)]
    for at, column in enumerate(low):
        columns[at].append(column)
        columns[half + at].append(column)
    for at, column in enumerate(high):
        columns[2 * half + at].append(column)
        columns[half + at].append(column)
    for at, column in enumerate(middle):
        columns[half + at].append(column)
    return [_column_sum(builder, added) for added in columns]


def _column(builder: LimbBuilder, products: Sequence[tuple[int, int]]) -> DoubleWord:
    """Return a sum of products of words, without those that are 0."""
    products = [pair for pair in products if not any(map(builder.is_zero, pair))]
    if not products:
        return builder.constant(0), builder.constant(0)
    low, high = builder.emit(CarrylessDot(tuple(products)))
    return low, high


def _column_sum(builder: LimbBuilder, added: Sequence[DoubleWord]) -> DoubleWord:
    added = [column for column in added if not all(map(builder.is_zero, column))]
    if not added:
        return builder.constant(0), builder.constant(0)
    if len(added) == 1:
        return added[0]
    low, high = builder.emit(CarrylessDot((), tuple(added)))
    return low, high


def _row(builder: LimbBuilder, columns: Sequence[DoubleWord]) -> list[int]:
    """Return columns as a row of words."""
    zero = builder.constant(0)
    lows, highs = [low for low, _ in columns], [high for _, high in columns]
    return _added(builder, lows, [zero, *highs])


def _added(builder: LimbBuilder, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Return the sum of two rows, as many words as the longer one has."""
    zero = builder.constant(0)
    return [_exclusive_or(builder, a, b) for a, b in zip_longest(left, right, fillvalue=zero)]


def _exclusive_or(builder: LimbBuilder, left: int, right: int) -> int:
    if builder.is_zero(left):
        return right
    return left if builder.is_zero(right) else builder.emit(Xor(left, right))[0]


def _bits(builder: LimbBuilder, row: Sequence[int]) -> int:
    """Return how many bits a row may have."""
    sizes = [builder.intervals[value].high.bit_length() for value in row]
    return max((builder.word * at + bits for at, bits in enumerate(sizes) if bits), default=0)


def _shifted_right(builder: LimbBuilder, row: Sequence[int], amount: int) -> list[int]:
    """Return a row divided by x^amount, without what is below."""
    words, bits = divmod(amount, builder.word)
    row = list(row[words:])
    while row and builder.is_zero(row[-1]):
        row.pop()
    if bits == 0:
        return row
    shifted = [builder.emit(Funnel(high, low, builder.word - bits))[0] for low, high in pairwise(row)]
    if row and builder.intervals[row[-1]].high >> bits:
        shifted.append(builder.emit(ShiftRight(row[-1], bits))[0])
    return shifted


def _shifted_left(builder: LimbBuilder, row: Sequence[int], amount: int) -> list[int]:
    """Return a row times x^amount."""
    words, bits = divmod(amount, builder.word)
    zero = [builder.constant(0)] * words
    if bits == 0 or not row:
        return [*zero, *row]
    if builder.intervals[row[0]].high >> builder.word - bits == 0 and len(row) == 1:
        return [*zero, builder.emit(ShiftLeft(row[0], bits))[0]]
    return [*zero, *builder.shift_left(row, bits)]


def _times(builder: LimbBuilder, row: Sequence[int], factor: int) -> list[int]:
    """Return a row times a known polynomial."""
    count = builder.count_words(factor)
    known = builder.words_of(factor, count)
    return _row(builder, _products(builder, row, known))


def _products(builder: LimbBuilder, left: Sequence[int], right: Sequence[int]) -> list[DoubleWord]:
    """Return the columns of the product of two rows."""
    columns: list[list[tuple[int, int]]] = [[] for _ in range(len(left) + len(right) - 1)]
    for at, one in enumerate(left):
        for above, other in enumerate(right, at):
            columns[above].append((one, other))
    return [_column(builder, column) for column in columns]
