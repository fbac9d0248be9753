"""Plots read back: a document to draw, and the points that a drawing shows."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "KiB": 2**10, "MiB": 2**20}
COUNTS, LENGTHS = [1, 8, 64, 512], [32, 4096, 524288]
SPEEDS = {"C, gcc": 1.0, "Python": 11.0, "Rust": 0.9}
SYSTEMS = {"extended-1": 1.0, "affine": 19.0}


def row(system: str, compiler: str, **more: object) -> dict[str, object]:
    """Return a row of ``efdgen bench --json``."""
    version = {"C, gcc": "gcc 12.2.0", "Rust": "rustc 1.95.0", "Python": "Python 3.11.7"}[compiler]
    where = {"curve": "edwards25519", "machine": "x86_64 Model 7"}
    return {**where, "system": system, "compiler": compiler, "version": version, **more}


def document(*, series: bool = True) -> list[dict[str, object]]:
    """Return what ``efdgen bench --json`` might print: all times differ."""
    rows: list[dict[str, object]] = []
    for system, slow in SYSTEMS.items():
        for compiler, speed in SPEEDS.items():
            unit = slow * speed * 50
            for index, name in enumerate(("doubling", "addition", "encoding", "signing", "double base var")):
                figures = {"cost": None, "nanoseconds": unit * 3.7**index, "cycles": None}
                rows.append(row(system, compiler, operation=name, **figures))
            for index, name in enumerate(("additions", "signatures", "verifications", "batch verification")):
                times = [unit * (5 + n) * 2.9**index for n in COUNTS]
                rows.append(row(system, compiler, series=name, sizes=COUNTS, nanoseconds=times))
            times = [unit * 200 + n for n in LENGTHS]
            rows.append(
                row(system, compiler, series="verification by length", sizes=LENGTHS, nanoseconds=times)
            )
    rows.append({"operation": "doubling", "compiler": "Python, the package ecdsa", "nanoseconds": 7.0})
    return [each for each in rows if series or "operation" in each]


def texts(svg: str) -> list[str]:
    """Return the texts of a drawing."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def shown(svg: str) -> dict[tuple[str, str], list[tuple[float | str, float | str]]]:
    """Return the points of each line, by panel and label, from markers, ticks and the legend alone."""
    root = ElementTree.fromstring(svg)
    panels = [each for each in root.iter(f"{SVG}g") if re.fullmatch(r"axes_\d+", each.get("id", ""))]
    labels = _legend(next(each for each in root.iter(f"{SVG}g") if each.get("id") == "legend_1"))
    names = ([_ticks(axes, each) for axes in panels] for each in (0, 1))
    across, along = ([text for text in max(each, key=_filled) if text] for each in names)
    found = {}
    for axes in panels:
        title = axes.findtext(f"{SVG}text", "")
        x, y = (_reading(axes, each, texts) for each, texts in enumerate((across, along)))
        for line in _lines(axes):
            points = [(x(float(use.get("x", ""))), y(float(use.get("y", "")))) for use in _uses(line)]
            found[title, labels[_look(line)]] = points
    return found


def _filled(ticks: Sequence[str]) -> int:
    return sum(map(bool, ticks))


def _text(group: ElementTree.Element) -> str:
    return "".join(each.text or "" for each in group.iter(f"{SVG}text"))


def _lines(axes: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the groups of a panel that are no axes."""
    return [each for each in axes.findall(f"{SVG}g") if "id" not in each.attrib]


def _uses(group: ElementTree.Element) -> Iterator[ElementTree.Element]:
    return group.iter(f"{SVG}use")


def _look(line: ElementTree.Element) -> tuple[object, ...]:
    """Return what tells lines apart: dashes and colour, the marker and its colours."""
    path, use = line.find(f"{SVG}path"), next(_uses(line))
    styles = [each.get("class") for each in line.iter() if each is not path and "class" in each.attrib]
    return path.get("class") if path is not None else None, use.get(HREF), styles[0]


def _legend(legend: ElementTree.Element) -> dict[tuple[object, ...], str]:
    pairs = [(one, other) for one, other in pairwise(legend) if other.tag == f"{SVG}text" != one.tag]
    found = {_look(line): _text(text) for line, text in pairs}
    assert len(found) == len(pairs), "two lines look the same"
    return found


def _axis(axes: ElementTree.Element, index: int) -> list[ElementTree.Element]:
    """Return the ticks of an axis."""
    groups = axes.findall(f"{SVG}g")
    both = [each for each in groups if each.get("id", "").startswith("matplotlib.axis")]
    return [each for each in both[index].findall(f"{SVG}g") if re.match("[xy]tick", each.get("id", ""))]


def _ticks(axes: ElementTree.Element, index: int) -> list[str]:
    return [_text(tick) for tick in _axis(axes, index)]


def _reading(axes: ElementTree.Element, index: int, names: Sequence[str]):
    """Return a function from a place on an axis to what is read off there: a number, or the next name."""
    places = [float(next(_uses(tick)).get("xy"[index], "")) for tick in _axis(axes, index)]
    assert len(places) == len(names)
    if not names[0][0].isdigit():
        return lambda place: min(zip(places, names, strict=True), key=lambda tick: abs(tick[0] - place))[1]
    first, last = (_number(names[end]) for end in (0, -1))
    slope = math.log(last / first) / (places[-1] - places[0])
    return lambda place: first * math.exp(slope * (place - places[0]))


def _number(text: str) -> float:
    """Return the number that a tick names, in seconds, bytes or pieces."""
    number, _, unit = text.partition(" ")
    return float(number.replace(",", "")) * (UNITS[unit] if unit else 1)


def series_of(
    rows: Sequence[Mapping[str, object]], name: str
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Return sizes and seconds of a series, by compiler and system."""
    return {
        (each["compiler"], each["system"]): [
            (size, time / 1e9) for size, time in zip(each["sizes"], each["nanoseconds"], strict=True)
        ]
        for each in rows
        if each.get("series") == name
    }
