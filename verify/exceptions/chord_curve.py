"""The group law of a curve's Weierstrass form over GF(p), an oracle beside the model's own laws."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.programs.interpreter import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.language.syntax import Expression


class ChordCurve(AffineCurve):
    """A curve with sums by chords and tangents of its Weierstrass form [2009-silverman] III.2.3.

    Only the model's identity and its maps to and from the form are used.
    """

    def _apply(self, law: str, *points: Point) -> Point:
        try:
            match law, points:
                case "negation", [point]:
                    return self._back(*self._reflected(*self._there(point)))
                case "addition" | "doubling", [first, *others]:
                    images = [self._there(point) for point in (first, *others)]
                    return self._back(*self._reflected(*self._third(images[0], images[-1])))
            return super()._apply("neutral")
        except ZeroDivisionError:
            raise Undefined from None

    @cached_property
    def _a(self) -> dict[str, int]:
        return self._values(self.model.weierstrass, {})

    def _there(self, point: Point) -> tuple[int, int]:
        u, v = self._values(
            self.model.to_weierstrass, dict(zip(self.model.coordinates, point, strict=True))
        ).values()
        return u, v

    def _back(self, u: int, v: int) -> Point:
        found = self._values(
            self.model.from_weierstrass, dict(zip(self.model.to_weierstrass, (u, v), strict=True))
        )
        return tuple(found[name] for name in self.model.coordinates)

    def _values(self, definitions: Mapping[str, Expression], names: Mapping[str, int]) -> dict[str, int]:
        known = {**self.parameters, **names}
        return {name: evaluate(value, self.field, known) for name, value in definitions.items()}

    def _third(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        """Return where the line through two points, or the tangent at one, meets the curve once more."""
        (u1, v1), (u2, v2), a = left, right, self._a
        if left == right:
            rise, run = 3 * u1 * u1 + 2 * a["a2"] * u1 + a["a4"] - a["a1"] * v1, 2 * a["a0"] * v1
            run += a["a1"] * u1 + a["a3"]
        else:
            rise, run = v2 - v1, u2 - u1
        slope = rise * self.field.inv(run % self.prime) % self.prime
        u3 = (a["a0"] * slope * slope + a["a1"] * slope - a["a2"] - u1 - u2) % self.prime
        return u3, (v1 + slope * (u3 - u1)) % self.prime

    def _reflected(self, u: int, v: int) -> tuple[int, int]:
        a = self._a
        return u, (-v - (a["a1"] * u + a["a3"]) * self.field.inv(a["a0"])) % self.prime
