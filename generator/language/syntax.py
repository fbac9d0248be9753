"""The syntax tree: expressions, and the statements of the four kinds of file.

Every node carries its position in the text; positions do not count in comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.errors import Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOWHERE = Position(0, 0)


@dataclass(frozen=True, slots=True)
class Number:
    """A non-negative integer."""

    value: int
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A coordinate, a parameter or an intermediate value."""

    text: str
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """An expression in parentheses; kept, because the author's grouping says what is computed."""

    inner: Expression
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Negative:
    """``-inner``."""

    inner: Expression
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """``left operator right``; the right side of ``^`` is a :class:`Number`."""

    operator: Literal["+", "-", "*", "/", "^"]
    left: Expression
    right: Expression
    at: Position = field(default=NOWHERE, compare=False)


Expression: TypeAlias = Number | Name | Group | Negative | Binary


@dataclass(frozen=True, slots=True)
class Equation:
    """``left == right``: an assumption, a curve equation, or what a coordinate means."""

    left: Expression
    right: Expression
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target = value``."""

    target: str
    value: Expression
    at: Position = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of a file: a keyword, and what is after it."""

    keyword: str
    content: str | Equation | Assignment
    at: Position = field(default=NOWHERE, compare=False)


def names_in(expression: Expression) -> Iterator[Name]:
    """Yield every name of an expression, from left to right."""
    match expression:
        case Name():
            yield expression
        case Group(inner) | Negative(inner):
            yield from names_in(inner)
        case Binary(_, left, right):
            yield from names_in(left)
            yield from names_in(right)
        case Number():
            pass


def rename(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Replace names by others; a name that is not mentioned stays."""
    return replaced(expression, {old: Name(new) for old, new in names.items()})


def replaced(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """Replace names by expressions, which are put in as they are; other names stay."""
    match expression:
        case Name(text, at):
            return replace(values[text], at=at) if text in values else expression
        case Group(inner, at):
            return Group(replaced(inner, values), at)
        case Negative(inner, at):
            return Negative(replaced(inner, values), at)
        case Binary("^", Name(text) as base, right, at) if isinstance(values.get(text), Binary):
            return Binary("^", Group(replaced(base, values), at), right, at)
        case Binary(operator, left, right, at):
            return Binary(operator, replaced(left, values), replaced(right, values), at)
        case Number():
            return expression
