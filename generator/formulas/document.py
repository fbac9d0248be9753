"""The statements of one file, consumed by keyword; every error has a place in the file."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.errors import TextError, raise_all, suggestion
from efdgen.generator.formulas.formula import Output, Shared, point_number
from efdgen.generator.language.syntax import Assignment, Equation, Name, names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import System
    from efdgen.generator.language.syntax import Expression, Statement

_NAME = re.compile("[0-9]*[A-Za-z][A-Za-z0-9_]*")

T = TypeVar("T", str, Equation, Assignment)


class Document:
    """The statements of one file, with what is wrong in them.

    Its reader goes on after an error, and in the end calls :meth:`finish`, which raises all of them.
    """

    def __init__(self, statements: Sequence[Statement], text: str, path: str, allowed: set[str]) -> None:
        self.statements, self.text, self.path = statements, text, path
        self._errors: list[TextError] = []
        for statement in statements:
            if statement.keyword not in allowed:
                reason = f"a {statement.keyword!r} line does not belong in this file"
                self.complain(reason + suggestion(statement.keyword, allowed), statement)

    def complain(self, reason: str, place: Statement | Expression | Assignment | Equation) -> None:
        """Note an error at a place of the file."""
        self._errors.append(TextError(reason, self.text, place.at, self.path))

    def finish(self) -> None:
        """Raise :class:`TextError` with everything that is wrong in the file."""
        raise_all(self._errors)

    def all(self, keyword: str, kind: type[T]) -> tuple[T, ...]:
        """Return what is after a keyword, line by line."""
        found = []
        for statement in self.statements:
            if statement.keyword == keyword:
                assert isinstance(statement.content, kind)
                found.append(statement.content)
        return tuple(found)

    def names(self, keyword: str) -> tuple[str, ...]:
        """Return the names after a keyword."""
        for statement in self.statements:
            if statement.keyword == keyword and not _NAME.fullmatch(str(statement.content)):
                self.complain(f"{statement.content!r} is not a name", statement)
        return self.all(keyword, str)

    def title(self, keyword: str = "name") -> str:
        """Return the text after a keyword, empty without one."""
        return " ".join(self.all(keyword, str))

    def points(self, keyword: str) -> tuple[int, ...]:
        """Return the numbers of the points after a keyword."""
        statements = [statement for statement in self.statements if statement.keyword == keyword]
        return tuple(number for s in statements for number in self._points([str(s.content)], s))

    def outputs(self) -> tuple[Output, ...]:
        """Return the points after ``output``, with their laws."""
        found = []
        for equation in self.all("output", Equation):
            try:
                if not isinstance(equation.left, Name):
                    raise ValueError
                found.append(Output(point_number(equation.left), equation.right))
            except ValueError:
                self.complain("expected a point: P1, P2, …", equation.left)
        return tuple(found)

    def shared(self, keyword: str) -> tuple[Shared, ...]:
        """Return the statements that name a variable and points."""
        found = []
        for statement in self.statements:
            if statement.keyword == keyword:
                variable, *points = str(statement.content).split()
                found.append(Shared(variable, tuple(self._points(points, statement))))
        return tuple(found)

    def systems(self, system_of: Callable[[str], System]) -> dict[int, System]:
        """Return the coordinate systems of the points that have one of their own."""
        found: dict[int, System] = {}
        for statement in self.statements:
            if statement.keyword == "point":
                point, _, system = str(statement.content).partition(" ")
                for number in self._points([point], statement):
                    if number in found:
                        self.complain(f"{point} is in a coordinate system already", statement)
                    found[number] = system_of(system.strip())
        return found

    def _points(self, texts: Iterable[str], statement: Statement) -> Iterator[int]:
        for text in texts:
            try:
                yield point_number(Name(text))
            except ValueError:
                self.complain(f"expected a point such as P1, not {text!r}", statement)

    def definitions(self, keyword: str) -> dict[str, Expression]:
        """Return the values after a keyword by the names that they are given."""
        return {assignment.target: assignment.value for assignment in self.all(keyword, Assignment)}

    def require_defined(self, keyword: str, values: Mapping[str, Expression], names: Sequence[str]) -> None:
        """Require one definition for each name, and none for others."""
        for assignment in self.all(keyword, Assignment):
            if assignment.target not in names:
                self.complain(f"there is no {assignment.target!r} to be defined", assignment)
        missing = [name for name in names if name not in values]
        if missing:
            self.complain(f"no {keyword!r} line for {' and '.join(missing)}", self.statements[-1])

    def require_distinct(self, names: Sequence[str]) -> None:
        """Require that no name denotes two values; the last statement that declares it is at fault."""
        for twice in (name for name, times in Counter(names).items() if times > 1):
            places = [s for s in self.statements if s.content == twice] or [*self.statements[:1]]
            self.complain(f"{twice!r} is declared already", places[-1])

    def require_known(self, expressions: Iterable[Expression], known: Iterable[str]) -> None:
        """Require that every name is a known one."""
        allowed = set(known)
        for expression in expressions:
            for name in names_in(expression):
                if name.text not in allowed:
                    self.complain(f"unknown name {name.text!r}" + suggestion(name.text, allowed), name)
