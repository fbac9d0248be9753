"""Times what efdgen generates beside its peers, in one process, and prints core cycles and ratios.

    python bench/run.py [--rounds 51] [--json FILE] [ROW ...]

A row is FIELD OR CURVE/OPERATION; a part of its name selects it. ``best peer / efdgen`` above 1 says that
efdgen is faster. Of all that is not efdgen the fastest in a row is its best peer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from build import build

OURS = "efdgen"

Row = dict[tuple[str, str], float]
"""Core cycles by implementation and mode."""


def measure(harness: Path, libraries: list[Path], rounds: int) -> dict[str, Row]:
    """Run the harness on the last processor; return core cycles by row."""
    processor = max(os.sched_getaffinity(0))
    command = ["taskset", "-c", str(processor), harness, str(rounds), *libraries]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows: dict[str, Row] = defaultdict(dict)
    for line in lines:
        who, row, mode, cycles = line.split("\t")
        rows[row][who, mode] = float(cycles)
    return rows


def table(subject: str, rows: dict[str, Row]) -> Table:
    """Return the table of a field or a curve: a line for each operation, ours first, then the peers."""
    found = Table(title=f"{subject}: core cycles, latency / throughput", title_justify="left")
    names = sorted({who for row in rows.values() for who, _ in row}, key=lambda who: (OURS not in who, who))
    for column in ("operation", *names, "best peer / efdgen"):
        found.add_column(column, justify="left" if column == "operation" else "right")
    for name, row in rows.items():
        cells = [_cell(row, who) for who in names]
        found.add_row(name.partition("/")[2], *cells, _ratio(row))
    return found


def _cell(row: Row, who: str) -> str:
    figures = [row.get((who, mode)) for mode in ("latency", "throughput")]
    return " / ".join(f"{f:,.0f}" if f >= 1000 else f"{f:.1f}" for f in figures if f is not None)


def _ratio(row: Row) -> str:
    parts = []
    for mode in ("latency", "throughput"):
        ours = [cycles for (who, m), cycles in row.items() if m == mode and OURS in who]
        peers = [cycles for (who, m), cycles in row.items() if m == mode and OURS not in who]
        if ours and peers:
            parts.append(f"{min(peers) / min(ours):.2f}")
    return " / ".join(parts)


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help="parts of the names of rows; all without")
    parser.add_argument("--rounds", type=int, default=51, help="rounds of which the median is taken")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    rows = measure(*build(), options.rounds)
    if options.rows:
        rows = {name: row for name, row in rows.items() if any(part in name for part in options.rows)}
    subjects: dict[str, dict[str, Row]] = defaultdict(dict)
    for name in sorted(rows):
        subjects[name.partition("/")[0]][name] = rows[name]
    console = Console(width=None if os.isatty(1) else 200)
    for subject, part in subjects.items():
        console.print(table(subject, part))
    if options.json:
        figures = {
            name: {f"{who} ({mode})": c for (who, mode), c in row.items()} for name, row in rows.items()
        }
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
