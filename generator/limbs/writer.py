"""The common part of C and Rust: statements for the instructions of a limb function, one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.limbs.operations import CarrylessDot, Chained, Dot, Funnel, MulWide, Select, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.operations import DoubleWord
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction, Spelling


class Writer(ABC):
    """Writes a limb function.

    ``FORMS`` are formats of a language's declarations and expressions. Other names are those of functions.
    """

    LANGUAGE: ClassVar[str]
    INVERT: ClassVar[str]
    FORMS: ClassVar[Mapping[str, str]]

    def __init__(self, function: LimbFunction, spelling: Spelling, prefix: str = "") -> None:
        self.spelling, self._prefix = spelling, prefix
        self._bits = function.program.word
        self._inputs = function.inputs
        self._masks: set[str] = set()

    def form(self, name: str, *arguments: str) -> str:
        """Return a declaration or an expression."""
        if name in self.FORMS:
            return self.FORMS[name].format(*arguments, prefix=self._prefix, bits=self._bits)
        return f"{self._prefix}{name}({', '.join(arguments)})"

    @abstractmethod
    def product(self, operation: MulWide, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a product of two words."""

    @abstractmethod
    def chained(self, operation: Chained, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a step of a chain that reads or makes a carry."""

    @abstractmethod
    def mask(self, bit: int, *, unless: bool) -> str:
        """Return an expression for all ones where a bit is 1, or where it is 0."""

    @abstractmethod
    def double_word(self, pair: DoubleWord) -> str:
        """Return an expression for two words as one double word."""

    def added(self, total: str, pair: DoubleWord) -> str:
        """Return an expression for the sum of a total and a double word."""
        return self.form("wide_add", total, self.double_word(pair))

    def instruction(self, operation: Operation, results: tuple[int, ...]) -> Iterator[str]:
        """Yield the statements of an operation."""
        match operation:
            case Word(number, index):
                yield from self._word(number, index, results[0])
            case Dot():
                yield from self._dot(operation, results)
            case CarrylessDot():
                yield self.form("poly", f"s_{results[0]}", self._carryless(operation))
                yield from self._halves("poly", results)
            case MulWide():
                yield from self.product(operation, results)
            case Chained(bit=bit) if bit is not None or results[1] in self.spelling.read:
                yield from self.chained(operation, results)
            case Select(bit, one, zero):
                yield from self._select(bit, one, zero, results[0])
            case _:
                yield self._let(results[0], self._expression(operation))

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
            yield self.form("load", self.spelling.name(value), f"{number.lower()}[{index}]")
            return
        at, half = divmod(index, 2)
        if half == 0:
            yield self.form("wide", f"s_{value}", f"{number.lower()}[{at}]")
        yield from self._half("wide", value, value - half, half)

    def _let(self, value: int, text: str) -> str:
        name = self.spelling.name(value)
        return self.form("store" if name.endswith("]") else "word", name, text)

    def _halves(self, kind: str, results: tuple[int, ...]) -> Iterator[str]:
        for half, value in enumerate(results):
            yield from self._half(kind, value, results[0], half)

    def _half(self, kind: str, value: int, low: int, half: int) -> Iterator[str]:
        if value in self.spelling.as_words:
            yield self._let(value, self.form(f"{kind}_{('low', 'high')[half]}", f"s_{low}"))

    def _dot(self, operation: Dot, results: tuple[int, ...]) -> Iterator[str]:
        """Yield a sum of products, which fits in the end; nothing is checked, which would be a branch."""
        total, word, added = f"s_{results[0]}", self.spelling.word, [*operation.added]
        products = [(word(left), word(right)) for left, right in operation.products]
        if self._bits == 32 and self._adds_two_words(operation):
            words = [*(word(low) for low, _ in added), "0"][:2]
            yield self.form("whole", total, self.form("wide_mul_add2", *products[0], *words))
            yield from self._halves("wide", results)
            return
        first = self.form("wide_mul", *products[0]) if products else self.double_word(added.pop(0))
        terms = [self.form("wide_mac", total, *product) for product in products[1:]]
        terms += [self.added(total, pair) for pair in added]
        terms += [self.form("wide_sub", total, self.double_word(pair)) for pair in operation.subtracted]
        yield self.form("sum" if terms else "whole", total, first)
        yield from (f"{total} = {term};" for term in terms)
        yield from self._halves("wide", results)

    def _adds_two_words(self, operation: Dot) -> bool:
        """Return whether a sum is a product and a word or two."""
        known = [self.spelling.known(high) for _, high in operation.added]
        return len(operation.products) == 1 and not operation.subtracted and known in ([0], [0, 0])

    def _carryless(self, operation: CarrylessDot) -> str:
        word = self.spelling.word
        terms = [
            self.form("poly_square", word(left))
            if left == right
            else self.form("poly_mul", word(left), word(right))
            for left, right in operation.products
        ]
        first, *rest = [*terms, *(f"s_{low}" for low, _ in operation.added)]
        for term in rest:
            first = self.form("poly_add", first, term)
        return first

    def _select(self, bit: int, one: int, zero: int, result: int) -> Iterator[str]:
        """Yield a choice by a mask, which is made once for a bit."""
        unless = self.spelling.known(one) == 0
        mask = f"{'nm'[not unless]}_{bit}"
        if mask not in self._masks:
            self._masks.add(mask)
            yield self.form("word", mask, self.mask(bit, unless=unless))
        if (chosen := self.spelling.chosen(mask, one, zero, self.INVERT)) == mask:
            self.spelling.called[result] = mask
        else:
            yield self._let(result, chosen)

    def _expression(self, operation: Operation) -> str:
        """Return an expression; a funnel is a plain shift where one half is 0, or both are of one column."""
        word, form = self.spelling.word, getattr(operation, self.LANGUAGE)
        if isinstance(operation, Funnel):
            if found := self.spelling.column((operation.low, operation.high)):
                return self.form("wide_shift", found, str(self._bits - operation.amount))
            if self.spelling.known(operation.low) == 0:
                form = "{high} << {amount}"
            elif self.spelling.known(operation.high) == 0:
                form = "{low} >> {rest}"
        return operation.written(form, word, self._bits, self._prefix)
