"""Text to syntax tree, in the normalised and in the upstream dialect, with a position in every error."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from efdgen.generator.errors import Position, TextError
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
    from efdgen.generator.language.syntax import Expression

_DIGIT_NAME = re.compile(r"^[ \t]*(?:(?:parameter|compute)[ \t]+)?([0-9]+[A-Za-z][A-Za-z0-9_]*)[ \t]*(?:=|$)", re.M)

_SPELLING = {
    "NAME": "a name",
    "NUMBER": "a number",
    "_NEWLINE": "the end of the line",
    "PLUS": "'+'",
    "MINUS": "'-'",
    "TIMES": "'*'",
    "DIVIDED": "'/'",
    "POWER": "'^'",
    "PARENTHESIS": "'('",
    "RPAR": "')'",
    "EQUAL": "'='",
    "WORDS": "a statement",
    "RELATION": "a statement",
    "DEFINITION": "a statement",
    "WEIERSTRASS": "a statement",
}


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
        left, operator, right = items
        return Binary(str(operator), left, right, left.at)  # type: ignore[arg-type]  # one of the five tokens

    def juxtaposed(self, items: list[Expression]) -> Binary:
        left, right = items
        return Binary("*", left, right, left.at)

    def equation(self, items: list[Expression]) -> Equation:
        left, right = items
        return Equation(left, right, left.at)

    def words(self, items: list[Token]) -> Statement:
        keyword, _, rest = str(items[0]).partition(" ")
        return Statement(keyword.strip(), rest.strip(), _at(items[0]))

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


def parse_document(
    text: str, path: str = "<text>", dialect: Literal["normalised", "upstream"] = "normalised"
) -> list[Statement]:
    """Parse a whole file of the normalised language or of the database as published.

    Raises :class:`TextError` with line and column.
    """
    names = digit_names(text) if dialect == "upstream" else ()
    return _parse(_grammar(dialect, "document", names), text, path)


def digit_names(text: str) -> tuple[str, ...]:
    """Return the names that begin with a digit and that a text in the upstream dialect declares."""
    return tuple(sorted(set(_DIGIT_NAME.findall(text))))


def parse_three_operand(text: str, path: str = "<text>", names: tuple[str, ...] = ()) -> list[Statement]:
    """Parse upstream's three-operand code into ``compute`` statements.

    ``names`` are the digit-leading names that the formula declares.
    An ``error:`` line, which its generator left in some files, becomes an ``error`` statement.
    Raises :class:`TextError` with line and column.
    """
    return _parse(_grammar("upstream", "three_operand", names), text, path)


@cache
def _grammar(dialect: str, start: str, names: tuple[str, ...]) -> Lark:
    grammar = (files(__package__) / f"{dialect}.lark").read_text(encoding="utf-8")
    alternatives = "".join(f"{name}(?![A-Za-z0-9_])|" for name in names)
    return Lark(
        grammar.replace("DIGIT_NAMES", alternatives),
        start=start,
        parser="lalr",
        transformer=_TreeBuilder(),
        maybe_placeholders=False,
    )


def _parse(grammar: Lark, text: str, path: str) -> list[Statement]:
    complete = text if text.endswith("\n") else text + "\n"
    try:
        return grammar.parse(complete)  # type: ignore[return-value]  # the transformer makes statements
    except UnexpectedInput as error:
        raise TextError(_reason(error), text, Position(max(error.line, 1), max(error.column, 1)), path) from None


def _reason(error: UnexpectedInput) -> str:
    match error:
        case UnexpectedCharacters(char=character):
            return f"unexpected character {character!r}"
        case UnexpectedToken(token=token, accepts=accepts, expected=expected):
            wanted = sorted({_SPELLING.get(name, f"'{name}'") for name in (accepts or expected) if name != "$END"})
            found = "the end of the line" if token.type in {"_NEWLINE", "$END"} else repr(str(token))
            return f"expected {' or '.join(wanted)}, found {found}"
        case UnexpectedEOF():
            return "the text ends too early"
    return "cannot read this"


def _at(token: Token) -> Position:
    return Position(token.line or 0, token.column or 0)
