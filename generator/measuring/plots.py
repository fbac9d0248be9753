"""Plots of measurements, as data: their axes, and the points of every line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from efdgen.generator.measuring.series import ADDITIONS, BATCH, BY_LENGTH, SIGNATURES, VERIFICATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.measuring.records import Record

Unit = Literal["names", "count", "bytes", "seconds", "rate", "ratio"]

OPERATIONS = (
    "doubling",
    "addition",
    "ladder step",
    "fixed base",
    "variable base",
    "encoding",
    "decoding",
    "signing",
    "verification",
    "exchange",
)
"""The operations of the first plot, in its order."""


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis, or one of names, the first at the top."""

    title: str
    unit: Unit
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """The points of a coordinate system or library, in the units of the axes; a name is its index.

    ``batch`` marks a second line of the system.
    """

    system: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    batch: bool = False


@dataclass(frozen=True)
class Plot:
    """A plot: the name of its file, a title, axes, the lines of each compiler, and a caption."""

    name: str
    title: str
    x: Axis
    y: Axis
    panels: Mapping[str, Sequence[Line]]
    caption: str


_TIME = Axis("time", "seconds")
_MESSAGES = Axis("messages", "count")
_LENGTH = Axis("length of a message", "bytes")
_RATE = Axis("messages verified a second", "rate")


def plots(records: Sequence[Record]) -> list[Plot]:
    """Return the plots of measurements; without series, the first one alone."""
    curve, where = ", ".join(dict.fromkeys(record.curve for record in records)), caption(records)
    found = [
        Plot(name, f"{curve}: {title}", x, y, _panels(records, lines), where)
        for name, (title, x, y, lines) in _PLOTS.items()
    ]
    return [plot for plot in found if plot.panels]


def caption(records: Sequence[Record]) -> str:
    """Return the machines and versions of measurements."""
    machines = dict.fromkeys(record.machine for record in records)
    versions = dict.fromkeys(record.version for record in records)
    return f"{', '.join(machines)}; {', '.join(versions)}"


def _panels(
    records: Sequence[Record], lines: Callable[[Sequence[Record]], Iterator[Line]]
) -> dict[str, list[Line]]:
    """Return the lines of each compiler that has some."""
    compilers = dict.fromkeys(record.compiler for record in records)
    panels = {name: [*lines([each for each in records if each.compiler == name])] for name in compilers}
    return {name: found for name, found in panels.items() if found}


def _operations(records: Sequence[Record]) -> Iterator[Line]:
    for system in dict.fromkeys(record.system for record in records):
        own = {each.subject: each.seconds for each in records if each.system == system}
        shown = [index for index, name in enumerate(OPERATIONS) if name in own]
        if shown:
            xs = tuple(own[OPERATIONS[index]][1] for index in shown)
            yield Line(system, xs, tuple(map(float, shown)))


def _series(records: Sequence[Record], *, series: str, batch: bool = False) -> Iterator[Line]:
    for record in records:
        if record.subject == series:
            sizes, seconds = zip(*sorted(record.seconds.items()), strict=True)
            yield Line(record.system, tuple(map(float, sizes)), seconds, batch)


def _verifications(records: Sequence[Record]) -> Iterator[Line]:
    yield from _series(records, series=VERIFICATIONS)
    yield from _series(records, series=BATCH, batch=True)


def _rates(records: Sequence[Record]) -> Iterator[Line]:
    for line in _series(records, series=BY_LENGTH):
        yield Line(line.system, line.xs, tuple(1 / seconds for seconds in line.ys))


_PLOTS: dict[str, tuple[str, Axis, Axis, Callable[[Sequence[Record]], Iterator[Line]]]] = {
    "operations": ("operations", _TIME, Axis("", "names", OPERATIONS), _operations),
    "additions": (
        "additions in a chain, and the encoding of the sum",
        Axis("additions", "count"),
        _TIME,
        partial(_series, series=ADDITIONS),
    ),
    "signing": ("signing, 32 bytes a message", _MESSAGES, _TIME, partial(_series, series=SIGNATURES)),
    "verification-by-length": ("verification by the length of a message", _LENGTH, _RATE, _rates),
    "verification": ("verification, 32 bytes a message", _MESSAGES, _TIME, _verifications),
}
NAMES = (*_PLOTS,)
"""The names of all plots."""
