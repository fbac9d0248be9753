"""Bounds that agree across functions, where nobody asks for others: what one puts out, another takes in.

A coordinate has one bound wherever it is of the same system or of the same structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.hosts.function import Wishes, wanted_bound
from efdgen.generator.hosts.systems import home
from efdgen.generator.programs.kernel import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.programs.kernel import Argument

    # The bound of each variable of each family.
    _Bounds: TypeAlias = dict[tuple[str, str], int]


def common_bounds(
    functions: Sequence[HostFunction], host: Host, homes: Sequence[System], wishes: Wishes
) -> list[Wishes]:
    """Return the wishes for each function under which every output can be every input of its sort.

    The bound of what nobody asks for is the largest that an output has. If no output has it, it is the
    smallest that an input has.
    """
    families = _Families(functions, homes)
    largest: _Bounds = {}
    least: _Bounds = {}
    for function in functions:
        for argument, variable, name in _unasked(function, function.kernel.outputs, host, wishes.outputs):
            if variable in function.chosen:
                key = families.of(function, argument), variable
                largest[key] = max(largest.get(key, 1), function.bounds[name])
        for argument, variable, name in _unasked(function, function.kernel.inputs, host, wishes.inputs):
            key = families.of(function, argument), variable
            bound = function.bounds.get(name)
            if bound is not None:
                least[key] = min(least.get(key, bound), bound)

    def agreed(
        function: HostFunction, arguments: Sequence[Argument], asked: Mapping[str, int], known: _Bounds
    ) -> dict[str, int]:
        found = {
            name: known.get((families.of(function, argument), variable))
            for argument, variable, name in _unasked(function, arguments, host, asked)
        }
        return {name: bound for name, bound in found.items() if bound is not None} | {**asked}

    return [
        Wishes(
            agreed(function, function.kernel.inputs, wishes.inputs, {**least, **largest}),
            agreed(function, function.kernel.outputs, wishes.outputs, largest),
        )
        for function in functions
    ]


def _unasked(
    function: HostFunction, arguments: Sequence[Argument], host: Host, asked: Mapping[str, int]
) -> Iterator[tuple[Argument, str, str]]:
    """Yield coordinates whose bounds nobody asks for: the argument, the variable and the name."""
    for argument in arguments:
        for variable, name in argument.members.items():
            if wanted_bound(host, function.structures[argument.name], asked, variable, name) is None:
                yield argument, variable, name


class _Families:
    """Systems and structures that have a point in common, and those of which one has it with a third."""

    def __init__(self, functions: Sequence[HostFunction], homes: Sequence[System]) -> None:
        self._homes = homes
        self._parents: dict[str, str] = {}
        for function in functions:
            for argument in (*function.kernel.inputs, *function.kernel.outputs):
                point, system = function.structures[argument.name], self._system(function, argument)
                if point is not None:
                    self._parents[self._root(f"structure {point.whole}")] = self._root(system)

    def of(self, function: HostFunction, argument: Argument) -> str:
        """Return the name of the family that an argument is of."""
        return self._root(self._system(function, argument))

    def _system(self, function: HostFunction, argument: Argument) -> str:
        kernel = function.kernel
        if not argument.number or not isinstance(kernel, Kernel):
            return "scalars"
        return home(kernel.formula.system_of(argument.number), self._homes).id

    def _root(self, name: str) -> str:
        parent = self._parents.get(name, name)
        return name if parent == name else self._root(parent)
