"""A block of a limb program over GF(2)[x]: its claim, proved as an equation of linear and bilinear forms.

A bit of a value is a sum of symbols over GF(2), and a sum is an integer whose bits choose them. Symbols are
the bits of the words that come in, and the coefficients of the products of any two of these words. Exclusive
ors, shifts, masks and products with known words are linear; a product of two sums of words is a sum of
products. Two sums of the same symbols are equal for all inputs.
"""

from __future__ import annotations

from itertools import product
from operator import xor
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import (
    And,
    CarrylessDot,
    Constant,
    Funnel,
    ShiftLeft,
    ShiftRight,
    Xor,
)
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.verify.limbs.lemma import Lemma

Bits = list[int]
"""A sum of symbols for each coefficient, the lowest one first."""

_ONE = 1
"""The symbol that is 1."""


def prove_binary_lemma(lemma: Lemma, field: BinaryField) -> None:
    """Prove a lemma about polynomials over GF(2); raise :class:`Refuted`."""
    forms = _Forms(lemma)
    found = forms.number(lemma.result)
    if any(found[lemma.result.maximum.bit_length() :]):
        raise Refuted("the result may exceed its bound")
    claimed = [0] * field.degree
    for term in lemma.claim.terms:
        value = forms.product([lemma.premises[factor] for factor in term.factors])
        _add_multiple(claimed, value, term.coefficient, field)
    _add_multiple(claimed, found, lemma.claim.factor, field)
    if wrong := sum(map(bool, claimed)):
        raise Refuted(f"{wrong} coefficients of the claim differ")


def _add_multiple(total: Bits, value: Sequence[int], factor: int, field: BinaryField) -> None:
    """Add a known multiple of a polynomial, modulo that of the field."""
    power = field.reduce(factor)
    for form in value:
        for at in _places(power):
            total[at] ^= form
        power = field.reduce(power << 1)


class _Forms:
    """The values of a lemma as sums of symbols, with the words of premises that they are sums of."""

    def __init__(self, lemma: Lemma) -> None:
        self._word = lemma.word
        self._symbols = 1
        self._values: list[Bits] = []
        self._words: list[frozenset[int] | None] = []
        self._products: dict[tuple[int, int], Bits] = {}
        bounds: dict[int, int] = {}
        for number in lemma.premises:
            for at, value in enumerate(number.words):
                high = number.word_interval(at, lemma.word).high
                bounds[value] = min(high, bounds.get(value, high))
        for value in range(lemma.inputs):
            bits = bounds[value].bit_length()
            self._values.append([*(self._symbol() for _ in range(bits)), *[0] * (lemma.word - bits)])
            self._words.append(frozenset({value}))
        for instruction in lemma.instructions:
            self._execute(instruction.operation)

    def number(self, number: Number) -> Bits:
        """Return the coefficients of a number."""
        total: Bits = [0] * (number.positions[-1] + self._word)
        for value, position in zip(number.words, number.positions, strict=True):
            for at, form in enumerate(self._values[value], position):
                total[at] ^= form
        return total

    def product(self, numbers: Sequence[Number]) -> Bits:
        """Return the coefficients of a product of at most two numbers."""
        match numbers:
            case []:
                return [_ONE]
            case [number]:
                return self.number(number)
            case [left, right]:
                total: Bits = [0] * (left.positions[-1] + right.positions[-1] + 2 * self._word)
                for one, at in zip(left.words, left.positions, strict=True):
                    for other, above in zip(right.words, right.positions, strict=True):
                        for place, form in enumerate(self._multiplied(one, other), at + above):
                            total[place] ^= form
                return total
            case _:
                raise Refuted("the claim has a product of more than two numbers")

    def _symbol(self) -> int:
        self._symbols += 1
        return 1 << self._symbols - 1

    def _execute(self, operation: Operation) -> None:
        """Append the results of an operation."""
        word, values = self._word, self._values
        words: frozenset[int] | None = None
        match operation:
            case Constant(known):
                found = [[known >> at & 1 for at in range(word)]]
            case Xor(left, right):
                found = [list(map(xor, values[left], values[right]))]
                one, other = self._words[left], self._words[right]
                words = one ^ other if one is not None and other is not None else None
            case And(left, right):
                found = [self._masked(left, right)]
            case ShiftLeft(value, amount):
                if any(values[value][word - amount :]):
                    raise Refuted(f"{operation} loses bits")
                found = [[*[0] * amount, *values[value][: word - amount]]]
            case ShiftRight(value, amount):
                found = [[*values[value][amount:], *[0] * amount]]
            case Funnel(high, low, amount):
                found = [[*values[low][word - amount :], *values[high][: word - amount]]]
            case CarrylessDot(products, added):
                total: Bits = [0] * (2 * word)
                parts = [self._multiplied(left, right) for left, right in products]
                for part in (*parts, *(values[low] + values[high] for low, high in added)):
                    total = list(map(xor, total, part))
                found = [total[:word], total[word:]]
            case _:
                raise Refuted(f"{operation} is not linear over GF(2)")
        self._values += found
        self._words += [words] * len(found)

    def _known(self, value: int) -> int | None:
        """Return a word that is known."""
        bits = self._values[value]
        return sum(bit << at for at, bit in enumerate(bits)) if all(bit <= _ONE for bit in bits) else None

    def _masked(self, left: int, right: int) -> Bits:
        for value, mask in ((left, self._known(right)), (right, self._known(left))):
            if mask is not None:
                return [form if mask >> at & 1 else 0 for at, form in enumerate(self._values[value])]
        raise Refuted("a product of bits is neither linear nor a product of words")

    def _multiplied(self, left: int, right: int) -> Bits:
        """Return the coefficients of the product of two words, one more than there can be."""
        total: Bits = [0] * (2 * self._word)
        for value, factor in ((left, self._known(right)), (right, self._known(left))):
            if factor is not None:
                for shift in _places(factor):
                    for at, form in enumerate(self._values[value], shift):
                        total[at] ^= form
                return total
        one, other = self._words[left], self._words[right]
        if one is None or other is None:
            raise Refuted("a product has an operand that is no sum of words of its numbers")
        for pair, times in _counted(product(sorted(one), sorted(other))):
            if times % 2:
                total = list(map(xor, total, self._product_of_words(pair)))
        return total

    def _product_of_words(self, pair: tuple[int, int]) -> Bits:
        """Return the coefficients of the product of two words that come in."""
        if pair not in self._products:
            sizes = [sum(map(bool, self._values[value])) for value in pair]
            if pair[0] == pair[1]:
                squares = [form for bit in self._values[pair[0]] for form in (bit, 0)]
                self._products[pair] = squares
            else:
                count = sum(sizes) - 1 if all(sizes) else 0
                symbols = [self._symbol() for _ in range(count)]
                self._products[pair] = [*symbols, *[0] * (2 * self._word - count)]
        return self._products[pair]


def _counted(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield pairs without order, and how often each occurs."""
    found: dict[tuple[int, int], int] = {}
    for one, other in pairs:
        pair = min(one, other), max(one, other)
        found[pair] = found.get(pair, 0) + 1
    yield from found.items()


def _places(polynomial: int) -> list[int]:
    """Return the exponents of a polynomial's terms."""
    return [at for at in range(polynomial.bit_length()) if polynomial >> at & 1]
