"""The generic instances of a formula: every parameter, point and coordinate as a rational function.

Assumptions and the meanings of coordinates are solved one by one; the rest, and the curve's equations, are
relations. An identity modulo the relations holds for every curve, point and representative at which no
divisor is zero. For that to say anything, no divisor may be zero everywhere, the relations have to be
irreducible, and the curve must not be singular.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.formula import point_number
from efdgen.generator.formulas.names import declared_names
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name, names_in
from efdgen.generator.programs.interpreter import evaluate, run
from efdgen.generator.programs.lower import lower_ghosts
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.laws.basis import groebner_basis
from efdgen.verify.laws.cases import Case, Cases, all_cases
from efdgen.verify.laws.constraints import ContradictionError
from efdgen.verify.laws.group import AffineGroup, image
from efdgen.verify.laws.weierstrass import WeierstrassForm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.generator.programs.program import Program
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.group import Point


def generic_cases(formula: Formula) -> Cases[GenericInstance]:
    """Return the generic instances of a formula, one for each case that its assumptions leave.

    Raises :class:`EfdgenError` if there is none, where it is unclear what it is, and for a name that means
    two things.
    """
    twice = [name for name, times in Counter(declared_names(formula)).items() if times > 1]
    if twice:
        raise EfdgenError(f"{twice[0]} names two values; rename one of them")
    _require_meaning(formula)
    return all_cases(partial(GenericInstance, formula), formula.all_parameters)


def _require_meaning(formula: Formula) -> None:
    """Require a meaning of each variable, in names that the formula knows."""
    source, outputs = formula.system.model, [output.point for output in formula.kind.outputs]
    target = formula.map.target if formula.map else source
    for point in (*formula.kind.inputs, *outputs):
        system, model = formula.system_of(point), target if point in outputs else source
        if system.model.id != model.id:
            raise EfdgenError(f"{system.id} is not a coordinate system of {model.id}")
        if formula.map and point in outputs and system.assumptions:
            raise EfdgenError(f"{system.id} asks something of the curve; take the system that does not")
        unknown = set(system.parameters) - set(formula.all_parameters)
        if unknown:
            raise EfdgenError(
                f"{system.id} has the parameter {min(unknown)}, which the formula does not declare"
            )
        unsaid = set(system.variables) - {name for equation in system.meanings for name in _names(equation)}
        if unsaid:
            raise EfdgenError(f"{system.id}: no 'satisfying' line says what {min(unsaid)} means")


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}


class GenericInstance(Case):
    """Parameters, points that come in and go out, and coordinates that come in, modulo the relations."""

    def __init__(self, formula: Formula, choices: Sequence[int] = ()) -> None:
        self.formula, model = formula, formula.system.model
        self._affine = {
            number: {coordinate: f"affine {coordinate}{number}" for coordinate in model.coordinates}
            for number in formula.kind.inputs
        }
        affine = [name for point in self._affine.values() for name in point.values()]
        names = [*formula.all_parameters, *affine, *formula.input_coordinates, *formula.scalar_inputs]
        super().__init__(RationalFunctions(names, binary=model.binary), names, choices)

    def run(self, program: Program) -> dict[str, Ratio]:
        """Return a program's outputs by name; raise ZeroDivisionError where it divides by zero."""
        outputs = run(program, self.field, self.parameters | self.inputs)
        self.field.require_divisors()
        return outputs

    def implicit_outputs(self) -> dict[str, Ratio]:
        """Return implicit coordinates by the formula's ghosts; raise as :meth:`run` does."""
        outputs = run(lower_ghosts(self.formula), self.field, self.parameters | self.coordinates)
        self.field.require_divisors()
        return outputs

    def _impose(self) -> None:
        formula, field, constraints = self.formula, self.field, self._constraints
        parameters = set(formula.all_parameters)
        on_parameters = [e for e in formula.all_assumptions if _names(e) <= parameters]
        for equation in on_parameters:
            self._require(equation, constraints.values, formula.all_parameters[::-1])
        self.parameters = {name: constraints.values[name] for name in formula.all_parameters}
        self.group = AffineGroup(formula.system.model, field, self.parameters)
        self.output_parameters = {**self.parameters, **self._target_parameters()}
        self.points = self._points()
        for equation in formula.input_scalars:
            names = tuple(name.text for name in names_in(equation.left))
            self._require(equation, constraints.values, names)
        for equation in formula.all_assumptions:
            if equation not in on_parameters:
                candidates = (*formula.input_coordinates, *formula.scalar_inputs)
                self._require(equation, constraints.values, candidates[::-1])
        self._choices_of_assumptions = constraints.taken
        for number in formula.kind.inputs:
            self._represent(number)
        names = (*formula.input_coordinates, *formula.scalar_inputs)
        self.coordinates = {name: constraints.values[name] for name in names}
        self.inputs = {name: self.coordinates[name] for name in formula.input_names}
        self.free_coordinates = tuple(name for name in names if name in constraints.free)
        self.expected = {o.point: self._expected(o.law) for o in formula.kind.outputs}
        field.impose([*constraints.relations, *self._curves])
        if any(polynomial.is_constant() for polynomial in field.basis):
            raise ContradictionError
        field.inv(WeierstrassForm(formula.system.model, field, self.parameters).discriminant())

    @property
    def is_special(self) -> bool:
        """Return whether a relation between affine coordinates is none of the curve, or a scale is zero."""
        field, formula = self.field, self.formula
        parameters = {field.generators[name] for name in formula.all_parameters}
        affine = {field.generators[name] for point in self._affine.values() for name in point.values()}
        relations = [p for p in self._constraints.relations if parameters | affine >= {*p.variables()}]
        of_parameters = [p for p in relations if parameters >= {*p.variables()}]
        if len(of_parameters) < len(relations):
            basis = groebner_basis(field.ring, [*self._curves, *of_parameters])
            if any(p.divided([element.polynomial for element in basis])[0] != 0 for p in relations):
                return True
        return any(
            self.coordinates[formula.coordinates(number)[variable]].numerator == 0
            for number in formula.kind.inputs
            for variable in representation(formula.system_of(number)).ones
        )

    def _of_parameters(self) -> object:
        parameters = {self.field.generators[name] for name in self.formula.all_parameters}
        relations = [p for p in self._constraints.relations if parameters >= {*p.variables()}]
        return self.parameters, {name: self._constraints.values[name] for name in self.parameters}, relations

    def _target_parameters(self) -> dict[str, Ratio]:
        """Return the parameters of the curve that the formula's map leads to; none without a map."""
        curve = self.formula.map.curve if self.formula.map else {}
        return {name: evaluate(value, self.field, self.parameters) for name, value in curve.items()}

    def _expected(self, law: Expression) -> Point:
        """Return the point that an output is to be: the value of its law, or that value's image."""
        point, between = self.group.evaluate(law, self.points), self.formula.map
        return image(between, self.field, self.parameters, point) if between else point

    def _points(self) -> dict[int, Point]:
        """Return input points in the kind's order: free ones, and those that the kind gives by a law."""
        given = {point_number(e.left): e.right for e in self.formula.kind.given if isinstance(e.left, Name)}
        points = {
            number: {coordinate: self.field.name(name) for coordinate, name in names.items()}
            for number, names in self._affine.items()
            if number not in given
        }
        self._curves = [
            self.field.primitive(self._difference(equation, self.parameters | point))
            for point in points.values()
            for equation in self.group.model.equations
        ]
        self._equations += len(self._curves)
        return points | {number: self.group.evaluate(law, points) for number, law in given.items()}

    def _represent(self, number: int) -> None:
        """Bind the coordinates of an input to its affine point by what they mean."""
        names = self.formula.coordinates(number)
        for equation in self.formula.system_of(number).meanings:
            coordinates = {variable: self._constraints.values[name] for variable, name in names.items()}
            known = self.parameters | self.points[number] | coordinates
            self._require(equation, known, tuple(names.values()))

    def _require(self, equation: Equation, names: Mapping[str, Ratio], candidates: Sequence[str]) -> None:
        try:
            difference = self._difference(equation, names)
        except ZeroDivisionError:
            raise ContradictionError(f"{print_equation(equation)} divides by zero") from None
        self._equations += 1
        self._constraints.require(difference, candidates)

    def _difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Ratio:
        return evaluate(equation.left, self.field, names) - evaluate(equation.right, self.field, names)
