"""Plots as SVG, by matplotlib: lines that differ by colour, dashes and marker, on light and dark pages."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.measuring.compact import figure_svg
from efdgen.generator.measuring.plots import NAMES
from efdgen.generator.output import Change, require_directory
from efdgen.generator.reading import read_text
from efdgen.generator.requirements import installing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as DrawnAxis
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from efdgen.generator.measuring.plots import Axis, Line, Plot

MARK = "<!-- Drawn by efdgen plot -->"
"""The line by which a file is known to be one that may be replaced."""

PAGE = ("#ffffff", "#0d1117")
TEXT = ("#24292f", "#e6edf3")
GRID = ("#d8dee4", "#30363d")
COLOURS = (
    ("#0550ae", "#79c0ff"),
    ("#bc4c00", "#ffa657"),
    ("#116329", "#56d364"),
    ("#8250df", "#d2a8ff"),
    ("#a40e26", "#ff9492"),
    ("#57606a", "#b1bac4"),
    ("#953800", "#e3b341"),
    ("#bf3989", "#ff9bce"),
)
"""Colours on a light and on a dark page; every pair is the line of one coordinate system."""

_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "*", "<")
_DASHES = ((), (5, 1.5), (1.5, 1.5), (6, 1.5, 1.5, 1.5), (9, 2), (3, 1, 1, 1, 1, 1), (3, 3))
_WIDTH = 9.0  # inches, as are the heights around panels, of a panel, and of one with a row for each operation
_HEAD, _HIGH, _TALL = 1.0, 2.8, 3.8
_PREFIXES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES = ((1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


def require_matplotlib() -> None:
    """Raise :class:`EfdgenError` unless matplotlib is installed; asked before anything is timed."""
    if find_spec("matplotlib") is None:
        raise EfdgenError(f"plots need matplotlib: {installing('plot')}")


def require_drawings(directory: Path, names: Iterable[str] = NAMES) -> None:
    """Raise :class:`EfdgenError` where plots cannot be written, or would replace other files."""
    require_directory(directory)
    for name in names:
        _before(directory / f"{name}.svg")


def draw(directory: Path, drawn: Iterable[Plot]) -> list[Change]:
    """Return what writing plots into a directory changes.

    Raises :class:`EfdgenError` where a file is in the way that was not drawn by efdgen.
    """
    paths = {directory / f"{plot.name}.svg": plot for plot in drawn}
    return [Change(path, _before(path), svg(plot)) for path, plot in paths.items()]


def _before(path: Path) -> str | None:
    """Return the text of an earlier plot, None if there is no file."""
    if not path.exists():
        return None
    text = read_text(path, regular=True)
    if MARK not in text:
        raise EfdgenError(f"{path} was not drawn by efdgen; move it away or choose another directory")
    return text


def svg(plot: Plot) -> str:
    """Return a plot as SVG, the same text for the same data."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # not a user's own settings
        matplotlib.rc("svg", fonttype="none")
        matplotlib.rc("font", family="sans-serif", size=9, **{"sans-serif": ["DejaVu Sans", "sans-serif"]})
        matplotlib.rc("text", parse_math=False)  # a dollar in a name is a dollar
        return f"{MARK}\n{figure_svg(figure(plot), plot.title, dict((PAGE, TEXT, GRID, *COLOURS)))}"


