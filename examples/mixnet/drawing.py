"""Draws processor time against messages as SVG, one panel for each phase, by matplotlib."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mixnet import CURVE, PHASES, RIVALS, Group, measured

from efdgen.generator.measuring.compact import figure_svg

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

GROUPS = (CURVE, *(group for group in RIVALS if group.name in ("gcrypt-curve", "gmp", "gmp-short-tables")))
LABELS = {
    "curve": "edwards25519, efdgen",
    "gcrypt-curve": "Ed25519, libgcrypt",
    "gmp": "2048 bits, GMP",
    "gmp-short-tables": "2048 bits, GMP, short exponents, tables",
}
COUNTS = (100, 300, 1000, 3000, 10000)
MOST = {"gcrypt-curve": 1000, "gmp": 300, "gmp-short-tables": 1000}
"""Messages up to which slow groups are run; beyond, time is proportional to messages and drawn as dots."""

# Colours that show on light and on dark pages, and lines that differ in grey.
INK, GRID = "#7d8590", "#7d859055"
LINES = (("#2f81f7", "o"), ("#db6d28", "s"), ("#3fb950", "^"), ("#bc8cff", "D"))

Curve = dict[int, dict[str, float]]


def series(program: Path, group: Group, nodes: int) -> Curve:
    """Return milliseconds of each phase by the number of messages."""
    found: Curve = {}
    for count in COUNTS:
        if count <= MOST.get(group.name, count):
            times = measured(
                program, Group(group.name, group.title, rounds=1 if group.name in MOST else 3), count, nodes
            )
            found[count] = {phase: times[phase] * count / 1000 for phase in PHASES}
    return found


def draw(path: Path, program: Path, nodes: int) -> None:
    """Measure, and write the plot; end with one line where matplotlib is missing."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        sys.exit("The plot needs matplotlib: pip install matplotlib")
    matplotlib.rc("svg", fonttype="none")
    every = {group.name: series(program, group, nodes) for group in GROUPS}
    path.write_text(figure_svg(plotted(every), "cMix"), encoding="utf-8")


def plotted(every: dict[str, Curve]) -> Figure:
    """Return the panels of all phases, with one legend."""
    from matplotlib.figure import Figure

    figure = Figure((9, 6), layout="constrained", facecolor="none")
    grid = figure.subplots(2, 3, sharex=True)
    for axes, phase in zip(grid.flat, PHASES, strict=True):
        for (name, found), (colour, marker) in zip(every.items(), LINES, strict=True):
            counts = sorted(found)
            values = [found[count][phase] for count in counts]
            axes.loglog(counts, values, color=colour, marker=marker, label=LABELS[name])
            if counts[-1] < COUNTS[-1]:
                rest = [counts[-1], COUNTS[-1]]
                axes.loglog(rest, [values[-1] * n / counts[-1] for n in rest], color=colour, linestyle=":")
        axes.set_title(phase, color=INK)
        axes.set_facecolor("none")
        axes.minorticks_off()
        axes.grid(color=GRID)
        axes.tick_params(colors=INK, which="both")
        for spine in axes.spines.values():
            spine.set_color(INK)
    figure.supxlabel("messages", color=INK)
    figure.supylabel("ms of processor time at a node", color=INK)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, labelcolor=INK, frameon=False)
    return figure
