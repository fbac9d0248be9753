"""Erasure of secrets: arrays, rooms and structures of a routine that depend on one, where their blocks end.

Secrets are machine integers and numbers modulo the order among the arguments, and values computed from them.
A routine whose name ends in ``_var`` erases nothing. Points alone are no secrets, and results stay. C erases
all of these variables, Rust rooms alone: memory of the heap, which others are given as it is left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.types import Array, Integer, Structure, is_aggregate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type


def erasing(module: Module, *, rooms_alone: bool = False) -> Module:
    """Return a module whose routines erase their secret variables, other than those in a caller's place."""
    routines = {
        name: routine
        if routine.leaf or routine.variable
        else _Erasing(routine, module.routines, rooms_alone).routine()
        for name, routine in module.routines.items()
    }
    return replace(module, routines=routines)


class _Erasing:
    def __init__(self, routine: Routine, routines: Mapping[str, Routine], rooms_alone: bool) -> None:
        self._routine, self._routines, self._rooms_alone = routine, routines, rooms_alone
        self._secret = {p.name for p in routine.parameters if _is_secret_kind(p.type)}
        known = -1
        while known != len(self._secret):
            known = len(self._secret)
            for statement in tree.statements(routine.body):
                self._secret.update(self._written(statement))

    def routine(self) -> Routine:
        """Return the routine with its erasures."""
        return replace(self._routine, body=self._block(self._routine.body, ()))

    def _written(self, statement: Statement) -> Iterator[str]:
        """Yield the variables that a statement makes depend on a secret."""
        match statement:
            case tree.Declare(names, _, value) if value is not None and self._is_secret(value):
                yield from names
            case tree.Assign(target, _, value) if self._is_secret(value):
                yield tree.root(target)
            case tree.Receive(targets, call) if self._is_secret(call):
                yield from map(tree.root, targets)
        for expression in tree.expressions(statement):
            for call in tree.walk(expression):
                if isinstance(call, tree.Call) and self._is_secret(call):
                    parameters = self._routines[call.function].parameters
                    given = zip(call.arguments, parameters, strict=True)
                    yield from (tree.root(argument) for argument, parameter in given if parameter.mode)

    def _is_secret(self, value: Expression) -> bool:
        return any(isinstance(part, tree.Name) and part.name in self._secret for part in tree.walk(value))

    def _block(self, block: Block, outer: tuple[str, ...]) -> Block:
        """Return a block with erasures at its end, and of variables of ``outer`` blocks where it returns."""
        own: tuple[str, ...] = ()
        found: list[Statement] = []
        for statement in block:
            if isinstance(statement, tree.Declare) and not (statement.again or self._rooms_alone):
                kinds = zip(statement.names, statement.types, strict=True)
                own += tuple(name for name, kind in kinds if name in self._secret and is_aggregate(kind))
            elif isinstance(statement, tree.Room) and statement.name in self._secret:
                own += (statement.name,)
            found.append(self._statement(statement, outer + own))
        if own and not isinstance(found[-1], tree.Return):
            found.append(tree.Erase(own))
        return tuple(found)

    def _statement(self, statement: Statement, erased: tuple[str, ...]) -> Statement:
        match statement:
            case tree.For() | tree.While():
                return replace(statement, body=self._block(statement.body, erased))
            case tree.If(_, then, otherwise):
                then, otherwise = self._block(then, erased), self._block(otherwise, erased)
                return replace(statement, then=then, otherwise=otherwise)
            case tree.Return(values):
                self._require_kept(values, erased)
                return replace(statement, erased=erased)
            case _:
                return statement

    def _require_kept(self, values: tuple[Expression, ...], erased: tuple[str, ...]) -> None:
        """Raise :class:`EfdgenError` for a value that is computed after what it reads is erased.

        C copies arrays and structures to a caller's place before.
        """
        for value, result in zip(values, self._routine.results, strict=True):
            copied = is_aggregate(result.type) and not self._rooms_alone
            for part in () if copied else tree.walk(value):
                if isinstance(part, tree.Name) and part.name in erased:
                    raise EfdgenError(f"{self._routine.name}: what it returns of {part.name} has a name")


def _is_secret_kind(kind: Type | None) -> bool:
    while isinstance(kind, Array):
        kind = kind.item
    return isinstance(kind, Integer) or kind == Structure("number")
