"""A whole curve in requests to drivers: affine points as text, and the affine law for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.exports.export import FACTS, exports, protocol_exports
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.planning.embedding import embedding
from efdgen.generator.scalars.reduction import reduction

if TYPE_CHECKING:
    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.exports.export import Export
    from efdgen.generator.formulas.database import Database

REFUSED = "refused"
"""The answer of a function that refuses its input."""


@dataclass(frozen=True)
class WholeCurve:
    """A curve, and its affine law; points are affine here.

    ``exports`` are the functions that users call, and ``second`` is the other fixed point.

    In requests a coordinate is big-endian hexadecimal of the field's length, a point is its coordinates or
    ``O``, and scalars and encodings are the hexadecimal of their bytes.
    """

    curve: Curve
    affine: AffineCurve
    generator: Point
    order: int
    cofactor: int
    exports: tuple[Export, ...] = ()
    second: Point | None = None

    @classmethod
    def of(
        cls,
        curve: Curve,
        database: Database,
        exports: tuple[Export, ...] = (),
        second: Point | None = None,
    ) -> WholeCurve:
        """Return a curve, of which generator, order and cofactor have to be known."""
        assert curve.generator is not None
        assert curve.order is not None
        assert curve.cofactor is not None
        affine = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
        generator = tuple(curve.generator.values())
        return cls(curve, affine, generator, curve.order, curve.cofactor, exports, second)

    @cached_property
    def functions(self) -> dict[str, Export]:
        """The functions that users call, by their names."""
        return {export.name: export for export in self.exports}

    def is_in(self, language: str, name: str) -> bool:
        """Return whether a language has a function of the curve or of its protocols; other names it has."""
        export = self.functions.get(name) or protocol_exports().get(name)
        return export is None or language in export.languages

    def function(self, name: str) -> Export:
        """Return a function of the curve's model by its name, also one that is not exported."""
        return self._every_function[name]

    @cached_property
    def _every_function(self) -> dict[str, Export]:
        facts = {"ladder"} if self.is_ladder else FACTS - {"ladder"}
        return {export.name: export for export in exports(facts)}

    def functions_of(self, *kinds: str) -> list[str]:
        """Return the names of the functions from some kinds of arguments to a point."""
        found = (e for e in self.functions.values() if e.kinds == kinds and e.result == "point")
        return [export.name for export in found]

    @property
    def is_ladder(self) -> bool:
        """True for a Montgomery curve, of which finite points alone are arguments."""
        return self.model == "montgom"

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
        """Bytes of an encoded point, compressed if there is a choice, or of an x-coordinate on a ladder."""
        if self.is_ladder:
            return self.field_bytes
        return 1 + self.field_bytes if self.model == "shortw" else self.curve.prime.bit_length() // 8 + 1

    @cached_property
    def points(self) -> list[Point]:
        """Every point of a tiny curve, the identity first."""
        others = [point for point in self.affine.all_points() if point != self.affine.neutral]
        return [self.affine.neutral, *others]

    def is_in_subgroup(self, point: Point) -> bool:
        """Return whether the order of the generator times a point is the identity."""
        return self.affine.multiple(self.order, point) == self.affine.neutral

    def lifted(self, value: int, odd: int) -> Point | None:
        """Return the point with an x, on Edwards curves a y, whose other coordinate is odd or even."""
        if value >= self.curve.prime:
            return None
        place = int(self.is_edwards)
        points = self.affine.points_with(place, value)
        return next((point for point in points if point[1 - place] % 2 == odd), None)

    def decoded(self, data: bytes) -> Point | None:
        """Return the point that :meth:`encoded` gives some bytes for, on Montgomery curves with an even y."""
        size = self.field_bytes
        if self.model == "shortw" and data[:1] == b"\4" and len(data) == 1 + 2 * size:
            x, y = (int.from_bytes(data[at : at + size], "big") for at in (1, 1 + size))
            return (x, y) if max(x, y) < self.curve.prime and self.affine.on_curve((x, y)) else None
        if self.model == "shortw":
            is_tagged = len(data) == 1 + size and data[0] in (2, 3)
            return self.lifted(int.from_bytes(data[1:], "big"), data[0] - 2) if is_tagged else None
        if len(data) != self.encoded_bytes:
            return None
        number = int.from_bytes(data, "little")
        if self.model == "montgom":
            return self.lifted(number, 0) or self.lifted(number, 1)
        top = 8 * self.encoded_bytes - 1
        return self.lifted(number & ((1 << top) - 1), number >> top)

    @property
    def message_bytes(self) -> int:
        """Bytes of a message in a point of an Edwards curve."""
        found = embedding(self.curve.prime, self.cofactor)
        assert found is not None
        return found.bytes

    @cached_property
    def twist(self) -> WholeCurve:
        """The twist of a Montgomery curve, of which nothing but the number of its points is known."""
        prime, (a, b) = self.curve.prime, (self.curve.parameters[name] for name in "ab")
        other = next(c for c in range(2, prime) if not is_square(b * c % prime, prime))
        affine = AffineCurve(self.affine.model, self.curve.field, {"a": a, "b": other})
        return replace(self, affine=affine, order=2 * prime + 2 - self.order * self.cofactor, cofactor=1)

    def with_x(self, x: int) -> tuple[WholeCurve, Point]:
        """Return the Montgomery curve or its twist, whichever has points with an x, and one of these."""
        if x not in self._with_x:
            found = ((c, next(c.affine.points_with(0, x), None)) for c in (self, self.twist))
            self._with_x[x] = next((curve, point) for curve, point in found if point is not None)
        return self._with_x[x]

    @cached_property
    def _with_x(self) -> dict[int, tuple[WholeCurve, Point]]:
        """The points with an x that were found before."""
        return {}

    def multiple(self, k: int, point: Point) -> Point:
        """Return k·P by the affine law, for the k nearest to zero that gives the same."""
        count = self.order * self.cofactor
        k %= count
        if (k, point) not in self._multiples:
            near = (k, point) if 2 * k < count else (count - k, self.affine.negate(point))
            self._multiples[k, point] = self.affine.multiple(*near)
        return self._multiples[k, point]

    @cached_property
    def _multiples(self) -> dict[tuple[int, Point], Point]:
        """The multiples that were computed before."""
        return {}

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
