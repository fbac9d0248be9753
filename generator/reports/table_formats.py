"""Cost tables as text: for the terminal, Markdown, CSV, JSON, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
import re
from itertools import groupby
from typing import TYPE_CHECKING

from efdgen.generator.formulas.cost import Cost
from efdgen.generator.reports.grid import Grid, terminal_text, title
from efdgen.generator.reports.json_text import exact, json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.text import Text

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
    def parts() -> Iterator[Grid | Text | str]:
        for table in tables:
            yield title(table.title)
            yield Grid(_header(table)[1:], [*_grouped(table)], numeric=[n - 1 for n in _NUMERIC])
            yield from (f"{note}\n" for note in _notes(table))

    return terminal_text(parts())


def _grouped(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield the kinds of a table, each with the rows below it."""
    for kind, rows in groupby(table.rows, key=lambda row: row.kind):
        yield (kind,)
        yield from (_cells(table, row)[1:] for row in rows)


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
    return json_text([_object(table, row) for table in tables for row in table.rows])


def _object(table: Table, row: Row) -> dict[str, object]:
    """Return a row as JSON has it: what is said of a formula everywhere, and its costs with their weights."""
    found: dict[str, object] = {
        "id": row.id,
        "kind": row.kind,
        "model": row.system.rpartition("/")[0],
        "system": row.system,
        "parameters": list(row.parameters),
        "assumptions": list(row.assumptions),
    }
    for name, cost in (("cost", row.cost), ("emitted", row.emitted)):
        found[name] = cost and {**cost.fields(), "weight": exact(table.weights.price(cost))}
    return found | ({"error": row.error} if row.error else {})


FORMATS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    "table": _terminal,
    "markdown": _markdown,
    "csv": _csv,
    "latex": _latex,
    "html": _html,
    "json": _json,
}
