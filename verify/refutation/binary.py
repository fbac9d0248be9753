"""Inputs of a formula on binary curves over tiny fields, and which of its outputs are wrong there."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.syntax import Name
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower, lower_ghosts
from efdgen.verify.exceptions.group import NEUTRAL
from efdgen.verify.exceptions.laboratory import Laboratory
from efdgen.verify.exceptions.tiny_field import satisfied

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula, Kind
    from efdgen.verify.exceptions.specimen import Specimen
    from efdgen.verify.exceptions.tiny_curve import TinyCurve
    from efdgen.verify.exceptions.tiny_field import TinyField
    from efdgen.verify.exceptions.trials import Trials

AnyPoint = TypeVar("AnyPoint")


class BinaryCase(NamedTuple):
    """Points that come in on one curve, in some representatives, and the points that ought to come out.

    ``names`` are the values of parameters and inputs; ``right`` are all representatives of each output.
    """

    formula: Formula
    field: TinyField
    parameters: Mapping[str, int]
    points: Mapping[int, Point]
    inputs: Mapping[str, int]
    expected: Mapping[int, Point]
    right: Mapping[int, Sequence[tuple[int, ...]]]
    target_parameters: Mapping[str, int]

    @property
    def names(self) -> dict[str, int]:
        """Values of parameters and inputs."""
        return {**self.parameters, **self.inputs}

    def outputs(self) -> dict[str, int]:
        """Return the outputs by name, implicit ones included; raise ZeroDivisionError for none."""
        found = run(lower(self.formula), self.field, self.names)
        return found | run(lower_ghosts(self.formula), self.field, {**self.names, **found})

    def wrong_points(self, values: Mapping[str, int]) -> list[int]:
        """Return the numbers of the outputs that do not represent the expected points."""
        return [n for n, right in self.right.items() if self._tuple(values, n) not in right]

    def affine(self, values: Mapping[str, int], number: int) -> Point | None:
        """Return the affine point, on the curve or not, that an output represents; None where it has none."""
        system = self.formula.system_of(number)
        names = {**self.parameters, **self.target_parameters}
        names |= dict(zip(system.variables, self._tuple(values, number), strict=True))
        for point in product(range(self.field.order), repeat=len(system.model.coordinates)):
            names |= dict(zip(system.model.coordinates, point, strict=True))
            if all(satisfied(equation, self.field, names) for equation in system.meanings):
                return point
        return None

    def _tuple(self, values: Mapping[str, int], number: int) -> tuple[int, ...]:
        return tuple(values[name] for name in self.formula.coordinates(number).values())


def binary_cases(formula: Formula, laboratory: Laboratory | None = None) -> Iterator[BinaryCase]:
    """Yield inputs on the curves that exceptions are tried on, smallest fields and parameters first.

    A ``laboratory`` may be shared by formulas. Points are affine and neither neutral nor of order 2, no two
    of them equal or opposite. Raises :class:`EfdgenError` where no tiny curve satisfies the assumptions.
    """
    laboratory = laboratory or Laboratory()
    for specimen in sorted(laboratory.specimens(formula), key=_size):
        yield from _cases(formula, specimen, laboratory.trials(formula, specimen))


def _size(specimen: Specimen) -> tuple[int, ...]:
    return specimen.curve.field.order, *specimen.parameters.values()


def _cases(formula: Formula, specimen: Specimen, trials: Trials) -> Iterator[BinaryCase]:
    field, parameters = specimen.curve.field, {n: specimen.parameters[n] for n in formula.all_parameters}
    for lane, row in enumerate(trials.row_of_lane):
        points = {number: column[row] for number, column in trials.points.items()}
        law = {number: column[row] for number, column in trials.law.items()}
        if lane in trials.undefined or not _is_general(specimen.curve, distinct(formula.kind, points)):
            continue
        right = {number: trials.representatives[number].of_point[point] for number, point in law.items()}
        affine, expected = _affine(specimen.curve, points), _affine(specimen.target, law)
        if affine and expected and all(right.values()):
            inputs = {name: column[lane] for name, column in trials.columns.items()}
            yield BinaryCase(
                formula, field, parameters, affine, inputs, expected, right, specimen.target.parameters
            )


def distinct(kind: Kind, points: Mapping[int, AnyPoint]) -> dict[int, AnyPoint]:
    """Return the points that come in, without those that are another one of them by the kind's law."""
    same = {
        point_number(e.left) for e in kind.given if isinstance(e.left, Name) and isinstance(e.right, Name)
    }
    return {number: point for number, point in points.items() if number not in same}


def _is_general(curve: TinyCurve, points: Mapping[int, int]) -> bool:
    negatives = curve.group.negatives
    if any(point in (NEUTRAL, negatives[point]) for point in points.values()):
        return False
    return all(points[a] not in (points[b], negatives[points[b]]) for a, b in combinations(points, 2))


def _affine(curve: TinyCurve, points: Mapping[int, int]) -> dict[int, Point] | None:
    """Return affine coordinates; None where a point has none."""
    found = {}
    for number, point in points.items():
        coordinates = tuple(c for c in curve.affine[point] if c is not None)
        if point == NEUTRAL or len(coordinates) < len(curve.affine[point]):
            return None
        found[number] = coordinates
    return found
