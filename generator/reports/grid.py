"""Tables for the terminal: columns if they fit, otherwise one record below the other.

The width is that of the terminal, or ``COLUMNS`` where that is set; without either, as in a pipe, no line is
folded.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

_UNFOLDED = 400  # columns: wider than any table


@dataclass(frozen=True)
class Grid:
    """A table: heads, rows of as many cells, and in ``numeric`` which columns are numbers.

    A row of one cell is the title of those below it. The first ``key`` cells of a row are its name.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str | Text]]
    numeric: Collection[int] = ()
    key: int = 1

    def fitted(self, width: int, measure: Callable[[RenderableType], int]) -> Iterator[RenderableType]:
        """Yield the lines for a terminal of this width: the table, or if it is wider, its records."""
        table = self._table()
        if measure(table) <= width:
            yield table
        else:
            yield from self._records()

    def _table(self) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for number, head in enumerate(self.heads):
            right = number in self.numeric
            table.add_column(Text(head), justify="right" if right else "left", no_wrap=True)
        grouped = any(len(row) == 1 for row in self.rows)
        for row in self.rows:
            if len(row) == 1:
                table.add_row(Text(str(row[0]), style="italic"))
            else:
                first, *rest = map(_text, row)
                table.add_row(Text("  ") + first if grouped else first, *rest)
        return table

    def _records(self) -> Iterator[RenderableType]:
        """Yield the name of each row, and below it a line for every other cell that says something."""
        from rich.table import Table
        from rich.text import Text

        grouped = any(len(row) == 1 for row in self.rows)
        for row in self.rows:
            if len(row) == 1:
                yield Text(str(row[0]), style="italic")
                continue
            name = Text(" ").join(cell for cell in map(_text, row[: self.key]) if cell.plain)
            name.stylize("bold")
            yield Text("  ") + name if grouped else name
            facts = Table.grid(padding=(0, 2, 0, 0))
            facts.add_column(no_wrap=True)
            facts.add_column(overflow="fold")
            for head, cell in zip(self.heads[self.key :], row[self.key :], strict=True):
                if _text(cell).plain:
                    facts.add_row(Text(f"{'    ' if grouped else '  '}{head}"), _text(cell))
            yield facts
        yield Text("")


def console() -> Console:
    """Return a console on standard output, as wide as the terminal or as ``COLUMNS`` says."""
    from rich.console import Console

    found = Console(highlight=False)
    if not found.is_terminal and not _columns():
        found.width = _UNFOLDED
    return found


def terminal_text(parts: Iterable[Grid | Text | str]) -> str:
    """Write tables, and lines between them, for standard output, without blanks at line ends."""
    output = console()

    def measure(item: RenderableType) -> int:
        return output.measure(item, options=output.options.update(width=_UNFOLDED)).maximum

    with output.capture() as capture:
        for part in parts:
            items = part.fitted(output.width, measure) if isinstance(part, Grid) else [_text(part)]
            for item in items:
                output.print(item)
    lines = "\n".join(line.rstrip() for line in capture.get().split("\n"))
    return lines.strip("\n") + "\n"


def title(text: str) -> Text:
    """Return a line that is above a table."""
    from rich.text import Text

    return Text(text, style="bold")


def _text(cell: str | Text) -> Text:
    from rich.text import Text

    return Text(cell) if isinstance(cell, str) else cell


def _columns() -> int:
    """Return what ``COLUMNS`` says, 0 where it says nothing."""
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isdecimal() and len(said) < 6 else 0
