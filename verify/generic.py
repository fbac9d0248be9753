"""The generic instance of a formula: every parameter, point and coordinate as a rational function.

Assumptions and the meanings of coordinates are solved one by one for a name in which they are linear;
what is linear in no name, and the curve's equations, become relations. Whatever is left is free, so that an
identity modulo the relations holds for every curve, point and representative at which no divisor is zero.
An assumption that leaves several cases, as a^2 == 1 does, makes an instance for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formula import point_number
from efdgen.generator.interpreter import evaluate, run
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name, names_in
from efdgen.verify.algebra import Ratio, RationalFunctions
from efdgen.verify.group import AffineGroup
from efdgen.verify.irreducible import is_irreducible
from efdgen.verify.weierstrass import WeierstrassForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.program import Program
    from efdgen.verify.algebra import Polynomial
    from efdgen.verify.group import Point

_CONTRADICTION = "the assumptions contradict each other"


class NoInstance(EfdgenError):
    """There is nothing to prove a formula for: its assumptions contradict each other, or what they leave is no curve."""


class SeveralCases(Exception):
    """An equation leaves several cases; the argument is their number."""


def generic_instances(formula: Formula) -> list[GenericInstance]:
    """Return the generic instance of a formula, or one for each case that its assumptions leave.

    Raises :class:`NoInstance` where there is none.
    """
    instances: list[GenericInstance] = []
    pending: list[tuple[int, ...]] = [()]
    contradiction = None
    while pending:
        choices = pending.pop()
        try:
            instances.append(GenericInstance(formula, choices))
        except SeveralCases as several:
            pending += [(*choices, case) for case in reversed(range(several.args[0]))]
        except NoInstance as error:
            contradiction = error
        except ZeroDivisionError:
            contradiction = NoInstance(f"the affine law of {formula.system.model.id} divides by zero")
    if contradiction is not None and not instances:
        raise contradiction
    return instances


class GenericInstance:
    """Parameters, input points and input coordinates of a formula, in a field with the relations imposed.

    ``choices`` says which case to take of each equation that leaves several; one too few raises
    :class:`SeveralCases`. Raises :class:`NoInstance`.
    """

    def __init__(self, formula: Formula, choices: Sequence[int] = ()) -> None:
        self.formula = formula
        self._choices = iter(choices)
        system, model = formula.system, formula.system.model
        self._affine = {
            number: {coordinate: f"affine {coordinate}{number}" for coordinate in model.coordinates}
            for number in formula.kind.inputs
        }
        affine = [name for point in self._affine.values() for name in point.values()]
        names = [*formula.all_parameters, *affine, *formula.input_names]
        self.field = RationalFunctions(names, binary=model.binary)
        self._names = {name: self.field.name(name) for name in names}
        self._unsolved = set(names)
        self._relations: list[Polynomial] = []
        self._curves: list[Polynomial] = []

        self._assume((e for e in formula.all_assumptions if e not in formula.input_assumptions), formula.all_parameters)
        self.parameters = {name: self._names[name] for name in formula.all_parameters}
        self.group = AffineGroup(model, self.field, self.parameters)
        self.points = self._points()
        self._assume(formula.input_assumptions, formula.input_names)
        for number in formula.kind.inputs:
            self._represent(number)
        self.inputs = {name: self._names[name] for name in formula.input_names}
        self.free_coordinates = tuple(name for name in formula.input_names if name in self._unsolved)
        self.expected = {
            output.point: self.group.evaluate(output.law, self.points) for output in formula.kind.outputs
        }
        self.field.impose(self._relations + self._curves)
        self._require_sound()

    def run(self, program: Program) -> dict[str, Ratio]:
        """Return a program's outputs by name; raise ZeroDivisionError where it divides by zero."""
        outputs = run(program, self.field, {**self.parameters, **self.inputs})
        self.field.require_divisors()
        return outputs

    def _assume(self, equations: Iterable[Equation], candidates: Sequence[str]) -> None:
        for equation in equations:
            try:
                difference = self._difference(equation, self._names)
            except ZeroDivisionError:
                raise NoInstance(f"{print_equation(equation)} divides by zero") from None
            self._settle(difference, candidates[::-1])

    def _points(self) -> dict[int, Point]:
        dependent = {point_number(e.left): e.right for e in self.formula.kind.given if isinstance(e.left, Name)}
        points = {
            number: {coordinate: self._names[name] for coordinate, name in affine.items()}
            for number, affine in self._affine.items()
            if number not in dependent
        }
        for point in points.values():
            self._curves += [
                self._difference(equation, self.parameters | point) for equation in self.group.model.equations
            ]
        for number, law in dependent.items():
            points[number] = self.group.evaluate(law, points)
        return points

    def _represent(self, number: int) -> None:
        system = self.formula.system
        spelling = {variable: f"{variable}{number}" for variable in system.variables}
        for equation in system.meanings:
            variables = {variable: self._names[name] for variable, name in spelling.items()}
            try:
                difference = self._difference(equation, self.parameters | self.points[number] | variables)
            except ZeroDivisionError:
                raise NoInstance(f"{print_equation(equation)} divides by zero for P{number}") from None
            self._settle(difference, tuple(spelling.values()))

    def _difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Polynomial:
        left, right = (evaluate(side, self.field, names) for side in (equation.left, equation.right))
        return self.field.primitive(left - right)

    def _settle(self, polynomial: Polynomial, candidates: Sequence[str]) -> None:
        """Make a polynomial zero: solve it for a candidate, or keep it as a relation."""
        if polynomial == 0:
            return
        if polynomial.is_constant():
            raise NoInstance(_CONTRADICTION)
        solution = self.field.solve(polynomial, [name for name in candidates if name in self._unsolved])
        if solution is not None:
            self._substitute(*solution, candidates)
            return
        factors = [factor for factor, _ in polynomial.factor()]
        factor = self.field.primitive(Ratio(factors[self._case(len(factors))], self.field.one))
        if factor.degree() == polynomial.degree():
            self._relations.append(factor)
        else:
            self._settle(factor, candidates)

    def _case(self, number: int) -> int:
        case = 0 if number == 1 else next(self._choices, None)
        if case is None:
            raise SeveralCases(number)
        return case

    def _substitute(self, name: str, value: Ratio, candidates: Sequence[str]) -> None:
        """Replace a name by what it was solved to, in everything that is known."""
        field = self.field
        self._unsolved.remove(name)
        self._names = {known: field.substitute(old, name, value) for known, old in self._names.items()}
        divisors = [Ratio(divisor, field.one) for divisor in field.divisors]
        field.divisors = {field.substitute(divisor, name, value).numerator: None for divisor in divisors}
        if field.ring.zero() in field.divisors:
            raise NoInstance(_CONTRADICTION)
        relations, self._relations = self._relations, []
        for relation in relations:
            changed = field.substitute(Ratio(relation, field.one), name, value)
            self._settle(field.primitive(changed), candidates)

    def _require_sound(self) -> None:
        field = self.field
        if any(relation.is_constant() for relation in field.basis):
            raise NoInstance(_CONTRADICTION)
        try:
            field.inv(WeierstrassForm(self.group.model, field, self.parameters).discriminant())
            field.require_divisors()
        except ZeroDivisionError:
            raise NoInstance("the assumptions leave only singular curves, or contradict each other") from None
        parameters = [field.generators[name] for name in self.parameters]
        if not is_irreducible(parameters, self._relations, self._curves):
            raise NoInstance("the assumptions leave several cases that cannot be told apart; make them explicit")
