"""Interpreter of routines over Python's integers: the reference for every printed language.

A sum that leaves its type, an index outside of its array and a read of what was never written are errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.routines import tree
from efdgen.generator.routines.staging import folded
from efdgen.generator.routines.types import Array, Integer, described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type

# An integer, an array of values, or an item that nothing was written to.
Value: TypeAlias = "int | list[Value] | None"
_BITS = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}


class RoutineError(ArithmeticError):
    """An operation that no routine may perform, with its name and line."""


class Interpreter:
    """Runs routines of a module; arrays are lists, and what a routine changes is changed in place.

    Structures are integers. ``leaves`` are functions by their names, which return what ``inout`` parameters
    become, and then results; ``constants`` are the values of those that are made of structures.
    """

    def __init__(
        self,
        module: Module,
        leaves: Mapping[str, Callable[..., list[Value]]] | None = None,
        constants: Mapping[str, Value] | None = None,
    ) -> None:
        self.module, self.leaves, self.constants = module, leaves or {}, constants or {}

    def call(self, name: str, *arguments: Value) -> list[Value]:
        """Run a routine, and return its results."""
        return _Run(self, self.module.routines[name], arguments).results


class _Run:
    """One call of a routine, and the values of its variables."""

    def __init__(self, given: Interpreter, routine: Routine, arguments: tuple[Value, ...]) -> None:
        self._given, self._module, self._routine = given, given.module, routine
        self._values: dict[str, Value] = {}
        self.results: list[Value] = []
        for parameter, value in zip(routine.parameters, arguments, strict=True):
            kind = parameter.type
            # A value: what the caller has is changed through inout alone.
            self._values[parameter.name] = value if parameter.mode else _copied(value)
            if isinstance(kind, Array) and isinstance(kind.length, str):
                assert isinstance(value, list | tuple)
                self._values[kind.length] = len(value)
        self._block(routine.body)

    def _wrong(self, node: Expression | Statement, reason: str) -> RoutineError:
        return RoutineError(f"{self._routine.name}, line {node.at.line}: {reason}")

    def _block(self, block: Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case tree.Declare(names, _, value):
                found = self._evaluated(value, statement.types) if value else [_blank(statement.types[0])]
                self._values |= dict(zip(names, found, strict=True))
            case tree.Assign(target, operator, value):
                if operator:
                    value = tree.Binary(operator, target, value, at=statement.at, type=target.type)
                assert target.type is not None
                self._store(target, self._evaluated(value, (target.type,))[0])
            case tree.Do(call):
                self._called(call)
            case tree.Return(values):
                types = [result.type for result in self._routine.results]
                self.results = [
                    self._evaluated(value, (kind,))[0]
                    for value, kind in zip(values, types, strict=True)
                    if kind
                ]
            case tree.For(name, start, stop, down, body):
                turns = range(self._number(start), self._number(stop))
                for turn in reversed(turns) if down else turns:
                    self._values[name] = turn
                    self._block(body)
            case tree.While(condition, body):
                while self._value(condition):
                    self._block(body)
            case tree.If(condition, then, otherwise):
                self._block(then if self._value(condition) else otherwise)

    def _evaluated(self, value: Expression, types: tuple[Type, ...]) -> list[Value]:
        """Return the values of an expression, copied; a number fills an array."""
        if isinstance(value, tree.Number):
            return [_filled(types[0], value.value)]
        if isinstance(value, tree.Call) and value.function in self._module.routines:
            return self._called(value)
        return [_copied(self._value(value))]

    def _called(self, call: Expression) -> list[Value]:
        assert isinstance(call, tree.Call)
        routine = self._module.routines[call.function]
        arguments = tuple(map(self._value, call.arguments))
        changed = [
            (argument, p.name)
            for argument, p in zip(call.arguments, routine.parameters, strict=True)
            if p.mode
        ]
        if routine.leaf:
            found = self._given.leaves[call.function](*arguments)
            values, results = found[: len(changed)], found[len(changed) :]
        else:
            run = _Run(self._given, routine, arguments)
            values, results = [run._values[name] for _, name in changed], run.results
        for (argument, _), value in zip(changed, values, strict=True):
            self._store(argument, value)
        return results

    def _store(self, target: Expression, value: Value) -> None:
        if isinstance(target, tree.Index):
            self._array(target.base)[self._place(target)] = value
            return
        assert isinstance(target, tree.Name)
        known = self._values[target.name]
        if isinstance(known, list) and isinstance(value, list):
            known[:] = value
        else:
            self._values[target.name] = value

    def _place(self, index: tree.Index) -> int:
        at, array = self._number(index.index), self._array(index.base)
        if not 0 <= at < len(array):
            raise self._wrong(index, f"item {at} of {len(array)}")
        return at

    def _number(self, expression: Expression) -> int:
        found = self._value(expression)
        assert isinstance(found, int)
        return found

    def _array(self, expression: Expression) -> list[Value]:
        found = self._value(expression)
        assert isinstance(found, list)
        return found

    def _value(self, expression: Expression) -> Value:
        match expression:
            case tree.Number(value):
                return value
            case tree.Name(name):
                if name in self._values:
                    return self._values[name]
                return _copied(self._given.constants.get(name, self._module.constants[name].value))
            case tree.Index(base):
                found = self._array(base)[self._place(expression)]
                if found is None:
                    raise self._wrong(expression, "this was never written")
                return found
            case tree.Convert(_, operand):
                value = self._number(operand)
                return expression.type.wrapped(value) if isinstance(expression.type, Integer) else value
            case tree.Call("mask", (bit,)):
                assert isinstance(expression.type, Integer)
                value = self._number(bit)
                if value not in (0, 1):
                    raise self._wrong(expression, f"a mask of {value}")
                return expression.type.high * value
            case tree.Call():
                return self._called(expression)[0]
            case tree.Unary(operator, operand):
                return self._unary(expression, operator, self._number(operand))
            case tree.Binary(operator, left, right):
                return self._binary(expression, operator, left, right)
            case _:
                raise AssertionError(expression)

    def _unary(self, expression: Expression, operator: str, value: int) -> int:
        if operator == "not":
            return int(not value)
        if operator == "~":
            assert isinstance(expression.type, Integer)
            return expression.type.high ^ value
        return self._fitting(expression, -value)

    def _binary(self, expression: Expression, operator: str, left: Expression, right: Expression) -> int:
        one = self._number(left)
        if operator in ("and", "or"):
            return self._number(right) if bool(one) == (operator == "and") else one
        other, kind = self._number(right), expression.type
        if operator in _BITS:
            return _BITS[operator](one, other)
        if operator in ("+%", "-%", "*%"):
            assert isinstance(kind, Integer)
            return kind.wrapped(folded(operator[0], one, other))
        if operator in ("<<", ">>") and isinstance(kind, Integer):
            if not 0 <= other < kind.bits:
                raise self._wrong(expression, f"a shift by {other}")
            return kind.wrapped(folded(operator, one, other))
        return self._fitting(expression, folded(operator, one, other))

    def _fitting(self, expression: Expression, value: int) -> int:
        """Return a value, which must be one of the expression's type."""
        kind = expression.type
        if isinstance(kind, Integer) and not kind.low <= value <= kind.high:
            raise self._wrong(expression, f"{value} is no {described(kind)}")
        return value


def _blank(kind: Type) -> Value:
    """Return an array before it is written."""
    if isinstance(kind, Array):
        assert isinstance(kind.length, int)
        return [_blank(kind.item) for _ in range(kind.length)]
    return None


def _filled(kind: Type, value: int) -> Value:
    if isinstance(kind, Array):
        assert isinstance(kind.length, int)
        return [_filled(kind.item, value) for _ in range(kind.length)]
    return value


def _copied(value: object) -> Value:
    if isinstance(value, list | tuple):
        return [_copied(item) for item in value]
    assert value is None or isinstance(value, int)
    return value
