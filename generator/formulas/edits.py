"""Single edits of an expression: another sign, operator, name or number, one factor or term more or less.

These are the slips of who copies or invents a formula. The prover is held against them, and a refuted formula
is searched for the one that would mend it.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Binary, Group, Name, Negative, Number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from efdgen.generator.language.syntax import Expression

_FACTORS = (2, 3, 4, 8)


def edits(expression: Expression, names: Sequence[str]) -> Iterator[Expression]:
    """Yield expressions that differ in one edit, each once; ``names`` may be where a name does.

    Names that are missing as factors or terms come last.
    """
    found = chain(
        _edits(expression, lambda part: _at(part, names)),
        _edits(expression, lambda part: _with_a_name_more(part, names)),
    )
    yield from dict.fromkeys(edited for edited in found if edited != expression)


def _edits(expression: Expression, at: Callable[[Expression], Iterator[Expression]]) -> Iterator[Expression]:
    """Yield what ``at`` yields of an expression, and the same of all its parts, within it."""
    yield from at(expression)
    match expression:
        case Group(inner):
            yield from (
                edited if isinstance(edited, Name | Number) else Group(edited) for edited in _edits(inner, at)
            )
        case Negative(inner):
            yield from (Negative(_atom(edited)) for edited in _edits(inner, at))
        case Binary("^", base, power):
            yield from (Binary("^", _base(edited), power) for edited in _edits(base, at))
        case Binary(operator, left, right):
            sums = operator in "+-"
            yield from (
                Binary(operator, edited if sums else _factor(edited), right) for edited in _edits(left, at)
            )
            yield from (
                Binary(operator, left, _factor(edited) if sums else _atom(edited))
                for edited in _edits(right, at)
            )
        case Name() | Number():
            return


def _at(expression: Expression, names: Sequence[str]) -> Iterator[Expression]:
    """Yield the edits of an expression as a whole."""
    match expression:
        case Name(text):
            yield from (Name(name) for name in names if name != text)
            yield Binary("^", expression, Number(2))
        case Number(value):
            yield from (Number(other) for other in (value - 1, value + 1, 2 * value) if other >= 0)
            yield from (Number(value // 2) for _ in range(value % 2 == 0))
        case Group():
            yield Binary("^", expression, Number(2))
        case Negative(inner):
            yield inner
        case Binary("^", base, Number(power)):
            yield base
            yield from (Binary("^", base, Number(other)) for other in (power - 1, power + 1) if other > 1)
        case Binary("+" | "-" as operator, left, right):
            yield Binary("-" if operator == "+" else "+", left, right)
            yield from (left, right)
            yield Binary("*", _factor(left), _atom(right))
            match left:
                case Binary("+" | "-" as before, first, second):
                    yield Binary(before, first, Binary("*", _factor(second), _atom(right)))
        case Binary("*" | "/" as operator, left, right):
            yield Binary("/" if operator == "*" else "*", left, right)
            yield from (left, right)
            yield Binary("+", left, right)
    if not isinstance(expression, Negative):
        yield Negative(_atom(expression))
    if not isinstance(expression, Number):
        yield from (Binary("*", Number(factor), _atom(expression)) for factor in _FACTORS)


def _with_a_name_more(expression: Expression, names: Sequence[str]) -> Iterator[Expression]:
    for name in map(Name, names):
        yield Binary("*", _factor(expression), name)
        yield Binary("*", _factor(expression), Binary("^", name, Number(2)))
        if not isinstance(expression, Group):  # its content has the same edits
            yield Binary("+", expression, name)
            yield Binary("-", expression, name)


def _factor(expression: Expression) -> Expression:
    """Return an expression as it may be before ``*`` or after ``-``."""
    match expression:
        case Binary("+" | "-") | Negative():
            return Group(expression)
        case _:
            return expression


def _base(expression: Expression) -> Expression:
    """Return an expression as it may be below ``^``."""
    return Group(expression) if isinstance(expression, Binary | Negative) else expression


def _atom(expression: Expression) -> Expression:
    """Return an expression as it may be after ``*`` or a sign."""
    match expression:
        case Name() | Number() | Group():
            return expression
        case Binary("^"):
            return expression
        case _:
            return Group(expression)
