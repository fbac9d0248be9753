"""Diagnosis of a parse error: one line that suggests a correction."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeAlias

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from efdgen.generator.errors import Position, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

Dialect: TypeAlias = Literal["normalised", "upstream", "pasted"]

_KEYWORDS = re.compile(r"^(WORDS|RELATION|DEFINITION)\S* /\(([a-z|]+)\)", re.MULTILINE)
_STATEMENTS = {"WORDS", "RELATION", "DEFINITION"}
_OPERANDS = {"NAME", "NUMBER", "PARENTHESIS"}
_OPERATORS = {"PLUS", "MINUS", "TIMES", "DIVIDED", "POWER"}
_ENDS = {"_NEWLINE", "_END"}
_SPELLING = {"NAME": "a name", "NUMBER": "a number", "RPAR": "')'", "_IS": "'='", "_EQUALITY": "'=='"}

_CHARACTERS = {
    ".": "a number is an integer; write 5/2 for 2.5",
    ",": "a number is an integer, and a line holds one statement",
    ";": "a line holds one statement",
    "_": "a name begins with a letter",
    "[": "an expression is grouped with ( and )",
    "{": "an expression is grouped with ( and )",
    "²": "a square is written ^2",
    "³": "a cube is written ^3",
    "#": "this text has no comments",
    **dict.fromkeys("·×∙⋅", "a product is written with '*'"),
    **dict.fromkeys("−–—", "a difference is written with '-'"),
}


def diagnose(error: UnexpectedInput, text: str, dialect: Dialect) -> tuple[str, Position]:
    """Return what is wrong and where, for an error that lark raised on a text."""
    position = Position(max(error.line, 1), max(error.column, 1))
    lines = text.split("\n")
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    if isinstance(error, UnexpectedCharacters):
        return _character(error.char), position
    if not isinstance(error, UnexpectedToken):
        return "the text ends too early", position
    if error.token.type == "$END":
        return "there is no statement in this text", position
    wanted = set(error.accepts or error.expected)
    if wanted & _STATEMENTS or _misspelt(line, wanted):
        return _statement(line, dialect), Position(position.line, len(line) - len(line.lstrip()) + 1)
    if "RPAR" in wanted and error.token.type in _ENDS:
        opened = list(_unclosed(line))
        return "this parenthesis is never closed", Position(position.line, opened[-1] + 1)
    return _expression(str(error.token), error.token.type, wanted, line[: position.column - 1]), position


def _character(character: str) -> str:
    if character.isdecimal():
        return "this number is too long"
    hint = _CHARACTERS.get(character)
    return f"unexpected character {character!r}" + (f": {hint}" if hint else "")


def _misspelt(line: str, wanted: set[str]) -> bool:
    """Return whether a line whose keyword is not known was read as a step without one: ``comput X3 = D``."""
    return wanted == {"_IS"} and re.match(r"\s*\w+\s+\w+\s*:?=", line) is not None


def _statement(line: str, dialect: Dialect) -> str:
    word = next(iter(line.split()), "")
    keywords = _keywords(dialect)
    equality = "=" if dialect == "upstream" else "=="
    if word in keywords["WORDS"]:
        return f"{word!r} wants a text behind it"
    if word in keywords["RELATION"]:
        return f"{word!r} wants an equation behind it: {word} … {equality} …"
    if word in keywords["DEFINITION"]:
        return f"{word!r} wants an assignment behind it: {word} … = …"
    if re.match(r"\s*\w+\s*=(?!=)", line):
        return f"a statement begins with a keyword: compute {line.strip()}"
    known = [keyword for group in keywords.values() for keyword in group]
    return f"{word!r} begins no statement" + suggestion(word, known)


@cache
def _keywords(dialect: Dialect) -> dict[str, list[str]]:
    """Return the words that a statement begins with, by the terminal of the grammar that they are in."""
    grammar = (files(__package__) / f"{dialect}.lark").read_text(encoding="utf-8")
    return {terminal: words.split("|") for terminal, words in _KEYWORDS.findall(grammar)}


def _expression(found: str, kind: str, wanted: set[str], before: str) -> str:
    last = before.rstrip()[-1:]
    shown = "the end of the line" if kind in _ENDS else repr(found)
    if wanted == {"NUMBER"}:
        return f"an exponent is a number, found {shown}"
    if wanted == {"NAME"}:
        hint = "a name begins with a letter" if kind == "NUMBER" else "a name is missing"
        return f"{hint}, found {shown}"
    if found in {"=", "=="}:
        return _equals(found, wanted, last)
    if found == ")" and "RPAR" not in wanted and not list(_unclosed(before)):
        return "nothing opens this parenthesis"
    if wanted & _OPERANDS:
        power = ": a power is written with '^'" if found == "*" and last == "*" else ""
        return f"an expression is missing before {shown}{power}"
    if kind == "POWER":
        return "a power of a power needs parentheses: (x^2)^3"
    if kind in _OPERANDS and "TIMES" in wanted:
        digits = re.search(r"(?<![A-Za-z0-9_])[0-9]+$", before)
        names = ", and a name begins with a letter" if digits and kind == "NAME" else ""
        return f"an operator is missing before {shown}: a product is written with '*'{names}"
    named = sorted({_SPELLING[name] for name in wanted if name in _SPELLING})
    if wanted & _OPERATORS:
        named.append("an operator")
    if wanted & _ENDS:
        named.append("the end of the line")
    return f"expected {' or '.join(named)}, found {shown}"


def _equals(found: str, wanted: set[str], last: str) -> str:
    if "_EQUALITY" in wanted:
        return "an equation is written with '=='"
    if "_IS" in wanted:
        return "an assignment is written with '='"
    if last == "=":
        return "'=' is written once here"
    if wanted & _OPERANDS:
        return f"an expression is missing before {found!r}"
    return f"a second {found!r} in one statement"


def _unclosed(line: str) -> Iterator[int]:
    """Yield where the parentheses are that a line opens and does not close, outermost first."""
    opened: list[int] = []
    for column, character in enumerate(line.partition("#")[0]):
        if character == "(":
            opened.append(column)
        elif character == ")" and opened:
            opened.pop()
    yield from opened
