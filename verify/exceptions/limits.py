"""Relations of the input coordinates, for all representatives of all points and their limits.

A representative is tied to its affine point with all scales 1; the affine points are eliminated, then the
scales are put in and eliminated. The result is the closure: O of a Weierstrass curve is in it, in
Jacobian coordinates with Z = 0 and Y^2 = X^3.

Related points that share Z have one scale. Limits with Z = 0 then depend on each other: X/Y of a sum is the
sum of X/Y of the others, in Jacobian coordinates.
"""

from __future__ import annotations

from itertools import chain
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.exceptions.labels import free_points, given_points
from efdgen.verify.exceptions.representation import representation
from efdgen.verify.laws.group import AffineGroup
from efdgen.verify.laws.singular import SingularFunctions, singular_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.verify.laws.algebra import Polynomial, Ratio
    from efdgen.verify.laws.terms import Terms

_eliminate = singular_command("eliminate")

_RECIPROCAL = "reciprocal"

_known: dict[object, tuple[SingularFunctions, list[Polynomial]]] = {}


class JointLimits(NamedTuple):
    """Relations of inputs that share a variable: its name, and what is 0, in parameters and coordinates.

    They hold for representatives of related points, and where the variable is 0, for no others.
    """

    shared: str
    relations: tuple[Terms, ...]


def joint_limits(formula: Formula) -> JointLimits | None:
    """Return what holds between inputs that share a variable where it is 0; None if not all share one."""
    shared = _shared_by_all(formula)
    if not shared:
        return None
    field = SingularFunctions(
        [*formula.all_parameters, *formula.input_coordinates], binary=formula.system.model.binary
    )
    return JointLimits(
        formula.coordinates(formula.kind.inputs[0])[shared],
        tuple(field.terms(relation) for relation in input_limits(formula, field) if relation != 0),
    )


def input_limits(formula: Formula, target: SingularFunctions) -> list[Polynomial]:
    """Return the relations between a formula's input coordinates and parameters, as polynomials of a ring."""
    kind, model, shared = formula.kind, formula.system.model, _shared_by_all(formula)
    systems = tuple(
        (s.id, s.variables, s.meanings, s.assumptions) for s in map(formula.system_of, kind.inputs)
    )
    laws = (*model.addition.values(), *model.negation.values()) if kind.given else ()
    key = (kind.inputs, kind.given, shared, systems, model.equations, laws)
    if key not in _known:
        closure = _Closure(formula, shared)
        _known[key] = closure.field, closure.relations()
    field, relations = _known[key]
    names = {name: name for name in field.generators if name in target.generators}
    for number in kind.inputs:
        names |= {f"{v} of P{number}": name for v, name in formula.coordinates(number).items()}
    zero = target.ring.zero()
    images = [target.generators[names[name]] if name in names else zero for name in field.generators]
    moved = field.ring.hom(images, target.ring)
    return [moved(relation) for relation in relations]


def _shared_by_all(formula: Formula) -> str:
    """Return a variable that scales by itself and that all inputs share, if these are related; or nothing."""
    kind = formula.kind
    scalings = [representation(formula.system_of(number)).scalings for number in kind.inputs]
    for shared in kind.shared if kind.given else ():
        if {*kind.inputs} <= {*shared.points}:
            index = formula.system.variables.index(shared.variable)
            if all([weights[index] for weights in found] == [1] for found in scalings):
                return shared.variable
    return ""


