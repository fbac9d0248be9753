"""What the results of a test say: a table, what failed, and the same as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.compile import Language
    from efdgen.verify.runner import Result
    from efdgen.verify.vectors import Suite

_MOST_ROWS = 60


@dataclass(frozen=True)
class Report:
    """The results of one suite."""

    title: str
    suite: Suite
    results: Sequence[Result]

    @property
    def ok(self) -> bool:
        """Whether every result is."""
        return all(result.ok for result in self.results)

    @property
    def languages(self) -> list[Language]:
        """The languages that were tested, in order."""
        return list(dict.fromkeys(result.language for result in self.results))

    def objects(self) -> list[dict[str, Any]]:
        """Return the results as JSON objects."""
        return [
            {"subject": self.title, **asdict(result), "prime": f"{result.prime:x}", "ok": result.ok}
            for result in self.results
        ]

    def text(self) -> str:
        """Return the table of what passed, and below it what failed."""
        failed = [line for result in self.results for line in _failure_lines(result)]
        return "".join([self._table(), *(f"{line}\n" for line in failed), f"{self._summary()}\n"])

    def _rows(self) -> list[tuple[str, list[Result]]]:
        """Return the results by formula, or by coordinate system where there are many formulas."""
        by_system = len(self.suite.functions) > _MOST_ROWS
        rows: dict[str, list[Result]] = {}
        for result in sorted(self.results, key=lambda result: result.formula):
            name = result.formula.rsplit("/", 2)[0] if by_system else result.formula
            rows.setdefault(name, []).append(result)
        return list(rows.items())

    def _table(self) -> str:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        console = Console(highlight=False)
        if not console.is_terminal:
            console.width = 400  # no line is folded in a file
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in (self.title, "Cases", "Exceptional", *self.languages):
            grid.add_column(Text(name), justify="left" if name == self.title else "right")
        for name, results in self._rows():
            one = [result for result in results if result.language == results[0].language]
            counts = (sum(result.cases for result in one), sum(result.exceptional for result in one))
            cells = [_cell([r for r in results if r.language == language]) for language in self.languages]
            colours = ["" if text == "" else "green" if good else "bold red" for text, good in cells]
            marked = [Text(text, style=colour) for (text, _), colour in zip(cells, colours, strict=True)]
            grid.add_row(Text(name), *(str(count) for count in counts), *marked)
        with console.capture() as capture:
            console.print(grid)
        return "".join(f"{line.rstrip()}\n" for line in capture.get().strip("\n").split("\n"))

    def _summary(self) -> str:
        calls, passed = (sum(getattr(r, name) for r in self.results) for name in ("calls", "passed"))
        origins = [case.origin for function in self.suite.functions for case in function.cases]
        published = (
            f", {origins.count('published')} published multiples among them" if "published" in origins else ""
        )
        verdict = "all as expected" if self.ok else "FAILED"
        return f"{self.title}: {passed} of {calls} calls passed{published}; {verdict}"


def _cell(results: Sequence[Result]) -> tuple[str, bool]:
    if not results:
        return "", True
    return f"{sum(r.passed for r in results)}/{sum(r.calls for r in results)}", all(r.ok for r in results)


def _failure_lines(result: Result) -> list[str]:
    if result.ok:
        return []
    lines = [f"{result.formula} in {result.language}: {result.passed} of {result.calls} calls passed"]
    for failure in result.failures:
        lines.append(f"  {failure.reason}")
        lines += [f"    request {failure.request}"] if failure.request else []
        lines += [f"    answer  {failure.answer}"] if failure.answer else []
    return lines
