"""Names of routines in a language: types, functions and constants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import uses
from efdgen.generator.routines.names import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type


@dataclass(frozen=True)
class Bindings:
    """Names by the names in routines, where they differ.

    ``methods`` are functions that in Rust are methods of their first argument, ``in_place`` leaves that write
    their results there to their first arguments, as in C. ``blanks`` are what structures hold in Rust before
    they are written, and ``members`` the names of members. With ``lanes`` every value but a public number is
    one in each lane, and ``known`` are the types of items of tables that all lanes share.
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    methods: frozenset[str] = frozenset()
    in_place: frozenset[str] = frozenset()
    blanks: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, str] = field(default_factory=dict)
    lanes: bool = False
    known: Mapping[str, str] = field(default_factory=dict)


def require_apart(module: Module, printed: Iterable[str], bindings: Bindings, prefix: str = "") -> None:
    """Refuse functions that have one name, or a name that readers take for another thing.

    Methods of different types may share a name, and so may leaves, which are one function then. ``prefix`` is
    the start of names in C, and of no variable.
    """
    types = {own.removeprefix(prefix) for own in bindings.types.values()} if prefix else set()
    found: dict[tuple[str, Type | None], str] = {}
    for name in sorted(module.reached(printed)):
        routine = module.routines[name]
        own = bindings.functions.get(name, name).removeprefix(prefix)
        starting = sorted(found for found in uses.variables(routine) if prefix and found.startswith(prefix))
        if starting:
            raise EfdgenError(f"the variable {starting[0]} starts with {prefix}; choose another prefix")
        receiver = routine.parameters[0].type if name in bindings.methods else None
        other = found.setdefault((own, receiver), name)
        if other != name and not (routine.leaf and module.routines[other].leaf):
            raise EfdgenError(f"the routines {' and '.join(sorted((name, other)))} have one name, {own}")
        if own in FUNCTIONS | types:
            raise EfdgenError(f"the routine {name} cannot be called {own}")
