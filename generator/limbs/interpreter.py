"""Interpreter of limb programs on Python's integers: the reference for generated code."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_, xor
from typing import TYPE_CHECKING

from efdgen.generator.limbs.integers import Integers
from efdgen.generator.limbs.operations import Chained, is_doubling
from efdgen.generator.mathematics import binary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.limbs.program import LimbProgram, Number


_BITWISE: dict[str, Callable[[int, int], int]] = {"&": and_, "|": or_, "^": xor}


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
    read, exact = program.read, _Exact(program.word, inputs)
    for instruction in program.instructions:
        try:
            found = instruction.operation.meaning(exact, values.__getitem__)
        except LostError as lost:
            raise LostError(f"{instruction.operation} {lost}") from None
        # A carry that nobody reads is lost, and must have been nothing; likewise a sum with its carry. Not so
        # the carry of a word that is doubled: it is the highest bit, which is read from the word itself.
        if isinstance(instruction.operation, Chained) and not is_doubling(instruction.operation):
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


class _Exact(Integers[int]):
    """Python's integers."""

    def __init__(self, word: int, inputs: Mapping[str, Sequence[int]]) -> None:
        super().__init__(word)
        self._inputs = inputs

    def input(self, number: str, index: int) -> int:
        return self._inputs[number][index]

    def constant(self, value: int) -> int:
        return value

    def sum(self, *parts: tuple[int, int]) -> int:
        return sum([value * factor for value, factor in parts])

    def product(self, left: int, right: int) -> int:
        return left * right

    def cut(self, value: int, amount: int) -> tuple[int, int]:
        return value & (1 << amount) - 1, value >> amount

    def bitwise(self, operator: str, left: int, right: int) -> int:
        return _BITWISE[operator](left, right)

    def column(self, products: list[tuple[int, int]], added: list[tuple[int, int]]) -> tuple[int, int]:
        parts = [binary.product(left, right) for left, right in products]
        return self.halves(reduce(xor, [*parts, *(low | high << self.word for low, high in added)]))

    def narrow(self, factor: int, bits: int) -> int:
        if not 0 <= factor < 1 << bits:
            raise LostError(f"has a factor of more than {bits} bits")
        return factor

    def fitting(self, exact: int, words: int = 1) -> int:
        if not 0 <= exact < 1 << self.word * words:
            raise LostError(f"does not fit {words} words" if words > 1 else "does not fit a word")
        return exact
