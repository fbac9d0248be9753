"""The candidates of plans as text: for the terminal, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from efdgen.generator.reports.grid import Grid, terminal_text, title
from efdgen.generator.reports.json_text import exact, json_text
from efdgen.generator.reports.total_formats import cost_text
from efdgen.generator.reports.totals import operations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import Candidate, CurvePlan

    Plans = Sequence[CurvePlan | LadderPlan]

_HEADER = ("", "System", "Method", "Cost", "Points", "Bytes", "Weight")
_FIRST_NUMERIC = 4


def render(plans: Plans, asked: Sequence[str], form: str, proofs: Mapping[str, str]) -> str:
    """Write the candidates for some operations; the first plan is the one that is taken.

    ``proofs`` are claims about its operations, for JSON.
    """
    match form:
        case "json":
            return _json(plans, asked, proofs)
        case "csv":
            return _csv(plans, asked)
        case "markdown":
            return _markdown(plans, asked)
        case _:
            return _terminal(plans, asked)


def ranked(plans: Plans, operation: str) -> Iterator[tuple[str, Candidate]]:
    """Yield the candidates for an operation with their marks, system by system, the lightest first.

    ``*`` is what is taken, ``+`` what would be in another system, which is shown with nothing else.
    """
    for number, plan in enumerate(plans):
        for candidate in sorted(plan.candidates[operation], key=lambda c: (c.weight, c.points))[:8]:
            if number == 0 or candidate.chosen:
                yield "*" if candidate.chosen and number == 0 else "+" * candidate.chosen, candidate


def _cells(mark: str, candidate: Candidate) -> tuple[str, ...]:
    system = candidate.system.rpartition("/")[2]
    cost, weight = cost_text(candidate.steps), f"{float(candidate.weight):.1f}"
    return mark, system, candidate.name, cost, str(candidate.points), str(candidate.bytes), weight


def _terminal(plans: Plans, asked: Sequence[str]) -> str:
    def parts() -> Iterator[Grid | Text | str]:
        for operation in asked:
            yield title(f"{plans[0].curve.name}: {operation}")
            rows = [_cells(*each) for each in ranked(plans, operation)]
            yield Grid(_HEADER, rows, range(_FIRST_NUMERIC, len(_HEADER)), key=3)

    return terminal_text(parts())


def _markdown(plans: Plans, asked: Sequence[str]) -> str:
    lines = []
    for operation in asked:
        marks = ["---:" if number >= _FIRST_NUMERIC else "---" for number in range(len(_HEADER))]
        lines += [f"## {plans[0].curve.name}: {operation}", "", f"| {' | '.join(_HEADER)} |"]
        lines.append(f"|{'|'.join(marks)}|")
        for mark, candidate in ranked(plans, operation):
            cells = (cell.replace("*", r"\*") for cell in _cells(mark, candidate))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _csv(plans: Plans, asked: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["operation", "mark", "system", "method", "cost", "points", "bytes", "weight"])
    for operation in asked:
        for mark, candidate in ranked(plans, operation):
            writer.writerow([operation, *_cells(mark, candidate)])
    return text.getvalue()


def _json(plans: Plans, asked: Sequence[str], proofs: Mapping[str, str]) -> str:
    rows = [
        {
            "curve": plans[0].curve.name,
            "operation": operation,
            "system": candidate.system,
            "method": candidate.name,
            "odd_multiples": candidate.table,
            "steps": [{"id": step.id, "times": exact(step.times)} for step in candidate.steps],
            "operations": {unit: exact(number) for unit, number in operations(candidate.steps).items()},
            "points": candidate.points,
            "bytes": candidate.bytes,
            "masked_reads": candidate.reads,
            "weight": exact(candidate.weight),
            "chosen": mark == "*",
            **({"proof": proofs[operation]} if mark == "*" and operation in proofs else {}),
        }
        for operation in asked
        for mark, candidate in ranked(plans, operation)
    ]
    return json_text(rows)
