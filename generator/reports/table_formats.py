"""Cost tables as text: for the terminal, Markdown, CSV, JSON, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from efdgen.generator.programs.cost import Cost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rich.table import Table as Grid

    from efdgen.generator.reports.tables import Row, Table

_NUMERIC = (4, 6)  # the columns that hold weights

_LATEX = {character: f"\\{character}" for character in "{}$&#_%"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def render(tables: Sequence[Table], form: str) -> str:
    """Write tables in one of :data:`FORMATS`."""
    return FORMATS[form](tables)


def _header(table: Table) -> tuple[str, ...]:
    if any(row.emitted is not None for row in table.rows):
        return ("Operation", "Formula", "Assuming", "Published", "Weight", "Emitted", "Weight")
    return ("Operation", "Formula", "Assuming", "Published", "Weight")


def _cells(table: Table, row: Row) -> tuple[str, ...]:
    cost = "" if row.cost is None else str(row.cost)
    mark = " †" if row.error else ""
    cells = (row.kind, row.name, ", ".join(row.assumptions), cost + mark, table.price(row.cost))
    return cells if row.emitted is None else (*cells, str(row.emitted), table.price(row.emitted))


def _notes(table: Table) -> list[str]:
    return [f"† {row.name}: {row.error}" for row in table.rows if row.error]


def _terminal(tables: Sequence[Table]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 400  # no line is folded in a file
    with console.capture() as capture:
        for table in tables:
            console.print(Text(table.title, style="bold"))
            console.print(_grid(table))
            for note in _notes(table):
                console.print(Text(f"{note}\n"))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().rstrip().split("\n"))


def _grid(table: Table) -> Grid:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    rows = [_cells(table, row) for row in table.rows]
    columns = zip_longest(_header(table), *rows, fillvalue="")
    for number, (name, *cells) in enumerate(columns):
        if number in _NUMERIC:
            grid.add_column(name, justify="right", min_width=max(map(len, (name, *cells))))
        elif number == 1:  # a name that is cut short could not be looked up; a cost may be folded
            grid.add_column(name, min_width=2 + max(map(len, (name, *cells))))
        elif number > 1:
            grid.add_column(name)
    for kind, members in groupby(rows, key=lambda row: row[0]):
        grid.add_row(Text(kind, style="italic"))
        for _, name, *cells in members:
            grid.add_row(*(Text(cell) for cell in (f"  {name}", *cells)))
    return grid


def _markdown(tables: Sequence[Table]) -> str:
    lines = []
    for table in tables:
        header = _header(table)
        lines += [f"## {_markdown_text(table.title)}", ""]
        lines.append(f"| {' | '.join(header)} |")
        lines.append(f"|{'|'.join('---:' if n in _NUMERIC else '---' for n in range(len(header)))}|")
        for row in table.rows:
            cells = (_markdown_text(cell) for cell in _cells(table, row))
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", *(f"{_markdown_text(note)}\n" for note in _notes(table))]
    return "\n".join(lines)


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~^])", r"\\\1", text)


def _latex(tables: Sequence[Table]) -> str:
    lines = []
    for table in tables:
        header = _header(table)
        columns = "".join("r" if number in _NUMERIC else "l" for number in range(len(header)))
        lines += [rf"\subsection*{{{_latex_text(table.title)}}}", "", rf"\begin{{tabular}}{{{columns}}}"]
        lines += [r"\hline", f"{' & '.join(header)} \\\\", r"\hline"]
        for row in table.rows:
            lines.append(f"{' & '.join(_latex_text(cell) for cell in _cells(table, row))} \\\\")
        lines += [r"\hline", r"\end{tabular}", "", *(f"{_latex_text(note)}\n" for note in _notes(table))]
    return "\n".join(lines)


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text).replace("†", r"\dag{}")


def _html(tables: Sequence[Table]) -> str:
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/><title>Costs of explicit formulas</title></head>',
        "<body>",
    ]
    for table in tables:
        lines += ["<table>", f"<caption>{html.escape(table.title)}</caption>"]
        lines.append(f"<thead>{_html_row('th', _header(table))}</thead>")
        lines += ["<tbody>", *(_html_row("td", _cells(table, row)) for row in table.rows), "</tbody>"]
        lines += ["</table>", *(f"<p>{html.escape(note)}</p>" for note in _notes(table))]
    return "\n".join([*lines, "</body>", "</html>", ""])


def _html_row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _csv(tables: Sequence[Table]) -> str:
    text = io.StringIO()
    columns = ["id", "kind", "assumptions", *Cost().fields(), "weight", "emitted", "emitted_weight", "error"]
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for table in tables:
        for row in table.rows:
            fields = {} if row.cost is None else row.cost.fields()
            emitted = "" if row.emitted is None else str(row.emitted)
            writer.writerow(
                {name: _csv_cell(value) for name, value in fields.items()}
                | {"id": row.id, "kind": row.kind, "assumptions": ", ".join(row.assumptions)}
                | {"weight": table.price(row.cost), "error": row.error}
                | {"emitted": emitted, "emitted_weight": table.price(row.emitted)}
            )
    return text.getvalue()


def _csv_cell(value: object) -> object:
    return " ".join(f"{name}:{count}" for name, count in value.items()) if isinstance(value, dict) else value


def _json(tables: Sequence[Table]) -> str:
    rows = [_json_row(table, row) for table in tables for row in table.rows]
    return json.dumps(rows, indent=2) + "\n"


def _json_row(table: Table, row: Row) -> dict[str, object]:
    counted = dict.fromkeys(Cost().fields()) if row.cost is None else row.cost.fields()
    fields: dict[str, object] = {"id": row.id, **counted, "weight": _number(table.price(row.cost))}
    if row.emitted is not None:
        fields["emitted"] = {**row.emitted.fields(), "weight": _number(table.price(row.emitted))}
    if row.error:
        fields["error"] = row.error
    return fields


def _number(text: str) -> float | None:
    return float(text) if text else None


FORMATS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    "table": _terminal,
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
    "html": _html,
}
