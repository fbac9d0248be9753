"""Routines printed in Rust: arrays and structures are borrowed, and results returned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.operators import AS, PREFIX, Text, infix
from efdgen.generator.routines import tree
from efdgen.generator.routines.exclusive import changed
from efdgen.generator.routines.types import Array, Choice, Integer, Public, Structure, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type

TYPES = {"int": "usize", "choice": "Choice", "byte": "u8", "word": "Word"}
_SIGNS = {"and": "&&", "or": "||"}
_WRAPPING = {"+": "wrapping_add", "-": "wrapping_sub", "*": "wrapping_mul"}
_INDENT = "    "
# The most columns that rustfmt gives to the members of a structure on one line.
_SHORT_MEMBERS = 18


@dataclass(frozen=True)
class Printed:
    """A function in Rust: its signature after ``fn``, its lines, and whether it is part of the interface."""

    signature: str
    body: tuple[str, ...]
    exported: bool


class Printer:
    """Prints routines of a module."""

    def __init__(self, module: Module, bindings: Bindings) -> None:
        self._module, self._bindings = module, bindings

    def function(self, name: str) -> Printed:
        """Return the function that a routine is printed as."""
        return _Function(self, self._module.routines[name]).printed()

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
        return self._module.members.get(kind.name, ()) if isinstance(kind, Structure) else ()

    def blank(self, kind: TypeName) -> str | None:
        """Return the initial value of a structure; None for numbers."""
        return self._bindings.blanks.get(kind.name)

    def is_constant(self, name: str) -> bool:
        """Return whether a name denotes a constant."""
        return name in self._module.constants

    @property
    def routines(self) -> Mapping[str, Routine]:
        """The routines that calls may mean."""
        return self._module.routines

    def routine(self, name: str) -> Routine | None:
        """Return a routine that a call may mean."""
        return self._module.routines.get(name)

    def lengths(self, kind: TypeName) -> tuple[Expression, ...]:
        """Return the lengths of an array, the outermost first."""
        alias = self._module.aliases.get(kind.name)
        return (*kind.lengths, *(self.lengths(alias) if alias else ()))

    def base(self, kind: TypeName) -> str:
        """Return the name of a type without the lengths that are written after it."""
        if own := self._bindings.types.get(kind.name):
            return own
        alias = kind.name in self._module.aliases
        return kind.name.title().replace("_", "") if alias else TYPES.get(kind.name, kind.name)


class _Function:
    """One routine: which names are borrowed, and its text."""

    def __init__(self, printer: Printer, routine: Routine) -> None:
        self._printer, self._routine = printer, routine
        self._borrowed = {p.name for p in routine.parameters if isinstance(p.type, Array | Structure)}
        self._own = routine.parameters[0] if printer.is_method(routine.name) else None
        self._items_of: dict[Expression, str] = {}
        self._lengths = {
            p.type.length: f"{p.name}.len()"
            for p in routine.parameters
            if isinstance(p.type, Array) and counted(p.type)
        }

    def printed(self) -> Printed:
        routine = self._routine
        parameters = [f"{p.name}: {self._parameter(p)}" for p in routine.parameters if p != self._own]
        if self._own is not None:
            parameters.insert(0, f"&{'mut ' if self._own.mode else ''}self")
        optional = [result.optional for result in routine.results]
        results = [
            f"CtOption<{self._kind(result.kind)}>" if result.optional else self._kind(result.kind)
            for result, before in zip(routine.results, [False, *optional], strict=False)
            if not before
        ]
        returned = f"({', '.join(results)})" if len(results) > 1 else "".join(results)
        arrow = f" -> {returned}" if results else ""
        signature = f"{self._printer.name(routine.name)}({', '.join(parameters)}){arrow}"
        return Printed(signature, tuple(self._block(routine.body, 1)), routine.exported)

    def _parameter(self, parameter: tree.Parameter) -> str:
        if not isinstance(parameter.type, Array | Structure):
            return self._kind(parameter.kind)
        return f"&{'mut ' if parameter.mode else ''}{self._kind(parameter.kind)}"

    def _kind(self, kind: TypeName) -> str:
        own = self._own is not None and kind.name == self._own.kind.name
        text = "Self" if own else self._printer.base(kind)
        for length in reversed(kind.lengths):
            names = [part.name for part in tree.walk(length) if isinstance(part, tree.Name)]
            if all(map(self._printer.is_constant, names)):
                text = f"[{text}; {self._expression(length).text}]"
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
            case (tree.Declare((name,), _, value), tree.Return((tree.Name(returned),)) as end, *rest) if (
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
            and not tree.mentions((tree.Do(found.value),), name)
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
        members = [
            f"{self._printer.member(member)}: {self._owned(value)}"
            for member, value in zip(self._printer.members(kind), values, strict=True)
        ]
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
        return f"mut {name}" if name in changed(lifetime, self._printer.routines) else name

    def _statement(self, statement: Statement, rest: Block) -> Iterator[str]:
        match statement:
            case tree.Comment(text):
                yield f"// {text}"
            case tree.Declare(names, _, tree.Call(function) as call) if self._printer.is_in_place(function):
                for name, kind in zip(names, statement.types, strict=True):
                    yield f"let mut {name} = {self._blank(kind)};"
                yield self._written(tuple(map(tree.Name, names)), call)
            case tree.Declare(names, _, value):
                places = [name if name == "_" else self._variable(name, rest) for name in names]
                left = places[0] if len(places) == 1 else f"({', '.join(places)})"
                plain = isinstance(statement.types[0], Choice)
                written = f": {self._kind(statement.kind)}" if statement.kind and not plain else ""
                filled = value is None or isinstance(value, tree.Number)
                text = self._filled(statement) if filled and written else self._owned(value)
                yield f"let {left}{written} = {text};"
            case tree.Assign(target, "", tree.Call(function) as call) if self._printer.is_in_place(function):
                if target in call.arguments:
                    yield f"let before = {self._owned(target)};"
                    before = tree.Name("before", type=target.type)
                    kept = tuple(before if argument == target else argument for argument in call.arguments)
                    call = replace(call, arguments=kept)
                yield self._written((target,), call)
            case tree.Assign(target, operator, value) if operator in _WRAPPING and self._is_secret(target):
                yield f"{self._owned(target)} = {self._binary(operator, target, value).text};"
            case tree.Assign(target, operator, value):
                text = self._assigned(target, value)
                place = self._owned(target)
                yield f"{place} {_SIGNS.get(operator, operator)}= {text};"
            case tree.Hide(place):
                yield f"{self._owned(place)} = black_box({self._owned(place)});"
            case tree.Do(call):
                yield f"{self._expression(call).text};"
            case tree.Return(values):
                yield from self._return(values, last=statement.at == self._routine.body[-1].at)
            case tree.For(name, _, _, _, body, item, of) if of is not None:
                yield from self._items(name, item, of, body)
            case tree.For(name, start, stop, down, body):
                turns = f"{self._expression(start).text}..{self._expression(stop).text}"
                used = name if tree.mentions(body, name) else "_"
                yield from self._braced(f"for {used} in {f'({turns}).rev()' if down else turns}", body)
            case tree.While(condition, body):
                yield from self._braced(f"while {self._expression(condition).text}", body)
            case tree.If(condition, then, otherwise):
                lines = [*self._braced(f"if {self._expression(condition).text}", then)]
                other = [*self._else(otherwise)]
                yield from lines if not other else [*lines[:-1], *other]

    def _return(self, values: tuple[Expression, ...], *, last: bool) -> Iterator[str]:
        match values:
            case (tree.Call(function) as call,) if self._printer.is_in_place(function):
                name, kind = self._routine.results[0].name, self._routine.results[0].type
                yield f"let mut {name} = {self._blank(kind)};"
                yield self._written((tree.Name(name),), call)
                text = name
            case (value, there) if self._routine.results[0].optional:
                text = f"CtOption::new({self._owned(value)}, {self._owned(there)})"
            case _:
                found = [self._owned(value) for value in values]
                text = found[0] if len(found) == 1 else f"({', '.join(found)})"
        yield text if last else f"return {text};"

    def _written(self, places: tuple[Expression, ...], call: tree.Call) -> str:
        """Return the call of a leaf that writes its results to places."""
        called = self._printer.routine(call.function)
        assert called is not None
        given = [f"&mut {self._owned(place)}".replace("&mut *", "") for place in places]
        given += map(self._argument, call.arguments, called.parameters)
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
        as_word = not tree.mentions(body, name, {place, word})
        self._items_of |= {place: item} | ({word: name} if as_word else {})
        lines = [*self._block(body, 1)]
        for found in (place, word):
            self._items_of.pop(found, None)
        text = self._expression(of).text
        if not tree.mentions(body, name, {place}):
            head = f"for {item} in {text}" if self._is_borrowed(of) else f"for {item} in &{text}"
        elif tree.mentions(body, name, {place, word}):
            head = f"for ({name}, {item}) in {text}.iter().enumerate()"
        else:
            head = f"for ({name}, {item}) in (0..).zip({'' if self._is_borrowed(of) else '&'}{text})"
        yield f"{head} {{"
        yield from lines
        yield "}"

    def _else(self, block: Block) -> Iterator[str]:
        match block:
            case ():
                return
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
        item = self._printer.blank(statement.kind) or f"{value:_}"
        return self._repeated(item, self._printer.lengths(statement.kind))

    def _repeated(self, text: str, lengths: tuple[Expression, ...]) -> str:
        for length in reversed(lengths):
            text = f"[{text}; {self._expression(length).text}]"
        return text

    def _assigned(self, target: Expression, value: Expression) -> str:
        """Return the new value of a place; a number fills an array."""
        if isinstance(target.type, Array) and isinstance(value, tree.Number):
            return self._repeated(f"{value.value:_}", self._sizes(target))
        return self._owned(value)

    def _sizes(self, place: Expression) -> tuple[Expression, ...]:
        """Return the lengths of the array at a place."""
        if isinstance(place, tree.Index):
            return self._sizes(place.base)[1:]
        assert isinstance(place, tree.Name)
        for statement in tree.statements(self._routine.body):
            if isinstance(statement, tree.Declare) and place.name in statement.names and statement.kind:
                return self._printer.lengths(statement.kind)
        kinds = {parameter.name: parameter.kind for parameter in self._routine.parameters}
        return self._printer.lengths(kinds[place.name])

    def _owned(self, value: Expression | None) -> str:
        """Return a value; borrowed ones are dereferenced."""
        assert value is not None
        text = self._expression(value).text
        return f"*{text}" if self._is_borrowed(value) else text

    def _is_borrowed(self, place: Expression) -> bool:
        if place in self._items_of:
            return isinstance(place.type, Array | Structure)
        return isinstance(place, tree.Name) and place.name in self._borrowed

    def _argument(self, argument: Expression, parameter: tree.Parameter) -> str:
        text = self._expression(argument).text
        if not isinstance(parameter.type, Array | Structure) or self._is_borrowed(argument):
            return text
        return f"&{'mut ' if parameter.mode else ''}{text}"

    def _expression(self, expression: Expression) -> Text:
        if expression in self._items_of:
            return Text(self._items_of[expression])
        match expression:
            case tree.Number(value) if isinstance(expression.type, Choice):
                return Text(f"Choice::from({value})")
            case tree.Number(value):
                return Text(f"{value:_}")
            case tree.Name(name) if self._own is not None and name == self._own.name:
                return Text("self")
            case tree.Name(name):
                length = self._lengths.get(name)
                return Text(
                    length or (self._printer.constant(name) if self._printer.is_constant(name) else name)
                )
            case tree.Index(base, index):
                return Text(f"{self._expression(base).text}[{self._expression(index).text}]")
            case tree.Member(base, name):
                return Text(f"{self._expression(base).text}.{self._printer.member(name)}")
            case tree.Condition(operand):
                return Text(f"bool::from({self._expression(operand).text})")
            case tree.Convert(_, operand):
                return self._converted(expression.type, operand)
            case tree.Mask(bit):
                return Text(f"black_box({self._expression(bit).text}).wrapping_neg()")
            case tree.Call(function, arguments):
                called = self._printer.routine(function)
                assert called is not None
                if self._printer.is_in_place(function):
                    raise EfdgenError(f"{self._routine.name}: {function} does not return its results")
                given = [*map(self._argument, arguments, called.parameters)]
                name = self._printer.name(function)
                if is_generic(called):
                    name = f"{name}::<{given.pop()}>"
                if self._printer.is_method(function):
                    name, given = f"{self._expression(arguments[0]).text}.{name}", given[1:]
                return Text(f"{name}({', '.join(given)})")
            case tree.Unary(operator, operand):
                sign = "-" if operator == "-" else "!"
                return Text(f"{sign}{self._expression(operand).within(PREFIX)}", PREFIX, sign)
            case tree.Binary(operator, left, right):
                return self._binary(operator, left, right)
            case _:
                raise AssertionError(expression)

    def _binary(self, operator: str, left: Expression, right: Expression) -> Text:
        one, other = self._expression(left), self._expression(right)
        if operator == "-%" and isinstance(left, tree.Number) and left.value == 0:
            return Text(f"{other.within(PREFIX + 1)}.wrapping_neg()")
        name = _WRAPPING.get(operator.removesuffix("%"))
        if name and (operator.endswith("%") or self._is_secret(left) or self._is_secret(right)):
            return Text(f"{self._suffixed(left, one).within(PREFIX + 1)}.{name}({other.text})")
        if operator in ("<<", ">>"):
            one = self._suffixed(left, one)
        return infix(operator, one, other, _SIGNS.get(operator, ""))

    def _is_secret(self, value: Expression) -> bool:
        """Return whether a check of overflow would be a branch on a secret where time may depend on none."""
        return isinstance(value.type, Integer) and not self._routine.variable

    def _suffixed(self, expression: Expression, text: Text) -> Text:
        """Return a number with its type, where nothing else says what that is."""
        if isinstance(expression, tree.Number) and isinstance(expression.type, Integer):
            return Text(f"{text.text}_{self._name(expression.type)}")
        return text

    def _converted(self, kind: Type | None, operand: Expression) -> Text:
        text, given = self._expression(operand), operand.type
        if isinstance(kind, Choice):
            return Text(f"Choice::from(u8::from({infix('==', text, Text('1')).text}))")
        if isinstance(kind, Integer) and isinstance(given, Integer) and _is_within(given, kind):
            return Text(f"{self._name(kind)}::from({text.text})")
        return self._as(self._name(kind), text)

    def _as(self, name: str, text: Text) -> Text:
        return Text(f"{text.within(AS)} as {name}", AS, "as")

    def _name(self, kind: Type | None) -> str:
        assert isinstance(kind, Integer | Public)
        return self._printer.base(tree.TypeName(kind.name)) if isinstance(kind, Integer) else "usize"


def _is_within(kind: Integer, other: Integer) -> bool:
    """Return whether every value of a type is one of another."""
    return other.low <= kind.low and kind.high <= other.high


def is_generic(routine: Routine) -> bool:
    """Return whether the last argument of a leaf is the length of its result, a part of its type in Rust."""
    kinds = [result.type for result in routine.results]
    last = routine.parameters[-1].name if routine.parameters else None
    return routine.leaf and any(isinstance(kind, Array) and kind.length == last for kind in kinds)
