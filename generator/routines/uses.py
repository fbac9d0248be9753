"""Names that statements of routines declare and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines import tree
from efdgen.generator.routines.types import Array

if TYPE_CHECKING:
    from collections.abc import Collection


def variables(routine: tree.Routine) -> set[str]:
    """Return the names of a routine's parameters and variables, also of its loops."""
    found = {parameter.name for parameter in routine.parameters}
    for statement in tree.statements(routine.body):
        match statement:
            case tree.Declare(names) | tree.Each(names):
                found.update(names)
            case tree.Room(name):
                found.add(name)
            case tree.For(name, item=item):
                found.update((name, item))
    return found


def names(expression: tree.Expression) -> set[str]:
    """Return the names in an expression."""
    return {part.name for part in tree.walk(expression) if isinstance(part, tree.Name)}


def mentions(block: tree.Block, name: str, but: Collection[tree.Expression] = ()) -> bool:
    """Return whether statements mention a name, other than in expressions that are printed otherwise."""

    def within(expression: tree.Expression) -> bool:
        if expression in but:
            return False
        return expression == tree.Name(name) or any(map(within, tree.operands(expression)))

    return any(within(part) for statement in tree.statements(block) for part in tree.expressions(statement))


def lengths(routine: tree.Routine) -> dict[str, tuple[str, ...]]:
    """Return the lengths that a call gives by their names, each with the parameters that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for parameter in routine.parameters:
        if isinstance(parameter.type, Array) and isinstance(parameter.type.length, str):
            found[parameter.type.length] = (*found.get(parameter.type.length, ()), parameter.name)
    return {length: names for length, names in found.items() if length}
