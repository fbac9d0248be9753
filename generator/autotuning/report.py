"""Decisions of a run of ``efdgen tune``, as a table for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.reports.grid import Grid, terminal_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.autotuning.session import Row


def table(rows: Sequence[Row]) -> str:
    """Return the table of decisions: what was compared, core cycles, their ratio, and what was decided."""
    heads = ("Decision", "Before", "Fastest rival", "Kept", "Tried", "Before", "Rival", "Ratio", "Noise")
    lines = []
    for row in rows:
        cells = [row.subject, row.before, row.rival, "rival" if row.wins else "before", str(row.tried)]
        if row.verdict is not None:
            verdict = row.verdict
            cells += [f"{verdict.before:,.1f}", f"{verdict.after:,.1f}", f"{verdict.ratio:.3f}"]
            cells.append(f"{verdict.noise:.3f}")
        lines.append([*cells, *[""] * (len(heads) - len(cells))])
    return terminal_text([Grid(heads, lines, range(4, len(heads)))])


def objects(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Return every decision as an object of its own, for JSON; cycles are core cycles."""
    return [
        {
            "decision": row.subject,
            "before": row.before,
            "rival": row.rival,
            "kept": "rival" if row.wins else "before",
            "tried": row.tried,
            "cycles_before": row.verdict.before if row.verdict else None,
            "cycles_rival": row.verdict.after if row.verdict else None,
            "ratio": row.verdict.ratio if row.verdict else None,
            "noise": row.verdict.noise if row.verdict else None,
        }
        for row in rows
    ]
