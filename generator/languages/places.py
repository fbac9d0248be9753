"""Variables that can serve as the place of a result, in languages where the caller provides it.

Routines have values, which nothing else reaches. A caller in C may give one array for a result and for an
argument of its type; arrays that overlap otherwise are not allowed. So a variable is written in its caller's
place only if no such argument is read after that, but item by item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines import tree

if TYPE_CHECKING:
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement


def in_place(routine: Routine) -> dict[int, str]:
    """Return the variables that may be in the caller's place, by the number of their result."""
    last = routine.body[-1] if routine.body else None
    if not isinstance(last, tree.Return):
        return {}
    given = {parameter.name for parameter in routine.parameters}
    return {
        at: value.name
        for at, (value, result) in enumerate(zip(last.values, routine.results, strict=True))
        if isinstance(value, tree.Name)
        and value.name == result.name
        and value.name not in given
        and not _read_late(
            routine.body, value.name, {p.name for p in routine.parameters if p.type == result.type}
        )
    }


def declared(routine: Routine) -> set[str]:
    """Return the names of a routine's variables, loops' apart."""
    found = [s.names for s in tree.statements(routine.body) if isinstance(s, tree.Declare)]
    return {name for names in found for name in names}


def _read_late(block: Block, variable: str, arguments: set[str]) -> bool:
    """Return whether one of some arguments is read after a variable was written, its own items apart."""
    written = False
    for statement in block:
        if written and _mentions(statement, arguments):
            return True
        if not _writes(statement, variable):
            continue
        if isinstance(statement, tree.For | tree.While) and _mentions(statement, arguments):
            if not (isinstance(statement, tree.For) and _by_items(statement, variable, arguments)):
                return True
        elif isinstance(statement, tree.If) and any(
            _read_late(inner, variable, arguments) for inner in tree.blocks(statement)
        ):
            return True
        written = True
    return False


def _by_items(loop: tree.For, variable: str, arguments: set[str]) -> bool:
    """Return whether iteration i of a loop accesses item i of everything, and reads before it writes."""
    item = tree.Name(loop.name)
    written = False
    for statement in loop.body:
        if tree.blocks(statement) or isinstance(statement, tree.Do):
            return False
        for expression in tree.expressions(statement):
            for part in _outermost(expression, arguments | {variable}):
                if not (isinstance(part, tree.Index) and part.index == item):
                    return False
        if written and _mentions(statement, arguments):
            return False
        written |= _writes(statement, variable)
    return True


def _outermost(expression: Expression, names: set[str]) -> list[Expression]:
    """Return the places of some variables in an expression, each with its innermost index."""
    if isinstance(expression, tree.Index) and isinstance(expression.base, tree.Name):
        own = [expression] if expression.base.name in names else []
        return own + _outermost(expression.index, names)
    if isinstance(expression, tree.Name):
        return [expression] if expression.name in names else []
    return [found for part in tree.operands(expression) for found in _outermost(part, names)]


def _writes(statement: Statement, variable: str) -> bool:
    return any(
        (isinstance(inner, tree.Declare) and variable in inner.names and inner.value is not None)
        or (isinstance(inner, tree.Assign) and tree.root(inner.target) == variable)
        or any(
            isinstance(part, tree.Call) and variable in map(tree.root, part.arguments)
            for expression in tree.expressions(inner)
            for part in tree.walk(expression)
        )
        for inner in tree.statements((statement,))
    )


def _mentions(statement: Statement, names: set[str]) -> bool:
    return any(
        isinstance(part, tree.Name) and part.name in names
        for inner in tree.statements((statement,))
        for expression in tree.expressions(inner)
        for part in tree.walk(expression)
    )
