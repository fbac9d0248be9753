"""Interpreter of routines over Python's integers: the reference for every printed language.

A sum that leaves its type, an index outside of its array and a read of what was never written are errors.
Proofs run routines on other values than integers, and give contracts in the place of routines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.types import Array, Structure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type

# An integer, a list of values for an array, None for an item before it is written, or a symbol of a proof.
Value: TypeAlias = Any


class Interpreter:
    """Runs routines of a module; arrays are lists, and what a routine changes is changed in place.

    Structures are dictionaries of their members, or anything else where no routine asks for these. ``leaves``
    are functions by their names, which return what ``inout`` parameters become, and then results; one in the
    name of a routine takes its place. ``constants`` are the values of those that are made of structures, and
    ``values`` are what operators mean.
    """

    def __init__(
        self,
        module: Module,
        leaves: Mapping[str, Callable[..., list[Value]]] | None = None,
        constants: Mapping[str, Value] | None = None,
        values: Integers | None = None,
    ) -> None:
        self.module, self.leaves, self.constants = module, leaves or {}, constants or {}
        self.values = values or Integers()

    def call(self, name: str, *arguments: Value) -> list[Value]:
        """Run a routine, and return its results."""
        return self.run(name, *arguments)[1]

    def run(self, name: str, *arguments: Value) -> tuple[list[Value], list[Value]]:
        """Run a routine; return what its ``inout`` parameters become, and its results."""
        routine = self.module.routines[name]
        run = _Run(self, routine, arguments)
        return [run.value(p.name) for p in routine.parameters if p.mode], run.results


class _Run:
    """One call of a routine, and the values of its variables."""

    def __init__(self, given: Interpreter, routine: Routine, arguments: tuple[Value, ...]) -> None:
        self._given, self._module, self._routine = given, given.module, routine
        self._meaning = given.values
        self._values: dict[str, Value] = {}
        self.results: list[Value] = []
        self.ended = False
        for parameter, value in zip(routine.parameters, arguments, strict=True):
            kind = parameter.type
            # A value: what the caller has is changed through inout alone.
            self._values[parameter.name] = value if parameter.mode else _copied(value)
            if isinstance(kind, Array) and isinstance(kind.length, str):
                assert isinstance(value, list | tuple)
                self._values[kind.length] = len(value)
        self._block(routine.body)

    def value(self, name: str) -> Value:
        """Return the value of a variable."""
        return self._values[name]

    def _blank(self, kind: Type) -> Value:
        """Return an array, or a structure with arrays in it, before it is written."""
        if isinstance(kind, Array):
            assert isinstance(kind.length, int)
            return [self._blank(kind.item) for _ in range(kind.length)]
        name = kind.name if isinstance(kind, Structure) else ""
        arrays = {m: self._blank(own) for (of, m), own in self._module.fields.items() if of == name}
        return arrays or None

    def _wrong(self, node: Expression | Statement, reason: str) -> RoutineError:
        return RoutineError(f"{self._routine.name}, line {node.at.line}: {reason}")

    def _block(self, block: Block) -> None:
        for statement in block:
            if not self.ended:
                self._statement(statement)

    def _operate(self, node: Expression, operation: Callable[..., Value], *operands: Value) -> Value:
        if None in operands:
            raise self._wrong(node, "a value is used that was never written")
        try:
            return operation(*operands)
        except RoutineError as error:
            raise self._wrong(node, str(error)) from None

    def _replaced(
        self, call: tree.Call, own: Callable[..., list[Value]], arguments: tuple[Value, ...]
    ) -> list[Value]:
        try:
            return own(*arguments)
        except RoutineError as error:
            raise self._wrong(call, str(error)) from None

    def _statement(self, statement: Statement) -> None:
        match statement:
            case tree.Declare(names, _, value):
                found = (
                    self._evaluated(value, statement.types) if value else [self._blank(statement.types[0])]
                )
                self._values |= dict(zip(names, found, strict=True))
            case tree.Room(name, kind):
                assert statement.type is not None
                length = self._number(kind.lengths[0])
                self._values[name] = [self._blank(statement.type.item) for _ in range(length)]
            case tree.Assign(target, operator, value):
                if operator:
                    value = tree.Binary(operator, target, value, at=statement.at, type=target.type)
                assert target.type is not None
                self._store(target, self._evaluated(value, (target.type,))[0])
            case tree.Receive(targets, call):
                for target, value in zip(targets, self._called(call), strict=True):
                    self._store(target, value)
            case tree.Comment() | tree.Hide():
                pass
            case tree.Erase(names):
                for name in names:
                    self._values.pop(name, None)
            case tree.Do(call):
                self._called(call)
            case tree.Return(values):
                types = [result.type for result in self._routine.results]
                self.results = [
                    self._evaluated(value, (kind,))[0]
                    for value, kind in zip(values, types, strict=True)
                    if kind
                ]
                self.ended = True
            case tree.For(name, start, stop, down, body):
                turns = range(self._number(start), self._number(stop))
                for turn in reversed(turns) if down else turns:
                    self._values[name] = turn
                    self._block(body)
            case tree.While(condition, body):
                while not self.ended and self._number(condition):
                    self._block(body)
            case tree.If(condition, then, otherwise):
                self._block(then if self._number(condition) else otherwise)
            case _:
                raise AssertionError(statement)

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
        for value, parameter in zip(arguments, routine.parameters, strict=True):
            if not parameter.mode and _is_blank(value):
                raise self._wrong(call, f"{call.function} reads {parameter.name}, which was never written")
        parameters = zip(call.arguments, routine.parameters, strict=True)
        changed = [argument for argument, parameter in parameters if parameter.mode]
        own = self._given.leaves.get(call.function)
        if own is not None:
            found: list[Value] = self._replaced(call, own, arguments)
            values, results = found[: len(changed)], found[len(changed) :]
        elif routine.leaf:
            raise self._wrong(call, f"{call.function} has no meaning here")
        else:
            values, results = self._given.run(call.function, *arguments)
        for argument, value in zip(changed, values, strict=True):
            self._store(argument, value)
        return results

    def _store(self, target: Expression, value: Value) -> None:
        if isinstance(target, tree.Index):
            self._array(target.base)[self._place(target)] = value
            return
        if isinstance(target, tree.Slice):
            self._array(target.base)[self._items(target)] = value
            return
        if isinstance(target, tree.Member):
            base = target.base
            # A structure is written member by member.
            whole = (
                self._array(base.base)[self._place(base)]
                if isinstance(base, tree.Index)
                else self._value(base)
            )
            self._store(base, {**(whole or {}), target.name: value})
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

    def _items(self, part: tree.Slice) -> slice:
        start, stop, array = self._number(part.start), self._number(part.stop), self._array(part.base)
        if not 0 <= start < stop <= len(array):
            raise self._wrong(part, f"items {start} to {stop} of {len(array)}")
        return slice(start, stop)

    def _number(self, expression: Expression) -> int:
        return self._meaning.public(self._value(expression))

    def _array(self, expression: Expression) -> list[Value]:
        """Return the items of an array, of a constant one as a tuple."""
        found: list[Value] = self._value(expression)
        assert isinstance(found, list | tuple)
        return found

    def _value(self, expression: Expression) -> Value:
        kind = expression.type
        match expression:
            case tree.Number(value):
                return value
            case tree.Name(name):
                if name in self._values:
                    return self._values[name]
                found = self._given.constants.get(name, self._module.constants[name].value)
                if found is None:
                    raise self._wrong(expression, f"{name} has no meaning here")
                return found
            case tree.Index(base):
                found = self._array(base)[self._place(expression)]
                if found is None:
                    raise self._wrong(expression, "this was never written")
                return found
            case tree.Slice(base):
                items = self._items(expression)
                return [*self._array(base)[items]]
            case tree.Member(base, name):
                whole = self._value(base) or {}
                if not isinstance(whole, dict) or name not in whole:
                    raise self._wrong(expression, "this was never written")
                return whole[name]
            case tree.Condition(operand):
                return self._number(operand)
            case tree.Convert(_, operand):
                return self._operate(expression, self._meaning.converted, kind, self._value(operand))
            case tree.Mask(bit):
                return self._operate(expression, self._meaning.mask, kind, self._value(bit))
            case tree.Call():
                return self._called(expression)[0]
            case tree.Unary(operator, operand):
                return self._operate(expression, self._meaning.unary, operator, kind, self._value(operand))
            case tree.Binary("and" | "or" as operator, left, right):
                one = self._number(left)
                return self._number(right) if bool(one) == (operator == "and") else one
            case tree.Binary(operator, left, right):
                one, other = self._value(left), self._value(right)
                return self._operate(expression, self._meaning.binary, operator, kind, one, other)
            case _:
                raise AssertionError(expression)


def _is_blank(value: Value) -> bool:
    """Return whether a value, or an item of it, was never written."""
    return any(map(_is_blank, value)) if isinstance(value, list | tuple) else value is None


def _filled(kind: Type, value: int) -> Value:
    if isinstance(kind, Array):
        assert isinstance(kind.length, int)
        return [_filled(kind.item, value) for _ in range(kind.length)]
    return value


def _copied(value: Value) -> Value:
    return [_copied(item) for item in value] if isinstance(value, list | tuple) else value
