"""Local variables of kernels: the formula's own names, in lower case."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from efdgen.generator.programs.kernel import Temporary

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.programs.kernel import Kernel, Place

_NAMED = re.compile(r"([A-Za-z]\w*) = ")
_AGAIN = re.compile(r"_[0-9]+$")
# Readers take l for 1, and linters refuse it.
_AMBIGUOUS = frozenset({"l"})
_STEMS = ("t", "v", "w", "temporary_")


def with_variables(kernel: Kernel, reserved: Collection[str]) -> tuple[Kernel, tuple[str, ...]]:
    """Return a kernel with a variable for each value that the formula names, and the names of its variables.

    Temporary i of the new kernel is the i-th variable, in order of first use. A value that is assigned again,
    T1_2 after T1, has the variable of the former one where that is free. Values without a name, and those
    whose name is among ``reserved``, share numbered variables: each takes the first free one.
    """
    known = {name for step in kernel.steps if (name := _name(step.text))}
    stem = next(s for s in _STEMS if not any(re.fullmatch(rf"{s}\d+", name) for name in {*known, *reserved}))
    last = _last_reads(kernel)
    numbers: dict[str, int] = {}
    until: dict[str, int] = {}
    held: dict[Place, Temporary] = {}
    steps = []

    def variable(text: str, number: int, last_read: int) -> Temporary:
        name = _name(text)
        before = _AGAIN.sub("", name)
        if before in numbers and until[before] <= number and before != name:
            name = before
        elif not name or name in reserved or name in numbers:
            name = next(t for n in count() if until.get(t := f"{stem}{n}", -1) <= number)
        until[name] = last_read
        return Temporary(numbers.setdefault(name, len(numbers)))

    for inverse in kernel.inverses:
        assert kernel.batch is not None
        held[kernel.batch.inverse] = variable(f"{inverse} = ", 0, len(last))
    for number, step in enumerate(kernel.steps):
        operands = tuple(held.get(place, place) for place in step.operands)
        target = held[step.target] = variable(step.text, number, last[number])
        steps.append(replace(step, target=target, operands=operands))
    moved = replace(
        kernel,
        steps=tuple(steps),
        stores=tuple(replace(store, value=held.get(store.value, store.value)) for store in kernel.stores),
        tests=tuple(replace(test, value=held.get(test.value, test.value)) for test in kernel.tests),
        batch=kernel.batch and replace(kernel.batch, inverse=held[kernel.batch.inverse]),
        temporaries=len(numbers),
    )
    return moved, tuple(numbers)


def _name(text: str) -> str:
    """Return the name of a step's value as a local variable, empty if the formula has none for it."""
    found = _NAMED.match(text)
    name = found[1].lower() if found else ""
    return "" if name in _AMBIGUOUS else name


def _last_reads(kernel: Kernel) -> list[int]:
    """Return for each step the last one that reads its value; stores and tests come after all."""
    last = list(range(len(kernel.steps)))
    defined: dict[Place, int] = {}
    for number, step in enumerate(kernel.steps):
        for place in defined.keys() & {*step.operands}:
            last[defined[place]] = number
        defined[step.target] = number
    for place in defined.keys() & {*kernel.results()}:
        last[defined[place]] = len(last)
    return last
