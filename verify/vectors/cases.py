"""Generation of vectors: representatives of points, and the required results by the affine law.

No formula has a part in what is expected of it. A formula's equations are only run to tell the inputs at
which it does not hold; there its kernels must at least agree with it, and with each other.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import cycle, islice, product
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, Undefined
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.curves.represent import NotRepresentable, means
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.formulas.signature import fixed_coordinates, other_input_assumptions
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name, names_in
from efdgen.generator.programs.compiled import compiled, compiled_program
from efdgen.generator.programs.lower import lower, lower_ghosts
from efdgen.verify.vectors.data import EDGE, WRONG_HINT, Case, FunctionVectors, Shape
from efdgen.verify.vectors.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.verify.vectors.sampler import Sampler

_RANDOM_CASES = 12
_UNALIASED = 16
_SIZES = (0, 1, 2, 3, 5, 8, 16)
"""Trial numbers of points for functions of any number, at most 16."""


def function_vectors(
    sampler: Sampler, group: CurveKernels, kernel: Kernel, edge_cases: int = 0
) -> FunctionVectors:
    """Return the vectors of one kernel; with further cases in which carries propagate through words."""
    formula, maker = kernel.formula, _Maker(sampler, kernel)
    cases = tuple(maker.batches() if formula.kind.length else maker.cases())
    rare = () if formula.kind.length else maker.edge_cases(edge_cases, group.constants)
    return FunctionVectors(
        name=f"{group.namespace}.{kernel.name}".lstrip("."),
        formula=formula.id,
        curve=group.curve,
        system=formula.system,
        parameters=kernel.parameters,
        inputs=tuple(Shape.of(argument, formula, {}) for argument in kernel.inputs),
        outputs=tuple(Shape.of(argument, formula, maker.target_parameters) for argument in kernel.outputs),
        cases=(*cases, *rare),
        length=formula.kind.length,
    )


class _Maker:
    """The cases of one kernel."""

    def __init__(self, sampler: Sampler, kernel: Kernel) -> None:
        self.sampler, self.kernel, self.parameters = sampler, kernel, kernel.parameters
        self.formula, between = kernel.formula, kernel.formula.map
        self.curve, self.points = sampler.curve(self.formula.system.model, self.parameters)
        self.way = CurveMap(between, sampler.ground, self.parameters) if between else None
        self.target_parameters = self.way.target_parameters if self.way else {}
        self.runner = FormulaRunner(self.formula, sampler.ground, self.parameters)
        self.fixed = {number: fixed_coordinates(self.formula, number) for number in self.formula.kind.inputs}
        self.tied = tied_coordinates(self.formula)
        self.earlier = dict(self.tied)
        numbers = (*self.formula.kind.inputs, *(output.point for output in self.formula.kind.outputs))
        self.names = {number: self.formula.coordinates(number) for number in numbers}
        scalars = self.formula.output_scalars
        self.read = {name.text for equation in scalars for name in names_in(equation.right)}

    def cases(self) -> Iterator[Case]:
        turns = self._aliases()
        for origin, points in self._inputs():
            try:
                coordinates = self._coordinates(points)
            except NotRepresentable:
                continue
            case = self._case(origin, points, coordinates, next(turns))
            yield case
            if self.formula.hints and case.expected:
                yield self._with_wrong_hint(case, coordinates)

    def batches(self) -> Iterator[Case]:
        """Yield cases of several points each, and the same with a coordinate that is inverted made 0."""
        (inverse,) = self.formula.input_scalars
        (inverted,) = names_in(inverse.right)
        known = []
        for _, points in self._inputs():
            with suppress(NotRepresentable):
                known.append((points, self._coordinates(points)))
        for size in _SIZES:
            chosen = [self.sampler.rng.choice(known) for _ in range(size)]
            yield self._batch("random" if chosen else "empty", chosen)
            for place in sorted({0, size // 2, size - 1} if size else ()):
                points, coordinates = chosen[place]
                none = {**coordinates, inverted.text: 0, **dict.fromkeys(self.formula.scalar_inputs, 0)}
                yield self._batch("zero", [*chosen[:place], (points, none), *chosen[place + 1 :]])

    def edge_cases(self, count: int, constants: Mapping[str, int]) -> Iterator[Case]:
        """Yield cases in which a step of the kernel, each in turn, gives an edge value of the field.

        Points need not be on the curve then. There are none where a hint has to be right; coordinates that
        are tied to others, or that scalars are made of, stay as they are.
        """
        steps = Steps(self.kernel.program, self.sampler.ground, {**self.parameters, **constants})
        bound = {name for pair in self.tied for name in pair}
        bound |= {name.text for equation in self.formula.input_scalars for name in names_in(equation.right)}
        members = [
            name for argument in self.kernel.inputs if argument.number for name in argument.coordinates
        ]
        free, rng = [name for name in members if name not in bound], self.sampler.rng
        known = []
        for _, points in self._inputs():
            with suppress(NotRepresentable):
                known.append((points, self._coordinates(points)))
        if self.formula.hints or not free or not known:
            return
        for number in islice(cycle(steps.numbers), count):
            points, coordinates = rng.choice(known)
            value = rng.choice(self.sampler.edges)
            found = steps.solved(number, value, coordinates, free, rng)
            if found is not None:
                yield self._exact_case(points, found)

    def _exact_case(self, points: Mapping[int, Point], coordinates: Mapping[str, int]) -> Case:
        """Return a case of which the formula's equations alone say what is right."""
        case = self._case(EDGE, points, coordinates, ())
        outputs = self.runner.outputs(coordinates)
        exact = tuple(outputs[name] for argument in self.kernel.outputs for name in argument.coordinates)
        return replace(case, expected=(), exact=exact)

    def _batch(self, origin: str, chosen: Sequence[tuple[Mapping[int, Point], Mapping[str, int]]]) -> Case:
        cases = [self._case(origin, points, coordinates, ()) for points, coordinates in chosen]
        outputs = [self.runner.outputs(coordinates) for _, coordinates in chosen]
        expected = () if origin == "zero" else tuple(point for case in cases for point in case.expected)
        (output,) = self.kernel.outputs
        exact = tuple(values[name] for values in outputs for name in output.coordinates)
        inputs = tuple(value for case in cases for value in case.inputs)
        return Case(inputs, (), expected, exact, origin, accepted=origin != "zero")

    def _aliases(self) -> Iterator[tuple[str, ...]]:
        """Yield the aliases of each case: all, or one now and then if there are many cases."""
        first = self.kernel.outputs[0].type
        names = tuple(argument.name for argument in self.kernel.inputs if argument.type == first)
        single = [(name,) for name in names]
        return cycle([*single, *[()] * _UNALIASED] if self.sampler.exhaustive else [names])

    def _case(
        self,
        origin: str,
        points: Mapping[int, Point],
        coordinates: Mapping[str, int],
        aliases: tuple[str, ...],
    ) -> Case:
        kernel, formula = self.kernel, self.formula
        outputs = self.runner.outputs(coordinates)
        expected = self._images(self.sampler.results(self.curve, formula.kind, points))
        parameters = {**self.parameters, **self.target_parameters}
        for output, point in zip(formula.kind.outputs, expected, strict=bool(expected)):
            values = {variable: outputs[name] for variable, name in self.names[output.point].items()}
            if not means(formula.system_of(output.point), self.sampler.ground, parameters, values, point):
                expected = ()
                break
        inputs = tuple(coordinates[name] for argument in kernel.inputs for name in argument.coordinates)
        exact = tuple(outputs[name] for argument in kernel.outputs for name in argument.coordinates)
        implicit = {name: coordinates[name] for name in formula.input_coordinates if name in self.read}
        implicit |= {name: outputs[name] for name in formula.implicit_outputs}
        accepted = self.runner.accepts(outputs)
        return Case(inputs, aliases, expected, () if expected else exact, origin, implicit, accepted)

    def _with_wrong_hint(self, case: Case, coordinates: Mapping[str, int]) -> Case:
        """Return a case with one hint that is not the right one.

        It has to be refused, but for inputs at which the checks accept every hint; the verdict names these.
        """
        hint = self.sampler.rng.choice(self.formula.hints).left
        assert isinstance(hint, Name)
        shift = self.sampler.rng.randrange(1, self.sampler.order)
        wrong = {**coordinates, hint.text: self.sampler.ground.add(coordinates[hint.text], shift)}
        names = (name for argument in self.kernel.inputs for name in argument.coordinates)
        inputs, outputs = tuple(wrong[name] for name in names), self.runner.outputs(wrong)
        exact = tuple(outputs[name] for argument in self.kernel.outputs for name in argument.coordinates)
        return Case(inputs, case.aliases, (), exact, WRONG_HINT, accepted=self.runner.accepts(outputs))

    def _images(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """Return the images of points under the formula's map; none where one of them is not affine."""
        if self.way is None:
            return points
        try:
            images = tuple(map(self.way.image, points))
        except Undefined:
            return ()
        return () if INFINITY in images else images

    def _inputs(self) -> Iterator[tuple[str, dict[int, Point]]]:
        """Yield every choice of input points, with the points that depend on others."""
        kind = self.formula.kind
        dependent = {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}
        free = [number for number in kind.inputs if number not in dependent]
        for origin, chosen in self._choices(len(free)):
            points = dict(zip(free, chosen, strict=True))
            try:
                points |= {number: self.curve.evaluate(law, points) for number, law in dependent.items()}
            except Undefined:
                continue
            yield origin, {number: points[number] for number in kind.inputs}

    def _choices(self, count: int) -> Iterator[tuple[str, Sequence[Point]]]:
        if self.sampler.exhaustive:
            yield from (("exhaustive", chosen) for chosen in product(self.points, repeat=count))
            return
        rng = self.sampler.rng
        yield from (("random", rng.sample(self.points, count)) for _ in range(_RANDOM_CASES))
        if count == 2:
            point = rng.choice(self.points)
            yield "equal", (point, point)
            with suppress(Undefined):
                yield "opposite", (point, self.curve.negate(point))

    def _coordinates(self, points: Mapping[int, Point]) -> dict[str, int]:
        formula = self.formula
        coordinates: dict[str, int] = {}
        for number, point in points.items():
            names = self.names[number]
            fixed = dict(self.fixed[number])
            for variable, name in names.items():
                known = name if name in coordinates else self.earlier.get(name)
                if known in coordinates:
                    fixed[variable] = coordinates[known]
            found = self.sampler.representative(formula.system_of(number), self.parameters, point, fixed)
            coordinates |= {names[variable]: value for variable, value in found.items()}
        rng = self.sampler.rng
        free = {name: rng.choice((1, rng.randrange(1, self.sampler.order))) for name in formula.kind.free}
        return coordinates | self.runner.scalars(coordinates) | free


class FormulaRunner:
    """The equations of a formula over a field, before any pass, with 1/0 = 0 as in generated code."""

    def __init__(self, formula: Formula, field: Ground, parameters: Mapping[str, int]) -> None:
        self._formula = formula
        self._scalars = [self._scalar(equation, field, parameters) for equation in formula.input_scalars]
        self._values, self._ghosts = (
            compiled_program(program, field, parameters, or_zero=True)
            for program in (lower(formula), lower_ghosts(formula))
        )

    def scalars(self, coordinates: Mapping[str, int]) -> dict[str, int]:
        """Return the scalars that come in with input coordinates, except for the free ones."""
        known = dict(coordinates)
        for name, names, function in self._scalars:
            (known[name],) = function(*(known[other] for other in names))
        return {name: known[name] for name in self._formula.scalar_inputs if name in known}

    def outputs(self, coordinates: Mapping[str, int]) -> dict[str, int]:
        """Return the output values by name, X3, implicit ones included, given the input values, X1."""
        return self._values(**coordinates) | self._ghosts(**coordinates)

    @staticmethod
    def _scalar(
        equation: Equation, field: Ground, parameters: Mapping[str, int]
    ) -> tuple[str, list[str], Callable[..., tuple[int, ...]]]:
        assert isinstance(equation.left, Name)
        names = sorted({name.text for name in names_in(equation.right)} - parameters.keys())
        function = compiled([equation.right], field, parameters, names, or_zero=True)
        return equation.left.text, names, function

    def accepts(self, outputs: Mapping[str, int]) -> bool | None:
        """Return whether output values come out right in the formula's tests; None where it has none."""
        tests = [test.target for test in self._formula.tests]
        right = ((outputs[name] == 0) is name.startswith("check") for name in tests)
        return all(right) if tests else None


def tied_coordinates(formula: Formula) -> list[tuple[str, str]]:
    """Return the pairs of input coordinates that the assumptions make equal, the later one first.

    Raises :class:`EfdgenError` for an assumption on inputs of another form.
    """
    tied = []
    order = formula.input_names.index
    for equation in other_input_assumptions(formula):
        match equation.left, equation.right:
            case Name(left), Name(right) if {left, right} <= set(formula.input_names):
                earlier, later = sorted((left, right), key=order)
                tied.append((later, earlier))
            case _:
                text = print_equation(equation).replace("==", "=")
                raise EfdgenError(f"{formula.id}: no test inputs can be made with {text}")
    return tied
