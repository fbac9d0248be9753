"""Proofs that translated limb functions are their programs: both are run on unknown words.

The meaning of operations is written down again, as a second opinion on the table of the generator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from second.errors import UndefinedError
from second.machines import arrays_of
from second.symbols import Domain, Symbol, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from efdgen.generator.limbs.operations import Operation
    from efdgen.generator.limbs.program import Number
    from efdgen.generator.limbs.spelling import LimbFunction


def proves(function: LimbFunction, called: Callable[..., object]) -> bool:
    """Return whether a translated function is its program for all inputs, as far as polynomials tell."""
    domain, word = Domain(), function.program.word
    given, words = {}, {}
    for number in function.inputs:
        given[number.name], words[number.name] = _unknowns(domain, number, word)
    try:
        outputs, returned = called([given[array.name] for array in arrays_of(function) if not array.output])
        values = _values(function, words, domain)
        if function.returned is not None:
            return _same(domain, returned, values[function.returned])
        return all(
            _matches(domain, found, [values[index] for index in number.words], number, word)
            for (_, number), found in zip(function.outputs, outputs, strict=True)
        )
    except (UndecidedError, UndefinedError, TypeError):
        return False


def _unknowns(domain: Domain, number: Number, word: int) -> tuple[list[Symbol], list[Symbol]]:
    """Return what a function is given, words or columns, and the words of these."""
    if not number.is_of_columns(word):
        tops = [number.word_interval(index, word).high for index in range(len(number.words))]
        words = [domain.unknown((number.name, index), 0, top) for index, top in enumerate(tops)]
        return words, words
    limits = zip(number.limits[::2], number.limits[1::2], strict=True)
    tops = [min(high << word | low, number.maximum) for low, high in limits]
    columns = [domain.unknown((number.name, index), 0, top) for index, top in enumerate(tops)]
    return columns, [half for column in columns for half in (column.low(word), column >> word)]


def _values(function: LimbFunction, words: Mapping[str, Sequence[Symbol]], domain: Domain) -> list[Symbol]:
    """Return the values of a program: operations that lose nothing are as those that wrap."""
    found: list[Symbol] = []
    columns: dict[tuple[int, int], Symbol] = {}
    for instruction in function.program.instructions:
        operation = instruction.operation
        if isinstance(operation, Word):
            made: Sequence[Symbol] = (words[operation.number][operation.index],)
        elif isinstance(operation, Constant):
            made = (domain.constant(operation.value),)
        elif isinstance(operation, Dot):
            total = domain.constant(0)
            for left, right in operation.products:
                total += found[left] * found[right]
            for sign, pairs in ((1, operation.added), (-1, operation.subtracted)):
                for low, high in pairs:
                    pair = columns.get((low, high), found[low] + (found[high] << function.program.word))
                    total += pair * sign
            columns[(len(found), len(found) + 1)] = total
            made = total.low(function.program.word), total >> function.program.word
        else:
            made = _made(operation, found, function.program.word)
        found += made
    return found


def _made(operation: Operation, of: Sequence[Symbol], word: int) -> Sequence[Symbol]:
    match operation:
        case MulWide(left, right):
            return (of[left] * of[right]).low(word), of[left] * of[right] >> word
        case MulLow(left, right) | Mul(left, right):
            return ((of[left] * of[right]).low(word),)
        case Add(left, right, bit):
            total = of[left] + of[right] + (0 if bit is None else of[bit])
            return total.low(word), total >> word
        case Sub(left, right, bit):
            total = of[left] - of[right] - (0 if bit is None else of[bit])
            return total.low(word), -(total >> word)
        case And(left, right):
            return (of[left] & of[right],)
        case Or(left, right):
            return (of[left] | of[right],)
        case Xor(left, right):
            return (of[left] ^ of[right],)
        case ShiftLeft(value, amount):
            return ((of[value] << amount).low(word),)
        case ShiftRight(value, amount):
            return (of[value] >> amount,)
        case Funnel(high, low, amount):
            return ((of[high] << amount).low(word) | of[low] >> word - amount,)
        case Select(bit, one, zero):
            return (of[bit] * of[one] + (1 - of[bit]) * of[zero],)
        case CarrylessDot():
            raise UndecidedError("products without carries")
    raise UndecidedError(f"{operation}")


def _matches(
    domain: Domain, found: Sequence[Symbol] | None, words: Sequence[Symbol], number: Number, word: int
) -> bool:
    if found is None:
        return False
    if number.is_of_columns(word):
        columns = [domain.constant(0) + column for column in found]
        found = [half for column in columns for half in (column.low(word), column >> word)]
    return all(_same(domain, one, other) for one, other in zip(found, words, strict=True))


def _same(domain: Domain, one: object, other: Symbol) -> bool:
    return not (domain.constant(0) + one - other).terms
