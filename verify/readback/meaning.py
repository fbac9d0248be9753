"""Limb programs as values: the terms of each output word, and the reads and writes of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

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
)
from efdgen.generator.limbs.spelling import stored_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.operations import Operation
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
    found: list[int] = []
    for instruction in function.program.instructions:
        if isinstance(instruction.operation, Word):
            found.append(
                _word(values, arrays[instruction.operation.number.lower()], instruction.operation.index)
            )
        else:
            found += _made(values, instruction.operation, found)
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


def _word(values: Values, array: Parameter, index: int) -> int:
    """Return a word of an input, which may be half of a column."""
    if not array.double:
        return element(values, array, index)
    column = element(values, array, index // 2)
    return values.high(column) if index % 2 else values.low(column)


def _made(values: Values, operation: Operation, of: Sequence[int]) -> tuple[int, ...]:
    """Return what an operation makes of earlier values."""
    match operation:
        case Constant(number):
            return (values.constant(number),)
        case MulWide(left, right):
            product = values.product(of[left], of[right])
            return values.low(product), values.high(product)
        case Dot(products, added, subtracted):
            parts = [(values.product(of[a], of[b]), 1) for a, b in products]
            parts += [(values.pair(of[low], of[high]), 1) for low, high in added]
            parts += [(values.pair(of[low], of[high]), -1) for low, high in subtracted]
            total = values.combined(parts)
            return values.low(total), values.high(total)
        case CarrylessDot(products, added):
            sums = [values.carryless(of[a], of[b]) for a, b in products]
            whole = values.exclusive(*sums, *(values.polynomial(of[low], of[high]) for low, high in added))
            return values.poly_low(whole), values.poly_high(whole)
        case MulLow(left, right) | Mul(left, right):
            return (values.low(values.product(of[left], of[right])),)
        case Add(left, right, bit):
            given = of[left], of[right], values.zero if bit is None else of[bit]
            return values.add(*given), values.carry(*given)
        case Sub(left, right, bit):
            given = of[left], of[right], values.zero if bit is None else of[bit]
            return values.sub(*given), values.borrow(*given)
        case And(left, right):
            return (values.bitwise("&", of[left], of[right]),)
        case Or(left, right):
            return (values.bitwise("|", of[left], of[right]),)
        case Xor(left, right):
            return (values.bitwise("^", of[left], of[right]),)
        case ShiftLeft(value, amount):
            return (values.shifted("<<", of[value], amount),)
        case ShiftRight(value, amount):
            return (values.shifted(">>", of[value], amount),)
        case Funnel(high, low, amount):
            return (values.funnel(of[high], of[low], amount),)
        case Select(bit, one, zero):
            return (values.select(of[bit], of[one], of[zero]),)
        case Word():
            raise AssertionError(operation)
        case _:
            assert_never(operation)
