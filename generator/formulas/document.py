"""The statements of one file, taken out by keyword, with errors that point into the file."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.errors import TextError, suggestion
from efdgen.generator.formulas.formula import Shared, point_number
from efdgen.generator.language.syntax import Assignment, Equation, Name, names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.language.syntax import Expression, Statement

_NAME = re.compile("[0-9]*[A-Za-z][A-Za-z0-9_]*")

T = TypeVar("T", str, Equation, Assignment)


class Document:
    """The statements of one file; a keyword that is not allowed in it raises :class:`TextError`."""

    def __init__(self, statements: Sequence[Statement], text: str, path: str, allowed: set[str]) -> None:
        self.statements, self.text, self.path = statements, text, path
        for statement in statements:
            if statement.keyword not in allowed:
                reason = f"a {statement.keyword!r} line does not belong in this file"
                raise self.error(reason + suggestion(statement.keyword, allowed), statement)

    def error(self, reason: str, place: Statement | Expression | Assignment | Equation) -> TextError:
        """Return an error at a place of the file."""
        return TextError(reason, self.text, place.at, self.path)

    def all(self, keyword: str, kind: type[T]) -> tuple[T, ...]:
        """Return what stands behind a keyword, line by line."""
        found = []
        for statement in self.statements:
            if statement.keyword == keyword:
                assert isinstance(statement.content, kind)
                found.append(statement.content)
        return tuple(found)

    def names(self, keyword: str) -> tuple[str, ...]:
        """Return the names behind a keyword; raise :class:`TextError` for what is none."""
        for statement in self.statements:
            if statement.keyword == keyword and not _NAME.fullmatch(str(statement.content)):
                raise self.error(f"{statement.content!r} is not a name", statement)
        return self.all(keyword, str)

    def title(self, keyword: str = "name") -> str:
        """Return the text behind a keyword, empty without one."""
        return " ".join(self.all(keyword, str))

    def points(self, keyword: str) -> tuple[int, ...]:
        """Return the numbers of the points behind a keyword."""
        numbers = []
        for statement in self.statements:
            if statement.keyword == keyword:
                numbers.append(self._point(str(statement.content), statement))
        return tuple(numbers)

    def shared(self, keyword: str) -> tuple[Shared, ...]:
        """Return the statements that name a variable and points."""
        found = []
        for statement in self.statements:
            if statement.keyword == keyword:
                variable, *points = str(statement.content).split()
                found.append(Shared(variable, tuple(self._point(point, statement) for point in points)))
        return tuple(found)

    def systems(self, system_of: Callable[[str], System]) -> dict[int, System]:
        """Return the coordinate systems of the points that have one of their own."""
        found = {}
        for statement in self.statements:
            if statement.keyword == "point":
                point, _, system = str(statement.content).partition(" ")
                number = self._point(point, statement)
                if number in found:
                    raise self.error(f"{point} is in a coordinate system already", statement)
                found[number] = system_of(system.strip())
        return found

    def _point(self, text: str, statement: Statement) -> int:
        try:
            return point_number(Name(text))
        except ValueError:
            raise self.error(f"expected a point such as P1, not {text!r}", statement) from None

    def definitions(self, keyword: str) -> dict[str, Expression]:
        """Return the values behind a keyword by the names that they are given."""
        return {assignment.target: assignment.value for assignment in self.all(keyword, Assignment)}

    def require_defined(self, keyword: str, values: Mapping[str, Expression], names: Sequence[str]) -> None:
        """Require one definition for each name, and none for others."""
        for assignment in self.all(keyword, Assignment):
            if assignment.target not in names:
                raise self.error(f"there is no {assignment.target!r} to be defined", assignment)
        missing = [name for name in names if name not in values]
        if missing:
            raise self.error(f"no {keyword!r} line for {' and '.join(missing)}", self.statements[-1])

    def require_distinct(self, names: Sequence[str]) -> None:
        """Require that no name stands for two values; the last statement that declares it is at fault."""
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            places = [s for s in self.statements if s.content == twice] or [*self.statements[:1]]
            raise self.error(f"{twice!r} is declared already", places[-1])

    def require_known(self, expressions: Iterable[Expression], known: Iterable[str]) -> None:
        """Require that every name is a known one."""
        allowed = set(known)
        for expression in expressions:
            for name in names_in(expression):
                if name.text not in allowed:
                    raise self.error(f"unknown name {name.text!r}" + suggestion(name.text, allowed), name)
