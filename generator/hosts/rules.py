"""A host's rules on bounds, in its own notation: ``a + b <= 32``, ``a/2 + 1``.

A bound is a non-negative integer: a magnitude, or 1 for tight and 2 for loose. ``/`` rounds down. The same
rule is read over integers by the rule-runner and over unknowns by the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from efdgen.generator.language.parser import parse_equation
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Binary, Group, Name, Number, names_in

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from efdgen.generator.language.syntax import Expression

T = TypeVar("T")


@dataclass(frozen=True)
class Quantity:
    """A bound computed from the bounds of operands ``a`` and ``b`` and an integer factor ``k``."""

    expression: Expression

    @classmethod
    def parse(cls, text: str, names: Collection[str]) -> Quantity:
        """Read a sum, product or quotient; raise ValueError for another name, or a subtraction."""
        expression = parse_equation(f"{text} == 0").left
        unknown = [name.text for name in names_in(expression) if name.text not in names]
        if unknown:
            raise ValueError(f"{unknown[0]} is not one of {', '.join(names) or 'the operands'}")
        quantity = cls(expression)
        quantity.at(dict.fromkeys(names, 1))
        return quantity

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""
        return frozenset(name.text for name in names_in(self.expression))

    @property
    def is_name(self) -> bool:
        """Return whether it is the bound of an operand, as it is."""
        return isinstance(self.expression, Name)

    def at(self, names: Mapping[str, Any]) -> Any:  # noqa: ANN401 - an integer, or a term of the solver
        """Return the value where the names have these values."""
        return _value(self.expression, names)

    def __str__(self) -> str:
        return print_expression(self.expression)


@dataclass(frozen=True)
class Condition:
    """``left <= right``: what must hold before a call."""

    left: Quantity
    right: Quantity

    @classmethod
    def parse(cls, text: str, names: Collection[str]) -> Condition:
        """Read a condition; raise ValueError for what is none."""
        sides = text.split("<=")
        if len(sides) != 2:
            raise ValueError(f"{text!r} is not of the form left <= right")
        left, right = (Quantity.parse(side, names) for side in sides)
        return cls(left, right)

    @property
    def names(self) -> frozenset[str]:
        """The names on both sides."""
        return self.left.names | self.right.names

    def at(self, names: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a truth value, or a formula of the solver
        """Return whether the condition holds where the names have these values."""
        return self.left.at(names) <= self.right.at(names)

    def __str__(self) -> str:
        return f"{self.left} <= {self.right}"


def _value(expression: Expression, names: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as in Quantity.at
    match expression:
        case Number(value):
            return value
        case Name(text):
            return names[text]
        case Group(inner):
            return _value(inner, names)
        case Binary("+", left, right):
            return _value(left, names) + _value(right, names)
        case Binary("*", left, right):
            return _value(left, names) * _value(right, names)
        case Binary("/", left, Number(divisor)):
            dividend = _value(left, names)
            # The division of the solver's integers, written /, rounds down too.
            return dividend // divisor if isinstance(dividend, int) else dividend / divisor
        case _:
            raise ValueError(f"{print_expression(expression)} is not made of +, * and / by a number")
