"""Published files, and formulas that are pasted from elsewhere, brought into the normalised form.

Spellings are the parser's business (``upstream.lark``, ``pasted.lark``); here outputs get the numbers that
the kind gives them, a source line is cut down to its bibliographic facts, and names that begin with a digit
are respelled.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Assignment, Equation, Statement, names_in, rename

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import System

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
    """Respell names that begin with a digit: ``2d`` becomes ``d2``, and never a name that is reserved."""
    found = {name for statement in statements for name in _names(statement)}
    taken = {*found, *reserved}
    spelling = {name: _respell(name, taken) for name in sorted(found) if name[0].isdigit()}
    return [_renamed(statement, spelling) for statement in statements]


def adapt(statements: Sequence[Statement]) -> list[Statement]:
    """Cut sources down to citations and drop ``appliesto``, which repeats the folder's name."""
    return [_cited(statement) for statement in statements if statement.keyword != "appliesto"]


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
