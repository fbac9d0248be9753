"""Proof that a model's affine laws are the group law of its Weierstrass form.

Three things are shown for generic points, modulo the equations of the curve:

1. The maps to the Weierstrass form and back are inverse to each other, and the first lands on the form,
   which is not singular. So the model is that elliptic curve, up to finitely many points.
2. Sum, double and negative lie on the curve.
3. Negation becomes reflection. The images of P1, P2 and -(P1 + P2) lie on a line, the third is neither of
   the others, and so it is where the line through them meets the cubic for the third time. The same holds of
   -2·P1 and the tangent at the image of P1. If the identity is affine, P1 + neutral is P1.

These identities hold between rational functions, hence wherever all of them are defined.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.finding import ModelFinding, characteristic_text
from efdgen.verify.laws.algebra import ReducedFunctions
from efdgen.verify.laws.characteristic import excluded_primes
from efdgen.verify.laws.group import AffineGroup
from efdgen.verify.laws.irreducible import is_irreducible
from efdgen.verify.laws.weierstrass import WeierstrassForm, WeierstrassPoint
from efdgen.verify.verdicts import Refuted, judge

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Model
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.laws.group import Point


def examine_model(database: Database, model_id: str) -> ModelFinding:
    """Prove the affine laws of a model; a finding's kind is ``model``."""
    start = time.perf_counter()
    found: dict[str, Any] = {}
    path = database.path(f"{model_id}/coordinates")

    def prove() -> None:
        try:
            model = database.model(model_id)
            found["characteristic"] = characteristic_text(model.binary, prove_model(model))
        except Refuted as refuted:
            raise Refuted(f"{path}: {refuted}") from None

    verdict, reason = judge(prove)
    return ModelFinding(model_id, "model", verdict, reason, round(time.perf_counter() - start, 6), **found)


def prove_model(model: Model) -> tuple[int, ...]:
    """Prove that a model's laws are the group law; return the primes to which the proof does not carry over.

    Raises :class:`Refuted`.
    """
    try:
        curve = _GenericCurve(model)
        curve.check_maps()
        curve.check_laws()
        curve.field.require_divisors()
    except ZeroDivisionError:
        raise Refuted("a law or a map divides by zero everywhere") from None
    return excluded_primes([curve])


class _GenericCurve:
    """Two generic points of a model over its generic parameters, and the Weierstrass form."""

    def __init__(self, model: Model) -> None:
        self.model = model
        coordinates = {number: {c: f"{c}{number}" for c in model.coordinates} for number in (1, 2)}
        names = [name for point in coordinates.values() for name in point.values()]
        self.field = ReducedFunctions([*model.parameters, *names], binary=model.binary)
        self.parameters = {name: self.field.name(name) for name in model.parameters}
        self.first, self.second = (
            {c: self.field.name(name) for c, name in point.items()} for point in coordinates.values()
        )
        curves = [
            self.field.primitive(difference)
            for point in (self.first, self.second)
            for difference in self._differences(point)
        ]
        if not is_irreducible([value.numerator for value in self.parameters.values()], [], curves):
            raise Refuted("the curve is not irreducible")
        self.field.impose(curves)
        self.group = AffineGroup(model, self.field, self.parameters)
        self.form = WeierstrassForm(model, self.field, self.parameters)
        self.field.inv(self.form.discriminant())

    def check_maps(self) -> None:
        image = self.form.image(self.first)
        self._require(self.form.difference(image), "toweierstrass does not lead to the weierstrass curve")
        for name, value in self.form.preimage(image).items():
            self._require(value - self.first[name], f"fromweierstrass {name} does not undo toweierstrass")

    def check_laws(self) -> None:
        first, second = self.form.image(self.first), self.form.image(self.second)
        negative = self._reflected("negation", self.group.negate(self.first))
        self._require(negative.u - first.u, "negation is not the reflection of the weierstrass curve")
        self._require(negative.v - first.v, "negation is not the reflection of the weierstrass curve")
        chord = self._reflected("addition", self.group.add(self.first, self.second))
        self._require_elsewhere("addition", chord, first, second)
        slope = (second.v - first.v) * self.field.inv(second.u - first.u)
        self._require_on_line("addition", chord, first, slope)
        tangent = self._reflected("doubling", self.group.double(self.first))
        self._require_elsewhere("doubling", tangent, first)
        self._require_on_line("doubling", tangent, first, self.form.slope(first))
        if self.model.neutral:
            names = self.model.neutral.items()
            neutral = {name: evaluate(value, self.field, self.parameters) for name, value in names}
            for name, value in self.group.add(self.first, neutral).items():
                self._require(value - self.first[name], "the neutral element changes what it is added to")

    def _reflected(self, law: str, point: Point) -> WeierstrassPoint:
        """Return the negative of a point's image; the point has to lie on the curve."""
        for difference in self._differences(point):
            self._require(difference, f"{law} leaves the curve")
        return self.form.negative(self.form.image(point))

    def _require_on_line(
        self, law: str, point: WeierstrassPoint, start: WeierstrassPoint, slope: Ratio
    ) -> None:
        rise = point.v - start.v - slope * (point.u - start.u)
        self._require(rise, f"{law} is not that of the weierstrass curve")

    def _require_elsewhere(self, law: str, point: WeierstrassPoint, *others: WeierstrassPoint) -> None:
        field = self.field
        for other in others:
            if field.equal(point.u, other.u) and field.equal(point.v, other.v):
                raise Refuted(f"{law} gives back the negative of what comes in")

    def _differences(self, point: Point) -> list[Ratio]:
        names = {**self.parameters, **point}
        return [
            evaluate(equation.left, self.field, names) - evaluate(equation.right, self.field, names)
            for equation in self.model.equations
        ]

    def _require(self, difference: Ratio, otherwise: str) -> None:
        if not self.field.vanishes(difference.numerator):
            raise Refuted(otherwise)
