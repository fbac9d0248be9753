"""Proof that a map between models is as declared: a homomorphism, undone by its inverse.

Three things are shown for generic points, modulo the equations of the source curve and what the map asks of
its parameters:

1. The image of a point lies on the target curve, which is not singular.
2. The image of P1 + P2 is the sum of the images, by the affine laws of both models. A rational map of smooth
   curves is a morphism, and two morphisms that agree in general agree everywhere: so the map is a
   homomorphism of the groups, and keeps the identity, at infinity or not.
3. The inverse map, with the parameters that the file gives, leads back to the source curve, and takes the
   image of P1 to the degree times P1. With degree 1 the map is therefore an isomorphism; else its kernel is
   part of the points whose order divides the degree.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.reports.maps import undefined_inputs
from efdgen.verify.finding import ModelFinding, characteristic_text
from efdgen.verify.laws.algebra import ReducedFunctions
from efdgen.verify.laws.cases import Case, all_cases
from efdgen.verify.laws.constraints import ContradictionError
from efdgen.verify.laws.group import AffineGroup, image
from efdgen.verify.laws.weierstrass import WeierstrassForm
from efdgen.verify.verdicts import Refuted, judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Map
    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.group import Point


def examine_map(database: Database, map_id: str) -> ModelFinding:
    """Prove a map between models; a finding's kind is ``map``."""
    start = time.perf_counter()
    path = database.path(map_id)
    found: dict[str, Any] = {}

    def prove() -> None:
        try:
            between = database.map(map_id)
            excluded = prove_map(between)
            found["characteristic"] = characteristic_text(between.model.binary, excluded)
            found["undefined"] = undefined_inputs(between)
        except Refuted as refuted:
            raise Refuted(f"{path}: {refuted}") from None

    verdict, reason = judge(prove)
    return ModelFinding(map_id, "map", verdict, reason, round(time.perf_counter() - start, 6), **found)


def prove_map(between: Map) -> tuple[int, ...]:
    """Prove a map and its inverse; return the primes to which the proof does not carry over, ascending.

    Raises :class:`Refuted`.
    """
    inverse = between.undo
    if inverse is None:
        raise Refuted(f"the map {between.id} has no inverse")
    if inverse.target.id != between.model.id:
        raise Refuted(f"the inverse {inverse.id} leads to {inverse.target.id}, not to {between.model.id}")
    declared = (*between.model.parameters, *between.parameters)
    cases = all_cases(partial(_GenericMap, between), declared)
    try:
        for generic in cases.instances:
            generic.check_homomorphism()
            generic.check_inverse(inverse)
            generic.field.require_divisors()
    except ZeroDivisionError:
        raise Refuted("the map or its inverse divides by zero everywhere") from None
    return cases.excluded_primes


class _GenericMap(Case):
    """A map on two generic points of a generic curve of its source."""

    def __init__(self, between: Map, choices: Sequence[int]) -> None:
        self.map, model = between, between.model
        coordinates = {number: {c: f"affine {c}{number}" for c in model.coordinates} for number in (1, 2)}
        self._declared = (*model.parameters, *between.parameters)
        names = [*self._declared, *(name for point in coordinates.values() for name in point.values())]
        super().__init__(ReducedFunctions(names, binary=model.binary), self._declared, choices)
        self.first, self.second = (
            {c: self.field.name(name) for c, name in point.items()} for point in coordinates.values()
        )

    def _impose(self) -> None:
        constraints, model = self._constraints, self.map.model
        for equation in self.map.assumptions:
            constraints.require(self._difference(equation, constraints.values), self._declared[::-1])
        self.parameters = {name: constraints.values[name] for name in self._declared}
        self._curves = [
            self.field.primitive(self._difference(equation, self.parameters | point))
            for point in (self.first, self.second)
            for equation in model.equations
        ]
        self._equations = len(self.map.assumptions) + len(self._curves)
        self.field.impose([*constraints.relations, *self._curves])
        if any(polynomial.is_constant() for polynomial in self.field.basis):
            raise ContradictionError
        self.source = AffineGroup(model, self.field, self.parameters)
        curve = self._evaluate(self.map.curve, self.parameters)
        self.target = AffineGroup(self.map.target, self.field, curve)
        for group in (self.source, self.target):
            self.field.inv(WeierstrassForm(group.model, self.field, group.parameters).discriminant())

    def check_homomorphism(self) -> None:
        """Require that images are points of the target curve, and the image of a sum is the sum of images."""
        first, second = (image(self.map, self.field, self.parameters, p) for p in (self.first, self.second))
        for equation in self.map.target.equations:
            difference = self._difference(equation, {**self.target.parameters, **first})
            if not self.field.vanishes(difference.numerator):
                raise Refuted("the image is not on the target curve")
        of_sum = image(self.map, self.field, self.parameters, self.source.add(self.first, self.second))
        self._require_equal(
            of_sum, self.target.add(first, second), "the image of a sum is not the sum of images"
        )

    def check_inverse(self, inverse: Map) -> None:
        """Require that the inverse, after the map, multiplies each point by the degree."""
        missing = set(inverse.parameters) ^ set(self.map.inverse_parameters)
        if missing:
            raise Refuted(
                f"the 'where' lines do not say what the parameters of {inverse.id} are: {min(missing)}"
            )
        own = self._evaluate(self.map.inverse_parameters, self.parameters)
        parameters = {**self.target.parameters, **own}
        for equation in inverse.assumptions:
            if not self.field.vanishes(self._difference(equation, parameters).numerator):
                raise Refuted("the inverse does not take the parameters that the 'where' lines give")
        back = self._evaluate(inverse.curve, parameters)
        self._require_equal(
            back, {name: self.parameters[name] for name in back}, "the inverse leads to another curve"
        )
        there = image(self.map, self.field, self.parameters, self.first)
        again = image(inverse, self.field, parameters, there)
        self._require_equal(
            again,
            self.source.multiple(self.map.degree, self.first),
            f"the inverse after the map is not multiplication by {self.map.degree}",
        )

    def _require_equal(self, left: Point, right: Point, otherwise: str) -> None:
        if not all(self.field.equal(left[name], right[name]) for name in right):
            raise Refuted(otherwise)

    def _evaluate(self, values: Mapping[str, Expression], names: Mapping[str, Ratio]) -> dict[str, Ratio]:
        return {name: evaluate(value, self.field, names) for name, value in values.items()}

    def _difference(self, equation: Equation, names: Mapping[str, Ratio]) -> Ratio:
        left, right = (evaluate(side, self.field, names) for side in (equation.left, equation.right))
        return self.field.sub(left, right)
