"""Routines printed in C. A returned array is written through a pointer of the caller.

A function that is printed is right where that place is one of its arguments, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.languages.c.expressions import SUM, Expressions, counts
from efdgen.generator.languages.c.lanes import LaneExpressions
from efdgen.generator.languages.operators import PREFIX, Text, infix
from efdgen.generator.languages.places import declared, given_variables, in_place
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.names import place
from efdgen.generator.routines.rooms import SCRATCH, with_rooms
from efdgen.generator.routines.types import (
    ELEMENT,
    INT,
    Array,
    Public,
    Structure,
    has_rows_of_bytes,
    is_aggregate,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type

TYPES = {
    "int": "size_t",
    "choice": "int",
    "byte": "uint8_t",
    **{f"u{bits}": f"uint{bits}_t" for bits in (32, 64)},
    **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32)},
}
_INDEX_NAMES = ("i", "j", "l", "m")
_INDENT = "    "


@dataclass(frozen=True)
class Printed:
    """A function in C: its signature without linkage, its lines, and whether it is part of the interface."""

    signature: str
    body: tuple[str, ...]
    exported: bool


class Printer:
    """Prints routines of a module under a prefix."""

    def __init__(self, module: Module, prefix: str, bindings: Bindings | None = None) -> None:
        self._module, self._prefix, self._bindings = module, prefix, bindings or Bindings()
        self.lanes = self._bindings.lanes
        self.variables = given_variables(module)
        self.with_rooms = with_rooms(module.routines)

    def function(self, name: str) -> Printed:
        """Return the function that a routine is printed as."""
        return _Function(self, self._module.routines[name]).printed()

    @property
    def erase(self) -> str:
        """The name of the macro that erases memory."""
        return f"{self._prefix.upper()}_WIPE"

    def name(self, routine: str) -> str:
        """Return the name of a function."""
        return self._bindings.functions.get(routine, f"{self._prefix}_{routine}")

    def constant(self, name: str) -> str | None:
        """Return the name of a constant, in capitals unless it is a table; None for other names."""
        found = self._module.constants.get(name)
        if found is None or name in self._bindings.constants:
            return self._bindings.constants.get(name)
        tail = name.lower() if isinstance(found.type, Array) else name
        return f"{self._prefix.upper() if tail == name else self._prefix}_{tail}"

    def routine(self, name: str) -> Routine | None:
        """Return a routine that a call may mean."""
        return self._module.routines.get(name)

    def written(self, kind: TypeName) -> tuple[str, tuple[Expression, ...]]:
        """Return a type's name in C, and its lengths, the outermost first."""
        if kind.name in self._module.aliases:
            name, lengths = self.written(self._module.aliases[kind.name])
            return name, (*kind.lengths, *lengths)
        return self._bindings.types.get(kind.name) or TYPES[kind.name], kind.lengths

    def known(self, kind: TypeName) -> str | None:
        """Return the type of the items of a table that all lanes share; None for every other parameter."""
        return self._bindings.known.get(kind.name) if kind.lengths else None

    def length(self, kind: Array) -> str:
        """Return a length, by the name of the constant that it is if there is one."""
        for name, constant in self._module.constants.items():
            if constant.value == kind.length and isinstance(constant.type, Public):
                return str(self.constant(name))
            if isinstance(constant.value, int) and 2 * constant.value == kind.length:
                return f"2 * {self.constant(name)}"
        return str(kind.length)


