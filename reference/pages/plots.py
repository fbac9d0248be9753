"""Plots as small SVG, in the colours of the page."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from efdgen.reference import costs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 300, 40, 170, 12, 34
_MOST_RATIO = Fraction(6, 5)
_LINES = 8
_STEPS = [_MOST_RATIO * i / 48 for i in range(49)]


class Line(NamedTuple):
    """The weight of a formula by the ratio S/M: ``base`` + ``slope`` · S/M, in multiplications."""

    base: int
    slope: int

    def at(self, ratio: Fraction) -> Fraction:
        """Return the weight at a ratio."""
        return self.base + self.slope * ratio


def line_of(formula: Mapping[str, Any]) -> Line:
    """Return the line of a formula's emitted cost; powers are squarings and products, the rest is free."""
    base = slope = 0
    for unit, count in costs.terms(formula["emitted"]):
        if unit.startswith("^"):
            bits = f"{int(unit[1:]):b}"
            slope += count * (len(bits) - 1)
            base += count * (bits.count("1") - 1)
        else:
            base += count * {"M": 1, "I": 100}.get(unit, 0)
            slope += count * (unit == "S")
    return Line(base, slope)


def crossings(groups: Mapping[str, Iterable[Line]]) -> list[tuple[Fraction, str]]:
    """Return which group has the least weight, from which ratio S/M on; the first is from 0 on.

    Of equal weights the first group's is taken.
    """
    lines = [(line, name) for name, group in groups.items() for line in group]
    ratios = {Fraction(0), _MOST_RATIO}
    for one, _ in lines:
        for other, _ in lines:
            if one.slope != other.slope:
                ratio = Fraction(other.base - one.base, one.slope - other.slope)
                ratios |= {ratio} if 0 < ratio < _MOST_RATIO else set()
    found: list[tuple[Fraction, str]] = []
    ends = sorted(ratios)
    for start, end in pairwise(ends):
        name = min(lines, key=lambda each: each[0].at((start + end) / 2))[1]
        if not found or found[-1][1] != name:
            found.append((start, name))
    return found


def crossings_text(found: Sequence[tuple[Fraction, str]]) -> str:
    """Return crossings in words."""
    (_, first), *rest = found
    return "".join(
        [f"Cheapest: {first}", *(f"; {name} from S/M = {_decimal(at)} on" for at, name in rest), "."]
    )


def cheapest_plot(title: str, groups: Mapping[str, Sequence[Any]]) -> tuple[Markup, str]:
    """Return a plot of the least weight of each group by the ratio S/M, and its crossings in words."""
    lines = {name: [line_of(each) for each in group] for name, group in groups.items()}
    usual = Fraction(4, 5)
    order = sorted(lines, key=lambda name: (min(each.at(usual) for each in lines[name]), name))
    best = crossings({name: lines[name] for name in order})
    order = [*dict.fromkeys([*(name for _, name in best), *order])]
    shown = {
        name: [min(each.at(ratio) for each in lines[name]) for ratio in _STEPS] for name in order[:_LINES]
    }
    least = min(min(values) for values in shown.values())
    most = max(max(values) for values in shown.values())
    span = max(most - least, Fraction(1))

    def y(value: Fraction) -> float:
        return round(float(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (least + span - value) / span), 1)

    parts = [_axes(least, span, y)]
    labels = _spread([(y(values[-1]), name) for name, values in shown.items()])
    for number, (name, values) in enumerate(shown.items()):
        points = " ".join(f"{_x(ratio)},{y(value)}" for ratio, value in zip(_STEPS, values, strict=True))
        parts.append(f'<polyline class="line c{number}" points="{points}"/>')
        parts.append(
            f'<text class="c{number}" x="{_WIDTH - _RIGHT + 8}" y="{labels[name]}">{escape(name)}</text>'
        )
    return _chart(title, parts), crossings_text(best)


class Dot(NamedTuple):
    """A choice in a plot of cost by memory, and its name."""

    memory: int
    weight: Fraction
    name: str


def frontier(dots: Iterable[Dot]) -> list[Dot]:
    """Return the dots that none of equal or less memory undercuts, by memory."""
    found: list[Dot] = []
    for each in sorted(dots, key=lambda dot: (dot.memory, dot.weight, dot.name)):
        if not found or each.weight < found[-1].weight:
            found.append(each)
    return found


