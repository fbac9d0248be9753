"""The statement about a formula: from representatives of points it computes one of the law's point.

The order is that of a paper: the curve, its points, the group law, the coordinates that come in with their
meaning, the program, and the claim that each coordinate of the output means what the law gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.printer import print_equation, print_expression
from efdgen.generator.language.syntax import Binary, Equation, Name, Number, names_in
from efdgen.verify.rocq.builder import Builder, Point
from efdgen.verify.rocq.statement import Stage, Statement
from efdgen.verify.rocq.terms import ZERO, names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula, Output
    from efdgen.generator.language.syntax import Assignment, Expression

_MULTIPLES = (4, 8, 16)


def statement_of(
    formula: Formula,
    name: str,
    zeros: Sequence[Expression] = (),
    *,
    checked: bool = False,
    program: Sequence[Assignment] | None = None,
) -> Statement:
    """Return the statement about a formula, in one of the cases that its assumptions leave.

    ``zeros`` are 0 in that case, in the formula's names and those of affine coordinates: x1. If
    ``checked``, hints are any values that pass the checks, and not the right ones. ``program`` is another
    program of the formula's signature, which has ghosts and tests of its own values.
    """
    return _FormulaStatement(formula, checked=checked).build(name, zeros, program)


class _FormulaStatement:
    def __init__(self, formula: Formula, *, checked: bool) -> None:
        self.formula, self.checked = formula, checked
        self.build_on = Builder(formula.system.model)
        self.parameters: dict[str, str] = {}
        self.inputs: dict[str, str] = {}
        self.points: dict[int, Point] = {}
        self.values: dict[str, str] = {}

    def build(
        self, name: str, zeros: Sequence[Expression], program: Sequence[Assignment] | None
    ) -> Statement:
        formula, builder = self.formula, self.build_on
        for parameter in formula.all_parameters:
            self.parameters[parameter] = builder.name(parameter)
        self._parameters(zeros)
        self._points()
        self._inputs(zeros)
        expected, stages = self._law()
        self._program((*formula.assignments, *formula.ghosts) if program is None else program)
        checks = formula.checks if program is None else _tested(formula)
        if self.checked:
            self._checks(checks)
        self._claims(expected, () if self.checked else checks)
        points = [output.point for output in formula.kind.outputs]
        return Statement(
            name,
            builder.model.binary,
            tuple(self.parameters.values()),
            tuple(builder.lines),
            tuple(builder.claims),
            tuple(self.inputs.values()),
            tuple(dict.fromkeys(name for point in points for name in self._denominators(point))),
            tuple(self.values[n] for p in formula.kind.scaled for n in formula.coordinates(p).values()),
            stages,
            self._called(),
            expected,
        )

    def _called(self) -> dict[str, str]:
        """Return what the statement calls parameters, what comes in, and the coordinates of points."""
        affine = dict(pair for number, point in self.points.items() for pair in self._affine(number, point))
        return {**affine, **self.parameters, **self.inputs}

    def _parameters(self, zeros: Sequence[Expression]) -> None:
        formula, builder, known = self.formula, self.build_on, set(self.formula.all_parameters)
        if self.parameters:
            builder.bind("the parameters of the curve", tuple(self.parameters.values()))
        candidates = tuple(self.parameters[p] for p in formula.all_parameters[::-1])
        for zero in zeros:
            if names_of(zero) <= known:
                self.build_on.require(
                    Equation(zero, ZERO), self.parameters, candidates, "one of several cases"
                )
        for equation in formula.all_assumptions:
            if self._mentioned(equation) <= known:
                self.build_on.require(
                    equation, self.parameters, candidates, f"assumed: {print_equation(equation)}"
                )

    def _points(self) -> None:
        kind, builder = self.formula.kind, self.build_on
        given = {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}
        for number in kind.inputs:
            if number not in given:
                point = {c: builder.name(f"{c}{number}") for c in builder.model.coordinates}
                self.points[number] = point
                builder.bind(f"P{number}, a point of the curve", tuple(point.values()))
                for equation in builder.on_curve(point, self.parameters):
                    builder.suppose(equation)
        for number, law in given.items():
            self.points[number] = builder.law(law, self.points, self.parameters, str(number))

    def _inputs(self, zeros: Sequence[Expression]) -> None:
        formula, builder, known = self.formula, self.build_on, set(self.formula.all_parameters)
        self.inputs = {c: builder.name(c) for c in (*formula.input_coordinates, *formula.scalar_inputs)}
        builder.bind("the coordinates that come in, and what they mean", tuple(self.inputs.values()))
        names, candidates = {**self.parameters, **self.inputs}, tuple(self.inputs.values())[::-1]
        affine = {c: name for number, point in self.points.items() for c, name in self._affine(number, point)}
        for zero in zeros:
            if not names_of(zero) <= known:
                self.build_on.require(
                    Equation(zero, ZERO), {**affine, **names}, candidates, "one of several cases"
                )
        for equation in formula.all_assumptions:
            if not self._mentioned(equation) <= known:
                self.build_on.require(equation, names, candidates, f"assumed: {print_equation(equation)}")
        for number in formula.kind.inputs:
            own = {v: self.inputs[n] for v, n in formula.coordinates(number).items()}
            for equation in formula.system_of(number).meanings:
                meaning = f"P{number}: {print_equation(equation)}"
                known_here = {**self.parameters, **self.points[number], **own}
                self.build_on.require(equation, known_here, tuple(own.values()), meaning)
        for equation in formula.input_scalars:
            if not (self.checked and equation in formula.hints):
                name = next(names_in(equation.left)).text
                value = builder.undivided(equation.right, names)
                builder.suppose(
                    Equation(Name(self.inputs[name]), value), print_equation(equation), (self.inputs[name],)
                )

    @staticmethod
    def _affine(number: int, point: Point) -> list[tuple[str, str]]:
        return [(f"affine {coordinate}{number}", name) for coordinate, name in point.items()]

    @staticmethod
    def _mentioned(equation: Equation) -> set[str]:
        return names_of(equation.left, equation.right)

    def _law(self) -> tuple[dict[int, Point], tuple[Stage, ...]]:
        """Define the expected outputs; return them, and the points on the way to the only output."""
        formula, builder, stages = self.formula, self.build_on, []
        for law in _stages(formula)[:-1]:
            point = builder.law(law, self.points, self.parameters, "m")
            stages.append(Stage(point, builder.on_curve(point, self.parameters)))
            builder.stage += 1
        expected = {}
        for output in formula.kind.outputs:
            suffix = "q" if formula.map else str(output.point)
            expected[output.point] = builder.law(output.law, self.points, self.parameters, suffix)
        self.targets = self.parameters
        if between := formula.map:
            curve = builder.define_all(between.curve, self.parameters, "the curve that the map leads to", "t")
            self.targets = {**self.parameters, **curve}
            for output in formula.kind.outputs:
                names = {**self.parameters, **expected[output.point]}
                comment = f"the image of {print_expression(output.law)}"
                expected[output.point] = builder.define_all(between.image, names, comment, str(output.point))
        builder.stage = 0
        return expected, tuple(stages)

    def _program(self, steps: Sequence[Assignment]) -> None:
        builder, last = self.build_on, {a.target: number for number, a in enumerate(steps)}
        self.values = {**self.parameters, **self.inputs}
        ghosts = len(steps) - len(self.formula.ghosts)
        for number, step in enumerate(steps):
            value = builder.undivided(step.value, self.values)
            again = last[step.target] != number or step.target in self.inputs
            name = builder.name(f"{step.target}_{number + 1}" if again else step.target)
            comment = {0: "the program", ghosts: "what is never computed"}.get(number, "")
            builder.computed = True
            builder.define(name, value, comment)
            builder.computed = False
            self.values[step.target] = name

    def _checks(self, checks: Sequence[Equation]) -> None:
        hints = tuple(self.inputs[next(names_in(hint.left)).text] for hint in self.formula.hints)
        for equation in checks:
            self.build_on.require(equation, self.values, hints, f"passed: {print_equation(equation)}")

    def _claims(self, expected: Mapping[int, Point], checks: Sequence[Equation]) -> None:
        formula, builder = self.formula, self.build_on
        for output in formula.kind.outputs:
            own = {v: self.values[n] for v, n in formula.coordinates(output.point).items()}
            names = {**self.targets, **expected[output.point], **own}
            for equation in formula.system_of(output.point).meanings:
                builder.claim(equation, names, f"{self._said(output)}: {print_equation(equation)}")
        for equation in formula.output_scalars:
            builder.claim(equation, self.values, print_equation(equation))
        for equation in checks:
            builder.claim(equation, self.values, f"the check {print_equation(equation)}")

    @staticmethod
    def _said(output: Output) -> str:
        return f"P{output.point} == {print_expression(output.law)}"

    def _denominators(self, point: int) -> list[str]:
        """Return the names in what the meaning of an output divides by."""
        names = {v: self.values[n] for v, n in self.formula.coordinates(point).items()}
        found = []
        for equation in self.formula.system_of(point).meanings:
            for side in (equation.left, equation.right):
                if isinstance(side, Binary) and side.operator == "/":
                    found += [names[n.text] for n in names_in(side.right) if n.text in names]
        return found


def _tested(formula: Formula) -> tuple[Equation, ...]:
    """Return the checks of a program by its outputs check1, check2 and so on."""
    return tuple(Equation(Name(f"check{number}"), ZERO) for number in range(1, len(formula.checks) + 1))


def first_law(formula: Formula) -> Expression:
    """Return the law of the first output; 2*P of a formula for more doublings."""
    return _stages(formula)[0]


def _stages(formula: Formula) -> list[Expression]:
    """Return 2*P, 4*P, … of a formula for many doublings; else only its law."""
    kind, law = formula.kind, formula.kind.outputs[0].law
    plain = len(kind.outputs) == len(kind.inputs) == 1 and not (kind.given or kind.shared or kind.implicit)
    match law:
        case Binary("*", Number(n), point) if plain and n in _MULTIPLES and not formula.map:
            if not formula.system.model.binary:
                return [Binary("*", Number(2**power), point) for power in range(1, n.bit_length())]
    return [law]
