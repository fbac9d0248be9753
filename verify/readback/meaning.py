"""Limb programs as values: the terms of each output word, and the reads and writes of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Word
from efdgen.generator.limbs.spelling import stored_size

if TYPE_CHECKING:
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
        operation = instruction.operation
        if isinstance(operation, Word):
            found.append(_word(values, arrays[operation.number.lower()], operation.index))
        else:
            found += operation.meaning(values, found.__getitem__)
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
    return values.halves(element(values, array, index // 2))[index % 2]