def memory_plot(title: str, unit: str, dots: Sequence[Dot]) -> Markup:
    """Return a plot of weights by memory, with the names of the dots that are worth their memory."""
    least, most = min(dot.weight for dot in dots), max(dot.weight for dot in dots)
    first, last = min(dot.memory for dot in dots), max(dot.memory for dot in dots)
    span, reach = max(most - least, Fraction(1)), max(last - first, 1)

    def x(memory: int) -> float:
        return round(_LEFT + 10 + (_WIDTH - _LEFT - _RIGHT - 20) * (memory - first) / reach, 1)

    def y(weight: Fraction) -> float:
        return round(float(_TOP + 10 + (_HEIGHT - _TOP - _BOTTOM - 20) * (least + span - weight) / span), 1)

    best = frontier(dots)
    parts = [_rows(least, span, y)]
    for memory in sorted({dot.memory for dot in best} | {first, last}):
        parts.append(f'<text class="middle" x="{x(memory)}" y="{_HEIGHT - _BOTTOM + 16}">{memory}</text>')
    parts += [
        f'<circle class="{"best" if dot in best else "dot"}" cx="{x(dot.memory)}" cy="{y(dot.weight)}" r="4">'
        f"<title>{escape(dot.name)}</title></circle>"
        for dot in dict.fromkeys(dots)
    ]
    heights = _spread([(y(dot.weight), dot.name) for dot in best])
    parts += [
        f'<text x="{x(dot.memory) + 9}" y="{heights[dot.name]}">{escape(dot.name)}</text>' for dot in best
    ]
    middle = _LEFT + (_WIDTH - _LEFT - _RIGHT) // 2
    parts.append(f'<text class="middle" x="{middle}" y="{_HEIGHT - 2}">{escape(unit)}</text>')
    return _chart(title, parts)


def _chart(title: str, parts: Iterable[str]) -> Markup:
    head = f'<svg class="chart" role="img" aria-label="{escape(title)}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
    return Markup(f"{head}{''.join(parts)}</svg>")


def _axes(least: Fraction, span: Fraction, y: Callable[[Fraction], float]) -> str:
    bottom = _HEIGHT - _BOTTOM
    found = [_rows(least, span, y)]
    for tenth in (0, 2, 4, 6, 8, 10, 12):
        at = _x(Fraction(tenth, 10))
        found.append(f'<path class="grid" d="M{at} {_TOP}V{bottom}"/>')
        found.append(f'<text class="middle" x="{at}" y="{bottom + 16}">{tenth / 10:g}</text>')
    found.append(f'<text class="middle" x="{_x(_MOST_RATIO / 2)}" y="{_HEIGHT - 2}">S/M</text>')
    return "".join(found)


def _rows(least: Fraction, span: Fraction, y: Callable[[Fraction], float]) -> str:
    """Return lines of equal weight, at round numbers."""
    step = max(1, round(float(span) / 5))
    found = []
    for value in range(-(-least.__ceil__() // step) * step, int(least + span) + 1, step):
        at = y(Fraction(value))
        found.append(f'<path class="grid" d="M{_LEFT} {at}H{_WIDTH - _RIGHT}"/>')
        found.append(f'<text class="end" x="{_LEFT - 6}" y="{at + 4}">{value}</text>')
    return "".join(found)


def _spread(places: list[tuple[float, str]]) -> dict[str, float]:
    """Return heights of labels that are 15 apart at least, near those that are asked for."""
    found: dict[str, float] = {}
    last = -15.0
    for height, name in sorted(places):
        last = max(height + 4, last + 15)
        found[name] = round(last, 1)
    over = last - (_HEIGHT - 4)
    return {name: round(height - max(over, 0), 1) for name, height in found.items()}


def _x(ratio: Fraction) -> float:
    return round(float(_LEFT + (_WIDTH - _LEFT - _RIGHT) * ratio / _MOST_RATIO), 1)


def _decimal(ratio: Fraction) -> str:
    return f"{float(ratio):.2f}".rstrip("0").rstrip(".")
