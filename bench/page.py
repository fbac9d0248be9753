"""Measurements as tables of a Markdown page, which keeps the text around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from measure import MODES, Row
from subjects import (
    BINARY,
    BINARY_FIELDS,
    BINARY_OPERATIONS,
    CURVE_OPERATIONS,
    CURVES,
    FIELD_OPERATIONS,
    FIELDS,
    OURS,
    X_ONLY,
    is_portable,
)
from tables import pair, ratios
from targets import Target

COLUMNS = (
    "operation",
    "C, clang",
    "C, gcc",
    "Rust",
    "best peer without assembler",
    "ratio",
    "best peer of all",
    "ratio",
    "target",
)
COMPILERS = ("clang", "gcc", "rustc")
# Over GF(2^m), code in Rust has portable products alone, as this code in C.
COLUMNS_OF_2 = tuple({"Rust": "portable C, gcc"}.get(column, column) for column in COLUMNS)
COMPILERS_OF_2 = ("clang", "gcc", "gcc, portable")
EMPTY_PAGE = "# Performance\n\n## Fields\n\n## Curves\n\n## Binary curves\n\n## Whole operations\n"


def update(page: str, rows: Mapping[str, Row], targets: Mapping[str, Target]) -> str:
    """Return a page with the lines of what was measured put into its tables, in place of its old ones.

    The page has the sections ``Fields``, ``Curves`` and ``Binary curves``; what has no table there yet gets
    one at their end.
    """
    fields = [(field.name, _title(field.name)) for field in FIELDS]
    curves = [(curve.name, curve.name) for curve in (*CURVES, X_ONLY)]
    binary = [(curve.name, curve.name) for curve in (*BINARY_FIELDS, *BINARY)]
    for section, subjects, operations, columns, compilers in (
        ("Fields", fields, FIELD_OPERATIONS, COLUMNS, COMPILERS),
        ("Curves", curves, CURVE_OPERATIONS, COLUMNS, COMPILERS),
        ("Binary curves", binary, BINARY_OPERATIONS, COLUMNS_OF_2, COMPILERS_OF_2),
    ):
        for subject, title in subjects:
            lines = {
                operation: _line(operation, rows[name], targets.get(name, Target()), compilers)
                for operation in operations
                if (name := f"{subject}/{operation}") in rows
            }
            if lines:
                head = [cells(columns), "|---|" + "---:|" * (len(columns) - 1)]
                page = put(page, (section, title), lines, operations, head)
    return page


def _title(field: str) -> str:
    """Return the heading of a field: ``GF(p²), p = 5·2^248-1`` of ``(5*2^248-1)^2``."""
    name = field.replace("*", "·")
    return f"GF(p²), p = {name[1:-3]}" if name.startswith("(") and name.endswith(")^2") else name


def _line(operation: str, row: Row, target: Target, compilers: Sequence[str]) -> str:
    """Return the line of an operation: ours by compiler, the best peers with ratios, the target."""
    ours = [pair([row.cycles(f"{OURS}, {compiler}", mode) for mode in MODES]) for compiler in compilers]
    best = [who for mode in MODES if (who := row.best(mode, ours=False)) is not None]
    peers: list[str] = []
    for portable in (True, False):
        if portable or not all(map(is_portable, best)):
            peers += [_peer(row, portable), ratios([row.ratio(mode, portable=portable) for mode in MODES])]
        else:
            peers += ["", ""]
    return cells([operation, *ours, *peers, _target(target)])


def _peer(row: Row, portable: bool) -> str:
    """Return the figures of the best peer and who it is, or of both where each mode has another."""
    best = {mode: row.best(mode, ours=False, portable=portable) for mode in MODES}
    found = {mode: (who, row.cycles(who, mode)) for mode, who in best.items() if who is not None}
    names = {who for who, _ in found.values()}
    if len(names) == 1:
        return f"{pair([cycles for _, cycles in found.values()])} ({names.pop()})"
    return " / ".join(f"{pair([cycles])} ({who})" for who, cycles in found.values())


def _target(target: Target) -> str:
    portable = pair([target.latency, target.throughput])
    gcc = pair([target.gcc_latency, target.gcc_throughput])
    parts = [portable, f"gcc {gcc}" if gcc and gcc != portable else ""]
    text = "; ".join(part for part in parts if part)
    return f"{text} (published: {target.published:,})".strip() if target.published else text


def cells(texts: Sequence[str]) -> str:
    """Return the line of a table with these texts."""
    return f"| {' | '.join(texts)} |"


def put(
    page: str,
    place: tuple[str, str],
    found: Mapping[str, str],
    order: Sequence[str],
    head: Sequence[str],
) -> str:
    """Return the page with lines, by operation, in the table of a place, under two lines of ``head``.

    A place is a section and a heading in it; without a heading it is what the section begins with.
    """
    lines = page.split("\n")
    section, title = place
    heading = f"### {title}" if title else f"## {section}"
    if f"## {section}" not in lines:
        raise SystemExit(f"--markdown: the page has no section `## {section}`; a page that is new gets it")
    first = lines.index(f"## {section}")
    end = next((at for at in range(first + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    while not lines[end - 1]:
        end -= 1
    if heading not in lines[first:end]:
        lines[end:end] = ["", heading]
        end += 2
    start = lines.index(heading, first, end) + 1
    while start < end and not lines[start].startswith(("|", "### ")):
        start += 1
    if start == end:
        lines[end:end] = [""]
        start = end = end + 1
    elif lines[start].startswith("### "):
        lines.insert(start, "")
    stop = start
    while stop < end and lines[stop].startswith("|"):
        stop += 1
    table = {line.split(" | ")[0].removeprefix("| "): line for line in lines[start + 2 : stop]} | found
    ordered = [table[operation] for operation in order if operation in table]
    return "\n".join([*lines[:start], *head, *ordered, *lines[stop:]])
