"""Syntax tree to text in the normalised dialect; parsing the text gives the tree again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import (
    Assignment,
    Binary,
    Equation,
    Group,
    Name,
    Negative,
    Number,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.language.syntax import Expression


def print_expression(expression: Expression) -> str:
    """Write an expression with every ``*`` in place and one space around ``+`` and ``-``."""
    match expression:
        case Number(value):
            return str(value)
        case Name(text):
            return text
        case Group(inner):
            return f"({print_expression(inner)})"
        case Negative(inner):
            return f"-{print_expression(inner)}"
        case Binary("+" | "-" as operator, left, right):
            return f"{print_expression(left)} {operator} {print_expression(right)}"
        case Binary(operator, left, right):
            return f"{print_expression(left)}{operator}{print_expression(right)}"


def print_equation(equation: Equation) -> str:
    """Write ``left == right``."""
    return f"{print_expression(equation.left)} == {print_expression(equation.right)}"


def print_statement(statement: Statement) -> str:
    """Write one line, without its newline."""
    match statement.content:
        case Equation() as equation:
            return f"{statement.keyword} {print_equation(equation)}"
        case Assignment(target, value):
            return f"{statement.keyword} {target} = {print_expression(value)}"
        case str() as text:
            return f"{statement.keyword} {text}"


def print_document(statements: Iterable[Statement]) -> str:
    """Write a whole file, one statement a line."""
    return "".join(f"{print_statement(statement)}\n" for statement in statements)
