"""Limb programs as values: the terms of each output word, and the reads and writes of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.integers import Integers
from efdgen.generator.limbs.spelling import stored_size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction
    from efdgen.verify.readback.values import Values


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name, how many elements it has, and whether these are double words."""

    name: str
    count: int
    double: bool
    output: bool


def parameters(function: LimbFunction) -> list[Parameter]:
    """Return the parameters of a limb function in order, outputs first."""

    def array(name: str, number: Number, *, output: bool) -> Parameter:
        double, count = stored_size(number, function.program.word)
        return Parameter(name.lower(), count, double, output)

    return [
        *(array(name, number, output=True) for name, number in function.outputs),
        *(array(number.name, number, output=False) for number in function.inputs),
    ]


def element(values: Values, array: Parameter, index: int) -> int:
    """Return an element of an input: a word, or a double word."""
    if not array.double:
        return values.make("input", array.name, index)
    return values.double([(values.make("column", array.name, index), 1)])


def results(function: LimbFunction, values: Values) -> tuple[list[list[int]], int | None]:
    """Return the elements of each output, and the word that is returned; these are what was proved."""
    arrays = {array.name: array for array in parameters(function) if not array.output}
    kind = _InGraph(values, arrays)
    found: list[int] = []
    for instruction in function.program.instructions:
        found += instruction.operation.meaning(kind, found.__getitem__)
    outputs = [
        [found[value] for value in number.words]
        if not number.is_of_columns(values.word)
        else [
            values.pair(found[low], found[high])
            for low, high in zip(number.words[::2], number.words[1::2], strict=True)
        ]
        for _, number in function.outputs
    ]
    return outputs, None if function.returned is None else found[function.returned]


class _InGraph(Integers[int]):
    """Values of a graph, by their numbers; what is summed up are double words.

    Words have sums, shifts and choices of their own, for the text of those is read as such.
    """

    def __init__(self, values: Values, arrays: Mapping[str, Parameter]) -> None:
        super().__init__(values.word)
        self._values, self._arrays = values, arrays

    def input(self, number: str, index: int) -> int:
        """Return a word of an input, which may be half of a column."""
        array = self._arrays[number.lower()]
        if not array.double:
            return element(self._values, array, index)
        return self.halves(element(self._values, array, index // 2))[index % 2]

    def constant(self, value: int) -> int:
        return self._values.constant(value)

    def sum(self, *parts: tuple[int, int]) -> int:
        return self._values.combined((self._double(value), factor) for value, factor in parts)

    def _double(self, value: int) -> int:
        is_double = self._values.node(value)[0] == "double"
        return value if is_double else self._values.widened(value)

    def product(self, left: int, right: int) -> int:
        return self._values.product(left, right)

    def halves(self, total: int) -> tuple[int, int]:
        return self._values.low(total), self._values.high(total)

    def low(self, total: int) -> int:
        return self._values.low(total)

    def pair(self, low: int, high: int) -> int:
        return self._values.pair(low, high)

    def fitting(self, exact: int, words: int = 1) -> int:
        return self._values.low(exact) if words == 1 else exact

    def chained(self, sign: int, left: int, right: int, bit: int | None) -> tuple[int, int]:
        values, given = self._values, (left, right, self._values.zero if bit is None else bit)
        if sign == 1:
            return values.add(*given), values.carry(*given)
        return values.sub(*given), values.borrow(*given)

    def bitwise(self, operator: str, left: int, right: int) -> int:
        return self._values.bitwise(operator, left, right)

    def shifted_left(self, value: int, amount: int) -> int:
        return self._values.shifted("<<", value, amount)

    def shifted_right(self, value: int, amount: int) -> int:
        return self._values.shifted(">>", value, amount)

    def funnel(self, high: int, low: int, amount: int) -> int:
        return self._values.funnel(high, low, amount)

    def select(self, bit: int, one: int, zero: int) -> int:
        return self._values.select(bit, one, zero)

    def carryless(self, products: list[tuple[int, int]], added: list[tuple[int, int]]) -> tuple[int, int]:
        values = self._values
        parts = [values.carryless(left, right) for left, right in products]
        whole = values.exclusive(*parts, *(values.polynomial(low, high) for low, high in added))
        return values.poly_low(whole), values.poly_high(whole)
