"""Copies of expressions and statements of routines in which parts are changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.routines import tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.routines.tree import Block, Expression, Statement


def rebuilt(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Return an expression whose operands are changed."""
    match expression:
        case tree.Index(base, index):
            return replace(expression, base=change(base), index=change(index))
        case tree.Slice(base, start, stop):
            return replace(expression, base=change(base), start=change(start), stop=change(stop))
        case tree.Member(base):
            return replace(expression, base=change(base))
        case tree.Unary(_, operand) | tree.Convert(_, operand) | tree.Condition(operand) | tree.Mask(operand):
            return replace(expression, operand=change(operand))
        case tree.Binary(_, left, right):
            return replace(expression, left=change(left), right=change(right))
        case tree.Call(_, arguments):
            return replace(expression, arguments=tuple(change(argument) for argument in arguments))
        case _:
            return expression


def substituted(block: Block, name: str, value: Expression) -> Block:
    """Return statements with a value in the place of a name."""

    def changed(expression: Expression) -> Expression:
        found = rebuilt(expression, changed)
        return value if isinstance(found, tree.Name) and found.name == name else found

    return tuple(_with(statement, changed) for statement in block)


def _with(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """Return a statement whose expressions are changed, also in its blocks."""

    def within(block: Block) -> Block:
        return tuple(_with(inner, change) for inner in block)

    match statement:
        case tree.Declare(_, _, value):
            return replace(statement, value=value and change(value))
        case tree.Room(_, kind):
            lengths = (change(kind.lengths[0]), *kind.lengths[1:])
            return replace(statement, kind=replace(kind, lengths=lengths))
        case tree.Assign(target, _, value):
            return replace(statement, target=change(target), value=change(value))
        case tree.Receive(targets, call):
            return replace(statement, targets=tuple(map(change, targets)), call=change(call))
        case tree.Do(call):
            return replace(statement, call=change(call))
        case tree.Hide(place):
            return replace(statement, place=change(place))
        case tree.Return(values):
            return replace(statement, values=tuple(map(change, values)))
        case tree.For(_, start, stop):
            of = statement.of and change(statement.of)
            return replace(
                statement, start=change(start), stop=change(stop), body=within(statement.body), of=of
            )
        case tree.While(condition, body):
            return replace(statement, condition=change(condition), body=within(body))
        case tree.If(condition, then, otherwise):
            return replace(
                statement, condition=change(condition), then=within(then), otherwise=within(otherwise)
            )
        case _:
            return statement
