"""Expressions without division or parentheses, and their text in Rocq."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number, names_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.language.syntax import Expression

ZERO, ONE = Number(0), Number(1)
_SUM, _PRODUCT, _POWER = range(3)


def plain(expression: Expression) -> Expression:
    """Return an expression without its parentheses, which the tree replaces."""
    match expression:
        case Group(inner):
            return plain(inner)
        case Negative(inner):
            return Negative(plain(inner))
        case Binary("^", base, Number(exponent)) if exponent < 2:
            return plain(base) if exponent else ONE
        case Binary(operator, left, right):
            return Binary(operator, plain(left), plain(right))
    return expression


def multiplied(factors: Iterable[Expression]) -> Expression:
    """Return the product of some factors; ones are left out."""
    found: Expression = ONE
    for factor in factors:
        if factor != ONE:
            found = factor if found == ONE else Binary("*", found, factor)
    return found


def raised(base: Expression, exponent: int) -> Expression:
    """Return a power."""
    return ONE if exponent == 0 else base if exponent == 1 else Binary("^", base, Number(exponent))


def names_of(*expressions: Expression) -> set[str]:
    """Return the names in some expressions."""
    return {name.text for expression in expressions for name in names_in(expression)}


def expression_text(expression: Expression, *, binary: bool = False, level: int = _SUM) -> str:
    """Write an expression in Rocq, in parentheses where ``level`` binds more tightly.

    Integers above 1 are written ``#2``; where ``binary``, integers are those modulo 2.
    """

    def text(inner: Expression, at: int) -> str:
        return expression_text(inner, binary=binary, level=at)

    match expression:
        case Number(value):
            value = value % 2 if binary else value
            return str(value) if value < 2 else f"#{value}"
        case Name(name):
            return name
        case Negative(inner):
            return f"(- ({text(inner, _SUM)}))"
        case Binary("+" | "-" as operator, left, right):
            found, own = f"{text(left, _SUM)} {operator} {text(right, _PRODUCT)}", _SUM
        case Binary("^", base, Number(exponent)):
            found, own = f"{text(base, _POWER + 1)}^{exponent}", _POWER
        case Binary("*", left, right):
            found, own = f"{text(left, _PRODUCT)}*{text(right, _POWER)}", _PRODUCT
        case _:
            raise ValueError(f"not a polynomial: {expression}")
    return f"({found})" if own < level else found


def words(expression: Expression) -> str:
    """Write an expression for readers."""
    return expression_text(expression).replace("#", "")


def equation_text(equation: Equation, *, binary: bool = False) -> str:
    """Write an equation in Rocq."""
    left, right = (expression_text(side, binary=binary) for side in (equation.left, equation.right))
    return f"{left} = {right}"
