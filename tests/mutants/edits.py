"""Single edits of a text: what a typing error in a template, a formula or a printed function could be.

Code alone is edited: comments, strings, directives and the tags of templates are left as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Operators between blanks, and what each is mistaken for.
_OPERATORS = {
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "&": ("|",),
    "|": ("&", "^"),
    "^": ("|",),
    "<<": (">>",),
    ">>": ("<<",),
    "<": ("<=", ">"),
    "<=": ("<",),
    ">": (">=",),
    ">=": (">",),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "+=": ("-=",),
    "-=": ("+=",),
    "^=": ("|=",),
    "|=": ("=",),
    "&=": ("|=",),
    "and": ("or",),
    "or": ("and",),
}
_OPERATOR = re.compile(
    rf"(?<= )(?:{'|'.join(map(re.escape, sorted(_OPERATORS, key=len, reverse=True)))})(?= )"
)
_NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-fA-F_]+|\d+)(?![\w.])")
_SIGN = re.compile(r"(?<=[ (,])[!~-](?=[\w({])|(?<= )not (?=\w)")
_ARGUMENTS = re.compile(r"(?<=[(\s])([&*]?[\w.>{}\[\]-]+), ([&*]?[\w.>{}\[\]-]+)(?=[,)])")
_DECLARATION = re.compile(r"^ +[\w{} ]+ \w+(?:, \w+)+;$", re.MULTILINE)  # in C, of several variables
_DECLARED = re.compile(r"\s*let ((?:mut )?\w+|\([^()]*\))")
# A name with its members, and items whose indices are numbers.
_PLACE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\d+\])*")
# Products of two words, whose operands may be exchanged.
_PRODUCTS = ("word_mul(", "mul_wide(", "wide_mul(")
_STATEMENT = re.compile(
    r"^[ \t]+(?:[^\s{}#/*][^{}\n]*;|[^\n]*\}\}[^\n]*;|  +\w[^\n{}]* = [^\n]*[^\s;{(,])(?= *$)",
    re.M,
)
_HIDDEN = {
    "c": r"(?<=\w)\[[^\]\n]*\](?=[^;\n]*\) \{$)|/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|^[ \t]*#[^\n]*",
    "rust": r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|#!?\[[^\n]*",
    "python": r'""".*?"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|^(?:from|import) [^\n]*',
    "rules": r"^#[^\n]*",
    "routines": r'""".*?"""|#[^\n]*|^[a-z][^\n]*',
}
_TAGS = r"|\{%.*?%\}|\{#.*?#\}"
# The first line of a function, with its name as a template writes it, and what the end begins with.
_NAMED = r"(?P<name>(?:\{\{[^}\n]*\}\}|\w)+)"
_HEADS = {
    "c": rf"^(?P<indent>)(?:(?:\{{\{{[^}}\n]*\}}\}}|\w)+ )+\**{_NAMED}\((?![^\n]*;$)",
    "rust": rf"^(?P<indent> *)(?:pub(?:\(\w+\))? )?(?:const )?fn {_NAMED}",
    "python": rf"^(?P<indent> *)def {_NAMED}",
    "routines": rf"^(?P<indent>)(?:export )?routine {_NAMED}",
}
_ENDS = {"c": r"\}", "rust": r"\}", "python": r"(?!\{[%#])[^\s)]", "routines": r"[^\s)]"}


@dataclass(frozen=True)
class Edit:
    """A replacement of the characters from ``start`` to ``end``, and what sort of edit it is."""

    sort: str
    start: int
    end: int
    text: str

    def apply(self, whole: str) -> str:
        """Return a text with this edit."""
        return whole[: self.start] + self.text + whole[self.end :]


