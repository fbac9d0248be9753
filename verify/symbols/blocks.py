"""Runs of some statements of a routine: the steps of proofs by induction over a loop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines import tree
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import INT
from efdgen.verify.symbols.integers import Symbolic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from efdgen.generator.routines.integers import Integers
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Routine, Statement
    from efdgen.generator.routines.types import Type


@dataclass(frozen=True)
class Blocks:
    """Runs of statements of one routine of a module."""

    module: Module
    routine: Routine

    def run(
        self,
        block: Iterable[Statement],
        values: Mapping[str, Any],
        contracts: Mapping[str, Callable[..., list[Any]]] | None = None,
        constants: Mapping[str, Any] | None = None,
        made: Iterable[str] = (),
        meaning: Integers | None = None,
    ) -> dict[str, Any]:
        """Run statements on the values of variables; return what these become, and variables ``made`` there.

        ``contracts`` are in the place of routines and leaves, ``constants`` values of constants; ``meaning``
        is what operators mean, of symbols if it is left out.
        """
        kinds, names = types_of(self.routine), tuple(made)
        own = replace(
            self.routine,
            parameters=tuple(
                tree.Parameter(name, tree.TypeName(""), "inout", type=kinds.get(name, INT)) for name in values
            ),
            results=tuple(tree.Result(tree.TypeName(""), type=kinds[name]) for name in names),
            body=(*block, tree.Return(tuple(map(tree.Name, names)))),
        )
        known = replace(self.module, routines={**self.module.routines, own.name: own})
        run = Interpreter(known, contracts, constants, meaning or Symbolic())
        changed, results = run.run(own.name, *values.values())
        return dict(zip((*values, *names), (*changed, *results), strict=True))


def types_of(routine: Routine) -> dict[str, Type]:
    """Return the types of a routine's parameters and variables."""
    found = {p.name: p.type for p in routine.parameters if p.type is not None}
    for statement in tree.statements(routine.body):
        if isinstance(statement, tree.Declare):
            found |= dict(zip(statement.names, statement.types, strict=True))
    return found


def without_comments(block: Block) -> list[Statement]:
    """Return the statements of a block that do something."""
    return [statement for statement in block if not isinstance(statement, tree.Comment)]
