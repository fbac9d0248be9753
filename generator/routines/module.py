"""Routines of one plan, staged and checked, with the constants that they read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.checker import Checker
from efdgen.generator.routines.staging import staged, written_in
from efdgen.generator.routines.types import Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision
    from efdgen.generator.routines.tree import Routine, TypeName

Value: TypeAlias = "int | tuple[Value, ...]"


@dataclass(frozen=True)
class Constant:
    """A constant's type, and its value: an integer, or a table of them; none where it is made of elements."""

    type: Type
    value: Value | None


@dataclass(frozen=True)
class Module:
    """Checked routines, each after what it calls, the constants that they may read, and names of types.

    ``members`` are names of structures' members, where a plan has them; others are known to kernels alone.
    ``fields`` are the types of those members that are no elements.
    """

    routines: dict[str, Routine]
    constants: dict[str, Constant]
    aliases: dict[str, TypeName]
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fields: dict[tuple[str, str], Type] = field(default_factory=dict)

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The names of the leaves that routines call."""
        return frozenset(name for name, routine in self.routines.items() if routine.leaf)

    def reached(self, roots: Iterable[str]) -> set[str]:
        """Return the names of some routines and of all that they call."""
        found: set[str] = set()
        left = list(roots)
        while left:
            name = left.pop()
            if name in self.routines and name not in found:
                found.add(name)
                left += tree.called(self.routines[name])
        return found


def module(
    text: Text, plan: Mapping[str, Decision], values: Mapping[str, Value], roots: Iterable[str]
) -> Module:
    """Stage and check some routines of a text and all that they call.

    The members of a structure ``point`` are what the plan calls ``point.members``. One that is no element has
    the type ``point_member``, by the names of both. Raises
    :class:`EfdgenError` for a routine that is missing, does not pass the checker, or calls itself.
    """
    text = replace(text, aliases={name: written_in(kind, plan) for name, kind in text.aliases.items()})
    given = {name: value for name, value in values.items() if name in text.constants}
    integers = {name: value for name, value in given.items() if isinstance(value, int)}
    members = {
        name: _members(plan[f"{name}.members"]) for name in text.structures if f"{name}.members" in plan
    }
    checker = Checker(text, integers, members)
    for name, written in text.constants.items():
        if name in given or written.name in text.structures:
            checker.constants[name] = checker.resolved(written_in(written, plan))
    order = {name: at for at, name in enumerate(text.routines)}
    done: dict[str, Routine] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in done:
            return
        if name in above:
            raise EfdgenError(f"the routine {name} calls itself")
        routine = staged(text.routines[name], plan)
        for other in sorted(tree.called(routine) & order.keys(), key=order.__getitem__):
            visit(other, (*above, name))
        done[name] = checker.checked(routine)

    for root in roots:
        if root not in text.routines:
            raise EfdgenError(f"there is no routine {root}")
        visit(root, ())
    constants = {name: Constant(kind, given.get(name)) for name, kind in checker.constants.items()}
    return Module(done, constants, text.aliases, members, checker.fields)


def _members(names: Decision) -> tuple[str, ...]:
    assert isinstance(names, tuple)
    return tuple(name for name in names if isinstance(name, str))