def figure(plot: Plot) -> Figure:
    """Return a plot as a figure: a title and a legend, two panels a row, a caption."""
    from matplotlib.figure import Figure

    columns = min(2, len(plot.panels))
    rows = -(-len(plot.panels) // columns)
    height = _HEAD + rows * (_TALL if plot.y.unit == "names" else _HIGH)
    drawn = Figure((_WIDTH, height), layout="constrained", facecolor=PAGE[0])
    grid = drawn.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    systems = list(dict.fromkeys(line.system for lines in plot.panels.values() for line in lines))
    handles: dict[tuple[str, bool], Line2D] = {}
    for number, (axes, (name, lines)) in enumerate(zip(grid.flat, plot.panels.items(), strict=False)):
        axes.set_title(name, color=TEXT[0], fontsize=9)
        for line in lines:
            handles[line.system, line.batch] = _draw(axes, plot, line, systems)
        _style(axes, plot)
        if number % columns == 0:
            axes.set_ylabel(plot.y.title, color=TEXT[0])
        if number >= len(plot.panels) - columns:
            axes.set_xlabel(plot.x.title, color=TEXT[0])
            axes.tick_params(labelbottom=True)
    for axes in grid.flat[len(plot.panels) :]:
        axes.remove()
    drawn.supxlabel(plot.caption, color=TEXT[0], fontsize=8)
    _add_legend(drawn, plot.title, handles, systems)
    return drawn


def _draw(axes: Axes, plot: Plot, line: Line, systems: Sequence[str]) -> Line2D:
    """Draw a line; the systems of a name lie side by side on its axis."""
    index = systems.index(line.system)
    colour, named = COLOURS[index % len(COLOURS)][0], plot.y.unit == "names"
    ys = [y + (index - (len(systems) - 1) / 2) * 0.84 / len(systems) for y in line.ys] if named else line.ys
    (drawn,) = axes.plot(
        line.xs,
        ys,
        color=colour,
        marker=_MARKERS[index % len(_MARKERS)],
        markersize=4,
        markerfacecolor=PAGE[0] if line.batch else colour,
        linewidth=0 if named else 1.2,
        dashes=_DASHES[index % len(_DASHES)],
    )
    return drawn


def _style(axes: Axes, plot: Plot) -> None:
    axes.set_facecolor(PAGE[0])
    axes.grid(color=GRID[0], linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=TEXT[0], which="both")
    for spine in axes.spines.values():
        spine.set_color(GRID[0])
    lines = [line for panel in plot.panels.values() for line in panel]
    for axis, set_scale, described, values in (
        (axes.xaxis, axes.set_xscale, plot.x, {x for line in lines for x in line.xs}),
        (axes.yaxis, axes.set_yscale, plot.y, {y for line in lines for y in line.ys}),
    ):
        if described.unit == "names":
            axis.set_ticks(sorted(values), [described.names[int(value)] for value in sorted(values)])
        else:
            set_scale("log")
            _place_ticks(axis, described, sorted(values))
    if plot.y.unit == "names":
        axes.set_ylim(len(plot.y.names) - 0.4, -0.6)


def _place_ticks(axis: DrawnAxis, described: Axis, values: Sequence[float]) -> None:
    """Set ticks at the sizes that were measured, or at powers of ten."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

    steps = LogLocator(subs=(1, 2, 5) if described.unit == "ratio" else (1,))
    axis.set_major_locator(FixedLocator(values) if described.unit in {"count", "bytes"} else steps)
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick(value, described)))


def tick(value: float, axis: Axis) -> str:
    """Return the text of a tick, with its unit."""
    match axis.unit:
        case "seconds":
            return _scaled(value, _PREFIXES)
        case "bytes":
            return _scaled(value, _BYTES)
        case _:
            return f"{value:,g}"


def _scaled(value: float, units: Iterable[tuple[float, str]]) -> str:
    size, name = next((unit for unit in units if value >= unit[0] * 0.9999), [*units][-1])
    return f"{value / size:g} {name}"


def _add_legend(
    drawn: Figure, title: str, handles: dict[tuple[str, bool], Line2D], systems: Sequence[str]
) -> None:
    """Add a title and a legend; the two lines of a system are one below the other."""
    keys = sorted(handles, key=lambda key: (systems.index(key[0]), key[1]))
    drawn.legend(
        [handles[key] for key in keys],
        [f"{system}, batch" if batch else system for system, batch in keys],
        loc="outside upper center",
        ncols=min(len(systems), 6),
        title=title,
        title_fontsize=11,
        labelcolor=TEXT[0],
        fontsize=8,
        frameon=False,
        handlelength=3,
        columnspacing=1.5,
    ).get_title().set_color(TEXT[0])
