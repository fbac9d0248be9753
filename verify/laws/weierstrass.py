"""The curve a0·v² + a1·uv + a3·v = u³ + a2·u² + a4·u + a6 to which a model is mapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Model
    from efdgen.verify.laws.algebra import Ratio, RationalFunctions
    from efdgen.verify.laws.group import Point


class WeierstrassPoint(NamedTuple):
    """A point, by its coordinates."""

    u: Ratio
    v: Ratio


class WeierstrassForm:
    """A model's Weierstrass form over a field of rational functions, and the maps there and back.

    Making it raises ZeroDivisionError where a coefficient has a vanishing denominator, and so do the maps.
    """

    def __init__(self, model: Model, field: RationalFunctions, parameters: Mapping[str, Ratio]) -> None:
        self.model, self.field, self.parameters = model, field, parameters
        self.a = {name: self._coefficient(name) for name in ("a0", "a1", "a2", "a3", "a4", "a6")}

    def _coefficient(self, name: str) -> Ratio:
        if name not in self.model.weierstrass:
            raise EfdgenError(f"{self.model.id}: the weierstrass coefficient {name} is missing")
        return evaluate(self.model.weierstrass[name], self.field, self.parameters)

    def discriminant(self) -> Ratio:
        """Return the discriminant of the curve in u·a0 and v·a0², which has a0 = 1 [2009-silverman] III.1."""
        a0, a1, a2, a3, a4, a6 = (self.a[name] for name in ("a0", "a1", "a2", "a3", "a4", "a6"))
        a2, a3, a4, a6 = a0 * a2, a0 * a3, a0**2 * a4, a0**3 * a6
        b2, b4, b6 = a1**2 + 4 * a2, 2 * a4 + a1 * a3, a3**2 + 4 * a6
        b8 = a1**2 * a6 + 4 * (a2 * a6) - a1 * a3 * a4 + a2 * a3**2 - a4**2
        return 9 * (b2 * b4 * b6) - b2**2 * b8 - 8 * b4**3 - 27 * b6**2

    def image(self, point: Point) -> WeierstrassPoint:
        """Map an affine point of the model to the curve."""
        names = {**self.parameters, **point}
        u, v = (evaluate(value, self.field, names) for value in self.model.to_weierstrass.values())
        return WeierstrassPoint(u, v)

    def preimage(self, point: WeierstrassPoint) -> Point:
        """Map a point of the curve to the model."""
        names = {**self.parameters, **dict(zip(self.model.to_weierstrass, point, strict=True))}
        return {
            name: evaluate(value, self.field, names) for name, value in self.model.from_weierstrass.items()
        }

    def difference(self, point: WeierstrassPoint) -> Ratio:
        """Return the left side of the equation minus the right side, at any u and v."""
        (u, v), a = point, self.a
        left = a["a0"] * v**2 + a["a1"] * u * v + a["a3"] * v
        return left - (u**3 + a["a2"] * u**2 + a["a4"] * u + a["a6"])

    def negative(self, point: WeierstrassPoint) -> WeierstrassPoint:
        """Return the reflection: the other point with the same u."""
        (u, v), a = point, self.a
        return WeierstrassPoint(u, -v - (a["a1"] * u + a["a3"]) * self.field.inv(a["a0"]))

    def slope(self, point: WeierstrassPoint) -> Ratio:
        """Return the slope of the tangent at a point."""
        (u, v), a = point, self.a
        rise = 3 * u**2 + 2 * (a["a2"] * u) + a["a4"] - a["a1"] * v
        return rise * self.field.inv(2 * (a["a0"] * v) + a["a1"] * u + a["a3"])
