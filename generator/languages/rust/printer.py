"""Routines printed in Rust: arrays are borrowed, and results returned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.languages.operators import AS, PREFIX, Text, infix
from efdgen.generator.routines import tree
from efdgen.generator.routines.checker import counted
from efdgen.generator.routines.types import Array, Choice, Integer, Public, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Block, Expression, Routine, Statement, TypeName
    from efdgen.generator.routines.types import Type

TYPES = {"int": "usize", "choice": "Choice", "byte": "u8"}
_SIGNS = {"and": "&&", "or": "||"}
_WRAPPING = {"+": "wrapping_add", "-": "wrapping_sub", "*": "wrapping_mul"}
_INDENT = "    "


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

    def blank(self, kind: TypeName) -> str | None:
        """Return what is in a structure before it is written; None of numbers."""
        return self._bindings.blanks.get(kind.name)

    def is_constant(self, name: str) -> bool:
        """Return whether a name is that of a constant."""
        return name in self._module.constants

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
        self._items_of: dict[Expression, str] = {}
        self._lengths = {
            p.type.length: f"{p.name}.len()"
            for p in routine.parameters
            if isinstance(p.type, Array) and counted(p.type)
        }

    def printed(self) -> Printed:
        routine = self._routine
        parameters = [f"{p.name}: {self._parameter(p)}" for p in routine.parameters]
        results = [self._kind(result.kind) for result in routine.results]
        returned = f"({', '.join(results)})" if len(results) > 1 else "".join(results)
        arrow = f" -> {returned}" if results else ""
        signature = f"{self._printer.name(routine.name)}({', '.join(parameters)}){arrow}"
        return Printed(signature, tuple(self._block(routine.body, 1)), routine.exported)

    def _parameter(self, parameter: tree.Parameter) -> str:
        if not isinstance(parameter.type, Array | Structure):
            return self._kind(parameter.kind)
        return f"&{'mut ' if parameter.mode else ''}{self._kind(parameter.kind)}"

    def _kind(self, kind: TypeName) -> str:
        text = self._printer.base(kind)
        for length in reversed(kind.lengths):
            size = self._expression(length).text
            text = f"[{text}]" if size in self._lengths.values() else f"[{text}; {size}]"
        return text

    def _block(self, block: Block, depth: int) -> Iterator[str]:
        for statement in block:
            for line in self._statement(statement):
                yield f"{_INDENT * depth}{line}"

    def _braced(self, head: str, block: Block) -> Iterator[str]:
        yield f"{head} {{"
        yield from self._block(block, 1)
        yield "}"

    def _statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case tree.Comment(text):
                yield f"// {text}"
            case tree.Declare(names, _, value, constant):
                places = [name if constant or name == "_" else f"mut {name}" for name in names]
                left = places[0] if len(places) == 1 else f"({', '.join(places)})"
                kind = f": {self._kind(statement.kind)}" if statement.kind else ""
                filled = value is None or isinstance(value, tree.Number)
                text = self._filled(statement) if filled and kind else self._owned(value)
                yield f"let {left}{kind} = {text};"
            case tree.Assign(target, operator, value) if operator in _WRAPPING and self._is_secret(target):
                yield f"{self._owned(target)} = {self._binary(operator, target, value).text};"
            case tree.Assign(target, operator, value):
                text = self._assigned(target, value)
                place = self._owned(target)
                yield f"{place} {_SIGNS.get(operator, operator)}= {text};"
            case tree.Do(call):
                yield f"{self._expression(call).text};"
            case tree.Return(values):
                found = [self._owned(value) for value in values]
                yield found[0] if len(found) == 1 else f"({', '.join(found)})"
            case tree.For(name, _, _, _, body, item, of) if of is not None:
                yield from self._items(name, item, of, body)
            case tree.For(name, start, stop, down, body):
                turns = f"{self._expression(start).text}..{self._expression(stop).text}"
                lines = [*self._block(body, 1)]
                used = name if any(re.search(rf"\b{name}\b", line) for line in lines) else "_"
                yield f"for {used} in {f'({turns}).rev()' if down else turns} {{"
                yield from lines
                yield "}"
            case tree.While(condition, body):
                yield from self._braced(f"while {self._expression(condition).text}", body)
            case tree.If(condition, then, otherwise):
                lines = [*self._braced(f"if {self._expression(condition).text}", then)]
                other = [*self._else(otherwise)]
                yield from lines if not other else [*lines[:-1], *other]

    def _items(self, name: str, item: str, of: Expression, body: Block) -> Iterator[str]:
        """Print a loop over the items of an array, with their numbers if these are used otherwise."""
        place = tree.Index(of, tree.Name(name))
        self._items_of[place] = item
        self._borrowed.add(item)
        lines = [*self._block(body, 1)]
        del self._items_of[place]
        numbered = any(re.search(rf"\b{name}\b", line) for line in lines)
        text = self._expression(of).text
        head = f"for ({name}, {item}) in {text}.iter().enumerate()" if numbered else f"for {item} in &{text}"
        if not numbered and self._is_borrowed(of):
            head = f"for {item} in {text}"
        yield f"{head} {{"
        yield from lines
        yield "}"

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
        """Return what is assigned to a place; a number fills an array."""
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
        """Return a value, of what is borrowed too."""
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
            case tree.Number(value):
                return Text(f"{value:_}")
            case tree.Name(name):
                length = self._lengths.get(name)
                return Text(
                    length or (self._printer.constant(name) if self._printer.is_constant(name) else name)
                )
            case tree.Index(base, index):
                return Text(f"{self._expression(base).text}[{self._expression(index).text}]")
            case tree.Convert(_, operand):
                return self._converted(expression.type, operand)
            case tree.Call("mask", (bit,)):
                return Text(f"black_box({self._expression(bit).text}).wrapping_neg()")
            case tree.Call(function, arguments):
                called = self._printer.routine(function)
                assert called is not None
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
        return TYPES.get(kind.name, kind.name) if isinstance(kind, Integer) else "usize"


def _is_within(kind: Integer, other: Integer) -> bool:
    """Return whether every value of a type is one of another."""
    return other.low <= kind.low and kind.high <= other.high


def is_generic(routine: Routine) -> bool:
    """Return whether the last argument of a leaf is the length of its result, a part of its type in Rust."""
    kinds = [result.type for result in routine.results]
    last = routine.parameters[-1].name if routine.parameters else None
    return routine.leaf and any(isinstance(kind, Array) and kind.length == last for kind in kinds)
