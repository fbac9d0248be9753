"""Names in a routine: what each denotes, block by block."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.routines.tree import Expression, Routine, Statement
    from efdgen.generator.routines.types import Type


class Scope:
    """The names that statements of a routine may use.

    ``types`` are their types, ``assigned`` the names that may be assigned, and ``own`` the names that the
    innermost block has declared. ``routines`` may be called, ``members`` are the names of members by
    structure, ``fields`` the types of those that are no elements, ``integers`` the values of constants, and
    ``kinds`` the types that numbers are converted to.
    """

    def __init__(
        self,
        routine: Routine,
        routines: Mapping[str, Routine],
        members: Mapping[str, tuple[str, ...]],
        constants: Mapping[str, Type],
        integers: Mapping[str, int],
        fields: Mapping[tuple[str, str], Type],
        kinds: Mapping[str, Type],
    ) -> None:
        self.routine, self.routines, self.members = routine, routines, members
        self.integers, self.fields, self.kinds = integers, fields, kinds
        self.types: dict[str, Type] = dict(constants)
        self.assigned: set[str] = set()
        self.own: set[str] = set()

    def wrong(self, node: Expression | Statement, reason: str) -> EfdgenError:
        """Return an error with the routine and the line of a node."""
        return EfdgenError(f"{self.routine.name}, line {node.at.line}: {reason}")

    def declare(self, name: str, kind: Type, changes: bool, line: int) -> None:
        """Give a new name its type."""
        if name in self.types:
            raise EfdgenError(f"{self.routine.name}, line {line}: {name} is declared already")
        self.require_name(name, line)
        self.types[name] = kind
        if changes:
            self.assigned.add(name)

    def require_name(self, name: str, line: int) -> None:
        """Refuse a name that languages or readers have for another thing."""
        if not names.is_variable(name):
            raise EfdgenError(f"{self.routine.name}, line {line}: {name} is no name for a variable")

    @contextmanager
    def block(self) -> Iterator[None]:
        """Enter a block, whose declarations end with it."""
        before = dict(self.types), set(self.assigned), self.own
        self.own = set()
        yield
        self.types, self.assigned, self.own = before
