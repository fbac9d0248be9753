"""Local variables of kernels in Python: the formula's own names, in lower case."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from keyword import iskeyword
from typing import TYPE_CHECKING

from efdgen.generator.kernels.kernel import Temporary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from efdgen.generator.kernels.kernel import Kernel, Place, Step

_NAMED = re.compile(r"([A-Za-z]\w*) = ")
# Readers take l for 1, and linters refuse it.
_AMBIGUOUS = frozenset({"l"})
_STEMS = ("t", "v", "w", "temporary_")


@dataclass(frozen=True)
class Variables:
    """The names of temporaries: some of the formula, and numbered ones after a stem."""

    names: Mapping[int, str]
    stem: str

    def name(self, temporary: Temporary) -> str:
        """Return the name of a temporary."""
        return self.names.get(temporary.number, f"{self.stem}{temporary.number}")


def with_variables(kernel: Kernel, reserved: Collection[str]) -> tuple[Kernel, Variables]:
    """Return a kernel with a temporary of its own for each value that the formula names, and all names.

    Values without a name, and those whose name is among ``reserved``, keep their temporaries.
    """
    known = {name for step in kernel.steps if (name := _name(step))}
    stem = next(s for s in _STEMS if not any(re.fullmatch(rf"{s}\d+", name) for name in {*known, *reserved}))
    free = 1 + max((t.number for t in _temporaries(kernel)), default=-1)
    names: dict[int, str] = {}
    present: dict[Place, Place] = {}
    steps = []
    for step in kernel.steps:
        read = tuple(present.get(place, place) for place in step.operands)
        name, target = _name(step), step.target
        if name and name not in reserved and name not in names.values():
            target = Temporary(free + len(names))
            names[target.number] = name
        present[step.target] = target
        steps.append(replace(step, target=target, operands=read))
    stores = tuple(replace(s, value=present.get(s.value, s.value)) for s in kernel.stores)
    tests = tuple(replace(t, value=present.get(t.value, t.value)) for t in kernel.tests)
    return replace(kernel, steps=tuple(steps), stores=stores, tests=tests), Variables(names, stem)


def _name(step: Step) -> str:
    """Return the name of a step's value as a local variable, empty if the formula has none for it."""
    found = _NAMED.match(step.text)
    name = found[1].lower() if found else ""
    return "" if iskeyword(name) or name in _AMBIGUOUS else name


def _temporaries(kernel: Kernel) -> Iterator[Temporary]:
    yield from (step.target for step in kernel.steps)
    if kernel.batch:
        yield kernel.batch.inverse
