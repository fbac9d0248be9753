"""Permitted aliasing of a function's arguments: the contract, and every case of it to check."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.hosts.run import Member

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.hosts.host import HostPoint
    from efdgen.generator.hosts.run import Location
    from efdgen.generator.kernels.kernel import Argument, Kernel

    # The host's structure for each argument by name, or None where every coordinate is on its own.
    Structures: TypeAlias = Mapping[str, HostPoint | None]


def same_type(structures: Structures, one: Argument, other: Argument) -> bool:
    """Return whether two arguments can be the same object: both of one structure, or both its coordinates."""
    if structures[one.name] is None or structures[other.name] is None:
        return one.type.members == other.type.members and structures[one.name] is structures[other.name]
    return structures[one.name] == structures[other.name]


def shared_coordinates(kernel: Kernel, structures: Structures) -> dict[str, tuple[str, ...]]:
    """Return for each coordinate of an output the coordinates of inputs that it may be the same object as.

    Where no structure holds them, these are all that have its variable, of whatever points.
    """

    def sharing(given: Argument, output: Argument, variable: str) -> bool:
        if structures[given.name] is None and structures[output.name] is None:
            return variable in given.members
        return same_type(structures, given, output)

    return {
        name: tuple(i.members[variable] for i in kernel.inputs if sharing(i, output, variable))
        for output in kernel.outputs
        for variable, name in output.members.items()
    }


def aliasings(kernel: Kernel, structures: Structures) -> Iterator[dict[Location, Location]]:
    """Yield ways in which outputs are the same objects as inputs, with which every way is covered.

    Structures are paired in every way. Of coordinates that are alone one pair at a time is enough: what a
    write destroys, and what may not be one object, is decided by pairs.
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
    fitting = [[None, *(i for i in kernel.inputs if same_type(structures, i, output))] for output in held]
    for choice in product(*fitting):
        taken = [given.name for given in choice if given is not None]
        if taken and len(set(taken)) == len(taken):
            yield {
                location: other
                for output, given in zip(held, choice, strict=True)
                if given is not None
                for location, other in coinciding(output, given).items()
            }


def coinciding(one: Argument, other: Argument) -> dict[Location, Location]:
    """Return where the coordinates of an argument are that is the same object as another."""
    return {Member(one.name, variable): Member(other.name, variable) for variable in one.members}
