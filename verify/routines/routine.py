"""The form of a routine, with places for its results in languages that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.types import INT, Array, Choice, renamed
from efdgen.verify.routines import form
from efdgen.verify.routines.form import Scope, Typed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement
    from efdgen.generator.routines.types import Type
    from efdgen.verify.routines.form import Term


def form_of(
    module: Module,
    name: str,
    places: Mapping[int, str],
    spelled: Callable[[str], str],
    types: Mapping[str, str],
) -> tuple[dict[str, Type], tuple[Term, ...]]:
    """Return the types of a routine's variables, and the form of its body.

    ``places`` are the names of results that are given to places; ``spelled`` says what a routine is called
    in the language, and ``types`` what a structure is.
    """
    reader = _Routine(module, module.routines[name], places, spelled, types)
    return reader.scope.types, reader.body


class _Routine:
    def __init__(
        self,
        module: Module,
        routine: Routine,
        places: Mapping[int, str],
        spelled: Callable[[str], str],
        types: Mapping[str, str],
    ) -> None:
        self._routine, self._places, self._spelled, self._types = routine, places, spelled, types
        self.scope = Scope(module, types)
        for at, place in places.items():
            kind = routine.results[at].type
            assert kind is not None
            self.scope.declare(place, kind)
        for parameter in routine.parameters:
            assert parameter.type is not None
            self.scope.declare(parameter.name, parameter.type)
        for length in uses.lengths(routine):
            self.scope.declare(length, INT)
        self.body = tuple(self._block(routine.body))

    def _block(self, block: Block) -> Iterator[Term]:
        with self.scope.block():
            for statement in block:
                yield from self._statement(statement)

    def _statement(self, statement: Statement) -> Iterator[Term]:
        match statement:
            case tree.Declare(names, _, value):
                for name, kind in zip(names, statement.types, strict=True):
                    if name != "_" and name not in self._places.values():
                        self.scope.declare(name, kind)
                if value is not None:
                    targets = tuple(None if name == "_" else ("name", name) for name in names)
                    yield from self._given(statement.types, targets, value)
            case tree.Room(name, kind):
                assert statement.type is not None
                self.scope.declare(name, statement.type)
                yield ("room", name, self._value(kind.lengths[0]).term)
            case tree.Assign(target, operator, value):
                place = self._value(target)
                if operator:
                    value = tree.Binary(operator, target, value, at=statement.at, type=target.type)
                assert target.type is not None
                yield from self._given((target.type,), (place.term,), value)
            case tree.Receive(targets, call):
                places = tuple(self._value(target).term for target in targets)
                yield ("store", places, self._value(call).term)
            case tree.Comment() | tree.Hide():
                pass
            case tree.Erase(names):
                yield from self._erased(names)
            case tree.Do(call):
                yield ("store", (), self._value(call).term)
            case tree.Return():
                last = statement is self._routine.body[-1]
                yield from self._returned(statement, ends=[] if last else [("return", ())])
            case tree.For(name, start, stop, down, body):
                first, end = self._value(start).term, self._value(stop).term
                self.scope.enter(name)
                yield ("for", first, end, down, tuple(self._block(body)))
                self.scope.leave()
            case tree.While(condition, body):
                yield ("while", self._value(condition).term, tuple(self._block(body)))
            case tree.If(condition, then, otherwise):
                yield (
                    "if",
                    self._value(condition).term,
                    tuple(self._block(then)),
                    tuple(self._block(otherwise)),
                )
            case _:
                raise AssertionError(statement)

    def _given(
        self, kinds: tuple[Type, ...], targets: tuple[Term | None, ...], value: Expression
    ) -> Iterator[Term]:
        found = self._value(value)
        if found.term[0] != "call" and isinstance(kinds[0], Array) and targets[0] is not None:
            yield form.filled(kinds[0], targets[0], found.term, self.scope.depth)
        else:
            yield ("store", targets, found.term)

    def _erased(self, names: tuple[str, ...]) -> Iterator[Term]:
        for name in names:
            if name not in self._places.values():
                yield self.scope.erased(name)

    def _returned(self, statement: tree.Return, ends: list[Term]) -> Iterator[Term]:
        left = []
        for at, (value, result) in enumerate(zip(statement.values, self._routine.results, strict=True)):
            if at not in self._places:
                left.append(self._value(value).term)
            elif not (isinstance(value, tree.Name) and value.name == self._places[at]):
                assert result.type is not None
                yield from self._given((result.type,), (("name", self._places[at]),), value)
        yield from self._erased(statement.erased)
        yield from [("return", tuple(left))] if left else ends

    def _value(self, expression: Expression) -> Typed:
        match expression:
            case tree.Number(value):
                return form.number(value, expression.type if not isinstance(expression.type, Array) else None)
            case tree.Name(name):
                return self.scope.name(name)
            case tree.Index(base, at):
                return form.index(self._value(base), self._value(at))
            case tree.Slice(base, start):
                assert isinstance(expression.type, Array)
                length = expression.type.length
                assert isinstance(length, int)
                return form.part(self._value(base), self._value(start), length)
            case tree.Member(base, name):
                return self.scope.member(self._value(base), name)
            case tree.Size(_, kind):
                return form.size(renamed(kind, self._types))
            case tree.Condition(operand):
                return form.condition(self._value(operand))
            case tree.Unary("~", operand) if isinstance(expression.type, Choice):
                return form.complement(self._value(operand))
            case tree.Convert(_, operand):
                assert expression.type is not None
                found = form.convert(expression.type, self._value(operand))
                return Typed(found.term, found.kind and renamed(found.kind, self._types))
            case tree.Mask(bit):
                return form.mask(self._value(bit))
            case tree.Call(function, arguments):
                return Typed(
                    (
                        "call",
                        self._spelled(function),
                        tuple(self._value(argument).term for argument in arguments),
                    ),
                    expression.type and renamed(expression.type, self._types),
                )
            case tree.Unary(operator, operand):
                return form.unary(operator, self._value(operand))
            case tree.Binary(operator, left, right):
                return form.binary(operator, self._value(left), self._value(right))
            case _:
                raise AssertionError(expression)
