"""Interpreter of limb programs on Python's integers: the reference for generated code."""

from __future__ import annotations

from functools import reduce
from operator import xor
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
    is_doubling,
)
from efdgen.generator.mathematics import binary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.program import LimbProgram, Number


class LostError(ArithmeticError):
    """An operation lost what it must not lose, or a number is out of its bound."""


def split(number: Number, value: int, word: int) -> tuple[int, ...]:
    """Return the words of a value, with every position that is below the next one's filled first.

    Raises :class:`LostError` where the value is out of the number's bound.
    """
    if not 0 <= value <= number.maximum:
        raise LostError(f"{number.name} is not in [0, {number.maximum:#x}]")
    ends = [*number.positions[1:], number.positions[-1] + word]
    return tuple(
        (value >> at) & ((1 << end - at) - 1) for at, end in zip(number.positions, ends, strict=True)
    )


def trace(program: LimbProgram, inputs: Mapping[str, Sequence[int]]) -> list[int]:
    """Return every value, given the words of each input by its name; raise :class:`LostError`."""
    values: list[int] = []
    read = program.read
    for instruction in program.instructions:
        found = _evaluate(instruction.operation, program.word, values, inputs)
        # A carry that nobody reads is lost, and must have been nothing; likewise a sum with its carry. Not so
        # the carry of a word that is doubled: it is the highest bit, which is read from the word itself.
        if isinstance(instruction.operation, Add | Sub) and not is_doubling(instruction.operation):
            unread = [value not in read for value in instruction.results]
            if unread[1] and (found[1] or (unread[0] and found[0])):
                raise LostError(f"{instruction} drops a carry")
        values += found
    return values


def run(program: LimbProgram, inputs: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return the outputs as integers, given the words of each input by its name; raise :class:`LostError`."""
    values = trace(program, inputs)
    found = {}
    for name, index in program.outputs:
        number = program.numbers[index]
        pairs = zip(number.words, number.positions, strict=True)
        found[name] = sum(values[value] << position for value, position in pairs)
        if found[name] > number.maximum:
            raise LostError(f"{name} is not in [0, {number.maximum:#x}]")
    return found


def _evaluate(
    operation: Operation, word: int, values: Sequence[int], inputs: Mapping[str, Sequence[int]]
) -> tuple[int, ...]:
    largest = (1 << word) - 1
    match operation:
        case Word(number, index):
            return (inputs[number][index],)
        case Constant(value):
            return (value,)
        case MulWide(left, right):
            product = values[left] * values[right]
            return product & largest, product >> word
        case Dot(products, added, subtracted):
            total = sum(values[left] * values[right] for left, right in products)
            total += sum(values[low] + (values[high] << word) for low, high in added)
            total -= sum(values[low] + (values[high] << word) for low, high in subtracted)
            return total & largest, _fitting(total >> word, largest, operation)
        case CarrylessDot(products, added):
            total = reduce(xor, (binary.product(values[left], values[right]) for left, right in products), 0)
            total = reduce(xor, (values[low] | values[high] << word for low, high in added), total)
            return total & largest, total >> word
        case MulLow(left, right):
            return (values[left] * values[right] & largest,)
        case Mul(left, right):
            return (_fitting(values[left] * values[right], largest, operation),)
        case Add(left, right, carry):
            total = values[left] + values[right] + (0 if carry is None else values[carry])
            return total & largest, total >> word
        case Sub(left, right, borrow):
            total = values[left] - values[right] - (0 if borrow is None else values[borrow])
            return total & largest, int(total < 0)
        case And(left, right):
            return (values[left] & values[right],)
        case Or(left, right):
            return (values[left] | values[right],)
        case Xor(left, right):
            return (values[left] ^ values[right],)
        case ShiftLeft(value, amount):
            return (_fitting(values[value] << amount, largest, operation),)
        case ShiftRight(value, amount):
            return (values[value] >> amount,)
        case Funnel(high, low, amount):
            return ((values[high] << amount | values[low] >> word - amount) & largest,)
        case Select(bit, one, zero):
            return (values[one if values[bit] else zero],)
        case _:
            assert_never(operation)


def _fitting(exact: int, largest: int, operation: Operation) -> int:
    if not 0 <= exact <= largest:
        raise LostError(f"{operation} does not fit a word")
    return exact
