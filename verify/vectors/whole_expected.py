"""Expected results of the functions of a whole curve: affine laws, and integers of Python."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.curves.affine import INFINITY
from efdgen.verify.vectors.coset_expected import COSETS
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.exports.export import Export
    from efdgen.verify.vectors.whole_curve import WholeCurve

    Row: TypeAlias = tuple[str, ...]


Value: TypeAlias = Any
"""An integer, an affine point or bytes."""


def row(curve: WholeCurve, name: str, *values: Value) -> Row:
    """Return a function of a curve, its arguments and its answer, as a driver reads and writes them.

    Points are affine, scalars and coordinates integers; encodings, messages and random bytes are bytes.
    Scalars and points of sums of many alternate.
    """
    function = curve.function(name)
    given = _arguments(curve, function, values)
    return name, *given, answer(curve, function, *values)


def answer(curve: WholeCurve, function: Export, *values: Value) -> str:
    """Return the answer of a function, :data:`REFUSED` for what it refuses."""
    found = EXPECTED[function.name.removesuffix("_var")](curve, *values)
    return REFUSED if found is None else _text(curve, function.result, found)


def _arguments(curve: WholeCurve, function: Export, values: Sequence[Value]) -> list[str]:
    if function.kinds[-2:] == ("scalars", "points"):
        kinds: Sequence[str] = ("scalar", "point") * (len(values) // 2)
    elif function.kinds == ("points",):
        kinds = ("point",) * len(values)
    else:
        kinds = function.kinds
    return [_text(curve, kind, value) for kind, value in zip(kinds, values, strict=True)]


def _text(curve: WholeCurve, kind: str, value: Value) -> str:
    """Return a value as a driver reads and writes it, by its kind."""
    match kind:
        case "point" | "affine" | "wire" | "comb" | "table":
            return curve.point(value)
        case "scalar":
            return curve.scalar(value)
        case "element":
            return curve.element(value)
        case "bit":
            return str(int(value))
        case "affines" | "points":
            return "".join(map(curve.point, value))
        case _:
            return value.hex() or "-"


def _difference(curve: WholeCurve, p: Point, q: Point) -> Point:
    return curve.affine.add(p, curve.affine.negate(q))


def _valid(curve: WholeCurve, p: Point) -> Point | None:
    return p if curve.is_in_subgroup(p) and p != curve.affine.neutral else None


def _affine(curve: WholeCurve, p: Point) -> Point | None:
    return p if curve.has(p) else None


def _finite(p: Point) -> Point | None:
    return None if p == INFINITY else p


def _both(curve: WholeCurve, a: int, b: int, q: Point) -> Point:
    return curve.affine.add(curve.multiple(a, curve.generator), curve.multiple(b, q))


def _sum(curve: WholeCurve, *pairs: Value) -> Point:
    multiples = (curve.multiple(k, p) for k, p in zip(pairs[::2], pairs[1::2], strict=True))
    return reduce(curve.affine.add, multiples, curve.affine.neutral)


def _by_comb(curve: WholeCurve, k: int, p: Point) -> Point | None:
    return None if _valid(curve, p) is None else curve.multiple(k, p)


def _all_finite(points: Sequence[Point]) -> Sequence[Point] | None:
    return None if INFINITY in points else points


def _encodings(curve: WholeCurve, *points: Point) -> bytes | None:
    return None if INFINITY in points else b"".join(map(curve.encoded, points))


def _uncompressed(curve: WholeCurve, p: Point) -> bytes | None:
    return None if p == INFINITY else b"\4" + curve.xy(p)


def _encoding(curve: WholeCurve, p: Value) -> bytes | None:
    if curve.is_ladder:
        return curve.encoded_by(p, 0)
    return None if p == INFINITY else curve.encoded(p)


def _decoded(curve: WholeCurve, data: bytes) -> Value:
    found = curve.decoded(data)
    return found and found[0] if curve.is_ladder else found


def _x_multiple(curve: WholeCurve, k: int, x: int) -> int:
    """Return the x-coordinate of a multiple of a point of the curve or, where x is of none, of its twist."""
    found, point = curve.with_x(x)
    multiple = found.multiple(k, point)
    return 0 if multiple == INFINITY else multiple[0]


def _drawn_scalar(curve: WholeCurve, drawn: bytes) -> int:
    """Return the first number in [1, n), of the highest bits of as many bytes as n has."""
    size, surplus = -(-curve.order.bit_length() // 8), -curve.order.bit_length() % 8
    numbers = (int.from_bytes(drawn[at : at + size], "big") >> surplus for at in range(0, len(drawn), size))
    return next(k for k in numbers if 0 < k < curve.order)


def _drawn_point(curve: WholeCurve, drawn: bytes) -> Point:
    """Return the first point by the lowest bits of as many bytes as p has, and the lowest bit after them."""
    size, mask = curve.field_bytes, (1 << curve.field.bits) - 1
    pieces = (drawn[at : at + size + 1] for at in range(0, len(drawn), size + 1))
    lifted = (curve.lifted(int.from_bytes(piece[:size], "big") & mask, piece[size] & 1) for piece in pieces)
    return next(point for point in lifted if point is not None)


def _embedded(curve: WholeCurve, message: bytes) -> Point:
    """Return the point of a message, or of its complement with an odd x, for the least counter above it."""
    low, count = int.from_bytes(message, "little"), 256 ** len(message)
    for counter in range(curve.curve.prime // count + 1):
        for odd in (0, 1):
            y = counter * count + (count - 1 - low if odd else low)
            point = curve.lifted(y, odd)
            if point is not None and _valid(curve, point) is not None:
                return point
    raise AssertionError("nearly every message has a point")


def _extracted(curve: WholeCurve, p: Point) -> bytes:
    size = curve.message_bytes
    message = (p[1] % 256**size).to_bytes(size, "little")
    return bytes(byte ^ 0xFF for byte in message) if p[0] % 2 else message


EXPECTED: dict[str, Callable[..., Value]] = {
    "add": lambda curve, p, q: curve.affine.add(p, q),
    "subtract": _difference,
    "double": lambda curve, p: curve.affine.double(p),
    "negate": lambda curve, p: curve.affine.negate(p),
    "is_identity": lambda curve, p: p == curve.affine.neutral,
    "equal": lambda _, p, q: p == q,
    "is_on_curve": lambda curve, p: curve.affine.on_curve(p),
    "is_in_subgroup": lambda curve, p: curve.is_in_subgroup(p),
    "clear_cofactor": lambda curve, p: curve.affine.multiple(curve.cofactor, p),
    "select": lambda _, p, q, choice: p if choice else q,
    "validate": _valid,
    "from_affine": _affine,
    "to_affine": lambda _, p: _finite(p),
    "to_affine_batch": lambda _, *points: _all_finite(points),
    "lift_x": lambda curve, x, odd: curve.lifted(x, odd),
    "lift_y": lambda curve, y, odd: curve.lifted(y, odd),
    "random_scalar": _drawn_scalar,
    "random_point": lambda curve, drawn: curve.multiple(_drawn_scalar(curve, drawn), curve.generator),
    "random_point_by_lift": _drawn_point,
    "multiply": lambda curve, k, p: curve.multiple(k, p),
    "multiply_add": lambda curve, k, p, q: curve.affine.add(curve.multiple(k, p), q),
    "ladder_multiply": lambda curve, k, p: curve.multiple(k, p),
    "coz_multiply": lambda curve, k, p: curve.multiple(k, p),
    "multiply_generator": lambda curve, k: curve.multiple(k, curve.generator),
    "multiply_comb": _by_comb,
    "multiply_table": lambda curve, k, p: curve.multiple(k, p),
    "double_multiply": _both,
    "double_multiply_generators": lambda curve, a, b: _both(curve, a, b, curve.second),
    "double_multiply_equals": lambda curve, a, b, q, p: _both(curve, a, b, q) == p,
    "multi_multiply": _sum,
    "multiply_tables": _sum,
    "x_multiply": _x_multiple,
    "encode": _encoding,
    "encode_uncompressed": _uncompressed,
    "encode_batch": _encodings,
    "decode": _decoded,
    "encode_wire": lambda _, p: p,
    "embed": _embedded,
    "extract": _extracted,
    **COSETS,
}
"""The result of each function by its name without ``_var``; None for a refusal."""
