"""The Explicit-Formulas Database as published, brought into the normalised form.

Juxtaposition and ``=`` are the parser's business (``upstream.lark``); here outputs get the numbers that
the kind gives them, a source line is cut down to its bibliographic facts, and on import names that
begin with a digit are respelled.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from efdgen.generator.language.syntax import Assignment, Equation, Statement, names_in, rename

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formula import System

# Upstream numbers the sum of a differential addition P5; a kind numbers outputs after its inputs.
_OUTPUT_NUMBERS = {"diffadd": {5: 4}}

_TITLE = re.compile(r'"([^"]*)"')
_YEAR_AND_AUTHORS = re.compile(r"^(\d{4}(?:\.\d\d)*)(?:\(\?\))? ((?:et al|[^\s\",;()]|\s(?=[A-ZÀ-Ý/]))+)")
_LOCATOR = re.compile(r"^(pages?|formulas?|[Ss]ections?|Table|(first|second) JQN2 doubling|opt-idea\S*)\b")
_REMARK = re.compile(r" (accompanied|modified) .*")


def respell(statements: Sequence[Statement]) -> list[Statement]:
    """Respell names that begin with a digit: ``2d`` becomes ``d2``."""
    taken = {name for statement in statements for name in _names(statement)}
    spelling = {name: _respell(name, taken) for name in sorted(taken) if name[0].isdigit()}
    return [_renamed(statement, spelling) for statement in statements]


def adapt(statements: Sequence[Statement]) -> list[Statement]:
    """Cut sources down to citations and drop ``appliesto``, which repeats the folder's name."""
    return [_cited(statement) for statement in statements if statement.keyword != "appliesto"]


def renumber_outputs(statements: Sequence[Statement], kind: str, system: System) -> list[Statement]:
    """Give the output coordinates of a formula, or of three-operand code, the kind's numbers."""
    numbers = _OUTPUT_NUMBERS.get(kind, {})
    spelling = {
        f"{variable}{old}": f"{variable}{new}" for variable in system.variables for old, new in numbers.items()
    }
    return [_renamed(statement, spelling) for statement in statements]


def citation(source: str) -> str:
    """Reduce a source line to ``[key] locator`` per work cited.

    The key is the year or date and the authors' names; the locator is a page, a formula's number,
    a section, a table.
    """
    works = []
    for work in re.split(r"(?:;|,) or (?=\d{4} )|; derived from ", source.strip()):
        match = _YEAR_AND_AUTHORS.match(work)
        if match is None:
            return source.strip()
        rest = _TITLE.sub("", work[match.end() :])
        chunks = [chunk.strip() for chunk in re.split(r"[,;](?![^()]*\))| http\S*", rest)]
        locators = [_REMARK.sub("", chunk) for chunk in chunks if _LOCATOR.match(chunk)]
        works.append(" ".join([f"[{_key(match.group(1), match.group(2))}]", ", ".join(locators)]).strip())
    return "; ".join(works)


def _key(date: str, authors: str) -> str:
    plain = unicodedata.normalize("NFKD", authors).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z]+", plain.lower())
    return "-".join([*date.split("."), *(word for word in words if word not in {"et", "al"})])


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


def _renamed(statement: Statement, spelling: dict[str, str]) -> Statement:
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
