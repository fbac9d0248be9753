"""A witness that a proof says something of the curve at hand: inputs on which a program is defined and right.

A law is proved on the generic curve, and holds wherever nothing that is divided by is zero. On one curve a
divisor in parameters alone, such as b - 1, may be zero, or an output may represent nothing for any input. One
choice of inputs on that curve for which the program gives the points of the affine law shows that neither is
so, because polynomials that are zero for all inputs are zero there. Everything is computed in integers modulo
p, and nothing in the formula decides what is expected.
"""

from __future__ import annotations

from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.curves.represent import means
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.syntax import Equation, Name, rename
from efdgen.generator.mathematics.solve import holds, solutions
from efdgen.generator.programs.interpreter import PrimeField, run
from efdgen.generator.programs.lower import lower_ghosts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.specialise import Specialised
    from efdgen.generator.language.syntax import Expression

_SMALL = 64
"""Below this prime every choice of points is tried."""

_RANDOM_CHOICES = 16
_VALUES = 8
"""How many values are tried of a coordinate that the point leaves free."""


def require_witness(specialised: Specialised) -> None:
    """Find inputs on which a program is right; raise :class:`NotApplicable` where there seem to be none."""
    search = _Search(specialised)
    tried = (search.is_right(points, names) for points in search.points() for names in search.inputs(points))
    if not any(tried):
        raise NotApplicable(
            f"{specialised.formula.id} is undefined or wrong for every input that was tried on this curve"
        )


class _Search:
    """Inputs of a formula on one curve, and what its program makes of them; choices are pseudorandom."""

    def __init__(self, specialised: Specialised) -> None:
        self._program, self._formula = specialised.program, specialised.formula
        self._prime, self._parameters = specialised.prime, specialised.values
        self._field, self._random = PrimeField(self._prime), Random(0)
        self._ghosts = lower_ghosts(self._formula)
        self._curve = AffineCurve(self._formula.system.model, self._prime, self._parameters)
        between = self._formula.map
        self._map = CurveMap(between, self._prime, self._parameters) if between else None

    def points(self) -> Iterator[dict[int, Point]]:
        """Yield choices of points for all inputs, those that the kind gives by a law included."""
        kind = self._formula.kind
        given = {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}
        free = [number for number in kind.inputs if number not in given]
        for chosen in self._choices(len(free)):
            points = dict(zip(free, chosen, strict=True))
            try:
                points |= {number: self._curve.evaluate(law, points) for number, law in given.items()}
            except Undefined:
                continue
            if INFINITY not in points.values():
                yield points

    def inputs(self, points: Mapping[int, Point]) -> Iterator[dict[str, int]]:
        """Yield the values of all input names in a few representatives of some points."""
        formula = self._formula
        known = dict(self._parameters)
        equations = [*formula.input_assumptions, *formula.input_scalars]
        for number, point in points.items():
            system = formula.system_of(number)
            affine = {c: f"affine {c}{number}" for c in system.model.coordinates}
            known |= dict(zip(affine.values(), point, strict=True))
            names = affine | formula.coordinates(number)
            equations += [Equation(rename(e.left, names), rename(e.right, names)) for e in system.meanings]
        wanted = (*formula.input_coordinates, *formula.scalar_inputs)
        yield from islice(solutions(equations, known, wanted, self._prime, self._values), 2)

    def is_right(self, points: Mapping[int, Point], names: Mapping[str, int]) -> bool:
        """Whether the program is defined for some inputs and gives the points that the affine law does."""
        formula, known = self._formula, {**self._parameters, **names}
        try:
            outputs = run(self._program, self._field, known) | run(self._ghosts, self._field, known)
            expected = [self._expected(points, output.law) for output in formula.kind.outputs]
        except (ZeroDivisionError, Undefined):
            return False
        target = self._map.target_parameters if self._map else {}
        values = known | outputs
        for output, point in zip(formula.kind.outputs, expected, strict=True):
            found = {v: values[name] for v, name in formula.coordinates(output.point).items()}
            system = formula.system_of(output.point)
            if not means(system, self._prime, {**self._parameters, **target}, found, point):
                return False
        tests = ((outputs[test.target] == 0) is test.target.startswith("check") for test in formula.tests)
        return (
            all(holds(e, values, self._prime) for e in formula.output_scalars)
            and all(tests)
            and self._refuses_wrong_hints(known)
        )

    def _refuses_wrong_hints(self, names: Mapping[str, int]) -> bool:
        """Whether each check, which is linear in its hint, is not 0 for another hint than the right one."""
        for number, hint in enumerate(self._formula.hints, start=1):
            assert isinstance(hint.left, Name)
            wrong = {**names, hint.left.text: (names[hint.left.text] + 1) % self._prime}
            if run(self._program, self._field, wrong)[f"check{number}"] == 0:
                return False
        return True

    def _expected(self, points: Mapping[int, Point], law: Expression) -> Point:
        """Return an output by the affine law, or its image; raise :class:`Undefined` for one at infinity."""
        point = self._curve.evaluate(law, points)
        return point if self._map is None else self._map.image(point)

    def _choices(self, count: int) -> Iterator[Sequence[Point]]:
        if self._prime < _SMALL:
            yield from product(list(self._curve.all_points()), repeat=count)
        else:
            for _ in range(_RANDOM_CHOICES):
                yield [self._curve.random_point(self._random) for _ in range(count)]

    def _values(self, _: str) -> Iterator[int]:
        """Yield values for a coordinate that nothing determines."""
        if self._prime < _SMALL:
            yield from self._random.sample(range(1, self._prime), self._prime - 1)
        else:
            yield from (self._random.randrange(1, self._prime) for _ in range(_VALUES))
