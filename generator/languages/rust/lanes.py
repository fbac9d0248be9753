"""Expressions of routines on lanes in Rust: numbers that differ between lanes have types of their own.

These types have the operators and methods of Rust's own numbers. What is printed otherwise is a number that
all lanes share, a conversion, and a mask; there is neither a branch nor an index by a number in lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.operators import PREFIX, Text
from efdgen.generator.languages.rust.expressions import Expressions
from efdgen.generator.routines import tree
from efdgen.generator.routines.types import Array, Choice, Integer, Public

if TYPE_CHECKING:
    from efdgen.generator.routines.tree import Expression
    from efdgen.generator.routines.types import Type


class LaneExpressions(Expressions):
    """Prints expressions of one routine whose numbers are in lanes."""

    def of(self, expression: Expression) -> Text:
        """Print an expression; structures and arrays may be borrowed."""
        match expression:
            case tree.Number(value) if isinstance(expression.type, Integer):
                return Text(self.fill(value, expression.type))
            case tree.Convert(_, operand) if isinstance(operand.type, Public) and not isinstance(
                expression.type, Public
            ):
                return Text(f"{self._name(expression.type)}::all({self._public(expression, operand)})")
            case tree.Mask(bit):
                return Text(f"{self.of(bit).within(PREFIX + 1)}.mask()")
            case tree.Condition():
                raise EfdgenError(f"{self._routine.name}: a condition differs from lane to lane")
            case tree.Index(_, index) if not isinstance(index.type, Public):
                raise EfdgenError(f"{self._routine.name}: an index differs from lane to lane")
            case _:
                return super().of(expression)

    def fill(self, value: int, kind: Type | None = None) -> str:
        """Print a number in all lanes."""
        while isinstance(kind, Array):
            kind = kind.item
        if not isinstance(kind, Integer):
            return super().fill(value, kind)
        name = self._name(kind)
        return f"{name}::all({value:_})" if value else f"{name}::ZERO"

    def _public(self, expression: Expression, operand: Expression) -> str:
        """Print a public number, which a loop over items may count as a word."""
        return self.items_of.get(expression) or self.of(operand).text

    def _suffixed(self, expression: Expression, text: Text) -> Text:
        return text

    def _converted(self, kind: Type | None, operand: Expression) -> Text:
        text, given = self.of(operand), operand.type
        match kind, given:
            case Choice(), Integer():
                return Text(f"Choice::of({text.text})")
            case Integer(), Choice():
                return Text(f"{text.within(PREFIX + 1)}.number()")
            case Integer(), Integer() if given.low >= kind.low and given.high <= kind.high:
                return Text(f"{self._name(kind)}::from({text.text})")
            case Integer(), Integer():
                return Text(f"{self._name(kind)}::low({text.text})")
            case _:
                raise EfdgenError(f"{self._routine.name}: a public number differs from lane to lane")
