"""Measurements as tables: one for each prime or curve, and one with the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from measure import MODES, Row
from rich.table import Table
from targets import Target


def subject_table(subject: str, rows: Mapping[str, Row]) -> Table:
    """Return the table of a prime or a curve: a line for each operation, ours first, then the peers."""
    found = Table(title=f"{subject}: core cycles, latency / throughput", title_justify="left")
    names = sorted({name for row in rows.values() for name in row.names}, key=_ours_first)
    found.add_column("operation")
    for column in (*names, "best asm-free peer / efdgen", "best peer / efdgen"):
        found.add_column(column, justify="right")
    for name, row in rows.items():
        cells = [pair([row.cycles(who, mode) for mode in MODES]) for who in names]
        peers = [ratios([row.ratio(mode, portable=portable) for mode in MODES]) for portable in (True, False)]
        found.add_row(name.partition("/")[2], *cells, *peers)
    return found


def target_table(rows: Mapping[str, Row], targets: Mapping[str, Target]) -> Table:
    """Return the table of rows that have a target: ours, the target, and the ratio; gcc's likewise."""
    found = Table(title="Targets: core cycles, latency / throughput", title_justify="left")
    found.add_column("row")
    for column in (
        "efdgen",
        "asm-free target",
        "target / efdgen",
        "efdgen, gcc",
        "gcc target",
        "gcc target / efdgen, gcc",
        "best peer here / efdgen",
        "asm",
        "published",
    ):
        found.add_column(column, justify="right")
    for name, row in rows.items():
        target = targets.get(name)
        best = {mode: row.best(mode, ours=True) for mode in MODES}
        if target is None or not any(best.values()):
            continue
        ours = [None if who is None else row.cycles(who, mode) for mode, who in best.items()]
        portable, gcc = (target.latency, target.throughput), (target.gcc_latency, target.gcc_throughput)
        by_gcc = [row.cycles("efdgen, gcc", mode) for mode in MODES]
        peers = [row.ratio(mode, portable=True) for mode in MODES]
        asm = (target.asm_latency, target.asm_throughput)
        cells = [pair(ours), pair(portable), ratios(_quotients(portable, ours))]
        cells += [pair(by_gcc), pair(gcc), ratios(_quotients(gcc, by_gcc))]
        found.add_row(name, *cells, ratios(peers), pair(asm), pair([target.published]))
    return found


def _ours_first(who: str) -> tuple[bool, str]:
    return not who.startswith("efdgen"), who


def _quotients(left: Sequence[float | None], right: Sequence[float | None]) -> list[float | None]:
    return [None if a is None or b is None else a / b for a, b in zip(left, right, strict=True)]


def pair(figures: Sequence[float | None]) -> str:
    """Return core cycles, those that are known, as text: ``44.6 / 28.1``."""
    return " / ".join(f"{f:,.0f}" if f >= 1000 else f"{f:.1f}" for f in figures if f is not None)


def ratios(figures: Sequence[float | None]) -> str:
    """Return ratios, those that are known, as text: ``1.15 / 1.07``."""
    return " / ".join(f"{f:.2f}" for f in figures if f is not None)
