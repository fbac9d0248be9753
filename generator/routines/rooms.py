"""Rooms: arrays of routines whose length is no constant, in memory that C's caller gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines import tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.routines.tree import Expression, Routine
    from efdgen.generator.routines.types import Array

SCRATCH = "scratch"
"""The name of that memory."""


def length_text(length: Expression) -> str | None:
    """Return a length as types have it: a name, or a number times a name; None for any other."""
    match length:
        case tree.Name(name):
            return name
        case tree.Binary("*", tree.Number(factor), tree.Name(name)):
            return f"{factor} * {name}"
    return None


def length_of(kind: Array) -> Expression:
    """Return the length of an array."""
    if isinstance(kind.length, int):
        return tree.Number(kind.length)
    factor, _, name = kind.length.rpartition(" * ")
    return tree.Binary("*", tree.Number(int(factor)), tree.Name(name)) if factor else tree.Name(name)


def with_rooms(routines: Mapping[str, Routine]) -> frozenset[str]:
    """Return the names of routines that have rooms, or call such routines; each is after what it calls."""
    found: set[str] = set()
    for name, routine in routines.items():
        own = any(isinstance(statement, tree.Room) for statement in tree.statements(routine.body))
        if own or found & tree.called(routine):
            found.add(name)
    return frozenset(found)
