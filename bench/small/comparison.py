"""Tables of counts: emitted C beside its peers, published figures and goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from counts import Count
from machines import MACHINES
from page import cells, put
from peers import Data, Published

OURS = "efdgen"
SECTION = "Peers"
EMPTY_PAGE = f"# Small machines\n\n## {SECTION}\n"
_TITLES = {"exchange": "ECDH"}
_OPERATIONS = {
    "P-256": ("verify", "sign", "exchange"),
    "secp256k1": ("verify", "sign", "exchange"),
    "Ed25519": ("verify", "sign"),
    "X25519": ("exchange",),
}
_STACKS = {"Ed25519": "verify"}


@dataclass(frozen=True)
class Row:
    """The counts of a curve on a machine by an implementation, and the sizes of its image."""

    who: str
    machine: str
    curve: str
    optimize: str
    level: str
    code: int
    constants: int
    counts: Mapping[str, Count]
    results: Mapping[str, str]


@dataclass(frozen=True)
class Line:
    """A line of the tables: instructions of an operation, its stack, or bytes of flash of all operations."""

    curve: str
    optimize: str
    kind: str
    operation: str = ""

    @property
    def title(self) -> str:
        """The name of the line."""
        curve = f"{self.curve}, small" if self.optimize == "size" else self.curve
        if self.kind == "instructions":
            return (
                curve if self.curve == "X25519" else f"{curve}: {_TITLES.get(self.operation, self.operation)}"
            )
        return f"{curve}: {self.kind}" + (f" of {self.operation}" if self.operation else "")

    def text(self, row: Row) -> str:
        """Return the figure of an implementation; cycles of an estimate follow in parentheses."""
        if self.kind == "flash":
            return f"{row.code + row.constants:,}"
        count = row.counts[self.operation]
        if self.kind == "stack":
            return f"{count.stack:,}"
        cycles = "" if count.cycles is None else f" ({thousands(count.cycles)})"
        return f"{thousands(count.instructions)}{cycles}"

    def figure(self, row: Row) -> int:
        """Return the number that a goal is about."""
        if self.kind == "flash":
            return row.code + row.constants
        count = row.counts[self.operation]
        return count.stack if self.kind == "stack" else count.instructions

    def number(self, figure: int) -> str:
        """Return a published figure or a goal as text."""
        return thousands(figure) if self.kind == "instructions" else f"{figure:,}"


def lines() -> Iterator[Line]:
    """Yield all lines in their order."""
    for optimize, (curve, operations) in product(("speed", "size"), _OPERATIONS.items()):
        for operation in operations:
            yield Line(curve, optimize, "instructions", operation)
        yield Line(curve, optimize, "flash")
        if curve in _STACKS:
            yield Line(curve, optimize, "stack", _STACKS[curve])


def thousands(figure: int) -> str:
    """Return a figure in thousands: ``1,715``."""
    return f"{figure / 1000:,.0f}"


def tables(rows: Sequence[Row], data: Data) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Return for each machine the two lines at the head of its table, and the other lines by title."""
    found = {}
    for machine in MACHINES:
        there = {(row.who, row.curve, row.optimize): row for row in rows if row.machine == machine}
        names = [OURS, *dict.fromkeys(who for who, *_ in there if who != OURS)]
        columns = [OURS, "goal", *names[1:], "published"]
        body = {}
        for line in lines():
            chosen = [there.get((who, line.curve, line.optimize)) for who in names]
            ours, *peers = ["" if row is None else line.text(row) for row in chosen]
            if any((ours, *peers)):
                goal = _goal(line, chosen[0], data.goals.get(machine, {}))
                body[line.title] = cells(
                    [line.title, ours, goal, *peers, _published(line, machine, data.published)]
                )
        if body:
            found[machine] = ([cells(["", *columns]), "|---|" + "--:|" * len(columns)], body)
    return found


def _goal(line: Line, row: Row | None, goals: Mapping[str, int]) -> str:
    """Return a goal, and how far it is missed."""
    if line.title not in goals:
        return ""
    goal = goals[line.title]
    text = line.number(goal)
    if row is None:
        return text
    excess = line.figure(row) / goal - 1
    return f"{text}, met" if excess <= 0 else f"{text}, +{excess:.0%}"


def _published(line: Line, machine: str, published: Sequence[Published]) -> str:
    found = (
        f"{line.number(each.lines[line.title])} ({each.who})"
        for each in published
        if each.machine == machine and line.title in each.lines
    )
    return "; ".join(found)


def report(rows: Sequence[Row], data: Data) -> Iterator[str]:
    """Yield the lines of the tables for a terminal, and the sources of published figures."""
    for machine, (head, body) in tables(rows, data).items():
        yield from ("", f"### {MACHINES[machine].title}", "", *head, *body.values())
    yield ""
    for each in data.published:
        yield f"{each.who} on {MACHINES[each.machine].title}: {each.source}."


def updated(page: str, rows: Sequence[Row], data: Data) -> str:
    """Return a page with the tables in their section."""
    order = [line.title for line in lines()]
    for machine, (head, body) in tables(rows, data).items():
        page = put(page, (SECTION, MACHINES[machine].title), body, order, head)
    return page
