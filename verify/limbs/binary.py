"""A block of a limb program over GF(2)[x]: its claim, proved as an equation of linear and bilinear forms.

A bit of a value is a sum of symbols over GF(2), and a sum is an integer whose bits choose them. Symbols are
the bits of the words that come in, and the coefficients of the products of any two of these words. Exclusive
ors, shifts, masks and products with known words are linear; a product of two sums of words is a sum of
products. Two sums of the same symbols are equal for all inputs.
"""

from __future__ import annotations

from itertools import product
from operator import xor
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.limbs.integers import Integers, UnknownError
from efdgen.verify.verdicts import Refuted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
        value = forms.product_of([lemma.premises[factor] for factor in term.factors])
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


class _Form(NamedTuple):
    """A value as sums of symbols, and the words of premises that it is the sum of, if it is one."""

    bits: Bits
    words: frozenset[int] | None = None


class _Forms(Integers[_Form]):
    """The values of a lemma as sums of symbols; operations that are not linear over GF(2) are unknown."""

    def __init__(self, lemma: Lemma) -> None:
        super().__init__(lemma.word)
        self._symbols = 1
        self._values: list[_Form] = []
        self._products: dict[tuple[int, int], Bits] = {}
        for value, interval in enumerate(lemma.bounds):
            bits = interval.high.bit_length()
            symbols = [*(self._symbol() for _ in range(bits)), *[0] * (lemma.word - bits)]
            self._values.append(_Form(symbols, frozenset({value})))
        for instruction in lemma.instructions:
            try:
                self._values += instruction.operation.meaning(self, self._values.__getitem__)
            except UnknownError:
                raise Refuted(f"{instruction.operation} is not linear over GF(2)") from None

    def number(self, number: Number) -> Bits:
        """Return the coefficients of a number."""
        total: Bits = [0] * (number.positions[-1] + self.word)
        for value, position in zip(number.words, number.positions, strict=True):
            for at, form in enumerate(self._values[value].bits, position):
                total[at] ^= form
        return total

    def product_of(self, numbers: Sequence[Number]) -> Bits:
        """Return the coefficients of a product of at most two numbers."""
        match numbers:
            case []:
                return [_ONE]
            case [number]:
                return self.number(number)
            case [left, right]:
                total: Bits = [0] * (left.positions[-1] + right.positions[-1] + 2 * self.word)
                for one, at in zip(left.words, left.positions, strict=True):
                    for other, above in zip(right.words, right.positions, strict=True):
                        multiplied = self._multiplied(self._values[one], self._values[other])
                        for place, form in enumerate(multiplied, at + above):
                            total[place] ^= form
                return total
            case _:
                raise Refuted("the claim has a product of more than two numbers")

    def _symbol(self) -> int:
        self._symbols += 1
        return 1 << self._symbols - 1

    def constant(self, value: int) -> _Form:
        return _Form([value >> at & 1 for at in range(self.word)])

    def bitwise(self, operator: str, left: _Form, right: _Form) -> _Form:
        """Return an exclusive or, or the bits of a known mask."""
        if operator == "^":
            words = None if left.words is None or right.words is None else left.words ^ right.words
            return _Form(list(map(xor, left.bits, right.bits)), words)
        if operator != "&":
            raise UnknownError
        for form, mask in ((left, self._known(right)), (right, self._known(left))):
            if mask is not None:
                return _Form([bit if mask >> at & 1 else 0 for at, bit in enumerate(form.bits)])
        raise Refuted("a product of bits is neither linear nor a product of words")

    def shifted_left(self, value: _Form, amount: int) -> _Form:
        if any(value.bits[self.word - amount :]):
            raise Refuted("a shift to the left loses bits")
        return self.funnel(value, _Form([0] * self.word), amount)

    def shifted_right(self, value: _Form, amount: int) -> _Form:
        return _Form([*value.bits[amount:], *[0] * amount])

    def funnel(self, high: _Form, low: _Form, amount: int) -> _Form:
        return _Form([*low.bits[self.word - amount :], *high.bits[: self.word - amount]])

    def column(
        self, products: list[tuple[_Form, _Form]], added: list[tuple[_Form, _Form]]
    ) -> tuple[_Form, _Form]:
        total: Bits = [0] * (2 * self.word)
        parts = [self._multiplied(left, right) for left, right in products]
        for part in (*parts, *(low.bits + high.bits for low, high in added)):
            total = list(map(xor, total, part))
        return _Form(total[: self.word]), _Form(total[self.word :])

    @staticmethod
    def _known(form: _Form) -> int | None:
        """Return a word that is known."""
        known = all(bit <= _ONE for bit in form.bits)
        return sum(bit << at for at, bit in enumerate(form.bits)) if known else None

    def _multiplied(self, left: _Form, right: _Form) -> Bits:
        """Return the coefficients of the product of two words, one more than there can be."""
        total: Bits = [0] * (2 * self.word)
        for form, factor in ((left, self._known(right)), (right, self._known(left))):
            if factor is not None:
                for shift in _places(factor):
                    for at, bit in enumerate(form.bits, shift):
                        total[at] ^= bit
                return total
        if left.words is None or right.words is None:
            raise Refuted("a product has an operand that is no sum of words of its numbers")
        for pair, times in _counted(product(sorted(left.words), sorted(right.words))):
            if times % 2:
                total = list(map(xor, total, self._product_of_words(pair)))
        return total

    def _product_of_words(self, pair: tuple[int, int]) -> Bits:
        """Return the coefficients of the product of two words that come in."""
        if pair not in self._products:
            sizes = [sum(map(bool, self._values[value].bits)) for value in pair]
            if pair[0] == pair[1]:
                squares = [form for bit in self._values[pair[0]].bits for form in (bit, 0)]
                self._products[pair] = squares
            else:
                count = sum(sizes) - 1 if all(sizes) else 0
                symbols = [self._symbol() for _ in range(count)]
                self._products[pair] = [*symbols, *[0] * (2 * self.word - count)]
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
