"""The common part of C and Rust: statements for the instructions of a limb function, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from efdgen.generator.limbs.operations import CarrylessDot, Chained, Dot, Funnel, MulWide, Select, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.operations import DoubleWord
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction, Spelling

Kind = Literal["word", "wide", "poly"]
"""A word, a double word of columns, or one of a polynomial over GF(2)."""


class Writer:
    """Writes a limb function; a language has its own declarations, products, chains and functions."""

    INVERT: ClassVar[str]
    SQUARE: ClassVar[str]

    def __init__(self, function: LimbFunction, spelling: Spelling, prefix: str = "") -> None:
        self.spelling, self._prefix = spelling, prefix
        self._bits = function.program.word
        self._inputs = function.inputs
        self._masks: set[str] = set()

    def let(self, name: str, text: str, kind: Kind = "word") -> str:
        """Return the declaration of a value."""
        raise NotImplementedError

    def total(self, name: str, text: str, *, changes: bool) -> str:
        """Return the declaration of a sum of products, which changes unless it is complete."""
        raise NotImplementedError

    def form(self, operation: Operation) -> str:
        """Return an expression of the language for an operation with one result."""
        raise NotImplementedError

    def product(self, operation: MulWide, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a product of two words."""
        raise NotImplementedError

    def chained(self, operation: Chained, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a step of a chain that reads or makes a carry."""
        raise NotImplementedError

    def function(self, name: str, *arguments: str) -> str:
        """Return a call of a function on double words."""
        raise NotImplementedError

    def half(self, kind: Kind, total: str, which: int) -> str:
        """Return an expression for a word of a double word: 0 for the low one."""
        raise NotImplementedError

    def added(self, total: str, pair: DoubleWord, *, subtracted: bool = False) -> str:
        """Return an expression for a total and a double word, or less that."""
        raise NotImplementedError

    def shifted(self, column: str, amount: int) -> str:
        """Return an expression for the low word of a column that is shifted to the right."""
        raise NotImplementedError

    def mask(self, bit: int, *, unless: bool) -> str:
        """Return an expression for all ones where a bit is 1, or where it is 0."""
        raise NotImplementedError

    def double_word(self, pair: DoubleWord) -> str:
        """Return an expression for two words as one double word."""
        raise NotImplementedError

    def instruction(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation."""
        match operation:
            case Word(number, index):
                yield from self._word(number, index, results[0])
            case Dot():
                yield from self._dot(operation, results)
            case CarrylessDot():
                yield self.let(f"s_{results[0]}", self._carryless(operation), "poly")
                yield from self._halves("poly", results)
            case MulWide():
                yield from self.product(operation, results)
            case Chained(bit=bit) if bit is not None or results[1] in self.spelling.read:
                yield from self.chained(operation, results)
            case Select(bit, one, zero):
                yield from self._select(bit, one, zero, results[0])
            case _:
                yield self.let(self.spelling.name(results[0]), self._expression(operation))

    def stored(self, number: Number) -> Iterator[str]:
        """Yield expressions for the words of a number, or for its double words."""
        if not number.is_of_columns(self._bits):
            yield from map(self.spelling.word, number.words)
        else:
            for pair in zip(number.words[::2], number.words[1::2], strict=True):
                yield self.double_word(pair)

    def is_of_columns(self, name: str) -> bool:
        """Return whether an input is stored in double words."""
        return any(n.name == name and n.is_of_columns(self._bits) for n in self._inputs)

    def _word(self, number: str, index: int, value: int) -> Iterator[str]:
        """Yield a word that comes in; the low half of a column comes first, and names both."""
        if not self.is_of_columns(number):
            yield self.loaded(self.spelling.name(value), f"{number.lower()}[{index}]")
            return
        at, half = divmod(index, 2)
        if half == 0:
            yield self.let(f"s_{value}", f"{number.lower()}[{at}]", "wide")
        yield from self._half("wide", value, value - half, half)

    def loaded(self, name: str, place: str) -> str:
        """Return the declaration of a word that comes in."""
        return self.let(name, place)

    def _halves(self, kind: Kind, results: tuple[int, ...]) -> Iterator[str]:
        for half, value in enumerate(results):
            yield from self._half(kind, value, results[0], half)

    def _half(self, kind: Kind, value: int, low: int, half: int) -> Iterator[str]:
        if value in self.spelling.as_words:
            yield self.let(self.spelling.name(value), self.half(kind, f"s_{low}", half))

    def _dot(self, operation: Dot, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a sum of products, which fits in the end; nothing is checked, which would be a branch."""
        total, word, added = f"s_{results[0]}", self.spelling.word, [*operation.added]
        products = [(word(left), word(right)) for left, right in operation.products]
        first = self.function("wide_mul", *products[0]) if products else self.double_word(added.pop(0))
        terms = [self.function("wide_mac", total, *product) for product in products[1:]]
        terms += [self.added(total, pair) for pair in added]
        terms += [self.added(total, pair, subtracted=True) for pair in operation.subtracted]
        yield self.total(total, first, changes=bool(terms))
        yield from (f"{total} = {term};" for term in terms)
        yield from self._halves("wide", results)

    def _carryless(self, operation: CarrylessDot) -> str:
        word = self.spelling.word
        terms = [
            self.function(self.SQUARE, word(left))
            if left == right
            else self.function("poly_mul", word(left), word(right))
            for left, right in operation.products
        ]
        first, *rest = [*terms, *(f"s_{low}" for low, _ in operation.added)]
        for term in rest:
            first = self.function("poly_add", first, term)
        return first

    def _select(self, bit: int, one: int, zero: int, result: int) -> Iterator[str]:
        """Yield a choice by a mask, which is made once for a bit."""
        unless = self.spelling.known(one) == 0
        mask = f"{'nm'[not unless]}_{bit}"
        if mask not in self._masks:
            self._masks.add(mask)
            yield self.let(mask, self.mask(bit, unless=unless))
        if (chosen := self.spelling.chosen(mask, one, zero, self.INVERT)) == mask:
            self.spelling.called[result] = mask
        else:
            yield self.let(self.spelling.name(result), chosen)

    def _expression(self, operation: Operation) -> str:
        """Return an expression; a funnel is a plain shift where one half is 0, or both are of one column."""
        word, form = self.spelling.word, self.form(operation)
        if isinstance(operation, Funnel):
            if found := self.spelling.column((operation.low, operation.high)):
                return self.shifted(found, self._bits - operation.amount)
            if self.spelling.known(operation.low) == 0:
                form = "{high} << {amount}"
            elif self.spelling.known(operation.high) == 0:
                form = "{low} >> {rest}"
        return operation.written(form, word, self._bits, self._prefix)
