"""A whole curve in requests to drivers: affine points as text, and the affine law for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.odd import group_cofactor
from efdgen.generator.exports.export import FACTS, exports, protocol_exports
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.planning.embedding import embedding
from efdgen.generator.scalars.reduction import reduction
from efdgen.verify.vectors.odd_points import OddPoints

if TYPE_CHECKING:
    from efdgen.generator.curves.affine import Point
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.exports.export import Export
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.mathematics.ground import Ground

_TINY = 1 << 7
"""Up to this order of a field everything is asked."""

REFUSED = "refused"
"""The answer of a function that refuses its input."""


@dataclass(frozen=True)
class WholeCurve:
    """A curve, and its affine law; points are affine here, and on binary curves those of odd order.

    ``cofactor`` is the number of such points divided by the order of the generator.
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
        given = database.model(curve.model), curve.field, curve.parameters
        affine = (
            OddPoints(*given, curve.order, curve.cofactor) if curve.field.is_binary else AffineCurve(*given)
        )
        generator = tuple(curve.generator.values())
        return cls(curve, affine, generator, curve.order, group_cofactor(curve), exports, second)

    @property
    def field(self) -> Ground:
        """The field of coordinates."""
        return self.curve.field

    @property
    def is_tiny(self) -> bool:
        """True where everything is asked; a scalar and a coordinate have one byte then."""
        return self.field.order <= _TINY

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
        return self.curve.model.rpartition("/")[2]

    @property
    def is_edwards(self) -> bool:
        """Return whether points are lifted and encoded by y."""
        return self.model in ("twisted", "edwards")

    @cached_property
    def coordinate_of_none(self) -> int:
        """The least x, of an Edwards curve y, that no point has."""
        place = int(self.is_edwards)
        return next(v for v in range(1, self.field.order) if not any(self.affine.points_with(place, v)))

    @property
    def field_bytes(self) -> int:
        """Bytes of a coordinate."""
        return self.field.bytes

    @property
    def scalar_bytes(self) -> int:
        """Bytes of a scalar."""
        return reduction(self.order * self.cofactor).bytes

    @property
    def encoded_bytes(self) -> int:
        """Bytes of an encoded point, compressed if there is a choice, or of an x-coordinate on a ladder."""
        if self.is_ladder:
            return self.field_bytes
        return 1 + self.field_bytes if self.model == "shortw" else self.field.bits // 8 + 1

    @cached_property
    def points(self) -> list[Point]:
        """Every point of a tiny curve, the identity first."""
        others = [point for point in self.affine.all_points() if point != self.affine.neutral]
        return [self.affine.neutral, *others]

    def is_in_subgroup(self, point: Point) -> bool:
        """Return whether the order of the generator times a point is the identity."""
        if point not in self._in_subgroup:
            self._in_subgroup[point] = self.affine.multiple(self.order, point) == self.affine.neutral
        return self._in_subgroup[point]

    @cached_property
    def _in_subgroup(self) -> dict[Point, bool]:
        """Whether points are in the subgroup, of those that were asked for before."""
        return {}

    def has(self, point: Point) -> bool:
        """Return whether numbers are coordinates of a point."""
        return max(point) < self.field.order and self.affine.on_curve(point)

    def sign(self, point: Point) -> int:
        """Return the bit by which points of one x, on Edwards curves y, are told apart.

        It is the low bit of the other coordinate, and of y/x on binary curves.
        """
        x, y = point
        if self.field.is_binary:
            return self.field.mul(y, self.field.inverse_or_zero(x)) % 2
        return (x if self.is_edwards else y) % 2

    def lifted(self, value: int, odd: int) -> Point | None:
        """Return the point with an x, on Edwards curves a y, and a sign."""
        if value >= self.field.order:
            return None
        points = self.affine.points_with(int(self.is_edwards), value)
        return next((point for point in points if self.sign(point) == odd), None)

    def decoded(self, data: bytes) -> Point | None:
        """Return the point that :meth:`encoded` gives some bytes for, on Montgomery curves with an even y."""
        size = self.field_bytes
        if self.model == "shortw" and data[:1] == b"\4" and len(data) == 1 + 2 * size:
            x, y = (int.from_bytes(data[at : at + size], "big") for at in (1, 1 + size))
            return (x, y) if self.has((x, y)) else None
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
        return self.encoded_by(point[self.is_edwards], self.sign(point))

    def encoded_by(self, given: int, odd: int) -> bytes:
        """Return the encoding of x, of an Edwards curve y, and of a sign."""
        match self.model:
            case "shortw":
                return bytes([2 + odd]) + given.to_bytes(self.field_bytes, "big")
            case "montgom":
                return given.to_bytes(self.field_bytes, "little")
            case _:
                return (given | odd << (8 * self.encoded_bytes - 1)).to_bytes(self.encoded_bytes, "little")
