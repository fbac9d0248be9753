"""Predicates of inputs: P=Q, 2P=O, P-Q of order 2, x(P)=0; and the rows of trials in which they hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from efdgen.verify.exceptions.group import NEUTRAL
from efdgen.verify.exceptions.labels import free_points, labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Formula, Kind, Model
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.tiny_curve import TinyCurve
    from efdgen.verify.exceptions.trials import Rows, Trials


@dataclass(frozen=True)
class Property:
    """A property of a point: ``text`` follows the point, or the coordinate that it is about."""

    text: str
    coordinate: str = ""

    def of(self, label: str) -> str:
        """Say that a labelled point has the property: x(P)=0."""
        return f"{self.coordinate}({label}){self.text}" if self.coordinate else f"{label}{self.text}"


IS_NEUTRAL = Property("=O")
_AT_INFINITY = Property(" at infinity")
_ORDERS = {order: Property(f" of order {order}") for order in (2, 3, 4)}
_ZERO, _INFINITE = "=0", " infinite"
_UNITS = {"=1": 1, "=-1": -1}


@dataclass(frozen=True)
class Predicate:
    """A property of labelled points, of all of them at once; ``text`` says it as the field does.

    Without labels it is about a parameter, which the property names as its coordinate, and which is zero.
    """

    text: str
    labels: tuple[str, ...]
    property: Property
    of_image: bool = False

    def points(self, specimen: Specimen) -> frozenset[int]:
        """Return the points that have the property, or whose images by a formula's map do."""
        if not self.labels:
            zero = specimen.curve.parameters[self.property.coordinate] == 0
            return frozenset(range(len(specimen.curve.group)) if zero else ())
        if not self.of_image or specimen.images is None:
            return points_with(self.property, specimen.curve)
        wanted = points_with(self.property, specimen.target)
        return frozenset(point for point, image in enumerate(specimen.images) if image in wanted)

    def rows(self, trials: Trials) -> Rows:
        """Return the rows of trials that it holds in."""
        points = self.points(trials.specimen)
        rows = trials.all_rows if points else 0
        for label in self.labels:
            rows &= trials.where(label, points)
        return rows


@dataclass(frozen=True)
class Relation:
    """A coordinate of P is that of Q, or its negative: y(P)=-y(Q)."""

    coordinate: str
    sign: str

    @property
    def text(self) -> str:
        """Say it as the field does."""
        return f"{self.coordinate}(P)={self.sign}{self.coordinate}(Q)"

    def rows(self, trials: Trials) -> Rows:
        """Return the rows of trials that it holds in."""
        curve, (first, second) = trials.curve, free_points(trials.kind)
        values = [point[curve.model.coordinates.index(self.coordinate)] for point in curve.affine]
        negative = [None if value is None else curve.field.sub(0, value) for value in values]
        others = negative if self.sign else values
        pairs = zip(trials.points[first], trials.points[second], strict=True)
        related = (values[p] is not None and values[p] == others[q] for p, q in pairs)
        return sum(1 << row for row, holds in enumerate(related) if holds)


def predicates(formula: Formula) -> tuple[Predicate, ...]:
    """Return all that may be said of the inputs of a formula, the plainest first."""
    kind, model = formula.kind, formula.system.model
    found = []
    for place in _properties(model):
        found += [Predicate(_text(place, label, kind), (label,), place) for label in labels(kind)]
        if place == IS_NEUTRAL and len(free_points(kind)) == 2:
            found.append(Predicate("P=Q=O", ("P", "Q"), IS_NEUTRAL))
    if formula.map is not None:
        images = [(place, label) for place in _properties(formula.map.target) for label in labels(kind)]
        found += [
            Predicate(place.of(f"image of {label}"), (label,), place, of_image=True)
            for place, label in images
        ]
    found += [Predicate(f"{name}=0", (), Property(_ZERO, name)) for name in model.parameters]
    return tuple(found)


def finer_predicates(formula: Formula) -> tuple[Predicate, ...]:
    """Return what else may be said of the inputs of a formula, where :func:`predicates` are not enough."""
    kind, model = formula.kind, formula.system.model
    found = [
        Predicate(_text(place, label, kind), (label,), place)
        for place in _finer_properties(model)
        for label in labels(kind)
    ]
    return tuple(found)


def relations(formula: Formula) -> tuple[Relation, ...]:
    """Return what may be said of a coordinate of P and Q."""
    if len(free_points(formula.kind)) != 2:
        return ()
    return tuple(Relation(c, sign) for c in formula.system.model.coordinates for sign in ("", "-"))


def points_with(place: Property, curve: TinyCurve) -> frozenset[int]:
    """Return the points of a curve that have a property."""
    return _points(curve)[place]


@cache
def _points(curve: TinyCurve) -> Mapping[Property, frozenset[int]]:
    everything = range(len(curve.group))
    found = {IS_NEUTRAL: frozenset({NEUTRAL})}
    found[_AT_INFINITY] = frozenset(point for point in everything if None in curve.affine[point])
    for order, place in _ORDERS.items():
        found[place] = frozenset(point for point in everything if curve.group.orders[point] == order)
    for index, coordinate in enumerate(curve.model.coordinates):
        for text, value in ((_ZERO, 0), (_INFINITE, None)):
            points = (point for point in everything if curve.affine[point][index] == value)
            found[Property(text, coordinate)] = frozenset(points)
        for text, unit in _UNITS.items():
            value = unit % curve.field.characteristic
            points = (point for point in everything if curve.affine[point][index] == value)
            found[Property(text, coordinate)] = frozenset(points)
        zeros = found[Property(_ZERO, coordinate)]
        found[_other_of_order_2(coordinate)] = found[_ORDERS[2]] - zeros
    return found


def _properties(model: Model) -> list[Property]:
    zero, infinite = ([Property(text, c) for c in model.coordinates] for text in (_ZERO, _INFINITE))
    return [IS_NEUTRAL, _ORDERS[2], *zero, _AT_INFINITY, *infinite, _ORDERS[3], _ORDERS[4]]


def _finer_properties(model: Model) -> list[Property]:
    units = [
        Property(text, c) for c in model.coordinates for text in _UNITS if not model.binary or text == "=1"
    ]
    return [*units, *map(_other_of_order_2, model.coordinates)]


def _other_of_order_2(coordinate: str) -> Property:
    return Property(f"{_ORDERS[2].text} except where {coordinate}=0")


def _text(place: Property, label: str, kind: Kind) -> str:
    match place, label:
        case Property("=O"), "P-Q":
            return "P=Q"
        case Property("=O"), "P+Q":
            return "P=-Q"
        case Property("=0" | "=1" | "=-1" as value, coordinate), "P" if (
            coordinate and len(free_points(kind)) == 1
        ):
            return f"{coordinate}{value}"
    return place.of(label)
