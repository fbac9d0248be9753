"""Expressions of routines in C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.operators import ATOM, PREFIX, Text, infix
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.rooms import SCRATCH, length_of
from efdgen.generator.routines.types import (
    WORD,
    Array,
    Choice,
    Integer,
    Public,
    Structure,
    is_aggregate,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from efdgen.generator.languages.c.printer import Printer
    from efdgen.generator.routines.tree import Expression, Routine
    from efdgen.generator.routines.types import Type

SUM = infix("+", Text("0"), Text("0")).level
SIGNS = {"and": "&&", "or": "||", "+%": "+", "-%": "-", "*%": "*"}


class Expressions:
    """Prints expressions of one routine, in which some names are ``pointers`` to structures.

    ``rows`` are the lengths of arrays of bytes that are one after the other.
    """

    def __init__(
        self, printer: Printer, routine: Routine, pointers: Collection[str], rows: Mapping[str, Expression]
    ) -> None:
        self._printer, self._routine, self._pointers, self._rows = printer, routine, pointers, rows

    def of(self, expression: Expression, *, widened: bool = False) -> Text:
        """Print an expression; where it is ``widened`` by what it meets, its own cast to that is left out."""
        match expression:
            case tree.Number(value) if isinstance(expression.type, Integer) and value >> 31:
                return Text(f"UINT{expression.type.bits}_C({value})")
            case tree.Number(value):
                return Text(str(value))
            case tree.Name(name):
                if name in self._pointers:
                    return Text(f"*{name}", PREFIX)
                return Text(self._printer.constant(name) or name)
            case tree.Index() | tree.Slice():
                return self._items(expression)
            case tree.Member(tree.Name(base), name) if base in self._pointers:
                return Text(f"{base}->{name}")
            case tree.Member(base, name):
                return Text(f"{self.of(base).text}.{name}")
            case tree.Size(kind):
                base, lengths = self._printer.written(kind)
                return Text(f"sizeof({base}{''.join(f'[{self.of(length).text}]' for length in lengths)})")
            case tree.Condition(operand):
                return self.of(operand)
            case tree.Unary("~", operand) if isinstance(expression.type, Choice):
                return infix("^", Text("1"), self.of(operand))
            case tree.Convert(_, operand):
                if widened and _is_wider(expression.type, operand.type):
                    return self.of(operand)
                return self._cast(expression.type, self.of(operand))
            case tree.Mask(bit):
                word = Text(f"{self._printer.name('word_mask')}({self.of(bit).text})")
                return word if expression.type == WORD else self._cast(expression.type, word)
            case tree.Call(function):
                called = self._printer.routine(function)
                if called is None or any(is_aggregate(result.type) for result in called.results):
                    raise EfdgenError(f"{self._routine.name}: {function} does not return a number")
                return Text(self.called(expression, called, []))
            case tree.Unary(operator, operand):
                sign = {"not": "!"}.get(operator, operator)
                text = Text(f"{sign}{self.of(operand).within(PREFIX)}", PREFIX, sign)
                return self._narrowed(expression.type, text)
            case tree.Binary(operator, left, right):
                return self._binary(expression, operator, left, right)
            case _:
                raise AssertionError(expression)

    def _items(self, part: tree.Index | tree.Slice) -> Text:
        """Print an item of an array, or the address of the first of some."""
        match part:
            case tree.Index(tree.Name(name) as base, index) if name in self._rows:
                start = infix("*", self.of(index), self.of(self._rows[name]))
                return infix("+", self.of(base), start)
            case tree.Index(tree.Slice(base, start), index):
                at = index if start == tree.Number(0) else tree.Binary("+", start, index)
                return Text(f"{self.of(base).text}[{self.of(at).text}]")
            case tree.Index(base, index):
                return Text(f"{self.of(base).within(ATOM)}[{self.of(index).text}]")
            case tree.Slice(base, tree.Number(0)):
                return self.of(base)
            case tree.Slice(base, start):
                return Text(f"{self.of(base).text} + {self.of(start).within(SUM)}", SUM, "+")

    def _binary(self, expression: Expression, operator: str, left: Expression, right: Expression) -> Text:
        sign = SIGNS.get(operator, operator)
        plain = operator.removesuffix("%") if operator in ("+%", "-%", "*%") else operator
        one = self.of(left)
        if operator in ("<<", ">>"):
            if isinstance(left, tree.Number) and isinstance(left.type, Integer | Public):
                one = self._cast(left.type, one)
            return self._narrowed(expression.type, infix(plain, one, self.of(right), sign))
        wide = not isinstance(left, tree.Number)
        other = self.of(right, widened=wide)
        return self._narrowed(expression.type, infix(plain, one, other, sign))

    def _cast(self, kind: Type | None, text: Text) -> Text:
        return Text(f"({self.kind(kind)}){text.within(PREFIX)}", PREFIX)

    def _narrowed(self, kind: Type | None, text: Text) -> Text:
        """Return a text that C would compute as an int, in the narrow type that it has."""
        return self._cast(kind, text) if isinstance(kind, Integer) and kind.bits < 32 else text

    def updated(self, place: Expression, operator: str, value: Expression) -> str:
        """Print the assignment of what an operator makes of a place and a value."""
        text = self.of(place).text
        if operator in ("+", "-") and isinstance(value, tree.Number) and value.value == 1:
            return f"{text}{operator * 2};"
        return f"{text} {SIGNS.get(operator, operator)}= {self.of(value, widened=True).text};"

    def called(self, call: tree.Call, called: Routine, places: list[str]) -> str:
        """Return a call of a function that writes results to places."""
        arguments, lengths = list(places), counts(called)
        for argument, parameter in zip(call.arguments, called.parameters, strict=True):
            arguments.append(self.address(argument))
            if parameter.name in lengths:
                assert isinstance(argument.type, Array)
                arguments.append(self.of(length_of(argument.type)).text)
        if call.function in self._printer.with_rooms:
            arguments.append(SCRATCH)
        return f"{self._printer.name(call.function)}({', '.join(arguments)})"

    def address(self, value: Expression) -> str:
        """Return what a function is given: the address of a structure."""
        text = self.of(value).text
        if not isinstance(value.type, Structure):
            return text
        return text.removeprefix("*") if text.startswith("*") else f"&{text}"

    def kind(self, kind: Type | None) -> str:
        """Return the type of a number."""
        if isinstance(kind, Integer):
            return self._printer.written(tree.TypeName(kind.name))[0]
        assert isinstance(kind, Public | Choice)
        return "size_t" if isinstance(kind, Public) else "int"


def _is_wider(kind: Type | None, other: Type | None) -> bool:
    """Return whether every value of a type is one of another, which C turns it into by itself."""
    return (
        isinstance(kind, Integer)
        and isinstance(other, Integer)
        and not kind.signed
        and not other.signed
        and 32 <= other.bits < kind.bits
    )


def counts(routine: Routine) -> dict[str, str]:
    """Return the lengths that C has after a parameter, the last one of such a length."""
    return {names[-1]: length for length, names in uses.lengths(routine).items()}
