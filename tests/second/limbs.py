"""Comparison of limb functions, fused formulas among them, with their programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.limbs.interpreter import LostError, run
from second import drawing
from second.machines import arrays_of, number_of
from second.proving import proves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from efdgen.generator.fields.printed import LimbText
    from efdgen.generator.limbs.spelling import LimbFunction
    from second.machines import Machine
    from second.report import Report

TURNS = 6
"""Inputs on which a function on elements, or a kernel, is compared."""

INPUTS = 16
"""Inputs on which a limb function is compared; four times as many if it is short."""

_SHORT = 150  # instructions
_CHECKS = 2  # inputs in place of these, of a function that is proved
_TRIES = 6  # for each input: numbers that depend on each other are seldom drawn

_Row: TypeAlias = "tuple[dict[str, list[int]], Mapping[str, int]]"


def limb_differences(text: LimbText, machine: Machine, rng: Random, report: Report) -> Iterator[str]:
    """Yield how limb functions and constants differ; the others are added to the report."""
    for name, words in text.constants.items():
        if machine.constant(name) != [*words]:
            yield f"{name} is another element"
    for function in text.functions:
        if machine.is_known(f"limbs_{function.name}"):
            continue
        called = machine.limb(function.name, arrays_of(function), returns=function.test)
        if called is None:
            yield f"{function.name} is missing"
            continue
        if proved := machine.takes_symbols and proves(function, called):
            report.proved.add(function.name)
        elif machine.takes_symbols:
            report.undecided.add(function.name)
        inputs = _inputs(function, rng, _CHECKS if proved else INPUTS)
        if difference := next(filter(None, (_difference(function, called, *each) for each in inputs)), ""):
            yield difference
        elif inputs:
            report.compared.add(function.name)


def _inputs(
    function: LimbFunction, rng: Random, count: int
) -> list[tuple[dict[str, list[int]], Mapping[str, int]]]:
    """Return inputs that the program takes, with the outputs that it gives."""
    found: list[tuple[dict[str, list[int]], Mapping[str, int]]] = []
    word = function.program.word
    wanted = count * (4 if len(function.program.instructions) < _SHORT else 1)
    for _ in range(_TRIES * wanted):
        given = {number.name: drawing.words(rng, number, word) for number in function.inputs}
        try:
            found.append((given, run(function.program, given)))
        except LostError:
            continue
        if len(found) == wanted:
            break
    return found


def _difference(
    function: LimbFunction,
    called: Callable[..., tuple[Sequence[Sequence[int] | None], int | None]],
    inputs: Mapping[str, Sequence[int]],
    wanted: Mapping[str, int],
) -> str:
    word, given = function.program.word, []
    for array in arrays_of(function):
        if not array.output:
            words = inputs[array.name]
            pairs = zip(words[::2], words[1::2], strict=True) if array.bits > word else ()
            given.append([low | high << word for low, high in pairs] or [*words])
    outputs, returned = called(given)
    if function.test:
        ((_, index),) = function.program.outputs
        (value,) = wanted.values()
        expected = value >> function.program.numbers[index].positions[-1]
        return "" if returned == expected else f"{function.name} returns {returned}, not {expected}"
    for (name, number), words in zip(function.outputs, outputs, strict=True):
        if words is None or number_of(words, number, word) != wanted[name]:
            return f"{function.name} is not its program: {name} differs"
    return ""
