"""Comparison of kernels with their programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.interpreter import run
from second.limbs import TURNS
from second.machines import flag_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from efdgen.generator.fields.printed import KernelText
    from second.elements import Elements
    from second.machines import Machine
    from second.report import Report


def kernel_differences(
    kernels: Iterable[KernelText],
    elements: Elements,
    machine: Machine,
    rng: Random,
    report: Report,
) -> Iterator[str]:
    """Yield how kernels differ; the others are added to the report."""
    for kernel in kernels:
        if kernel.inverses or machine.is_known(f"kernel_{kernel.name}"):
            continue
        called = machine.kernel(kernel)
        if called is None:
            yield f"{kernel.name} is missing"
            continue
        found = (_difference(kernel, elements, called, rng, turn) for turn in range(TURNS))
        if difference := next(filter(None, found), ""):
            yield f"{kernel.name}: {difference}"
        else:
            report.compared.add(kernel.name)


def _difference(kernel: KernelText, elements: Elements, called: object, rng: Random, turn: int) -> str:
    inputs = [{member: elements.drawn(rng) for member in point.members} for point in kernel.inputs]
    names = {
        point.members[member]: elements.value(words)
        for point, given in zip(kernel.inputs, inputs, strict=True)
        for member, words in given.items()
    }
    constants = elements.text.constants
    names |= {
        name: elements.value(constants[text]) for text, name in kernel.constants.items() if text in constants
    }
    try:
        wanted = run(kernel.program, elements.text.ground, names)
    except ZeroDivisionError:
        return ""  # undefined, as its comment says
    same = [*_places(kernel, rng)] if turn % 2 and kernel.language == "c" else []
    outputs, flag = called(inputs, same)
    if kernel.tested:
        expected = flag_of({name: wanted[name] for name in kernel.tested})
        if flag not in (0, 1) or bool(flag) != expected:
            return f"it returns {flag}"
    for point, found in zip(kernel.outputs, outputs, strict=True):
        for member, name in point.members.items():
            if elements.value(found[member]) != wanted[name]:
                return f"{point.name}.{member} is not {name}" + (", in place" if same else "")
    return ""


def _places(kernel: KernelText, rng: Random) -> Iterator[tuple[int, int]]:
    """Yield pairs of an output and an input that have one place."""
    free = {*range(len(kernel.inputs))}
    for output, point in enumerate(kernel.outputs):
        fitting = sorted(index for index in free if kernel.inputs[index].type == point.type)
        if fitting and rng.random() < 0.8:
            chosen = rng.choice(fitting)
            free.discard(chosen)
            yield output, chosen
