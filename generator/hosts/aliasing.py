"""Permitted aliasing of a function's arguments: the contract, and every case of it to check.

Two arguments can be the same object where their structures are of one type, or one is the first part of the
other. Members of one name are then one place, whatever systems the structures are for.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.hosts.run import Member

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import HostPoint
    from efdgen.generator.hosts.operation import Signature
    from efdgen.generator.hosts.run import Location
    from efdgen.generator.programs.kernel import Argument

    # The host's structure for each argument by name, or None where every coordinate is on its own.
    Structures: TypeAlias = Mapping[str, HostPoint | None]


def common_variables(structures: Structures, one: Argument, other: Argument) -> dict[str, str]:
    """Return which variable of one argument is which of another if both are one object; none if not.

    Arguments without a structure are one object if they have the same variables.
    """
    first, second = structures[one.name], structures[other.name]
    if first is None or second is None:
        alike = first is second and one.type.members == other.type.members
        return {variable: variable for variable in one.members} if alike else {}
    if first.whole != second.whole:
        return {}
    held = {member: variable for variable, member in second.members.items()}
    return {v: held[first.members[v]] for v in one.members if first.members[v] in held}


def aliases(function: HostFunction) -> tuple[Argument, ...]:
    """Return the inputs that may be the same object as the first output."""
    kernel = function.kernel
    return tuple(a for a in kernel.inputs if common_variables(function.structures, kernel.outputs[0], a))


def shared_coordinates(kernel: Signature, structures: Structures) -> dict[str, tuple[str, ...]]:
    """Return for each coordinate of an output the coordinates of inputs that it may be the same object as.

    Outside of structures, these are all coordinates with its variable, of any point.
    """

    def sharing(given: Argument, output: Argument, variable: str) -> str | None:
        if structures[given.name] is None and structures[output.name] is None:
            return given.members.get(variable)
        same = common_variables(structures, output, given).get(variable)
        return None if same is None else given.members[same]

    return {
        name: tuple(found for i in kernel.inputs if (found := sharing(i, output, variable)) is not None)
        for output in kernel.outputs
        for variable, name in output.members.items()
    }


def aliasings(kernel: Signature, structures: Structures) -> Iterator[dict[Location, Location]]:
    """Yield ways in which outputs are the same objects as inputs, with which every way is covered.

    Structures are paired in every way. Coordinates outside of structures are paired one at a time: pairs
    decide what a write destroys, and what may not be one object.
    """
    places: dict[str, Location] = {
        name: Member(argument.name, variable)
        for argument in (*kernel.inputs, *kernel.outputs)
        for variable, name in argument.members.items()
    }
    shared = shared_coordinates(kernel, structures)
    for output in kernel.outputs:
        for name in output.coordinates if structures[output.name] is None else ():
            yield from ({places[name]: places[given]} for given in shared[name])
    held = [output for output in kernel.outputs if structures[output.name] is not None]
    fitting = [[None, *(i for i in kernel.inputs if coinciding(structures, o, i))] for o in held]
    for choice in product(*fitting):
        taken = [given.name for given in choice if given is not None]
        if taken and len(set(taken)) == len(taken):
            yield {
                location: other
                for output, given in zip(held, choice, strict=True)
                if given is not None
                for location, other in coinciding(structures, output, given).items()
            }


def coinciding(structures: Structures, one: Argument, other: Argument) -> dict[Location, Location]:
    """Return where the coordinates of an argument are that is the same object as another; none if not."""
    common = common_variables(structures, one, other)
    return {Member(one.name, variable): Member(other.name, v) for variable, v in common.items()}
