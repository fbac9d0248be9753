"""Comparison of all functions of a field, in one word size, with what their printer announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import KernelText, LimbText
from second.elements import claimed, element_differences, elements_of
from second.errors import RefusedError, UndefinedError
from second.kernels import kernel_differences
from second.limbs import limb_differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from second.machines import Machine
    from second.report import Report

FAILURES = (
    *(RefusedError, UndefinedError, IndexError, KeyError, TypeError, NameError, StopIteration),
    *(RecursionError, OverflowError, ValueError),
)
"""Exceptions of a translated text's run that has no defined result."""


def announced(texts: Sequence[LimbText], expected: Sequence[object]) -> set[str]:
    """Return the names of the limb functions and kernels of a field."""
    names = {function.name for text in texts for function in text.functions}
    return names | {kernel.name for kernel in _kernels(texts[0], expected)}


def differences(
    machine: Machine, texts: Sequence[LimbText], expected: Sequence[object], rng: Random, report: Report
) -> Iterator[str]:
    """Yield how the functions of a field differ; the others are added to the report.

    ``texts`` are the field's programs, one for each size of words; one size is the machine's.
    """
    text = next((text for text in texts if text.word == machine.word), None)
    if text is None:
        yield f"words have {machine.word} bits"
        return
    elements = elements_of(text, expected)
    parts = (
        limb_differences(text, machine, rng, report),
        element_differences(elements, claimed(text, expected), machine, rng, report),
        kernel_differences(_kernels(text, expected), elements, machine, rng, report),
    )
    for part in parts:
        try:
            yield from part
        except FAILURES as error:
            yield f"{type(error).__name__}: {error}"


def _kernels(text: LimbText, expected: Sequence[object]) -> list[KernelText]:
    kernels = (kernel for kernel in expected if isinstance(kernel, KernelText))
    return [k for k in kernels if (k.prefix, k.language) == (text.prefix, text.language)]
