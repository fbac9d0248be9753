"""Conversion of published files, and of pasted formulas, to the normalised form.

Spellings are the parser's business (``upstream.lark``, ``pasted.lark``); here outputs get the numbers that
the kind gives them, a source line is cut down to its bibliographic facts, and names that start with a digit
are respelled.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import (
    Assignment,
    Binary,
    Equation,
    Group,
    Name,
    Number,
    Statement,
    names_in,
    rename,
    replaced,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.language.syntax import Expression

# Published trees number the sum of a differential addition P5; a kind numbers outputs after its inputs.
_OUTPUT_NUMBERS = {"diffadd": {5: 4}}

_TITLE = re.compile(r'"([^"]*)"')
_NEXT_WORK = re.compile(r"[;,][^;,]*?\b(?:or|in|by|from) (?=\d{4} [A-Z])")
_YEAR_AND_AUTHORS = re.compile(r"^(\d{4}(?:\.\d\d)*)(?:\(\?\))? ((?:[^\s\",;()]|\s(?=[A-ZÀ-Ý]))+)")
_LOCATOR = re.compile(
    r"^(?:[Pp]ages?|[Ff]ormulas?|[Ss]ections?|Table|after|opt-idea|\(introduction|(?:first|second) JQN2"
    r"|top$|bottom$|(?:\w+ and )?\w+ displays?$)"
)
_CREDIT = re.compile(r", following | / ")
_REMARK = re.compile(r" (accompanied|modified) .*")


def respell(statements: Sequence[Statement], reserved: Iterable[str] = ()) -> list[Statement]:
    """Respell names that start with a digit: ``2d`` becomes ``d2``, and never a name that is reserved."""
    found = {name for statement in statements for name in _names(statement)}
    taken = {*found, *reserved}
    spelling = {name: _respell(name, taken) for name in sorted(found) if name[0].isdigit()}
    return [_renamed(statement, spelling) for statement in statements]


def adapt(statements: Sequence[Statement], *, system: bool = False) -> list[Statement]:
    """Cut sources down to citations; drop what :func:`stated` gives, and ``appliesto``, the folder's name."""
    dropped = {"appliesto", *_stated_keywords(system=system)}
    return [_cited(statement) for statement in statements if statement.keyword not in dropped]


def stated(statements: Sequence[Statement], *, system: bool = False) -> list[Statement]:
    """Return what a file states that follows from the rest of it, in the ``variables`` of a system or not."""
    return [statement for statement in statements if statement.keyword in _stated_keywords(system=system)]


def _stated_keywords(*, system: bool) -> set[str]:
    # In coordinates, the identity is part of the law.
    return {"ysquared", "unified", "toaffine", "tosystem", "homogweight"} | ({"neutral"} if system else set())


def without_abbreviations(statements: Sequence[Statement], known: Iterable[str]) -> list[Statement]:
    """Put the values of names that a system's file alone uses, such as ZZ == Z^2, into what it says."""
    declared = {*known, *(str(s.content) for s in statements if s.keyword in {"parameter", "variable"})}
    values: dict[str, Expression] = {}
    found = []
    for statement in statements:
        match statement.content:
            case Equation(Name(text), right) if statement.keyword == "satisfying" and text not in declared:
                values[text] = _shortened(replaced(right, values))
            case Equation(left, right, at):
                equation = Equation(replaced(left, values), replaced(right, values), at)
                found.append(Statement(statement.keyword, equation, statement.at))
            case Assignment(target, value, at):
                assignment = Assignment(target, replaced(value, values), at)
                found.append(Statement(statement.keyword, assignment, statement.at))
            case _:
                found.append(statement)
    return found


def _shortened(value: Expression) -> Expression:
    """Return Z^3 for Z^2*Z, and other expressions that are no names in parentheses."""
    power = _power(value)
    if power is None:
        return Group(value, value.at)
    base, exponent = power
    return base if exponent == 1 else Binary("^", base, Number(exponent), value.at)


def _power(value: Expression) -> tuple[Name, int] | None:
    """Return the name and the exponent of an expression that is a power of one name."""
    match value:
        case Name():
            return value, 1
        case Group(inner):
            return _power(inner)
        case Binary("^", base, Number(exponent)) if found := _power(base):
            return found[0], found[1] * exponent
        case Binary("*", left, right) if (first := _power(left)) and (second := _power(right)):
            return (first[0], first[1] + second[1]) if first[0] == second[0] else None
    return None


def output_spelling(statements: Sequence[Statement], kind: str, system: System) -> dict[str, str]:
    """Return what a formula's outputs are to be called, where it has them at another number than the kind.

    The old and the new name are exchanged, so that a step that has the new name keeps a name of its own.
    """
    computed = {s.content.target for s in statements if isinstance(s.content, Assignment)}
    for old, new in _OUTPUT_NUMBERS.get(kind, {}).items():
        before, after = ([f"{name}{number}" for name in system.variables] for number in (old, new))
        if computed.issuperset(before) and not computed.issuperset(after):
            return dict(zip((*before, *after), (*after, *before), strict=True))
    return {}


def renamed(statements: Sequence[Statement], spelling: Mapping[str, str]) -> list[Statement]:
    """Rename what statements compute and use."""
    return [_renamed(statement, spelling) for statement in statements]


def citation(source: str) -> str:
    """Reduce a source line to ``[key] locator`` per work cited.

    The key is the year or date and the authors' names; the locator is a page, a formula's number,
    a section, a table, a display, or whose work was followed. A line of another form stays as it is,
    up to a ``#``, which the normalised language takes for a comment.
    """
    source = source.partition("#")[0].strip()
    works = []
    for work in _NEXT_WORK.split(_CREDIT.sub(", after ", source)):
        match = _YEAR_AND_AUTHORS.match(work)
        if match is None:
            return source
        rest = _TITLE.sub("", work[match.end() :])
        chunks = [chunk.strip() for chunk in re.split(r"[,;](?![^()]*\))| http\S*", rest)]
        locators = [_REMARK.sub("", chunk) for chunk in chunks if _LOCATOR.match(chunk)]
        works.append(" ".join([f"[{_key(match.group(1), match.group(2))}]", ", ".join(locators)]).strip())
    return "; ".join(works)


def _key(date: str, authors: str) -> str:
    plain = unicodedata.normalize("NFKD", authors).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z]+", plain.lower())
    return "-".join([*date.split("."), *words])


def _cited(statement: Statement) -> Statement:
    if statement.keyword != "source":
        return statement
    return Statement("source", citation(str(statement.content)), statement.at)


def _respell(name: str, taken: set[str]) -> str:
    digits = re.match("[0-9]+", name)
    assert digits is not None
    respelled = name[digits.end() :] + digits.group()
    while respelled in taken:
        respelled += "_"
    taken.add(respelled)
    return respelled


def _names(statement: Statement) -> set[str]:
    match statement.content:
        case Assignment(target, value):
            return {target, *(name.text for name in names_in(value))}
        case Equation(left, right):
            return {name.text for side in (left, right) for name in names_in(side)}
        case str() as text:
            return {text} if statement.keyword == "parameter" else set()


def _renamed(statement: Statement, spelling: Mapping[str, str]) -> Statement:
    match statement.content:
        case Assignment(target, value, at):
            content: Assignment | Equation | str = Assignment(
                spelling.get(target, target), rename(value, spelling), at
            )
        case Equation(left, right, at):
            content = Equation(rename(left, spelling), rename(right, spelling), at)
        case str() as text:
            content = spelling.get(text, text) if statement.keyword == "parameter" else text
    return Statement(statement.keyword, content, statement.at)
