"""Measurements as tables for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.measuring.machine import processor, version_of
from efdgen.generator.measuring.series import SERIES, name_of
from efdgen.generator.reports.grid import Grid, terminal_text, title

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from efdgen.generator.measuring.measure import Measured
    from efdgen.generator.measuring.programs import Time

ROWS = (
    "ladder step",
    "doubling",
    "addition",
    "variable base",
    "variable base var",
    "x alone",
    "fixed base",
    "double base var",
    "encoding",
    "decoding",
    "signing",
    "verification",
    "exchange",
)


def table(measured: Measured, peer: Mapping[str, float]) -> Grid:
    """Return the table of a coordinate system: a line for each operation, a column for each compiler.

    Times are core cycles where they are known, and microseconds. ``ecdsa / Python`` above 1 says that the
    emitted Python is faster.
    """
    heads = ["Operation", "Cost", *measured.times]
    compared = bool(peer) and "Python" in measured.times
    rows = []
    for row in ROWS:
        if any(row in times for times in measured.times.values()):
            cells = [_cell(times.get(row)) for times in measured.times.values()]
            if compared:
                own = measured.times["Python"].get(row)
                cells.append(f"{peer[row] / own.nanoseconds:.2f}" if own and row in peer else "")
            rows.append((row, measured.costs.get(row, ""), *cells))
    if compared:
        heads.append("ecdsa / Python")
    return Grid(heads, rows, range(2, len(heads)))


def terminal(measured: Sequence[Measured], peer: Mapping[str, float]) -> str:
    """Return a table for each coordinate system, and which languages are left out of it and why."""

    def parts() -> Iterator[Grid | Text | str]:
        for part in measured:
            yield title(part.system)
            yield table(part, peer)
            for language, reason in part.left_out.items():
                yield f"{part.system} in {language} is left out: {reason}"

    return terminal_text(parts())


_HEADS = ("system", "operation", "cost")


def is_markdown_table(text: bytes) -> bool:
    """Return whether a file's text is nothing, or such a table and no more."""
    first = f"| {' | '.join(_HEADS)} |".encode()
    return not text.strip() or (
        text.startswith(first) and all(line[:1] == b"|" for line in text.splitlines())
    )


def markdown_table(measured: Sequence[Measured]) -> str:
    """Return one table of all systems for a page: a line for each operation, a column for each compiler.

    Times are core cycles, or microseconds in a column that says so.
    """
    compilers = list(dict.fromkeys(name for part in measured for name in part.times))
    counted = {
        name: any(time.cycles is not None for part in measured for time in part.times.get(name, {}).values())
        for name in compilers
    }
    heads = [*_HEADS, *(c if counted[c] else f"{c}, µs" for c in compilers)]
    lines = [heads, ["---"] * 3 + ["---:"] * len(compilers)]
    for part in measured:
        for row in (row for row in ROWS if any(row in times for times in part.times.values())):
            found = [part.times.get(name, {}).get(row) for name in compilers]
            cost = part.costs.get(row, "").replace("*", "·")  # a star makes text italic
            lines.append([part.system, row, cost, *map(_figure, found)])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def objects(measured: Sequence[Measured], peer: Mapping[str, float], curve: str) -> list[dict[str, object]]:
    """Return every figure, and every series, as an object of its own, for JSON."""
    versions = {name: version_of(name) for name in {name: 0 for part in measured for name in part.times}}
    subject = {"curve": curve, "machine": processor()}
    rows: list[dict[str, object]] = []
    for part in measured:
        for name, times in part.times.items():
            made = {**subject, "system": part.system, "compiler": name, "version": versions[name]}
            for row in (row for row in ROWS if row in times):
                time = times[row]
                figures = {"nanoseconds": time.nanoseconds, "cycles": time.cycles}
                formula = part.formulas.get(name, {}).get(row)
                subject_of_row = {"operation": row, "formula": formula, "cost": part.costs.get(row)}
                rows.append({**made, **subject_of_row, **figures})
            for series, points in _timed_series(times).items():
                rows.append({**made, "series": series, "sizes": [*points], "nanoseconds": [*points.values()]})
    return rows + [
        {**subject, "operation": row, "compiler": "Python, the package ecdsa", "nanoseconds": figure}
        for row, figure in peer.items()
    ]


def _timed_series(times: Mapping[str, Time]) -> dict[str, dict[int, float]]:
    """Return nanoseconds by size, for each series that was timed."""
    found = {
        series: {n: times[name_of(series, n)].nanoseconds for n in sizes if name_of(series, n) in times}
        for series, sizes in SERIES.items()
    }
    return {series: points for series, points in found.items() if points}


def _cell(time: Time | None) -> str:
    if time is None:
        return ""
    text = f"{_microseconds(time)} µs"
    return text if time.cycles is None else f"{time.cycles:,.0f} ({text})"


def _figure(time: Time | None) -> str:
    if time is None:
        return ""
    return _microseconds(time) if time.cycles is None else f"{time.cycles:,.0f}"


def _microseconds(time: Time) -> str:
    microseconds = time.nanoseconds / 1000
    return f"{microseconds:,.0f}" if microseconds >= 100 else f"{microseconds:.3g}"
