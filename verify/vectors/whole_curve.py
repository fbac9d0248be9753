"""A whole curve in requests to drivers: affine points as text, and the affine law for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.scalars.reduction import reduction

if TYPE_CHECKING:
    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database

REFUSED = "refused"
"""The answer of a function that refuses its input."""


@dataclass(frozen=True)
class WholeCurve:
    """A curve, and its affine law; points are affine here.

    ``coz`` says whether multiplication on points of one Z is there, and ``second`` is the other fixed point.

    In requests a coordinate is big-endian hexadecimal of the field's length, a point is its coordinates or
    ``O``, and scalars and encodings are the hexadecimal of their bytes.
    """

    curve: Curve
    affine: AffineCurve
    generator: Point
    order: int
    cofactor: int
    coz: bool = False
    second: Point | None = None

    @classmethod
    def of(
        cls, curve: Curve, database: Database, coz: bool = False, second: Point | None = None
    ) -> WholeCurve:
        """Return a curve, of which generator, order and cofactor have to be known."""
        assert curve.generator is not None
        assert curve.order is not None
        assert curve.cofactor is not None
        affine = AffineCurve(database.model(curve.model), curve.prime, curve.parameters)
        generator = tuple(curve.generator.values())
        return cls(curve, affine, generator, curve.order, curve.cofactor, coz, second)

    @property
    def model(self) -> str:
        """The id of the curve's model without its field class, such as ``shortw``."""
        return self.curve.model.removeprefix("g1p/")

    @property
    def is_edwards(self) -> bool:
        """Return whether points are lifted and encoded by y."""
        return self.model in ("twisted", "edwards")

    @cached_property
    def coordinate_of_none(self) -> int:
        """The least x, of an Edwards curve y, that no point has."""
        p, parameters = self.curve.prime, self.curve.parameters
        a, b, c, d = (parameters.get(name, 1) for name in "abcd")
        for v in range(1, p):
            right = {
                "shortw": v**3 + a * v + b,
                "montgom": (v**3 + a * v**2 + v) * b,
                "twisted": (1 - v * v) * (a - d * v * v),
                "edwards": (c * c - v * v) * (1 - c * c * d * v * v),
            }[self.model]
            if not is_square(right % p, p):
                return v
        raise AssertionError("half of all numbers are no point's")

    @property
    def field_bytes(self) -> int:
        """Bytes of a coordinate."""
        return -(-self.curve.prime.bit_length() // 8)

    @property
    def scalar_bytes(self) -> int:
        """Bytes of a scalar."""
        return reduction(self.order * self.cofactor).bytes

    @property
    def encoded_bytes(self) -> int:
        """Bytes of an encoded point of a Weierstrass curve, compressed, or of an Edwards curve."""
        bits = self.curve.prime.bit_length()
        return 1 + self.field_bytes if self.model == "shortw" else bits // 8 + 1

    @cached_property
    def points(self) -> list[Point]:
        """Every point of a tiny curve, the identity first."""
        others = [point for point in self.affine.all_points() if point != self.affine.neutral]
        return [self.affine.neutral, *others]

    def is_in_subgroup(self, point: Point) -> bool:
        """Return whether the order of the generator times a point is the identity."""
        return self.affine.multiple(self.order, point) == self.affine.neutral

    def multiple(self, k: int, point: Point) -> Point:
        """Return k·P by the affine law, for the k nearest to zero that gives the same."""
        count = self.order * self.cofactor
        k %= count
        if 2 * k < count:
            return self.affine.multiple(k, point)
        return self.affine.multiple(count - k, self.affine.negate(point))

    def scalar(self, k: int) -> str:
        """Write a scalar."""
        return k.to_bytes(self.scalar_bytes, "big" if self.model == "shortw" else "little").hex()

    def element(self, value: int) -> str:
        """Write a coordinate, of any value that its bytes hold."""
        return value.to_bytes(self.field_bytes, "big").hex()

    def point(self, point: Point) -> str:
        """Write a point."""
        return "O" if point == INFINITY else "".join(map(self.element, point))

    def xy(self, point: Point) -> bytes:
        """Return both coordinates of a finite point, of any value that their bytes hold."""
        order: Literal["big", "little"] = "big" if self.model == "shortw" else "little"
        return b"".join(value.to_bytes(self.field_bytes, order) for value in point)

    def encoded(self, point: Point) -> bytes:
        """Return a point's encoding by SEC 1, 2.3.3, RFC 8032, 5.1.2, or RFC 7748, 5, of a finite point."""
        x, y = point
        return self.encoded_by(y, x % 2) if self.is_edwards else self.encoded_by(x, y % 2)

    def encoded_by(self, given: int, odd: int) -> bytes:
        """Return the encoding of x, of an Edwards curve y, and of the low bit of the other coordinate."""
        match self.model:
            case "shortw":
                return bytes([2 + odd]) + given.to_bytes(self.field_bytes, "big")
            case "montgom":
                return given.to_bytes(self.field_bytes, "little")
            case _:
                return (given | odd << (8 * self.encoded_bytes - 1)).to_bytes(self.encoded_bytes, "little")
