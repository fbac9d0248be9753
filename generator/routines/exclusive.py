"""Exclusive access: nothing else in a statement reaches a place that one of its calls changes.

Places are variables, items of arrays and members of structures, of any type. Two of them are apart only if
they differ in a variable, in a number of an item, or in the name of a member. The result of a call may take
the place of one of its arguments, but not of a part of one, nor of a whole that one is a part of.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from efdgen.generator.routines import tree
from efdgen.generator.routines.types import is_aggregate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type


@dataclass(frozen=True)
class Access:
    """A place in a statement: read by address or by value, the target of a result, or changed by a call."""

    place: Expression
    use: Literal["address", "value", "target", "changed"]

    def meets(self, other: Access) -> bool:
        """Return whether two accesses of one statement exclude each other."""
        uses = {self.use, other.use}
        exclusive = "changed" in uses or uses == {"target"}
        target = self if self.use == "target" else other
        nested = (
            uses == {"target", "address"}
            and is_aggregate(target.place.type)
            and len(_path(self.place)) != len(_path(other.place))
        )
        return (exclusive or nested) and overlap(self.place, other.place)


def conflict(statement: Statement, routine: Routine, routines: Mapping[str, Routine]) -> str:
    """Return the name of a variable that a statement changes and reaches otherwise, or an empty text."""
    targets: tuple[Expression, ...] = ()
    values = tree.expressions(statement)
    match statement:
        case tree.Assign(target, operator) if not operator:
            targets, values = (target,), values[1:]
        case tree.Receive(targets):
            values = values[len(targets) :]
        case tree.Declare(names, again=True):
            targets = tuple(
                tree.Name(name, type=kind) for name, kind in zip(names, statement.types, strict=True)
            )
        case tree.Return():
            each = zip(values, routine.results, strict=True)
            found = (
                _conflict(_arguments(routine, result.type), (value,), routines) for value, result in each
            )
            return next(filter(None, found), "")
    return _conflict(targets, values, routines)


def _arguments(routine: Routine, kind: Type | None) -> tuple[Expression, ...]:
    """Return the arguments in whose place a caller may want a result."""
    return tuple(tree.Name(p.name, type=kind) for p in routine.parameters if p.type == kind)


def _conflict(
    targets: Iterable[Expression], values: Iterable[Expression], routines: Mapping[str, Routine]
) -> str:
    found = [Access(target, "target") for target in targets]
    for target in targets:
        found += _within(target, routines)
    for value in values:
        found += _accesses(value, routines)
    return next((tree.root(one.place) for one, other in combinations(found, 2) if one.meets(other)), "")


def read_late(statement: tree.Return, routine: Routine) -> Expression | None:
    """Return a result that depends on an argument, in whose place an earlier result may be written by then.

    A number is returned after all results that have a place.
    """
    given = {p.name for p in routine.parameters if is_aggregate(p.type)}
    placed = [value for value in statement.values if is_aggregate(value.type)]
    numbers = [value for value in statement.values if not is_aggregate(value.type)]
    late = [*placed[1:], *(numbers if placed else ())]
    return next((value for value in late if given.intersection(map(tree.root, tree.walk(value)))), None)


def changed(block: Block, routines: Mapping[str, Routine]) -> Iterator[str]:
    """Yield the variables that statements assign, or that calls in them change."""
    for statement in tree.statements(block):
        match statement:
            case tree.Assign(target):
                yield tree.root(target)
            case tree.Receive(targets):
                yield from map(tree.root, targets)
            case tree.Hide(place):
                yield tree.root(place)
        for expression in tree.expressions(statement):
            for access in _accesses(expression, routines):
                if access.use == "changed":
                    yield tree.root(access.place)


def overlap(one: Expression, other: Expression) -> bool:
    """Return whether two places may have a part in common."""
    first, second = _path(one), _path(other)
    return not any(_apart(a, b) for a, b in zip(first, second, strict=False))


def _apart(one: Expression, other: Expression) -> bool:
    """Return whether one step of two paths leads apart."""
    match one, other:
        case tree.Index(_, tree.Number(first)), tree.Index(_, tree.Number(second)):
            return first != second
        case (tree.Member(_, left), tree.Member(_, right)) | (tree.Name(left), tree.Name(right)):
            return left != right
        case _:
            return False


def _path(place: Expression) -> list[Expression]:
    """Return the variable of a place, and each part of it that leads to the place."""
    path = [place]
    while isinstance(path[-1], tree.Part):
        path.append(path[-1].base)
    return path[::-1]


def _accesses(
    expression: Expression, routines: Mapping[str, Routine], use: Literal["address", "value"] = "address"
) -> Iterator[Access]:
    """Yield the places of an expression, also in its calls.

    Calls within a call return numbers, and have ended before the outer one writes its result.
    """
    if tree.root(expression):
        yield Access(expression, use if is_aggregate(expression.type) else "value")
        yield from _within(expression, routines)
        return
    modes: list[str] = []
    if isinstance(expression, tree.Call) and expression.function in routines:
        modes = [parameter.mode for parameter in routines[expression.function].parameters]
    for number, operand in enumerate(tree.operands(expression)):
        if modes and modes[number]:
            yield Access(operand, "changed")
            yield from _within(operand, routines)
        else:
            yield from _accesses(operand, routines, use if tree.root(operand) else "value")


def _within(place: Expression, routines: Mapping[str, Routine]) -> Iterator[Access]:
    """Yield the places that the indices of a place read."""
    for part in _path(place):
        if isinstance(part, tree.Index):
            yield from _accesses(part.index, routines)
