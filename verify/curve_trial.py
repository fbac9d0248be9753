"""A formula on one curve over a finite field, in integers: inputs, outputs, and the points of the affine law.

Nothing in the formula decides what is expected of it.
"""

from __future__ import annotations

from functools import partial
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.curves.represent import means
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Equation, Name, rename
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower_ghosts
from efdgen.generator.programs.solve import holds, solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Program

SMALL = 64
"""Below this order of the field every choice of points is tried."""

_RANDOM_CHOICES = 16
_VALUES = 8
"""Number of trial values for a coordinate that the point leaves free."""


class CurveTrial:
    """Inputs of a formula on one curve, and what a program makes of them.

    ``parameters`` are all of the formula's, in the field; pseudorandom choices follow from ``seed``;
    ``group`` computes the expected points.
    """

    def __init__(
        self,
        formula: Formula,
        program: Program,
        ground: Ground,
        parameters: Mapping[str, int],
        seed: int = 0,
        group: type[AffineCurve] = AffineCurve,
    ) -> None:
        self.formula, self.ground, self.parameters = formula, ground, parameters
        self._program, self._ghosts = program, lower_ghosts(formula)
        self._random = Random(f"points {seed}")
        self.curve = group(formula.system.model, ground, parameters)
        self._map = CurveMap(formula.map, ground, parameters) if formula.map else None

    @property
    def prime(self) -> int:
        """The prime p, of a curve over GF(p)."""
        return self.curve.prime

    def points(self) -> Iterator[dict[int, Point]]:
        """Yield choices of points for all inputs, those that the kind gives by a law included."""
        kind = self.formula.kind
        given = {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}
        free = [number for number in kind.inputs if number not in given]
        for chosen in self._choices(len(free)):
            points = dict(zip(free, chosen, strict=True))
            try:
                points |= {number: self.curve.evaluate(law, points) for number, law in given.items()}
            except Undefined:
                continue
            if INFINITY not in points.values():
                yield points

    def inputs(self, points: Mapping[int, Point]) -> Iterator[dict[str, int]]:
        """Yield the values of all input names in a few representatives of some points."""
        formula = self.formula
        known = dict(self.parameters)
        equations = [*formula.input_assumptions, *formula.input_scalars]
        for number, point in points.items():
            system = formula.system_of(number)
            affine = {c: f"affine {c}{number}" for c in system.model.coordinates}
            known |= dict(zip(affine.values(), point, strict=True))
            names = affine | formula.coordinates(number)
            equations += [Equation(rename(e.left, names), rename(e.right, names)) for e in system.meanings]
        wanted = (*formula.input_coordinates, *formula.scalar_inputs)
        for turn in range(2):
            values = partial(self._values, turn)
            for found in islice(solutions(equations, known, wanted, self.ground, values), 1):
                yield {name: found[name] for name in wanted}

    def outputs(self, names: Mapping[str, int]) -> dict[str, int]:
        """Return outputs by name, implicit ones and tests included; raise ZeroDivisionError for none."""
        known = {**self.parameters, **names}
        return run(self._program, self.ground, known) | run(self._ghosts, self.ground, known)

    def expected(self, points: Mapping[int, Point]) -> dict[int, Point]:
        """Return the outputs by the affine law; raise :class:`Undefined` where one is not affine."""
        return {output.point: self._expected(points, output.law) for output in self.formula.kind.outputs}

    def wrong_points(self, values: Mapping[str, int], expected: Mapping[int, Point]) -> list[int]:
        """Return the numbers of the outputs that do not represent the expected points."""
        target = self._map.target_parameters if self._map else {}
        wrong = []
        for number, point in expected.items():
            found = {v: values[name] for v, name in self.formula.coordinates(number).items()}
            system = self.formula.system_of(number)
            if not means(system, self.ground, {**self.parameters, **target}, found, point):
                wrong.append(number)
        return wrong

    def affine(self, values: Mapping[str, int], number: int) -> Point | None:
        """Return the affine point, on the curve or not, that an output represents; None where it has none."""
        count = len(self.formula.system_of(number).model.coordinates)
        plane = product(range(self.ground.order), repeat=count)
        return next((point for point in plane if not self.wrong_points(values, {number: point})), None)

    def is_right(self, points: Mapping[int, Point], names: Mapping[str, int]) -> bool:
        """Return whether the program is defined for some inputs and gives what the affine law does."""
        try:
            outputs, expected = self.outputs(names), self.expected(points)
        except (ZeroDivisionError, Undefined):
            return False
        values = {**self.parameters, **names, **outputs}
        return not self.wrong_points(values, expected) and not self.failures(names, outputs)

    def failures(self, names: Mapping[str, int], outputs: Mapping[str, int]) -> list[str]:
        """Return what is false of the outputs for some inputs beside the points that they represent."""
        values = {**self.parameters, **names, **outputs}
        found = [print_equation(e) for e in self.formula.output_scalars if not holds(e, values, self.ground)]
        for test in self.formula.tests:
            value = outputs[test.target]
            if (value == 0) is not test.target.startswith("check"):
                found.append(f"{test.target} {'==' if value else '!='} 0")
        return found + self._accepted(names)

    def _accepted(self, names: Mapping[str, int]) -> list[str]:
        """Return the checks, linear in their hints, that are 0 for another hint than the right one."""
        found = []
        for number, hint in enumerate(self.formula.hints, start=1):
            assert isinstance(hint.left, Name)
            name = hint.left.text
            wrong = self.ground.add(names[name], 1)
            if self.outputs({**names, name: wrong})[f"check{number}"] == 0:
                found.append(f"check{number} != 0 for {name} = {wrong}")
        return found

    def _expected(self, points: Mapping[int, Point], law: Expression) -> Point:
        """Return an output by the affine law, or its image."""
        point = self.curve.evaluate(law, points)
        return point if self._map is None else self._map.image(point)

    def _choices(self, count: int) -> Iterator[Sequence[Point]]:
        if self.ground.order < SMALL:
            yield from product(list(self.curve.all_points()), repeat=count)
        else:
            for _ in range(_RANDOM_CHOICES):
                yield [self.curve.random_point(self._random) for _ in range(count)]

    def _values(self, turn: int, name: str) -> Iterator[int]:
        """Yield values for a coordinate that nothing determines: first 1, then one of its own."""
        if self.ground.order < SMALL:
            place = (*self.formula.input_coordinates, *self.formula.scalar_inputs).index(name)
            first = turn * (place + 1) % (self.ground.order - 1) + 1
            yield from (*range(first, self.ground.order), *range(1, first))
        else:
            yield from (self._random.randrange(1, self.ground.order) for _ in range(_VALUES))
