"""Expressions of routines on lanes in C: operators are calls, for C has none on structures.

A number that differs between lanes is a structure, and each operator on it a function that has the
type and the operator in its name. There is neither a branch nor an index by such a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.c.expressions import Expressions
from efdgen.generator.languages.operators import Text
from efdgen.generator.routines import tree
from efdgen.generator.routines.types import ELEMENT, Choice, Integer, Public, Structure

if TYPE_CHECKING:
    from efdgen.generator.routines.tree import Expression, Routine
    from efdgen.generator.routines.types import Type

OPERATORS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr"}
"""Operators by the ends of functions' names."""

SHARED = "_shared"
"""The end of the name of a function that is given an element which all lanes share."""


class LaneExpressions(Expressions):
    """Prints expressions of one routine whose numbers are in lanes."""

    def of(self, expression: Expression, *, widened: bool = False) -> Text:
        """Print an expression."""
        kind = expression.type
        match expression:
            case tree.Condition():
                raise EfdgenError(f"{self._routine.name}: a condition differs from lane to lane")
            case tree.Index(_, index) if not isinstance(index.type, Public):
                raise EfdgenError(f"{self._routine.name}: an index differs from lane to lane")
            case tree.Number() if isinstance(kind, Integer | Choice):
                return self._lanes(kind, "all", super().of(expression))
            case tree.Convert(_, operand) if isinstance(kind, Integer | Choice):
                end = "all" if isinstance(operand.type, Public) else f"of_{self._short(operand.type)}"
                return self._lanes(kind, end, self.of(operand))
            case tree.Convert():
                raise EfdgenError(f"{self._routine.name}: a public number differs from lane to lane")
            case tree.Mask(bit):
                return self._lanes(kind, "mask", self.of(bit))
            case tree.Unary("~", operand) if isinstance(kind, Choice):
                return self._lanes(kind, "not", self.of(operand))
            case tree.Unary() if not isinstance(kind, Public):
                raise EfdgenError(f"{self._routine.name}: lanes have no {expression.operator}")
            case tree.Binary(operator, left, right) if isinstance(kind, Integer | Choice):
                return self._operation(kind, operator, self.of(left), self.of(right))
            case _:
                return super().of(expression, widened=widened)

    def updated(self, place: Expression, operator: str, value: Expression) -> str:
        """Print the assignment of what an operator makes of a place and a value."""
        if isinstance(place.type, Public):
            return super().updated(place, operator, value)
        text = self.of(place)
        return f"{text.text} = {self._operation(place.type, operator, text, self.of(value)).text};"

    def called(self, call: tree.Call, called: Routine, places: list[str]) -> str:
        """Return a call; a function has another name for an element that all lanes share."""
        text = super().called(call, called, places)
        shared = [argument for argument in call.arguments if self._is_shared(argument)]
        if any(argument.type != ELEMENT for argument in shared):
            raise EfdgenError(f"{self._routine.name}: a structure that all lanes share is given")
        name, bracket, rest = text.partition("(")
        return f"{name}{SHARED}{bracket}{rest}" if shared else text

    def kind(self, kind: Type | None) -> str:
        """Return the type of a number."""
        if isinstance(kind, Choice):
            return self._printer.written(tree.TypeName("choice"))[0]
        return super().kind(kind)

    def _is_shared(self, value: Expression) -> bool:
        """Return whether a structure is in a table that all lanes share."""
        return isinstance(value.type, Structure) and any(
            parameter.name == tree.root(value) and self._printer.known(parameter.kind)
            for parameter in self._routine.parameters
        )

    def _operation(self, kind: Type | None, operator: str, left: Text, right: Text) -> Text:
        plain = operator if operator in OPERATORS else operator.removesuffix("%")
        if plain not in OPERATORS:
            raise EfdgenError(f"{self._routine.name}: lanes have no {operator}")
        return self._lanes(kind, OPERATORS[plain], left, right)

    def _lanes(self, kind: Type | None, end: str, *operands: Text) -> Text:
        """Print a call of the function of a type's name and an operator's."""
        return Text(f"{self.kind(kind)}_{end}({', '.join(operand.text for operand in operands)})")

    def _short(self, kind: Type | None) -> str:
        """Return the name of a type without the prefix."""
        return self.kind(kind).rpartition("_")[2]