class _Function:
    """One routine: how its variables are reached, and its text."""

    def __init__(self, printer: Printer, routine: Routine) -> None:
        self._printer, self._routine = printer, routine
        variables = in_place(routine)
        taken = uses.variables(routine)
        self._places = {
            at: variables.get(at) or (place(result.name) if result.name in taken else result.name)
            for at, result in enumerate(routine.results)
            if is_aggregate(result.type)
        }
        self._names = {p.name for p in routine.parameters} | declared(routine) | {*self._places.values()}
        self._kinds = {
            name: s.kind
            for s in tree.statements(routine.body)
            if isinstance(s, tree.Declare) and s.kind
            for name in s.names
        }
        self._loops: list[str] = []
        self._own = set(variables.values())
        self._structures = set(_structures(routine))
        self._rooms = {s.name: s.kind for s in tree.statements(routine.body) if isinstance(s, tree.Room)}
        structures = [(p.name, p.type) for p in routine.parameters]
        structures += [(place, routine.results[at].type) for at, place in self._places.items()]
        self._pointers = {name for name, kind in structures if isinstance(kind, Structure)}
        rows = {p.name: p.kind.lengths[1] for p in routine.parameters if has_rows_of_bytes(p.type)}
        values = LaneExpressions if printer.lanes else Expressions
        self._values = values(printer, routine, self._pointers, rows)
        if any(not name for name in self._places.values()):
            raise EfdgenError(f"{routine.name}: an array that is returned has a name")

    def printed(self) -> Printed:
        routine = self._routine
        scalars = [result for result in routine.results if not is_aggregate(result.type)]
        if len(scalars) > 1:
            raise EfdgenError(f"{routine.name}: C returns one number")
        kind = self._printer.written(scalars[0].kind)[0] if scalars else "void"
        parameters = [self._given(routine.results[at].kind, name) for at, name in self._places.items()]
        for parameter in routine.parameters:
            changes = parameter.mode or (routine.name, parameter.name) in self._printer.variables
            constant = "const " if is_aggregate(parameter.type) and not changes else ""
            parameters.append(constant + self._given(parameter.kind, parameter.name, parameter.type))
            if (length := counts(routine).get(parameter.name)) is not None:
                parameters.append(f"size_t {length}")
        if routine.name in self._printer.with_rooms:
            parameters.append(f"void *{SCRATCH}")
        signature = f"{kind} {self._printer.name(routine.name)}({', '.join(parameters)})"
        return Printed(signature, tuple(self._block(routine.body, 1)), routine.exported)

    def _given(self, kind: TypeName, name: str, of: Type | None = None) -> str:
        """Return a parameter's declaration."""
        if has_rows_of_bytes(of):
            return f"{TYPES['byte']} *{name}"
        known = self._printer.known(kind) if of else None
        return self._declared(kind, f"*{name}" if name in self._pointers else name, known)

    def _declared(self, kind: TypeName, name: str, known: str | None = None) -> str:
        """Return a declaration; the length of an array of any length is left out."""
        base, lengths = self._printer.written(kind)
        sizes = "".join(f"[{self._length(length)}]" for length in lengths)
        return f"{known or base} {name}{sizes}"

    def _length(self, length: Expression) -> str:
        names = [part.name for part in tree.walk(length) if isinstance(part, tree.Name)]
        if any(self._printer.constant(name) is None for name in names):
            return ""
        return self._values.of(length).text

    def _block(self, block: Block, depth: int) -> Iterator[str]:
        elements = [*self._elements(block)]
        if elements:
            yield f"{_INDENT * depth}{self._declared(tree.TypeName(ELEMENT.name), ', '.join(elements))};"
        for statement in block:
            for line in self._statement(statement):
                yield f"{_INDENT * depth}{line}"

    def _elements(self, block: Block) -> Iterator[str]:
        """Yield the elements that calls in a block make: these are declared together."""
        for statement in block:
            if isinstance(statement, tree.Declare) and self._is_made(statement):
                yield from (name for name in statement.names if name not in self._own)

    def _is_made(self, statement: tree.Declare) -> bool:
        """Return whether a call makes new elements alone."""
        called = isinstance(statement.value, tree.Call) and not statement.again
        return called and all(kind == ELEMENT for kind in statement.types)

    def _braced(self, head: str, block: Block) -> Iterator[str]:
        yield f"{head} {{"
        yield from self._block(block, 1)
        yield "}"

    def _statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case tree.Comment(text):
                yield f"/* {text} */"
            case tree.Declare():
                yield from self._declaration(statement)
            case tree.Room(name, kind):
                yield self._room(name, kind)
            case tree.Assign(target, operator, value):
                yield from self._assignment(target, operator, value)
            case tree.Receive(targets, tree.Call(function) as call):
                called = self._printer.routine(function)
                assert called is not None
                places = [self._values.address(t) for t in targets if t.type and is_aggregate(t.type)]
                numbers = [self._values.of(t).text for t in targets if not (t.type and is_aggregate(t.type))]
                text = self._values.called(call, called, places)
                yield f"{' = '.join([*numbers, text])};"
            case tree.Hide():
                pass
            case tree.Erase(names):
                yield from self._erased(names)
            case tree.Do(tree.Call(function) as call):
                called = self._printer.routine(function)
                assert called is not None
                yield f"{self._values.called(call, called, [])};"
            case tree.Return():
                yield from self._return(statement, last=statement is self._routine.body[-1])
            case tree.For(name, body=body):
                self._loops.append(name)
                yield from self._braced(self._turns(statement), body)
                self._loops.pop()
            case tree.While(condition, body):
                yield from self._braced(f"while ({self._values.of(condition).text})", body)
            case tree.If(condition, then, otherwise):
                lines = [*self._braced(f"if ({self._values.of(condition).text})", then)]
                other = [*self._else(otherwise)]
                yield from lines if not other else [*lines[:-1], *other]
            case _:
                raise AssertionError(statement)

    def _turns(self, loop: tree.For) -> str:
        """Return the head of a loop."""
        name, first, end = loop.name, self._values.of(loop.start), self._values.of(loop.stop)
        if loop.down:
            return f"for (size_t {name} = {end.text}; {name}-- > {first.within(SUM)};)"
        return f"for (size_t {name} = {first.text}; {name} < {end.within(SUM)}; {name}++)"

    def _else(self, block: Block) -> Iterator[str]:
        match block:
            case ():
                return
            case (tree.If() as inner,):
                first, *rest = self._statement(inner)
                yield f"}} else {first}"
                yield from rest
            case _:
                yield from self._braced("} else", block)

    def _room(self, name: str, kind: TypeName) -> str:
        """Print a new array in the memory that the caller gives."""
        base, (_, *others) = self._printer.written(kind)
        sizes = "".join(f"[{self._length(size)}]" for size in others)
        place, given = (f"(*{name}){sizes}", f" (*){sizes}") if sizes else (f"*{name}", " *")
        room = f"{self._printer.name('room')}(&{SCRATCH}, {self._size(name)})"
        return f"{base} {place} = ({base}{given}){room};"

    def _size(self, name: str) -> str:
        """Return the bytes of a variable."""
        if name not in self._rooms:
            return f"sizeof {name}"
        _, (length, *_) = self._printer.written(self._rooms[name])
        return infix("*", self._values.of(length), Text(f"sizeof *{name}", PREFIX)).text

    def _declaration(self, statement: tree.Declare) -> Iterator[str]:
        value = statement.value
        called = self._printer.routine(value.function) if isinstance(value, tree.Call) else None
        if called is not None:
            assert isinstance(value, tree.Call)
            yield from self._received(statement, called, value)
        elif isinstance(statement.types[0], Structure):
            yield from self._structure(statement, statement.types[0], value)
        elif not isinstance(statement.types[0], Array):
            assert value is not None
            kind = "" if statement.again else f"{self._values.kind(statement.types[0])} "
            yield f"{kind}{statement.names[0]} = {self._values.of(value).text};"
        else:
            yield from self._array(statement.names[0], statement.kind, statement.types[0], value)

    def _structure(self, statement: tree.Declare, kind: Structure, value: Expression | None) -> Iterator[str]:
        """Print a new structure, unless it is in the caller's place."""
        (name,) = statement.names
        text = f" = {self._values.of(value).text}" if value else ""
        if name in self._own:
            yield from [f"*{name}{text};"] if text else []
        elif statement.again:
            yield from [f"{name}{text};"] if text else []
        else:
            yield f"{self._declared(statement.kind or tree.TypeName(kind.name), name)}{text};"

    def _array(
        self, name: str, kind: TypeName | None, found: Type, value: Expression | None
    ) -> Iterator[str]:
        """Print a new array, unless it is in the caller's place, and its value."""
        if kind is None:
            raise EfdgenError(f"{self._routine.name}: the array {name} has no type")
        zero = isinstance(value, tree.Number) and value.value == 0 and name not in self._own
        if name not in self._own:
            yield f"{self._declared(kind, name)}{' = {0}' if zero else ''};"
        if value is not None and not zero:
            yield from self._copied(Text(name), found, value)

    def _received(self, statement: tree.Declare, called: Routine, call: tree.Call) -> Iterator[str]:
        """Print a call whose results are new variables."""
        places, number = [], None
        for name, result in zip(statement.names, called.results, strict=True):
            if is_aggregate(result.type):
                if not (name in self._own or statement.again or self._is_made(statement)):
                    yield f"{self._declared(statement.kind or result.kind, name)};"
                places.append(self._values.address(tree.Name(name, type=result.type)))
            else:
                number = (name, result)
        text = self._values.called(call, called, places)
        if number is None:
            yield f"{text};"
        elif number[0] == "_":
            yield f"(void){text};"
        else:
            kind = "" if statement.again else f"{self._printer.written(number[1].kind)[0]} "
            yield f"{kind}{number[0]} = {text};"

    def _assignment(self, target: Expression, operator: str, value: Expression) -> Iterator[str]:
        place = self._values.of(target)
        assert target.type is not None
        if target.type is not None and is_aggregate(target.type):
            yield from self._copied(place, target.type, value, place=self._values.address(target))
        elif operator:
            yield self._values.updated(target, operator, value)
        else:
            yield f"{place.text} = {self._values.of(value).text};"

    def _copied(
        self, text: Text, kind: Type, value: Expression, depth: int = 0, place: str = ""
    ) -> Iterator[str]:
        """Print what writes an array or a structure: a call, or a loop over items."""
        called = self._printer.routine(value.function) if isinstance(value, tree.Call) else None
        if called is not None:
            assert isinstance(value, tree.Call)
            yield f"{self._values.called(value, called, [place or text.text])};"
            return
        if not isinstance(kind, Array):
            yield f"{text.text} = {self._values.of(value).text};"
            return
        taken = {*self._names, *self._loops}
        index = tree.Name([name for name in _INDEX_NAMES if name not in taken][depth], type=INT)
        item = value if isinstance(value, tree.Number) else tree.Index(value, index, type=kind.item)
        if isinstance(item, tree.Number) and not isinstance(kind.item, Array):
            item = tree.Number(item.value, type=kind.item)
        known = self._kinds.get(text.text)
        length = self._length(known.lengths[0]) if known and known.lengths else self._printer.length(kind)
        yield f"for (size_t {index.name} = 0; {index.name} < {length}; {index.name}++) {{"
        for line in self._copied(Text(f"{text.text}[{index.name}]"), kind.item, item, depth + 1):
            yield f"{_INDENT}{line}"
        yield "}"

    def _erased(self, names: tuple[str, ...]) -> Iterator[str]:
        """Print erasures of variables that are not in the caller's place."""
        for name in names:
            if name not in self._own:
                at = f"&{name}" if name in self._structures else name
                yield f"{self._printer.erase}({at}, {self._size(name)});"

    def _return(self, statement: tree.Return, *, last: bool) -> Iterator[str]:
        number = None
        for at, (value, result) in enumerate(zip(statement.values, self._routine.results, strict=True)):
            if result.type is None or not is_aggregate(result.type):
                number = value
            elif not (isinstance(value, tree.Name) and value.name in self._own):
                place = tree.Name(self._places[at], type=result.type)
                text = self._values.of(place)
                yield from self._copied(text, result.type, value, place=self._values.address(place))
        yield from self._erased(statement.erased)
        if number is not None:
            yield f"return {self._values.of(number).text};"
        elif not last:
            yield "return;"


def _structures(routine: Routine) -> Iterator[str]:
    """Yield the variables of a routine that are structures."""
    for statement in tree.statements(routine.body):
        if isinstance(statement, tree.Declare):
            for name, kind in zip(statement.names, statement.types, strict=True):
                if isinstance(kind, Structure):
                    yield name