def edits(text: str, language: str) -> list[Edit]:
    """Return the single edits of a text by their places; ``language`` is a key of the patterns above."""
    hidden = [
        found.span() for found in re.finditer(_HIDDEN[language] + _TAGS, text, re.DOTALL | re.MULTILINE)
    ]
    bare = re.sub(_HIDDEN[language], _blanks, text, flags=re.DOTALL | re.MULTILINE)

    def seen(edit: Edit) -> bool:
        return edit.text != text[edit.start : edit.end] and not any(
            start < edit.end and edit.start < end for start, end in hidden
        )

    found = [
        *_operators(text),
        *_numbers(text),
        *_signs(text),
        *_arguments(text),
        *_statements(bare, language),
    ]
    return sorted(filter(seen, found), key=lambda edit: (edit.start, edit.end, edit.text))


def function_at(text: str, language: str, at: int) -> str:
    """Return the name of the innermost function that a place of a text is in; nothing where it is in none."""
    line_end = text.find("\n", at)
    heads = [found for found in re.finditer(_HEADS[language], text, re.MULTILINE) if found.start() <= at]
    for head in reversed(heads):
        end = re.compile(rf"^ {{0,{len(head['indent'])}}}{_ENDS[language]}", re.MULTILINE)
        if not end.search(text, head.end(), line_end):
            return head["name"]
    return ""


def _blanks(hidden: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", hidden[0])


def _operators(text: str) -> Iterator[Edit]:
    for found in _OPERATOR.finditer(text):
        for other in _OPERATORS[found[0]]:
            yield Edit("operator", *found.span(), other)


def _numbers(text: str) -> Iterator[Edit]:
    for found in _NUMBER.finditer(text):
        digits = found[0].replace("_", "")
        value = int(digits, 16 if digits.startswith("0x") else 10)
        for other in (value + 1, value - 1):
            if other >= 0:
                yield Edit("number", *found.span(), hex(other) if found[0].startswith("0x") else str(other))


def _signs(text: str) -> Iterator[Edit]:
    for found in _SIGN.finditer(text):
        yield Edit("sign left out", *found.span(), "")


def _arguments(text: str) -> Iterator[Edit]:
    for found in _ARGUMENTS.finditer(text):
        first, second = found[1], found[2]
        if _DECLARATION.match(text, text.rfind("\n", 0, found.start()) + 1):
            continue
        if not text.endswith(_PRODUCTS, 0, found.start()):
            yield Edit("arguments exchanged", *found.span(), f"{second}, {first}")
        yield Edit("argument repeated", *found.span(), f"{first}, {first}")


def _statements(text: str, language: str) -> Iterator[Edit]:
    lines = list(_STATEMENT.finditer(text))
    for found in lines:
        yield Edit("statement left out", *found.span(), "")
    for first, second in pairwise(lines):
        if text[first.end() : second.start()] == "\n" and _depend(first[0], second[0], language):
            yield Edit("statements exchanged", first.start(), second.end(), f"{second[0]}\n{first[0]}")


def _depend(first: str, second: str, language: str) -> bool:
    """Return whether a statement writes, as far as its text shows, what another one names."""
    named = [{*_PLACE.findall(each)} for each in (first, second)]
    written = [_written(each, language) for each in (first, second)]
    return _meet(written[0], named[1]) or _meet(written[1], named[0])


def _meet(written: set[str], named: set[str]) -> bool:
    """Return whether places may be the same: members and numbered items are apart from others."""
    pairs = ((_steps(one), _steps(other)) for one in written for other in named)
    return any(one[: len(other)] == other[: len(one)] for one, other in pairs)


def _steps(place: str) -> list[str]:
    return re.findall(r"\w+", place)


def _written(statement: str, language: str) -> set[str]:
    """Return the places in front of an assignment, without a type, and those whose address is taken."""
    target = statement.partition(" = ")[0] if " = " in statement else ""
    if declared := _DECLARED.match(target):
        target = declared[1].replace("mut ", "")
    else:
        target = target if "(" in target else "".join(target.split()[-1:])
    address = "&mut " if language == "rust" else "&"
    return {*_PLACE.findall(target), *re.findall(rf"{address}({_PLACE.pattern})", statement)}
