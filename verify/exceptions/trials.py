"""All inputs of a formula on a tiny curve: all points, in several representatives each."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, islice, product
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.language.syntax import Equation, names_in
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.labels import free_points, given_points, labels
from efdgen.verify.exceptions.tiny_field import Lanes, satisfied
from efdgen.verify.laws.terms import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.exceptions.group import Column
    from efdgen.verify.exceptions.limits import JointLimits
    from efdgen.verify.exceptions.representatives import Coordinates, Representatives
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.tiny_curve import TinyCurve

Rows: TypeAlias = int
"""A set of rows: bit i says whether row i belongs to it."""

Choice: TypeAlias = "tuple[Coordinates, ...]"
Orbits: TypeAlias = "Sequence[Sequence[Coordinates]]"


class Trials:
    """Rows are the points that come in, one row for each choice of points that has representatives.

    A row has lanes, one for each choice of representatives; ``row_of_lane`` says which row a lane is of.
    ``orbit_of_lane`` is the same for lanes to which scalings lead from one another; ``unscaled`` are the
    lanes with the first representatives of an orbit.
    ``columns`` holds the value of every input coordinate and input scalar lane by lane, ``points`` the point
    of every input row by row; ``representatives`` are those of every input and output. In lanes that are
    ``undefined`` a hint has no right value.
    """

    def __init__(
        self,
        formula: Formula,
        specimen: Specimen,
        representatives: Mapping[int, Representatives],
    ) -> None:
        self.specimen, self.kind, self.representatives = specimen, formula.kind, representatives
        self.curve, parameters = specimen.curve, specimen.parameters
        self._choices = _Choices(formula, self.curve, parameters, representatives)
        rows: list[tuple[int, ...]] = []
        lanes: list[tuple[Coordinates, ...]] = []
        self.row_of_lane: list[int] = []
        self.unscaled: list[int] = []
        for points in self._all_points():
            firsts, others = self._choices.of_row(points, len(rows))
            if firsts:
                self.unscaled += range(len(lanes), len(lanes) + len(firsts))
                found = [*firsts, *(lane for lane in others if lane not in firsts)]
                lanes += found
                self.row_of_lane += [len(rows)] * len(found)
                rows.append(points)
        self.orbit_of_lane = [
            (row, *(tuple(map(bool, coordinates)) for coordinates in lane))
            for row, lane in zip(self.row_of_lane, lanes, strict=True)
        ]
        self.points: dict[int, Column] = {
            number: [points[place] for points in rows] for place, number in enumerate(formula.kind.inputs)
        }
        self.columns = {
            name: [lane[place][index] for lane in lanes]
            for place, number in enumerate(formula.kind.inputs)
            for index, name in enumerate(formula.coordinates(number).values())
        }
        field = Lanes(self.curve.field, len(lanes))
        names = {**field.columns(parameters), **self.columns}
        for name, equation in zip(formula.scalar_inputs, formula.input_scalars, strict=False):
            self.columns[name] = names[name] = evaluate(equation.right, field, names)
        units = range(1, self.curve.field.order)
        for place, name in enumerate(formula.kind.free):
            self.columns[name] = [units[(lane + place) % len(units)] for lane in range(len(lanes))]
        self.undefined = frozenset(field.undefined)
        self.all_rows: Rows = (1 << len(rows)) - 1

    @cached_property
    def law(self) -> dict[int, Column]:
        """For every output the point that it has to be, row by row."""
        law = {o.point: self.curve.group.evaluate(o.law, self.points) for o in self.kind.outputs}
        images = self.specimen.images
        return (
            law if images is None else {number: [images[p] for p in column] for number, column in law.items()}
        )

    def rows(self, lanes: Iterable[int]) -> Rows:
        """Return the rows of some lanes."""
        return sum(1 << row for row in {self.row_of_lane[lane] for lane in lanes})

    def where(self, label: str, points: Iterable[int]) -> Rows:
        """Return the rows in which a labelled expression is one of some points."""
        rows = 0
        for point in points:
            rows |= self._rows_of_point[label][point]
        return rows

    def missing(self, number: int) -> frozenset[int]:
        """Return the points that cannot be given as an input."""
        return self._choices.missing(number)

    @cached_property
    def _rows_of_point(self) -> dict[str, list[Rows]]:
        group = self.curve.group
        found = {}
        for label, expression in labels(self.kind).items():
            found[label] = [0] * len(group)
            for row, point in enumerate(group.evaluate(expression, self.points)):
                found[label][point] |= 1 << row
        return found

    def _all_points(self) -> Iterator[tuple[int, ...]]:
        """Yield what the inputs are, in their order, where every free one may be any point."""
        group, free = self.curve.group, free_points(self.kind)
        numbers = zip(*product(range(len(group)), repeat=len(free)), strict=True)
        points = dict(zip(free, map(list, numbers), strict=True))
        points |= {number: group.evaluate(law, points) for number, law in given_points(self.kind).items()}
        return zip(*(points[number] for number in self.kind.inputs), strict=True)


def _limits_of(formula: Formula) -> JointLimits | None:
    """Return the relations of inputs that share a variable, by Singular; None without such a variable."""
    if not formula.kind.shared:
        return None
    from efdgen.verify.exceptions.limits import joint_limits

    return joint_limits(formula)


class _Choices:
    """The representatives that the points which come in may have, under the formula's assumptions."""

    def __init__(
        self,
        formula: Formula,
        curve: TinyCurve,
        parameters: Mapping[str, int],
        representatives: Mapping[int, Representatives],
    ) -> None:
        self._field, self._parameters, self._inputs = curve.field, parameters, formula.kind.inputs
        self._names = [tuple(formula.coordinates(number).values()) for number in self._inputs]
        scalars = [equation for equation in formula.input_scalars if equation not in formula.hints]
        defined = [Equation(equation.right, equation.right) for equation in scalars]
        alone: list[list[Equation]] = [[] for _ in self._inputs]
        self._joint: list[Equation] = []
        for equation in (*formula.input_assumptions, *defined):
            owner = next(
                (i for i, own in enumerate(self._names) if _names(equation) <= {*parameters, *own}), None
            )
            (self._joint if owner is None else alone[owner]).append(equation)
        self._of_point = [
            self._filtered(representatives[number].orbits, names, own)
            for number, names, own in zip(self._inputs, self._names, alone, strict=True)
        ]
        self._limits = _limits_of(formula)
        self._related = bool(self._joint) or len({*chain(*self._names)}) < sum(map(len, self._names))

    def missing(self, number: int) -> frozenset[int]:
        known = self._of_point[self._inputs.index(number)]
        return frozenset(point for point, found in enumerate(known) if not found)

    def of_row(self, points: Sequence[int], row: int) -> tuple[list[Choice], list[Choice]]:
        """Return choices of representatives for points: the first of each orbit, and others.

        The others are different from row to row.
        """
        known = [of_point[point] for of_point, point in zip(self._of_point, points, strict=True)]
        firsts = [choice for orbits in product(*known) for choice in self._chosen(orbits)]
        if not firsts:
            return [], []
        turned = []
        for place, orbits in enumerate(known, start=1):
            every = list(chain(*orbits))
            first = (row + 1) * place % len(every)
            turned.append([*every[first:], *every[:first]])
        return firsts, list(self._chosen(turned))

    def _chosen(self, orbits: Sequence[Sequence[Coordinates]]) -> Iterable[Choice]:
        """Return the first choice of one representative in each of some lists, nothing if none fits."""
        if self._related:
            return islice(self._fitting(orbits, {}), 1)
        return [tuple(orbit[0] for orbit in orbits)]

    def _fitting(
        self, orbits: Sequence[Sequence[Coordinates]], known: Mapping[str, int]
    ) -> Iterator[tuple[Coordinates, ...]]:
        """Yield choices that agree in what inputs share, and satisfy what is assumed of several inputs."""
        if not orbits:
            values = {**self._parameters, **known}
            if self._is_limit(values) and all(satisfied(e, self._field, values) for e in self._joint):
                yield ()
            return
        names = self._names[-len(orbits)]
        shared = [(index, known[name]) for index, name in enumerate(names) if name in known]
        for coordinates in orbits[0]:
            if all(coordinates[index] == value for index, value in shared):
                chosen = {**known, **dict(zip(names, coordinates, strict=True))}
                yield from ((coordinates, *others) for others in self._fitting(orbits[1:], chosen))

    def _is_limit(self, values: Mapping[str, int]) -> bool:
        """Return whether representatives that share a variable, which is 0, are limits of others together."""
        limits = self._limits
        if limits is None or values[limits.shared] != 0:
            return True
        return all(value_of(relation, self._field, values) == 0 for relation in limits.relations)

    def _filtered(
        self, orbits: Sequence[Orbits], names: Sequence[str], assumptions: Sequence[Equation]
    ) -> Sequence[Orbits]:
        """Return what satisfies the assumptions on one input, point by point, without empty orbits."""
        if not assumptions:
            return orbits
        every = [coordinates for of_point in orbits for orbit in of_point for coordinates in orbit]
        lanes = Lanes(self._field, len(every))
        columns = zip(*every, strict=True) if every else ([] for _ in names)
        values = lanes.columns(self._parameters) | dict(zip(names, map(list, columns), strict=True))
        sides = [(evaluate(e.left, lanes, values), evaluate(e.right, lanes, values)) for e in assumptions]
        kept = [
            lane not in lanes.undefined and all(left[lane] == right[lane] for left, right in sides)
            for lane in range(len(every))
        ]
        chosen = iter(kept)
        left = [
            [[coordinates for coordinates in orbit if next(chosen)] for orbit in of_point]
            for of_point in orbits
        ]
        return [list(filter(None, of_point)) for of_point in left]


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}
