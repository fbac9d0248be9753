"""Expressions of routines in Rust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.operators import AS, PREFIX, Text, infix
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.types import SCALARS, Array, Choice, Integer, Public, Structure

if TYPE_CHECKING:
    from efdgen.generator.languages.rust.printer import Printer
    from efdgen.generator.routines.tree import Expression, Routine
    from efdgen.generator.routines.types import Type

_WRAPPING = {"+": "wrapping_add", "-": "wrapping_sub", "*": "wrapping_mul"}
SIGNS = {"and": "&&", "or": "||"}


class Expressions:
    """Prints expressions of one routine, in which some names are borrowed.

    ``items_of`` are expressions that open loops over items have variables for.
    """

    def __init__(self, printer: Printer, routine: Routine) -> None:
        self._printer, self._routine = printer, routine
        self._borrowed = {p.name for p in routine.parameters if isinstance(p.type, Array | Structure)}
        self._own = routine.parameters[0] if printer.is_method(routine.name) else None
        self.items_of: dict[Expression, str] = {}
        self._lengths = {length: f"{given[0]}.len()" for length, given in uses.lengths(routine).items()}

    def of(self, expression: Expression) -> Text:
        """Print an expression; structures and arrays may be borrowed."""
        if expression in self.items_of:
            return Text(self.items_of[expression])
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
                return Text(f"{self.of(base).text}[{self.of(index).text}]")
            case tree.Slice(base, start, stop):
                return Text(f"{self.of(base).text}[{self._range(start, stop)}]")
            case tree.Member(base, name):
                return Text(f"{self.of(base).text}.{self._printer.member(name)}")
            case tree.Condition(operand):
                return Text(f"bool::from({self.of(operand).text})")
            case tree.Convert(_, operand):
                return self._converted(expression.type, operand)
            case tree.Mask(bit):
                return Text(f"black_box({self.of(bit).text}).wrapping_neg()")
            case tree.Call(function, arguments):
                called = self._printer.routine(function)
                assert called is not None
                if self._printer.is_in_place(function):
                    raise EfdgenError(f"{self._routine.name}: {function} does not return its results")
                given = [*map(self.argument, arguments, called.parameters)]
                name = self._printer.name(function)
                if self._printer.is_method(function):
                    name, given = f"{self.of(arguments[0]).text}.{name}", given[1:]
                return Text(f"{name}({', '.join(given)})")
            case tree.Unary(operator, operand):
                sign = "-" if operator == "-" else "!"
                return Text(f"{sign}{self.of(operand).within(PREFIX)}", PREFIX, sign)
            case tree.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case _:
                raise AssertionError(expression)

    def _range(self, start: Expression, stop: Expression) -> str:
        """Return the numbers of some items."""
        first = "" if start == tree.Number(0) else self.of(start).text
        match stop:
            case tree.Binary("+", tree.Number(1), last):
                return f"{first}..={self.of(last).text}"
            case _:
                return f"{first}..{self.of(stop).text}"

    def fill(self, value: int, kind: Type | None = None) -> str:
        """Print a number that fills an array."""
        return f"{value:_}"

    def wraps(self, operator: str, place: Expression) -> bool:
        """Return whether an update by an operator is a method of the place's value."""
        return operator in _WRAPPING and self._is_secret(place)

    def binary(self, operator: str, left: Expression, right: Expression) -> Text:
        """Print an operator between two expressions."""
        one, other = self.of(left), self.of(right)
        if operator == "-%" and isinstance(left, tree.Number) and left.value == 0:
            return Text(f"{other.within(PREFIX + 1)}.wrapping_neg()")
        name = _WRAPPING.get(operator.removesuffix("%"))
        if name and (operator.endswith("%") or self._is_secret(left) or self._is_secret(right)):
            return Text(f"{self._suffixed(left, one).within(PREFIX + 1)}.{name}({other.text})")
        if operator in ("<<", ">>"):
            one = self._suffixed(left, one)
        return infix(operator, one, other, SIGNS.get(operator, ""))

    def _is_secret(self, value: Expression) -> bool:
        """Return whether a check of overflow would be a branch on a secret where time may depend on none."""
        return isinstance(value.type, Integer) and not self._routine.variable

    def _suffixed(self, expression: Expression, text: Text) -> Text:
        """Return a number with its type, where nothing else says what that is."""
        if isinstance(expression, tree.Number) and isinstance(expression.type, Integer):
            return Text(f"{text.text}_{self._name(expression.type)}")
        return text

    def _converted(self, kind: Type | None, operand: Expression) -> Text:
        text, given = self.of(operand), operand.type
        if isinstance(given, Choice):
            return Text(f"{self._name(kind)}::from({text.within(PREFIX + 1)}.unwrap_u8())")
        if isinstance(kind, Choice):
            return Text(f"Choice::from(u8::from({infix('==', text, Text('1')).text}))")
        if isinstance(kind, Integer) and isinstance(given, Integer) and _is_within(given, kind):
            return Text(f"{self._name(kind)}::from({text.text})")
        if kind == SCALARS["byte"]:
            return Text(f"{text.within(PREFIX + 1)}.to_le_bytes()[0]")
        return self._as(self._name(kind), text)

    def _as(self, name: str, text: Text) -> Text:
        return Text(f"{text.within(AS)} as {name}", AS, "as")

    def _name(self, kind: Type | None) -> str:
        assert isinstance(kind, Integer | Public)
        return self._printer.base(tree.TypeName(kind.name)) if isinstance(kind, Integer) else "usize"

    def owned(self, value: Expression | None) -> str:
        """Return a value; borrowed ones are dereferenced."""
        assert value is not None
        text = self.of(value).text
        return f"*{text}" if self.is_borrowed(value) else text

    def is_borrowed(self, place: Expression) -> bool:
        """Return whether a place is a reference."""
        if place in self.items_of:
            return isinstance(place.type, Array | Structure)
        return isinstance(place, tree.Name) and place.name in self._borrowed

    def argument(self, argument: Expression, parameter: tree.Parameter) -> str:
        """Print an argument for a parameter."""
        text = self.of(argument).text
        if not isinstance(parameter.type, Array | Structure) or self.is_borrowed(argument):
            return text
        return f"&{'mut ' if parameter.mode else ''}{text}"


def _is_within(kind: Integer, other: Integer) -> bool:
    """Return whether every value of a type is one of another."""
    return other.low <= kind.low and kind.high <= other.high
