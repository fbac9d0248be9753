"""Text to syntax tree, in every dialect, with a position in every error; all errors of a text at once."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from efdgen.generator.errors import Position, TextError, raise_all
from efdgen.generator.language.diagnosis import diagnose
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
    from collections.abc import Iterator

    from efdgen.generator.language.diagnosis import Dialect
    from efdgen.generator.language.syntax import Expression

_DIGIT_NAME = re.compile(
    r"^[ \t]*(?:(?:parameter|compute)[ \t]+)?([0-9]+[A-Za-z][A-Za-z0-9_]*)[ \t]*(?::?=|$)", re.M
)

_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.S)

# A tree this deep is no formula, and every walk over it stays far from Python's limit on recursion.
_DEPTH = 200
_EXPONENT = 1000
_BITS = 1024  # no field is larger


class _TreeBuilder(Transformer[Token, "list[Statement]"]):
    """Builds the syntax tree while lark parses; names of methods are names of grammar rules."""

    def number(self, items: list[Token]) -> Number:
        return Number(int(items[0]), _at(items[0]))

    def name(self, items: list[Token]) -> Name:
        return Name(str(items[0]), _at(items[0]))

    def group(self, items: list[Token | Expression]) -> Group:
        parenthesis, inner = items
        assert isinstance(parenthesis, Token) and not isinstance(inner, Token)
        return Group(inner, _at(parenthesis))

    def negative(self, items: list[Token | Expression]) -> Negative:
        sign, inner = items
        assert isinstance(sign, Token) and not isinstance(inner, Token)
        return Negative(inner, _at(sign))

    def binary(self, items: list[Expression]) -> Binary:
        left, token, right = items
        operator = "^" if str(token) == "**" else str(token)
        return Binary(operator, left, right, left.at)  # type: ignore[arg-type]  # one of the five operators

    def juxtaposed(self, items: list[Expression]) -> Binary:
        left, right = items
        return Binary("*", left, right, left.at)

    def equation(self, items: list[Expression]) -> Equation:
        left, right = items
        return Equation(left, right, left.at)

    def words(self, items: list[Token]) -> Statement:
        keyword, rest = str(items[0]).split(None, 1)
        return Statement(keyword, rest.strip(), _at(items[0]))

    def flag(self, items: list[Token]) -> Statement:
        return Statement(str(items[0]), "", _at(items[0]))

    def square(self, items: list[Token | Expression]) -> Statement:
        keyword, value = items
        assert isinstance(keyword, Token) and not isinstance(value, Token)
        square = Binary("^", Name("y", _at(keyword)), Number(2))
        return Statement(str(keyword), Equation(square, value, value.at), _at(keyword))

    def relation(self, items: list[Token | Equation]) -> Statement:
        keyword, equation = items
        assert isinstance(keyword, Token) and isinstance(equation, Equation)
        return Statement(str(keyword), equation, _at(keyword))

    def definition(self, items: list[Token | Expression]) -> Statement:
        keyword, target, value = items
        assert isinstance(keyword, Token) and isinstance(target, Token) and not isinstance(value, Token)
        return Statement(str(keyword), Assignment(str(target), value, _at(target)), _at(keyword))

    def weierstrass(self, items: list[Token | Expression]) -> Statement:
        target, value = items
        assert isinstance(target, Token) and not isinstance(value, Token)
        return Statement("weierstrass", Assignment(str(target), value, _at(target)), _at(target))

    def line(self, items: list[Token | Expression]) -> Statement:
        target, value = items
        assert isinstance(target, Token) and not isinstance(value, Token)
        return Statement("compute", Assignment(str(target), value, _at(target)), _at(target))

    def failure(self, items: list[Token]) -> Statement:
        return Statement("error", str(items[0]).removeprefix("error:").strip(), _at(items[0]))

    def document(self, items: list[Statement]) -> list[Statement]:
        return items

    three_operand = document


def parse_document(text: str, path: str = "<text>", dialect: Dialect = "normalised") -> list[Statement]:
    """Parse a whole file; raise :class:`TextError` with line and column, for every line that is wrong."""
    names = () if dialect == "normalised" else digit_names(text)
    return list(_parse(dialect, "document", names, text, path))


def parse_equation(text: str) -> Equation:
    """Parse ``left == right`` of the normalised language; raise :class:`TextError`."""
    (statement,) = parse_document(f"assume {text}")
    assert isinstance(statement.content, Equation)
    return statement.content


def digit_names(text: str) -> tuple[str, ...]:
    """Return the names that start with a digit and that a text which is not normalised declares."""
    return tuple(sorted(set(_DIGIT_NAME.findall(text))))


def parse_three_operand(text: str, path: str = "<text>", names: tuple[str, ...] = ()) -> list[Statement]:
    """Parse upstream's three-operand code into ``compute`` statements.

    ``names`` are the digit-leading names that the formula declares.
    An ``error:`` line, which its generator left in some files, becomes an ``error`` statement.
    Raises :class:`TextError` with line and column.
    """
    return list(_parse("upstream", "three_operand", names, text, path))


@cache
def _grammar(dialect: Dialect, start: str, names: tuple[str, ...]) -> Lark:
    parts = [files(__package__) / f"{name}.lark" for name in ("expression", dialect)]
    grammar = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    alternatives = "".join(f"{name}(?![A-Za-z0-9_])|" for name in names)
    return Lark(
        grammar.replace("DIGIT_NAMES", alternatives),
        start=start,
        parser="lalr",
        transformer=_TreeBuilder(),
        maybe_placeholders=False,
    )


@lru_cache(maxsize=4096)  # a plan looks at every formula of its system many times
def _parse(
    dialect: Dialect, start: str, names: tuple[str, ...], text: str, path: str
) -> tuple[Statement, ...]:
    """Parse a text; a line that is wrong is left out, so that those after it are read too."""
    commented = _BLOCK_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    lines, errors = (commented if dialect == "pasted" else text).split("\n"), list[TextError]()
    while True:
        try:
            read = _grammar(dialect, start, names).parse("\n".join(lines) + "\n")
            break
        except UnexpectedInput as error:
            reason, position = diagnose(error, text, dialect)
            at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
            if not (errors and at_end):
                errors.append(TextError(reason, text, position, path))
            if at_end:
                raise_all(errors)
            lines[position.line - 1] = ""
    statements: list[Statement] = read  # type: ignore[assignment]
    errors += [error for statement in statements for error in _unreasonable(statement, text, path)]
    raise_all(errors)
    return tuple(statements)


def _unreasonable(statement: Statement, text: str, path: str) -> Iterator[TextError]:
    """Yield an error for each thing that the grammar allows and nothing later could compute."""
    for expression, depth in _walk(statement):
        reason, place = "", expression
        if depth > _DEPTH:
            yield TextError(
                f"more than {_DEPTH} operations in one another; split the line", text, place.at, path
            )
            return
        match expression:
            case Binary("^", _, Number(exponent)) if exponent > _EXPONENT:
                reason = f"the exponent {exponent} is too large; at most {_EXPONENT}"
            case Number(value) if value.bit_length() > _BITS:
                reason = f"the number is too large; at most {_BITS} bits"
            case Binary("/", _, Number(0) as zero):
                reason, place = "division by zero", zero
        if reason:
            yield TextError(reason, text, place.at, path)


def _walk(statement: Statement) -> Iterator[tuple[Expression, int]]:
    """Yield every expression of a statement with its depth in the tree."""
    match statement.content:
        case Assignment(_, value):
            pending = [(value, 0)]
        case Equation(left, right):
            pending = [(left, 0), (right, 0)]
        case str():
            return
    while pending:
        expression, depth = pending.pop()
        yield expression, depth
        match expression:
            case Binary(_, left, right):
                pending += [(right, depth + 1), (left, depth + 1)]
            case Group(inner) | Negative(inner):
                pending.append((inner, depth + 1))


def _at(token: Token) -> Position:
    return Position(token.line or 0, token.column or 0)
