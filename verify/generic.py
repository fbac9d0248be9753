"""The generic instance of a formula: every parameter, point and coordinate as a rational function.

Assumptions and the meanings of coordinates are solved one by one for a name in which they are linear;
what is linear in no name, and the curve's equations, make the ideal of relations. Whatever is
left is free, so that an identity modulo the ideal holds for every curve, point and representative.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formula import point_number
from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number, names_in
from efdgen.verify.algebra import Ratio, RationalFunctions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formula import Formula, Model
    from efdgen.generator.language.syntax import Expression
    from efdgen.verify.algebra import Polynomial

Point = dict[str, Ratio]


class AffineGroup:
    """The group law of a model on points whose coordinates are rational functions."""

    def __init__(self, model: Model, field: RationalFunctions, parameters: Mapping[str, Ratio]) -> None:
        self.model, self.field, self.parameters = model, field, parameters

    def evaluate(self, law: Expression, points: Mapping[int, Point]) -> Point:
        """Return the value of a group expression over P1, P2, …"""
        match law:
            case Name():
                return points[point_number(law)]
            case Group(inner):
                return self.evaluate(inner, points)
            case Negative(inner):
                return self._apply(self.model.negation, self.evaluate(inner, points))
            case Binary("+", left, right):
                return self.add(self.evaluate(left, points), self.evaluate(right, points))
            case Binary("-", left, right):
                return self.evaluate(Binary("+", left, Negative(right)), points)
            case Binary("*", Number(factor), right):
                return self.multiple(factor, self.evaluate(right, points))
        raise ValueError(f"not a group expression: {law}")

    def add(self, left: Point, right: Point) -> Point:
        """Return left + right by the addition law; it holds for points in general position."""
        return self._apply(self.model.addition, left, right)

    def multiple(self, factor: int, point: Point) -> Point:
        """Return factor · point for a factor of 1 or more."""
        if factor == 1:
            return point
        if factor % 2:
            return self.add(self.multiple(factor - 1, point), point)
        return self._apply(self.model.doubling, self.multiple(factor // 2, point))

    def _apply(self, law: Mapping[str, Expression], *points: Point) -> Point:
        names = dict(self.parameters)
        for number, point in enumerate(points, start=1):
            names |= {f"{coordinate}{number}": value for coordinate, value in point.items()}
        return {coordinate: self.field.evaluate(value, names) for coordinate, value in law.items()}


class GenericInstance:
    """Parameters, input points and input coordinates of a formula, and the ideal they satisfy."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        system, model = formula.system, formula.system.model
        self._affine = {
            number: {coordinate: f"affine {coordinate}{number}" for coordinate in model.coordinates}
            for number in formula.kind.inputs
        }
        affine = [name for point in self._affine.values() for name in point.values()]
        self.field = RationalFunctions(
            [*formula.all_parameters, *affine, *formula.input_names], binary=model.binary
        )
        self.names: dict[str, Ratio] = {}
        self.relations: list[Polynomial] = []

        coordinates = set(formula.input_names)
        on_inputs = [e for e in formula.all_assumptions if any(n.text in coordinates for n in _names(e))]
        on_parameters = [e for e in formula.all_assumptions if e not in on_inputs]
        self._assume(on_parameters, tuple(reversed(formula.all_parameters)))
        self.parameters = {name: self._value(name) for name in formula.all_parameters}
        self.group = AffineGroup(model, self.field, self.parameters)
        self.points = self._points()
        self._assume(on_inputs, tuple(reversed(formula.input_names)))
        for number in formula.kind.inputs:
            variables = {variable: f"{variable}{number}" for variable in system.variables}
            meant = [(equation, self.points[number], variables) for equation in system.meanings]
            for equation, point, spelling in meant:
                self._represent(equation, point, spelling)
        self.inputs = {name: self._value(name) for name in formula.input_names}
        ideal = self.field.ring.ideal(self.relations)
        self.basis = ideal.groebner_basis() if self.relations else []
        self.ideal = self.field.ring.ideal(self.basis)

    def vanishes(self, polynomial: Polynomial) -> bool:
        """Whether a polynomial is zero on every instance."""
        return bool(polynomial == 0 or (len(self.basis) > 0 and self.remainder(polynomial) == 0))

    def remainder(self, polynomial: Polynomial) -> Polynomial:
        """Return the normal form of a polynomial modulo the relations."""
        return polynomial.reduce(self.basis) if len(self.basis) > 0 else polynomial

    def _value(self, name: str) -> Ratio:
        return self.names.get(name, self.field.name(name))

    def _points(self) -> dict[int, Point]:
        dependent = {point_number(e.left): e.right for e in self.formula.kind.given if isinstance(e.left, Name)}
        points = {}
        for number in self.formula.kind.inputs:
            if number not in dependent:
                points[number] = {c: self.field.name(name) for c, name in self._affine[number].items()}
                for equation in self.formula.system.model.equations:
                    difference = self.field.difference(equation, {**self.parameters, **points[number]})
                    self._relate(self.field.primitive(difference))
        for number, law in dependent.items():
            points[number] = self.group.evaluate(law, points)
        return points

    def _assume(self, equations: list[Equation], candidates: tuple[str, ...]) -> None:
        for equation in equations:
            difference = self.field.difference(equation, self.names)
            self._settle(self.field.primitive(difference), candidates)

    def _represent(self, equation: Equation, point: Point, variables: dict[str, str]) -> None:
        names = {**self.parameters, **point}
        names |= {variable: self._value(name) for variable, name in variables.items()}
        difference = self.field.difference(equation, names)
        self._settle(self.field.primitive(difference), tuple(variables.values()))

    def _settle(self, polynomial: Polynomial, candidates: tuple[str, ...]) -> None:
        if polynomial == 0:
            return
        solution = self.field.solve(polynomial, [name for name in candidates if name not in self.names])
        if solution is None:
            self._relate(polynomial)
            return
        name, value = solution
        generator = self.field.generators[name]
        self.names = {known: _substitute(old, generator, value) for known, old in self.names.items()}
        self.names[name] = value

    def _relate(self, polynomial: Polynomial) -> None:
        if polynomial != 0:
            self.relations.append(polynomial)


def _names(equation: Equation) -> list[Name]:
    return [*names_in(equation.left), *names_in(equation.right)]


def _substitute(ratio: Ratio, generator: Polynomial, value: Ratio) -> Ratio:
    """Replace a generator in a rational function by another one."""
    degree = max(ratio.numerator.degree(generator), ratio.denominator.degree(generator))
    if degree <= 0:
        return ratio

    def homogeneous(polynomial: Polynomial) -> Polynomial:
        return sum(
            polynomial.coefficient({generator: power})
            * value.numerator**power
            * value.denominator ** (degree - power)
            for power in range(degree + 1)
        )

    return Ratio(homogeneous(ratio.numerator), homogeneous(ratio.denominator))
