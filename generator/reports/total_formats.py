"""Totals as text: for the terminal, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from efdgen.generator.reports.grid import Grid, terminal_text, title
from efdgen.generator.reports.json_text import exact, json_text
from efdgen.generator.reports.totals import operations, price

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from rich.text import Text

    from efdgen.generator.reports.totals import Section, Step, Total

_FIRST_NUMERIC = 3


def render(sections: Sequence[Section], form: str) -> str:
    """Write sections in one of :data:`FORMATS`."""
    return FORMATS[form](sections)


def cost_text(steps: Sequence[Step]) -> str:
    """Write what steps cost as the database writes costs; averages are decimals."""
    return " + ".join(f"{_text(number)}{unit}" for unit, number in operations(steps).items()) or "0M"


def _text(number: Fraction) -> str:
    whole = str(number.numerator) if number.denominator == 1 else f"{float(number):.4f}"
    return whole.rstrip("0").rstrip(".") if "." in whole else whole


def _header(section: Section) -> tuple[str, ...]:
    header = ("Computation", "Steps", "Cost", "Weight")
    return (*header, f"{section.bits} bits") if section.bits else header


def _cells(total: Total) -> tuple[str, ...]:
    steps = ", ".join(f"{_text(step.times)} {step.id.rpartition('/')[2]}" for step in total.steps)
    whole = (_text(price(total.whole, total.weights)),) if total.whole else ()
    return total.name, steps, cost_text(total.steps), _text(price(total.steps, total.weights)), *whole


def _terminal(sections: Sequence[Section]) -> str:
    def parts() -> Iterator[Grid | Text | str]:
        for section in sections:
            header = _header(section)
            yield title(section.title)
            yield Grid(header, [*map(_cells, section.totals)], range(_FIRST_NUMERIC, len(header)))
            yield f"{section.note}\n"

    return terminal_text(parts())


def _markdown(sections: Sequence[Section]) -> str:
    lines = []
    for section in sections:
        header = _header(section)
        marks = ["---:" if number >= _FIRST_NUMERIC else "---" for number in range(len(header))]
        lines += [f"## {section.title}", "", f"| {' | '.join(header)} |", f"|{'|'.join(marks)}|"]
        for total in section.totals:
            cells = (cell.replace("*", r"\*").replace("^", r"\^") for cell in _cells(total))
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", section.note, ""]
    return "\n".join(lines)


def _csv(sections: Sequence[Section]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["section", "computation", "steps", "cost", "weight", "bits", "whole_weight"])
    for section in sections:
        for total in section.totals:
            name, steps, cost, weight, *whole = _cells(total)
            writer.writerow(
                [section.title, name, steps, cost, weight, *([section.bits, *whole] if whole else ["", ""])]
            )
    return text.getvalue()


def _json(sections: Sequence[Section]) -> str:
    rows = [_object(section, total) for section in sections for total in section.totals]
    return json_text(rows)


def _object(section: Section, total: Total) -> dict[str, object]:
    fields: dict[str, object] = {
        "section": section.title,
        "computation": total.name,
        "steps": [{"id": step.id, "times": exact(step.times)} for step in total.steps],
        "operations": {unit: exact(number) for unit, number in operations(total.steps).items()},
        "text": cost_text(total.steps),
        "weight": exact(price(total.steps, total.weights)),
    }
    if total.whole:
        fields["whole"] = {
            "bits": section.bits,
            "text": cost_text(total.whole),
            "weight": exact(price(total.whole, total.weights)),
        }
    return fields


FORMATS: Mapping[str, Callable[[Sequence[Section]], str]] = {
    "table": _terminal,
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
}
