"""Type checker of routines, which also keeps secrets from affecting time.

A branch, an index, a shift and a division depend on what is public alone: ``int`` is the public type, and no
conversion leads from a secret to it. A routine whose name ends in ``_var`` is free to do all of that, and to
branch on a choice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import names, tree, uses
from efdgen.generator.routines.exclusive import changed, conflict, read_late
from efdgen.generator.routines.expressions import Expressions
from efdgen.generator.routines.rewriting import substituted
from efdgen.generator.routines.rooms import length_of, length_text
from efdgen.generator.routines.scope import Scope
from efdgen.generator.routines.staging import folded
from efdgen.generator.routines.types import INT, SCALARS, Array, Integer, Structure, described

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type


class Checker:
    """Checks routines one after the other, each after those that it calls."""

    def __init__(
        self, text: Text, integers: Mapping[str, int], members: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._aliases, self._structures, self.integers = text.aliases, text.structures, integers
        self.members = members or {}
        typed = [
            (own, m) for own, names in self.members.items() for m in names if f"{own}_{m}" in text.aliases
        ]
        self.fields = {(own, m): self.resolved(tree.TypeName(f"{own}_{m}")) for own, m in typed}
        self.constants: dict[str, Type] = {}
        self.routines: dict[str, Routine] = {}
        named = {name: self.resolved(kind) for name, kind in text.aliases.items() if not kind.lengths}
        self.kinds = SCALARS | {name: kind for name, kind in named.items() if isinstance(kind, Integer)}
        for name in (*text.aliases, *text.structures):
            if not names.is_type(name):
                raise EfdgenError(f"{name} is no name for a type")
        for name in text.routines:
            if not names.is_routine(name):
                raise EfdgenError(f"{name} is no name for a routine")

    def resolved(self, written: TypeName) -> Type:
        """Return the type that is written; a length that no constant gives is the name of one."""
        if written.name in self._aliases:
            found = self.resolved(self._aliases[written.name])
        elif written.name in SCALARS:
            found = SCALARS[written.name]
        elif written.name in self._structures:
            found = Structure(written.name)
        else:
            raise EfdgenError(f"line {written.at.line}: there is no type {written.name}")
        for length in reversed(written.lengths):
            found = Array(found, self._length(length))
        return found

    def _length(self, length: Expression) -> int | str:
        match length:
            case tree.Number(value):
                return value
            case tree.Name(name) if name in self.integers:
                return self.integers[name]
            case tree.Name(name):
                return name
            case tree.Binary(operator, left, right):
                one, other = self._length(left), self._length(right)
                if isinstance(one, int) and isinstance(other, int):
                    return folded(operator, one, other)
                # A length of parameters, which a call gives.
                return ""
        raise EfdgenError(f"line {length.at.line}: a length is made of constants and parameters")

    def checked(self, routine: Routine) -> Routine:
        """Return a routine with its types; raise :class:`EfdgenError` with the line of what is wrong."""
        parameters = tuple(replace(p, type=self.resolved(p.kind)) for p in routine.parameters)
        results = tuple(replace(r, type=self.resolved(r.kind)) for r in routine.results)
        if any(isinstance(r.type, Array) and not isinstance(r.type.length, int) for r in results):
            raise EfdgenError(f"{routine.name}: the length of a result is a constant")
        head = replace(routine, parameters=parameters, results=results)
        if routine.leaf:
            self.routines[routine.name] = head
            return head
        body = _Statements(head, self).block(routine.body)
        if bool(results) != bool(body and isinstance(body[-1], tree.Return)):
            raise EfdgenError(f"{routine.name}: a routine with results ends in return, no other does")
        found = replace(head, body=body)
        self.routines[routine.name] = found
        return found


class _Statements:
    """Checks the statements of one routine."""

    def __init__(self, routine: Routine, checker: Checker) -> None:
        self._routine, self._checker = routine, checker
        self._scope = Scope(
            routine,
            checker.routines,
            checker.members,
            checker.constants,
            checker.integers,
            checker.fields,
            checker.kinds,
        )
        self._typed = Expressions(self._scope)
        for parameter in routine.parameters:
            assert parameter.type is not None
            self._scope.declare(parameter.name, parameter.type, parameter.mode == "inout", routine.at.line)
        for length in uses.lengths(routine):
            self._scope.declare(length, INT, False, routine.at.line)
        for result in routine.results:
            self._scope.require_name(result.name or "_", routine.at.line)
            if names.place(result.name) in uses.variables(routine):
                raise EfdgenError(f"{routine.name}: {names.place(result.name)} is the place of {result.name}")

    def block(self, block: Block) -> Block:
        """Return statements with their types; what they declare ends with them."""
        with self._scope.block():
            found = tuple(self._exclusive(self._statement(statement)) for statement in block)
        if any(isinstance(statement, tree.Return) for statement in found[:-1]):
            raise self._scope.wrong(block[-1], "no statement follows a return")
        return found

    def _exclusive(self, statement: Statement) -> Statement:
        """Return a statement whose calls change nothing that is reached otherwise in it."""
        if name := conflict(statement, self._routine, self._scope.routines):
            raise self._scope.wrong(statement, f"{name} is changed and read at once")
        return statement

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case tree.Comment():
                return statement
            case tree.Declare():
                return self._declaration(statement)
            case tree.Room(name, kind):
                return self._room(statement, name, kind)
            case tree.Assign():
                return self._assignment(statement)
            case tree.Receive(targets, call):
                return self._received(statement, targets, call)
            case tree.Hide(place):
                return replace(statement, place=self._typed.place(place))
            case tree.Do(call):
                if not isinstance(call, tree.Call):
                    raise self._scope.wrong(statement, "a mask is a value")
                found, results = self._typed.call(call)
                if results:
                    raise self._scope.wrong(statement, f"what {call.function} returns is not used")
                return replace(statement, call=found)
            case tree.Return(values):
                return self._return(statement, values)
            case tree.For(name, start, stop):
                if statement.of is not None:
                    return self._items(statement, statement.of)
                start, stop = self._typed.value(start, INT), self._typed.value(stop, INT)
                with self._scope.block():
                    self._scope.declare(name, INT, False, statement.at.line)
                    body = self.block(statement.body)
                return replace(statement, start=start, stop=stop, body=body)
            case tree.While(condition, body):
                return replace(statement, condition=self._typed.condition(condition), body=self.block(body))
            case tree.If(condition, then, otherwise):
                return replace(
                    statement,
                    condition=self._typed.condition(condition),
                    then=self.block(then),
                    otherwise=self.block(otherwise),
                )
            case _:
                raise AssertionError(statement)

    def _items(self, statement: tree.For, of: Expression) -> Statement:
        """Return a loop over the items of an array, which stays as it is, as one over its length."""
        array = self._typed.value(of, None)
        lengths = {p.name: p.kind.lengths[0] for p in self._routine.parameters if p.kind.lengths}
        written = lengths.get(of.name, tree.Name("")) if isinstance(of, tree.Name) else tree.Name("")
        if not isinstance(array.type, Array) or (array.type.length == "" and written == tree.Name("")):
            raise self._scope.wrong(statement, "this has no items that can be counted")
        if not isinstance(array.type.item, Array | Structure):
            raise self._scope.wrong(statement, "items that are numbers are read by their index")
        if statement.item in self._scope.types:
            raise self._scope.wrong(statement, f"{statement.item} is declared already")
        self._scope.require_name(statement.item, statement.at.line)
        stop = self._typed.value(length_of(array.type) if array.type.length else written, INT)
        item = tree.Index(of, tree.Name(statement.name, at=of.at), at=of.at)
        found = self._statement(
            replace(statement, stop=stop, body=substituted(statement.body, statement.item, item), of=None)
        )
        assert isinstance(found, tree.For)
        known, name = self._scope.routines, tree.root(of)
        if name in changed(found.body, known) and uses.mentions(found.body, name, {item}):
            raise self._scope.wrong(statement, f"items of {name} are changed by the name {statement.item}")
        return replace(found, of=array)

    def _room(self, statement: tree.Room, name: str, kind: TypeName) -> Statement:
        first, *others = kind.lengths
        length = self._typed.value(first, INT)
        text = length_text(length)
        if text is None or uses.names(length) & self._scope.assigned:
            raise self._scope.wrong(
                statement, "a length is a name that is not assigned again, or times a number"
            )
        found = Array(self._checker.resolved(replace(kind, lengths=tuple(others))), text)
        self._scope.declare(name, found, True, statement.at.line)
        return replace(statement, kind=replace(kind, lengths=(length, *others)), type=found)

    def _declaration(self, statement: tree.Declare) -> Statement:
        kind = self._checker.resolved(statement.kind) if statement.kind else None
        value = statement.value
        types: tuple[Type | None, ...] = (kind,)
        if isinstance(value, tree.Call) and value.function in self._scope.routines:
            value, types = self._typed.call(value)
        elif value is not None:
            value = self._typed.value(value, kind)
            types = (value.type,)
        if len(types) != len(statement.names):
            raise self._scope.wrong(statement, f"{len(types)} values for {len(statement.names)} names")
        known = tuple(found for found in types if found is not None)
        if len(known) != len(types) or (kind is not None and known != (kind,)):
            raise self._scope.wrong(statement, "a variable has the type of its value, or a type alone")
        if value is None and not isinstance(kind, Array | Structure):
            raise self._scope.wrong(statement, "only an array or a structure is declared without a value")
        again = False
        for name, found in zip(statement.names, known, strict=True):
            if name in self._scope.own and self._scope.types[name] == found:
                again = True
            elif name != "_":
                self._scope.declare(name, found, not statement.constant, statement.at.line)
                self._scope.own.add(name)
        return replace(statement, value=value, types=known, again=again)

    def _received(
        self, statement: tree.Receive, targets: tuple[Expression, ...], call: Expression
    ) -> Statement:
        if not isinstance(call, tree.Call) or call.function not in self._scope.routines:
            raise self._scope.wrong(statement, "several values come from a routine")
        found, results = self._typed.call(call)
        places = tuple(map(self._typed.place, targets))
        if tuple(place.type for place in places) != results:
            raise self._scope.wrong(statement, f"{call.function} returns other types")
        return replace(statement, targets=places, call=found)

    def _assignment(self, statement: tree.Assign) -> Statement:
        target = self._typed.place(statement.target)
        assert target.type is not None
        if statement.operator:
            whole = tree.Binary(statement.operator, target, statement.value, at=statement.at)
            found = self._typed.value(whole, target.type)
            assert isinstance(found, tree.Binary)
            return replace(statement, target=target, value=found.right)
        if isinstance(statement.value, tree.Call) and statement.value.function in self._scope.routines:
            call, results = self._typed.call(statement.value)
            if results != (target.type,):
                raise self._scope.wrong(statement, f"no {described(target.type)} is returned")
            return replace(statement, target=target, value=call)
        return replace(statement, target=target, value=self._typed.value(statement.value, target.type))

    def _return(self, statement: tree.Return, values: tuple[Expression, ...]) -> Statement:
        wanted = [result.type for result in self._routine.results]
        if len(values) != len(wanted):
            raise self._scope.wrong(statement, f"{len(values)} values instead of {len(wanted)}")
        found = replace(statement, values=tuple(map(self._typed.value, values, wanted)))
        if late := read_late(found, self._routine):
            raise self._scope.wrong(
                late, "a later result is returned by its name if it depends on an argument"
            )
        return found
