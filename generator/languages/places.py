"""Variables that can serve as the place of a result, in languages where the caller provides it.

Routines have values, which nothing else reaches. A caller in C may give one place for a result and for an
argument of its type; places that overlap otherwise are not allowed. So a variable is written in its caller's
place only if no part of such an argument is read after the same part of the variable was written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.routines import tree
from efdgen.generator.routines.exclusive import overlap
from efdgen.generator.routines.types import Array, has_rows_of_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type


def in_place(routine: Routine) -> dict[int, str]:
    """Return the variables that may be in the caller's place, by the number of their result."""
    last = routine.body[-1] if routine.body else None
    returns = [inner for inner in tree.statements(routine.body) if isinstance(inner, tree.Return)]
    if not isinstance(last, tree.Return) or len(returns) > 1:
        return {}
    given = {parameter.name for parameter in routine.parameters}
    return {
        at: value.name
        for at, (value, result) in enumerate(zip(last.values, routine.results, strict=True))
        if isinstance(value, tree.Name)
        and value.name == result.name
        and value.name not in given
        and not _Shared(value.name, {p.name for p in routine.parameters if p.type == result.type}).late(
            routine.body
        )
    }


def declared(routine: Routine) -> set[str]:
    """Return the names of a routine's variables, loops' apart."""
    found = [s.names for s in tree.statements(routine.body) if isinstance(s, tree.Declare)]
    rooms = {s.name for s in tree.statements(routine.body) if isinstance(s, tree.Room)}
    return rooms.union(*found)


def given_variables(module: Module) -> set[tuple[str, str]]:
    """Return the arrays of arrays that get variables alone: each by its routine, and its parameter's name.

    C does not convert rows of variables to constant rows, so these parameters are not constant there.
    """
    routines = module.routines.values()
    found = {(routine.name, p.name) for routine in routines for p in routine.parameters if _has_rows(p.type)}
    # A parameter that is constant after all makes those constant that it is given to.
    while constant := {each for routine in routines for each in _given_constants(module, routine, found)}:
        found -= constant
    return found


def _given_constants(module: Module, routine: Routine, found: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the parameters, of those found, that get something other than a variable in a routine."""
    changed = {p.name for p in routine.parameters if p.mode or (routine.name, p.name) in found}
    own = declared(routine) | changed
    return {
        (call.function, parameter.name)
        for call in tree.calls(routine)
        for argument, parameter in zip(call.arguments, module.routines[call.function].parameters, strict=True)
        if tree.root(argument) not in own
    } & found


def _has_rows(kind: Type | None) -> bool:
    return isinstance(kind, Array) and isinstance(kind.item, Array) and not has_rows_of_bytes(kind)


_ANY = tree.Name("")


class _Shared:
    """A variable in the place of one of some arguments, and the parts of it that were written."""

    def __init__(self, variable: str, arguments: set[str]) -> None:
        self._variable, self._arguments = variable, arguments
        self._written: list[Expression] = []

    def late(self, block: Block) -> bool:
        """Return whether a part of an argument is read that may hold the variable's value by then."""
        return any(self._is_late(statement) for statement in block)

    def _is_late(self, statement: Statement) -> bool:
        read, writes = [*_read(statement, self._arguments)], [*_written(statement, self._variable)]
        if any(overlap(part, place) for part in read for place in self._written):
            return True
        before = self._written
        if isinstance(statement, tree.If):
            for branch in tree.blocks(statement):
                self._written = [*before]
                if self.late(branch):
                    return True
        self._written = [*before, *writes]
        both = [(one, other) for one in read for other in writes if overlap(one, other)]
        match statement:
            case tree.If():
                return False
            case tree.For():
                return bool(both) and not self._by_items(statement)
            case tree.While():
                return bool(both)
            case _:
                # A call may write a result over an argument, but not over a part of it, nor over more; an
                # argument that it changes is apart from the others.
                given = [*_given(statement, self._variable)]
                return any(_depth(one) != _depth(other) or other in given for one, other in both)

    def _by_items(self, loop: tree.For) -> bool:
        """Return whether iteration i of a loop accesses item i of everything, and reads before it writes."""
        item = tree.Name(loop.name)
        written = False
        for statement in loop.body:
            if tree.blocks(statement) or isinstance(statement, tree.Do):
                return False
            for expression in tree.expressions(statement):
                for place in _places(expression, self._arguments | {self._variable}):
                    first = _first(place)
                    if not (isinstance(first, tree.Index) and first.index == item):
                        return False
            if written and [*_read(statement, self._arguments)]:
                return False
            written |= any(True for _ in _written(statement, self._variable))
        return True


def _written(statement: Statement, variable: str) -> Iterator[Expression]:
    """Yield the parts of a variable that a statement may write."""
    for inner in tree.statements((statement,)):
        targets: tuple[Expression, ...] = ()
        match inner:
            case tree.Declare(names, _, value) if variable in names and value is not None:
                yield _ANY
            case tree.Assign(target):
                targets = (target,)
            case tree.Receive(targets):
                pass
        yield from (_part(target) for target in targets if tree.root(target) == variable)
        yield from _given(inner, variable)


def _given(statement: Statement, variable: str) -> Iterator[Expression]:
    """Yield the parts of a variable that a statement gives to calls, which may change them."""
    for expression in tree.expressions(statement):
        called = [part for part in tree.walk(expression) if isinstance(part, tree.Call)]
        given = [argument for call in called for argument in call.arguments]
        yield from (_part(argument) for argument in given if tree.root(argument) == variable)


def _read(statement: Statement, names: set[str]) -> Iterator[Expression]:
    """Yield the parts of some variables that a statement mentions."""
    for inner in tree.statements((statement,)):
        for expression in tree.expressions(inner):
            yield from map(_part, _places(expression, names))


def _places(expression: Expression, names: set[str]) -> Iterator[Expression]:
    """Yield the places of some variables in an expression, also in indices."""
    if not tree.root(expression):
        for part in tree.operands(expression):
            yield from _places(part, names)
        return
    if tree.root(expression) in names:
        yield expression
    while isinstance(expression, tree.Part):
        if isinstance(expression, tree.Index):
            yield from _places(expression.index, names)
        expression = expression.base


def _part(place: Expression) -> Expression:
    """Return a place as a part of any variable, to be compared with parts of others."""
    if isinstance(place, tree.Part):
        return replace(place, base=_part(place.base))
    return _ANY


def _first(place: Expression) -> Expression:
    """Return the first step of a place from its variable."""
    while isinstance(place, tree.Part) and isinstance(place.base, tree.Part):
        place = place.base
    return place


def _depth(part: Expression) -> int:
    return 1 + _depth(part.base) if isinstance(part, tree.Part) else 0