class _Closure:
    """Representatives of the inputs and their limits; they have one scale if all share a variable."""

    def __init__(self, formula: Formula, shared: str) -> None:
        self._model, self._inputs = formula.system.model, formula.kind.inputs
        self._systems = {number: formula.system_of(number) for number in self._inputs}
        self._given = given_points(formula.kind)
        self._sections = {number: representation(system) for number, system in self._systems.items()}
        coordinates = self._model.coordinates
        self._affine = {n: {c: f"affine {c} of P{n}" for c in coordinates} for n in free_points(formula.kind)}
        self._scales = {
            number: [
                f"scale {index} of P{self._inputs[0] if shared else number}"
                for index in range(len(section.scalings))
            ]
            for number, section in self._sections.items()
        }
        variables = [f"{v} of P{n}" for n, system in self._systems.items() for v in system.variables]
        parameters = [*self._model.parameters, *(p for s in self._systems.values() for p in s.parameters)]
        self._parameters = list(dict.fromkeys(parameters))
        self._eliminable = [
            _RECIPROCAL,
            *(name for point in self._affine.values() for name in point.values()),
        ]
        names = [*self._eliminable, *self._every_scale(), *self._parameters, *variables]
        self.field = SingularFunctions(names, binary=self._model.binary)

    def relations(self) -> list[Polynomial]:
        affine = self._without([*self._points(), *self._sectioned()], self._eliminable)
        scaled = {str(self.field.generators[name]): value for name, value in self._scaled().items()}
        scales = self._every_scale()
        relations = [relation.subs(**scaled) for relation in affine]
        if any(weight < 0 for known in self._sections.values() for weight in chain(*known.scalings)):
            # A scale whose inverse is in a relation is not zero.
            generators = (self.field.generators[name] for name in (_RECIPROCAL, *scales))
            relations.append(1 - prod(generators, start=self.field.one))
            scales.append(_RECIPROCAL)
        return self._without(relations, scales)

    def _every_scale(self) -> list[str]:
        return list(dict.fromkeys(name for names in self._scales.values() for name in names))

    def _points(self) -> list[Polynomial]:
        """Return the curve equations of the affine points, and what the systems assume of the curve."""
        parameters = self._parameter_values()
        relations = [
            self._difference(equation, parameters | self._free_points()[number])
            for number in self._affine
            for equation in self._model.equations
        ]
        assumptions = dict.fromkeys(e for system in self._systems.values() for e in system.assumptions)
        return relations + [self._difference(equation, parameters) for equation in assumptions]

    def _sectioned(self) -> list[Polynomial]:
        """Return what makes every variable what it is where all scales are 1."""
        parameters = self._parameter_values()
        points = self._free_points()
        group = AffineGroup(self._model, self.field, parameters)
        points |= {number: group.evaluate(law, points) for number, law in self._given.items()}
        values: dict[str, Ratio] = {}
        for number, known in self._sections.items():
            names = parameters | points[number]
            for variable, value in known.section:
                names[variable] = values[f"{variable} of P{number}"] = evaluate(value, self.field, names)
        common = self.field.one
        for ratio in values.values():
            common = common.lcm(ratio.denominator)
        # The reciprocal of the common denominator keeps it from being zero.
        reciprocal = self.field.generators[_RECIPROCAL]
        relations = [1 - reciprocal * common]
        for name, ratio in values.items():
            cofactor = common // ratio.denominator
            multiple = ratio.numerator if cofactor == common else ratio.numerator * cofactor * reciprocal
            relations.append(self.field.generators[name] - multiple)
        return relations

    def _scaled(self) -> dict[str, Polynomial]:
        scaled = {}
        for number, known in self._sections.items():
            scales = [self.field.generators[name] for name in self._scales[number]]
            for index, variable in enumerate(self._systems[number].variables):
                powers = (
                    self._power(scale, weights[index])
                    for scale, weights in zip(scales, known.scalings, strict=True)
                )
                name = f"{variable} of P{number}"
                scaled[name] = prod(powers, start=self.field.generators[name])
        return scaled

    def _power(self, scale: Polynomial, exponent: int) -> Polynomial:
        """Return a power of a scale, a negative one by the reciprocal of all scales."""
        if exponent >= 0:
            return scale**exponent
        every = (self.field.generators[name] for name in self._every_scale())
        others = (other for other in every if other != scale)
        inverse: Polynomial = prod(others, start=self.field.generators[_RECIPROCAL])
        return inverse**-exponent

    def _without(self, relations: Sequence[Polynomial], names: Iterable[str]) -> list[Polynomial]:
        product = prod((self.field.generators[name] for name in names), start=self.field.one)
        if product == 1:
            return list(relations)
        return [
            relation for relation in _eliminate(self.field.ring.ideal(relations), product) if relation != 0
        ]

    def _parameter_values(self) -> dict[str, Ratio]:
        return {name: self.field.name(name) for name in self._parameters}

    def _free_points(self) -> dict[int, dict[str, Ratio]]:
        return {
            n: {c: self.field.name(name) for c, name in point.items()} for n, point in self._affine.items()
        }

    def _difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Polynomial:
        left, right = (evaluate(side, self.field, names) for side in (equation.left, equation.right))
        return self.field.primitive(self.field.sub(left, right))
