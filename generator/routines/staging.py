"""Staging of routines by a plan: its decisions are folded, dead branches removed, static loops unrolled."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.rewriting import rebuilt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName

Decision: TypeAlias = "int | str | tuple[Decision, ...]"
"""A number, a text, the name of a member, or a list for a static loop, whose items may have parts."""

_FOLDED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "and": lambda a, b: int(bool(a) and bool(b)),
    "or": lambda a, b: int(bool(a) or bool(b)),
}

_COMPARED = frozenset(["==", "!=", "<", "<=", ">", ">="])


def staged(routine: Routine, plan: Mapping[str, Decision]) -> Routine:
    """Fold what a plan decides; names of a plan have a dot, as ``window.width``, and no variable before it.

    Raises :class:`EfdgenError` for a name that the plan lacks, and a ``static if`` that it does not decide.
    """
    stage = _Stage(routine.name, plan, uses.variables(routine))
    return replace(
        routine,
        parameters=tuple(stage.parameters(routine.parameters)),
        results=tuple(replace(r, kind=stage.kind(r.kind)) for r in routine.results),
        doc=stage.text(routine.doc),
        body=stage.block(routine.body),
    )


def written_in(kind: TypeName, plan: Mapping[str, Decision]) -> TypeName:
    """Return a type whose lengths a plan decides."""
    return _Stage(kind.name, plan).kind(kind)


def folded(operator: str, left: int, right: int) -> int:
    """Return the value of an operator on integers; division rounds down."""
    if operator in ("/", "%") and right == 0:
        raise EfdgenError("a routine divides by 0")
    return _FOLDED[operator](left, right)


def constant(expression: Expression, values: Mapping[str, int]) -> int | None:
    """Return the value of an expression of numbers and names with a value; None for any other."""
    match expression:
        case tree.Number(value):
            return value
        case tree.Name(name):
            return values.get(name)
        case tree.Binary(operator, left, right):
            one, other = constant(left, values), constant(right, values)
            return None if one is None or other is None else folded(operator, one, other)
    return None


class _Stage:
    def __init__(self, name: str, plan: Mapping[str, Decision], variables: Collection[str] = ()) -> None:
        self._name, self._plan, self._variables = name, plan, variables
        self._items: dict[str, Decision] = {}
        """The items of open static loops by the names that these have for them."""
        self._turns: dict[str, tuple[int, int | None]] = {}
        """The first values of loops' variables, and those after the last where these are known."""
        self._lengths: dict[str, Expression] = {}
        """The lengths of arrays, by the names of parameters and variables."""

    def text(self, text: str) -> str:
        """Return a comment with the plan's values for their names in braces."""
        return re.sub(r"\{([a-z_]+\.[a-z_]+|[a-z]+)\}", lambda found: str(self._value(found[1])), text)

    def kind(self, kind: TypeName) -> TypeName:
        """Return a type whose lengths are folded."""
        return replace(kind, lengths=tuple(map(self._expression, kind.lengths)))

    def declared(self, name: str, kind: TypeName) -> TypeName:
        """Return the type of a variable, whose lengths are folded; the first is remembered."""
        found = self.kind(kind)
        if found.lengths:
            self._lengths[name] = found.lengths[0]
        return found

    def parameters(self, given: Iterable[tree.Parameter]) -> Iterator[tree.Parameter]:
        """Yield the parameters that are there."""
        for each in given:
            wanted = each.condition and self._expression(each.condition)
            if wanted is None or (isinstance(wanted, tree.Number) and wanted.value):
                yield replace(each, kind=self.declared(each.name, each.kind), condition=None)

    def block(self, block: Block) -> Block:
        return tuple(part for statement in block for part in self._statement(statement))

    def _statement(self, statement: Statement) -> Block:
        match statement:
            case tree.Comment(text):
                return (replace(statement, text=self.text(text)),)
            case tree.If(condition, then, otherwise, static):
                found = self._expression(condition)
                if isinstance(found, tree.Number):
                    return self.block(then if found.value else otherwise)
                if static:
                    raise EfdgenError(
                        f"{self._name}, line {statement.at.line}: the plan does not decide this"
                    )
                return (
                    replace(
                        statement, condition=found, then=self.block(then), otherwise=self.block(otherwise)
                    ),
                )
            case tree.For():
                return self._loop(statement)
            case tree.Each():
                return self._unrolled(statement)
            case tree.While(condition, body):
                return (replace(statement, condition=self._expression(condition), body=self.block(body)),)
            case tree.Declare(_, _, value):
                kind = statement.kind and self.declared(statement.names[0], statement.kind)
                return (replace(statement, kind=kind, value=value and self._expression(value)),)
            case tree.Room(_, kind):
                return (replace(statement, kind=self.kind(kind)),)
            case tree.Receive(targets, call):
                places = tuple(map(self._expression, targets))
                return (replace(statement, targets=places, call=self._expression(call)),)
            case tree.Assign(target, _, value):
                return (replace(statement, target=self._expression(target), value=self._expression(value)),)
            case tree.Do(call):
                return (replace(statement, call=self._expression(call)),)
            case tree.Hide(place):
                return (replace(statement, place=self._expression(place)),)
            case tree.Return(values):
                return (replace(statement, values=tuple(map(self._expression, values))),)
            case _:
                raise AssertionError(statement)

    def _unrolled(self, loop: tree.Each) -> Block:
        """Return the statements of a static loop for each item."""
        found: list[Statement] = []
        items = self._value(loop.of)
        if not isinstance(items, tuple):
            raise EfdgenError(f"{self._name}, line {loop.at.line}: {loop.of} is no list")
        for item in items:
            parts = item if isinstance(item, tuple) else (item,)
            self._items |= dict(zip(loop.names, parts, strict=True))
            found += self.block(loop.body)
        for name in loop.names:
            self._items.pop(name, None)
        return tuple(found)

    def _loop(self, loop: tree.For) -> Block:
        """Return a loop, in whose body comparisons are folded if all iterations agree."""
        start, stop = self._expression(loop.start), self._expression(loop.stop)
        of = loop.of and self._expression(loop.of)
        first = start.value if isinstance(start, tree.Number) else None
        own = self._lengths.get(of.name) if isinstance(of, tree.Name) else None
        length = own if of else stop
        end = length.value if isinstance(length, tree.Number) else None
        if first is not None and end is not None and first >= end:
            return ()
        if first is not None:
            self._turns[loop.name] = first, end
        body = self.block(loop.body)
        self._turns.pop(loop.name, None)
        return (replace(loop, start=start, stop=stop, body=body, of=of),)

    def _decided(self, operator: str, name: str, number: int) -> int | None:
        """Return whether a loop's variable compares so with a number in all iterations; None if it varies."""
        first, end = self._turns[name]
        last = max(first, number) + 1 if end is None else end - 1
        turns = {first, last, *(turn for turn in (number - 1, number, number + 1) if first <= turn <= last)}
        found = {folded(operator, turn, number) for turn in turns}
        return found.pop() if len(found) == 1 else None

    def _expression(self, expression: Expression) -> Expression:
        match expression:
            case tree.Member(tree.Name(group), name) if not (group in self._variables or group.isupper()):
                return self._number(f"{group}.{name}", expression)
            case tree.Name(name) if name in self._items:
                return self._number(name, expression)
            case tree.Member(_, name) if name[0] == "{":
                member = self._value(name[1:-1])
                if not isinstance(member, str):
                    raise EfdgenError(f"{self._name}, line {expression.at.line}: {member} is no member")
                expression = replace(expression, name=member)
        found = rebuilt(expression, self._expression)
        match found:
            case tree.Binary(operator, tree.Number(left), tree.Number(right)) if operator in _FOLDED:
                return tree.Number(folded(operator, left, right), at=found.at)
            case tree.Binary(operator, tree.Name(name), tree.Number(number)) if (
                name in self._turns and operator in _COMPARED
            ):
                decided = self._decided(operator, name, number)
                return found if decided is None else tree.Number(decided, at=found.at)
            case (
                tree.Binary("*", tree.Number(1), other)
                | tree.Binary("*", other, tree.Number(1))
                | tree.Binary("+", tree.Number(0), other)
            ):
                return other
            case tree.Binary("*", tree.Number(0) as zero, _):
                return zero
            case tree.Binary("and" | "or" as operator, tree.Number(left), right):
                return right if bool(left) == (operator == "and") else tree.Number(left, at=found.at)
            case tree.Binary("and" | "or" as operator, left, tree.Number(right)):
                return left if bool(right) == (operator == "and") else tree.Number(right, at=found.at)
            case tree.Unary("not", tree.Number(value)):
                return tree.Number(int(not value), at=found.at)
            case _:
                return found

    def _number(self, path: str, expression: Expression) -> Expression:
        value = self._value(path)
        if isinstance(value, int):
            return tree.Number(int(value), at=expression.at)
        if isinstance(value, str):  # a length that a call gives
            return tree.Name(value, at=expression.at)
        raise EfdgenError(f"{self._name}, line {expression.at.line}: {path} is no number")

    def _value(self, path: str) -> Decision:
        if path in self._items:
            return self._items[path]
        if path not in self._plan:
            raise EfdgenError(f"{self._name}: the plan has no {path}")
        return self._plan[path]
