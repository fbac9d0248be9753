"""Test results: a table, the failures, and the same as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.reports.grid import Grid, terminal_text
from efdgen.verify.vectors.data import field_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from efdgen.verify.vectors.runner import Failure, Result
    from efdgen.verify.vectors.suite import AnySuite

_MOST_ROWS = 60
_MOST_FAILURES = 10


@dataclass(frozen=True)
class Report:
    """The results of one suite."""

    title: str
    suite: AnySuite
    results: Sequence[Result]

    @property
    def ok(self) -> bool:
        """Return whether every result is."""
        return all(result.ok for result in self.results)

    @property
    def languages(self) -> list[str]:
        """The languages, or the builds, that were tested, in order."""
        return list(dict.fromkeys(result.language for result in self.results))

    def objects(self) -> list[dict[str, Any]]:
        """Return the results as JSON objects."""
        return [
            {"subject": self.title, **_fields(result), **field_object(result.ground), "ok": result.ok}
            for result in self.results
        ]

    def text(self) -> str:
        """Return the table of what passed, and below it what failed."""
        failed = "".join(f"{line}\n" for line in _failure_lines(self.results))
        return f"{self._table()}\n{failed}{self._summary()}\n"

    def _rows(self) -> list[tuple[str, list[Result]]]:
        """Return the results by formula, or by coordinate system if there are many formulas."""
        by_system = len(self.suite.functions) > _MOST_ROWS
        rows: dict[str, list[Result]] = {}
        for result in sorted(self.results, key=lambda result: result.formula):
            name = result.formula.rsplit("/", 2)[0] if by_system else result.formula
            rows.setdefault(name, []).append(result)
        return list(rows.items())

    def _table(self) -> str:
        from rich.text import Text

        heads = (self.title, "Cases", self.suite.aside, *self.languages)
        rows: list[list[str | Text]] = []
        for name, results in self._rows():
            one = [result for result in results if result.language == results[0].language]
            counts = (sum(result.cases for result in one), sum(result.exceptional for result in one))
            cells = [_cell([r for r in results if r.language == language]) for language in self.languages]
            colours = ["" if text == "" else "green" if good else "bold red" for text, good in cells]
            marked = [Text(text, style=colour) for (text, _), colour in zip(cells, colours, strict=True)]
            rows.append([name, *map(str, counts), *marked])
        return terminal_text([Grid(heads, rows, range(1, len(heads)))])

    def _summary(self) -> str:
        calls, passed = (sum(getattr(r, name) for r in self.results) for name in ("calls", "passed"))
        known = self.suite.published
        published = f", {known} published multiples among them" if known else ""
        verdict = "all as expected" if self.ok else "FAILED"
        return f"{self.title}, seed {self.suite.seed}: {passed} of {calls} calls passed{published}; {verdict}"


def _fields(result: Result) -> dict[str, Any]:
    """Return what is known of a result but its field."""
    return {name: value for name, value in asdict(result).items() if name != "ground"}


def _cell(results: Sequence[Result]) -> tuple[str, bool]:
    if not results:
        return "", True
    return f"{sum(r.passed for r in results)}/{sum(r.calls for r in results)}", all(r.ok for r in results)


def _failure_lines(results: Sequence[Result]) -> list[str]:
    """Return the first failure of each formula that has one, with the languages that share it."""
    languages: dict[tuple[str, Failure], list[str]] = {}
    for result in results:
        for failure in result.failures[:1]:
            shown = f"{result.formula}: {result.calls - result.passed} of {result.calls} calls failed in "
            languages.setdefault((shown, failure), []).append(result.language)
    lines = []
    for (shown, failure), found in list(languages.items())[:_MOST_FAILURES]:
        lines += [f"{shown}{', '.join(found)}", f"  {failure.reason}"]
        lines += [f"  request  {failure.request}"] if failure.request else []
        lines += [f"  answer   {failure.answer}"] if failure.answer else []
    left = len(languages) - _MOST_FAILURES
    return [*lines, f"… and {left} more; --json has them all"] if left > 0 else lines
