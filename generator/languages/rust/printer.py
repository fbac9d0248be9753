"""Routines printed in Rust: arrays and structures are borrowed, and results returned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.rust.expressions import SIGNS, Expressions
from efdgen.generator.languages.rust.lanes import LaneExpressions
from efdgen.generator.languages.rust.types import types_of
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.exclusive import changed
from efdgen.generator.routines.names import BEFORE, ERASE
from efdgen.generator.routines.types import SCALARS, Array, Choice, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type

_INDENT = "    "
# The most columns that rustfmt gives to the members of a structure on one line.
_SHORT_MEMBERS = 18


@dataclass(frozen=True)
class Printed:
    """A function in Rust: its signature after ``fn``, its lines, and whether it is part of the interface.

    One that ``panics`` asserts something of its arguments.
    """

    signature: str
    body: tuple[str, ...]
    exported: bool
    panics: bool


class Printer:
    """Prints routines of a module."""

    def __init__(self, module: Module, bindings: Bindings) -> None:
        self.module, self._bindings = module, bindings
        self._types, self.lanes = types_of(bindings), bindings.lanes

    def function(self, name: str) -> Printed:
        """Return the function that a routine is printed as."""
        return _Function(self, self.module.routines[name]).printed()

    def name(self, name: str) -> str:
        """Return the name of a function."""
        return self._bindings.functions.get(name, name)

    def constant(self, name: str) -> str:
        """Return the name of a constant."""
        return self._bindings.constants.get(name, name)

    def is_method(self, name: str) -> bool:
        """Return whether a leaf is a method of its first argument."""
        return name in self._bindings.methods

    def is_in_place(self, name: str) -> bool:
        """Return whether a leaf writes its results to its first arguments."""
        return name in self._bindings.in_place

    def member(self, name: str) -> str:
        """Return the name of a member."""
        return self._bindings.members.get(name, name)

    def members(self, kind: Type | None) -> tuple[str, ...]:
        """Return the members of a structure."""
        return self.module.members.get(kind.name, ()) if isinstance(kind, Structure) else ()

    def blank(self, kind: TypeName) -> str | None:
        """Return the initial value of a structure; None for numbers."""
        return self._bindings.blanks.get(kind.name)

    def is_constant(self, name: str) -> bool:
        """Return whether a name denotes a constant."""
        return name in self.module.constants

    def routine(self, name: str) -> Routine | None:
        """Return a routine that a call may mean."""
        return self.module.routines.get(name)

    def lengths(self, kind: TypeName) -> tuple[Expression, ...]:
        """Return the lengths of an array, the outermost first."""
        alias = self.module.aliases.get(kind.name)
        return (*kind.lengths, *(self.lengths(alias) if alias else ()))

    def base(self, kind: TypeName) -> str:
        """Return the name of a type without the lengths that are written after it."""
        if own := self._bindings.types.get(kind.name):
            return own
        found = self.module.aliases.get(kind.name, kind)
        named = found is not kind and (found.lengths or found.name not in SCALARS)
        return kind.name.title().replace("_", "") if named else self._types.get(found.name, found.name)

    def given(self, kind: TypeName) -> str:
        """Return the name of the type of a parameter, or of its items, without lengths."""
        return (kind.lengths and self._bindings.known.get(kind.name)) or self.base(kind)


class _Function:
    """One routine, statement by statement."""

    def __init__(self, printer: Printer, routine: Routine) -> None:
        self._printer, self._routine = printer, routine
        self._values = (LaneExpressions if printer.lanes else Expressions)(printer, routine)
        self._own = routine.parameters[0] if printer.is_method(routine.name) else None

    def printed(self) -> Printed:
        routine = self._routine
        parameters = [f"{p.name}: {self._parameter(p)}" for p in routine.parameters if p != self._own]
        if self._own is not None:
            parameters.insert(0, f"&{'mut ' if self._own.mode else ''}self")
        optional = [result.optional for result in routine.results]
        option = "Option" if routine.public else "CtOption"
        results = [
            f"{option}<{self._kind(result.kind)}>" if result.optional else self._kind(result.kind)
            for result, before in zip(routine.results, [False, *optional], strict=False)
            if not before
        ]
        returned = f"({', '.join(results)})" if len(results) > 1 else "".join(results)
        arrow = f" -> {returned}" if results else ""
        signature = f"{self._printer.name(routine.name)}({', '.join(parameters)}){arrow}"
        asserted, body = [*self._asserted()], self._block(routine.body, 1)
        return Printed(signature, (*asserted, *body), routine.exported, bool(asserted))

    def _asserted(self) -> Iterator[str]:
        """Print what the interface asserts: slices of one length have it."""
        for first, *others in uses.lengths(self._routine).values() if self._routine.exported else ():
            for other in others:
                yield f'{_INDENT}assert_eq!({first}.len(), {other}.len(), "slices of one length");'

    def _parameter(self, parameter: tree.Parameter) -> str:
        text = self._kind(parameter.kind, self._printer.given(parameter.kind))
        if not isinstance(parameter.type, Array | Structure):
            return text
        return f"&{'mut ' if parameter.mode else ''}{text}"

    def _kind(self, kind: TypeName, named: str = "") -> str:
        own = self._own is not None and kind.name == self._own.kind.name
        text = "Self" if own else named or self._printer.base(kind)
        for length in reversed(kind.lengths):
            names = [part.name for part in tree.walk(length) if isinstance(part, tree.Name)]
            if all(map(self._printer.is_constant, names)):
                text = f"[{text}; {self._values.of(length).text}]"
            else:
                text = f"[{text}]"
        return text

    def _block(self, block: Block, depth: int) -> Iterator[str]:
        left = block
        while left:
            left = self._unnamed(left)
            if values := self._members(left):
                rest = left[1 + len(values) :]
                declared = left[0]
                assert isinstance(declared, tree.Declare)
                returned = rest[:1] == (tree.Return((tree.Name(declared.names[0]),)),)
                lines, left = self._literal(declared, values, rest), rest[1:] if returned else rest
            else:
                lines, left = self._statement(left[0], left[1:]), left[1:]
            for line in lines:
                yield f"{_INDENT * depth}{line}"

    def _unnamed(self, block: Block) -> Block:
        """Return statements of which the first returns the value of a variable that is returned at once."""
        match block:
            case (tree.Declare((name,), _, value), tree.Return((tree.Name(returned),), ()) as end, *rest) if (
                name == returned and value is not None
            ):
                return (replace(end, values=(value,)), *rest)
            case _:
                return block

    def _members(self, block: Block) -> tuple[Expression, ...]:
        """Return the values of a structure's members, where a block begins by giving all of them."""
        match block:
            case (tree.Declare((name,), _, None, types=(kind,)), *rest):
                wanted = [tree.Member(tree.Name(name), member) for member in self._printer.members(kind)]
            case _:
                return ()
        values = tuple(
            found.value
            for place, found in zip(wanted, rest, strict=False)
            if isinstance(found, tree.Assign)
            and (found.target, found.operator) == (place, "")
            and not uses.mentions((tree.Do(found.value),), name)
        )
        return values if len(values) == len(wanted) else ()

    def _braced(self, head: str, block: Block) -> Iterator[str]:
        yield f"{head} {{"
        yield from self._block(block, 1)
        yield "}"

    def _literal(self, declared: tree.Declare, values: tuple[Expression, ...], rest: Block) -> Iterator[str]:
        """Print a structure by its members, which is a variable unless it is returned at once."""
        kind, (name,) = declared.types[0], declared.names
        assert isinstance(kind, Structure)
        given = zip(map(self._printer.member, self._printer.members(kind)), values, strict=True)
        members = [_member(member, self._values.owned(value)) for member, value in given]
        head = self._kind(tree.TypeName(kind.name))
        end = "" if rest[:1] == (tree.Return((tree.Name(name),)),) else ";"
        if end:
            head = f"let {self._variable(name, rest)} = {head}"
        if len(", ".join(members)) <= _SHORT_MEMBERS:
            yield f"{head} {{ {', '.join(members)} }}{end}"
            return
        yield f"{head} {{"
        yield from (f"{_INDENT}{member}," for member in members)
        yield f"}}{end}"

    def _variable(self, name: str, rest: Block) -> str:
        """Return a new variable's name, with ``mut`` where the rest of its block changes it."""
        again = [isinstance(s, tree.Declare) and name in s.names for s in rest]
        lifetime = rest[: again.index(True)] if True in again else rest
        return f"mut {name}" if name in changed(lifetime, self._printer.module.routines) else name

    def _statement(self, statement: Statement, rest: Block) -> Iterator[str]:
        match statement:
            case tree.Comment(text):
                yield f"// {text}"
            case tree.Declare(names, _, tree.Call(function) as call) if self._printer.is_in_place(function):
                for name, kind in zip(names, statement.types, strict=True):
                    yield f"let mut {name} = {self._blank(kind)};"
                yield self._written(tuple(map(tree.Name, names)), call)
            case tree.Declare(names, _, value):
                unread = {name for name in names if len(names) > 1 and not uses.mentions(rest, name)}
                places = ["_" if name in unread else self._variable(name, rest) for name in names]
                left = places[0] if len(places) == 1 else f"({', '.join(places)})"
                typed = None if isinstance(statement.types[0], Choice) else statement.kind
                written = f": {self._kind(typed)}" if typed else ""
                number = typed and isinstance(value, tree.Number | None)
                text = self._filled(statement) if number else self._values.owned(value)
                yield f"let {left}{written} = {text};"
            case tree.Room(name):
                yield f"let {self._variable(name, rest)} = vec!{self._zeros(statement)};"
            case tree.Assign(target, "", tree.Call(function) as call) if self._printer.is_in_place(function):
                yield from self._replaced((target,), call)
            case tree.Receive(targets, tree.Call(function) as call) if self._printer.is_in_place(function):
                yield from self._replaced(targets, call)
            case tree.Receive(targets, call):
                yield f"({', '.join(map(self._values.owned, targets))}) = {self._values.of(call).text};"
            case tree.Assign(target, operator, value):
                yield self._assignment(target, operator, value)
            case tree.Hide(place):
                yield f"{self._values.owned(place)} = black_box({self._values.owned(place)});"
            case tree.Do(call):
                yield f"{self._values.of(call).text};"
            case tree.Erase(names):
                yield from (f"{ERASE}(&mut {name});" for name in names)
            case tree.Return(values, erased):
                yield from self._statement(tree.Erase(erased), ())
                yield from self._return(values, last=statement.at == self._routine.body[-1].at)
            case tree.For(name, _, _, _, body, item, of) if of is not None:
                yield from self._items(name, item, of, body)
            case tree.For(name, start, stop, down, body):
                turns = f"{self._values.of(start).text}..{self._values.of(stop).text}"
                turns = f"({turns}).rev()" if down else turns
                yield from self._braced(f"for {name if uses.mentions(body, name) else '_'} in {turns}", body)
            case tree.While(condition, body):
                yield from self._braced(f"while {self._values.of(condition).text}", body)
            case tree.If(condition, then, otherwise):
                lines = [*self._braced(f"if {self._values.of(condition).text}", then)]
                yield from [*lines[:-1], *self._else(otherwise)]
            case _:
                raise AssertionError(statement)

    def _assignment(self, target: Expression, operator: str, value: Expression) -> str:
        """Print a new value of a place; some items of an array are copied."""
        if isinstance(target, tree.Slice) or isinstance(value, tree.Slice):
            return f"{self._values.of(target).text}.copy_from_slice(&{self._values.of(value).text});"
        place = self._values.owned(target)
        if self._values.wraps(operator, target):
            return f"{place} = {self._values.binary(operator, target, value).text};"
        return f"{place} {SIGNS.get(operator, operator)}= {self._assigned(target, value)};"

    def _return(self, values: tuple[Expression, ...], *, last: bool) -> Iterator[str]:
        match values:
            case (tree.Call(function) as call,) if self._printer.is_in_place(function):
                name, kind = self._routine.results[0].name, self._routine.results[0].type
                yield f"let mut {name} = {self._blank(kind)};"
                yield self._written((tree.Name(name),), call)
                text = name
            case (value, there) if self._routine.results[0].optional:
                text = f"CtOption::new({self._values.owned(value)}, {self._values.owned(there)})"
                text += ".into()" if self._routine.public else ""
            case _:
                found = [self._values.owned(value) for value in values]
                text = found[0] if len(found) == 1 else f"({', '.join(found)})"
        yield text if last else f"return {text};"

    def _replaced(self, places: tuple[Expression, ...], call: tree.Call) -> Iterator[str]:
        """Print the call of a leaf that writes its results to places; what it reads of them is kept."""
        kept: dict[Expression, Expression] = {}
        for place in places:
            if place in call.arguments:
                name = BEFORE if len(places) == 1 else f"{BEFORE}_{tree.root(place)}"
                yield f"let {name} = {self._values.owned(place)};"
                kept[place] = tree.Name(name, type=place.type)
        yield self._written(places, replace(call, arguments=tuple(kept.get(a, a) for a in call.arguments)))

    def _written(self, places: tuple[Expression, ...], call: tree.Call) -> str:
        """Return the call of a leaf that writes its results to places."""
        called = self._printer.routine(call.function)
        assert called is not None
        given = [f"&mut {self._values.owned(place)}".replace("&mut *", "") for place in places]
        given += map(self._values.argument, call.arguments, called.parameters)
        return f"{self._printer.name(call.function)}({', '.join(given)});"

    def _blank(self, kind: Type | None) -> str:
        found = self._printer.blank(tree.TypeName(kind.name)) if isinstance(kind, Structure) else None
        if found is None:
            raise EfdgenError(f"{self._routine.name}: nothing is in this structure before it is written")
        return found

    def _items(self, name: str, item: str, of: Expression, body: Block) -> Iterator[str]:
        """Print a loop over the items of an array, with their numbers if these are used otherwise."""
        place = tree.Index(of, tree.Name(name))
        # A number that is a word of 32 bits wherever it is read is one from the start.
        word = tree.Convert("u32", tree.Name(name))
        mutable = tree.root(of) in changed(body, self._printer.module.routines)
        as_word = not mutable and not uses.mentions(body, name, {place, word})
        self._values.items_of |= {place: item} | ({word: name} if as_word else {})
        lines = [*self._block(body, 1)]
        match body:
            case (tree.Assign(target, "", tree.Name() as value),) if target == place:
                yield f"{self._values.of(of).text}.fill({self._values.owned(value)});"
                return
        for found in (place, word):
            self._values.items_of.pop(found, None)
        text = self._values.of(of).text
        if mutable:
            numbered = uses.mentions(body, name, {place})
            each = f"({name}, {item}) in {text}.iter_mut().enumerate()"
            head = f"for {each if numbered else f'{item} in {text}.iter_mut()'}"
        elif not uses.mentions(body, name, {place}):
            head = f"for {item} in {text}" if self._values.is_borrowed(of) else f"for {item} in &{text}"
        elif uses.mentions(body, name, {place, word}):
            head = f"for ({name}, {item}) in {text}.iter().enumerate()"
        else:
            head = f"for ({name}, {item}) in (0..).zip({'' if self._values.is_borrowed(of) else '&'}{text})"
        yield f"{head} {{"
        yield from lines
        yield "}"

    def _else(self, block: Block) -> Iterator[str]:
        match block:
            case ():
                yield "}"
            case (tree.If() as inner,):
                first, *rest = self._statement(inner, ())
                yield f"}} else {first}"
                yield from rest
            case _:
                yield from self._braced("} else", block)

    def _filled(self, statement: tree.Declare) -> str:
        """Return an array of one number; 0 is where nothing is read before it is written."""
        value = statement.value.value if isinstance(statement.value, tree.Number) else 0
        assert statement.kind is not None
        item = self._printer.blank(statement.kind) or self._values.fill(value, statement.types[0])
        return self._repeated(item, self._printer.lengths(statement.kind))

    def _zeros(self, room: tree.Room) -> str:
        item = self._printer.blank(room.kind) or self._values.fill(0, room.type)
        return self._repeated(item, self._printer.lengths(room.kind))

    def _repeated(self, text: str, lengths: tuple[Expression, ...]) -> str:
        for length in reversed(lengths):
            text = f"[{text}; {self._values.of(length).text}]"
        return text

    def _assigned(self, target: Expression, value: Expression) -> str:
        """Return the new value of a place; a number fills an array."""
        if isinstance(target.type, Array) and isinstance(value, tree.Number):
            return self._repeated(self._values.fill(value.value, target.type), self._sizes(target))
        return self._values.owned(value)

    def _sizes(self, place: Expression) -> tuple[Expression, ...]:
        """Return the lengths of the array at a place."""
        if isinstance(place, tree.Index):
            return self._sizes(place.base)[1:]
        assert isinstance(place, tree.Name)
        for statement in tree.statements(self._routine.body):
            if isinstance(statement, tree.Declare) and place.name in statement.names and statement.kind:
                return self._printer.lengths(statement.kind)
        return self._printer.lengths(next(p.kind for p in self._routine.parameters if p.name == place.name))


def _member(name: str, value: str) -> str:
    """Return a member of a structure and its value, once where they have one name."""
    return name if name == value else f"{name}: {value}"
