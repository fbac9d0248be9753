"""Numbers in the crate that replaces curve25519-dalek: elements, scalars, and points of small order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import inverse, square_root
from efdgen.generator.render.rust.ff import field_constants, field_facts
from efdgen.generator.render.rust.field import Constant
from efdgen.generator.text.rust import array, indented

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.planning.plan import CurvePlan

_SYSTEM = "g1p/twisted/extended-1"
_FF = {
    "TWO_INV": "TWO_INV",
    "UNITS_GENERATOR": "MULTIPLICATIVE_GENERATOR",
    "UNITS_ROOT": "ROOT_OF_UNITY",
    "UNITS_ROOT_INV": "ROOT_OF_UNITY_INV",
    "UNITS_DELTA": "DELTA",
}
"""The names of elements in the crate ``ff``."""
_NAMED = {0: "FieldElement::ZERO", 1: "FieldElement::ONE"}
_BASEPOINT = "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"  # RFC 9496, A.1


def require_coordinates(plan: CurvePlan) -> None:
    """Raise :class:`EfdgenError` for coordinates other than those that the crate's tables have."""
    system = plan.representation.system
    if system != _SYSTEM:
        raise EfdgenError(f"curve25519-dalek needs extended coordinates, not {system}; omit --coords")


def elements(curve: Curve) -> list[Constant]:
    """Return the elements of the field that the crate names."""
    prime, d = curve.prime, curve.parameters["d"]
    a = 2 * (d - 1) * inverse(-1 - d, prime) % prime
    root = _root(root_of_unity(prime) * d % prime, prime, 0)
    coordinates = sorted({value for point in _small_points(curve) for value in point} - _NAMED.keys())
    return [
        Constant("MONTGOMERY_A", "The parameter `A` of Curve25519.", a),
        Constant("D_RATIO", "(d + 1)/(d - 1).", (d + 1) * inverse(d - 1, prime) % prime),
        Constant("SQRT_ID", "The even square root of i d.", root),
        *(
            Constant(f"SMALL_{at}", "A coordinate of a point of small order.", value)
            for at, value in enumerate(coordinates)
        ),
    ]


def values(plan: CurvePlan) -> dict[str, Any]:
    """Return the names of the templates beside those of all crates."""
    names = {constant.value: f"FieldElement::{constant.name}" for constant in elements(plan.curve)} | _NAMED
    order = plan.order
    return {
        "basepoint": _rows(int.from_bytes(bytes.fromhex(_BASEPOINT), "little"), 4),
        "torsion": [[names[value] for value in point] for point in _small_points(plan.curve)],
        "low_order": [_rows(value, 8) for value in _low_order(plan.curve)],
        "scalars": {
            **field_facts(order),
            "radix": _rows(pow(2, 256, order), 4),
            "numbers": [
                (_FF[c.name], indented(array("bytes:", _bytes(c.value), 8).replace(";", ","), 8))
                for c in field_constants(order)
            ],
        },
    }


def _small_points(curve: Curve) -> list[tuple[int, int, int]]:
    """Return x, y and their product for the multiples by 0 to 7 of a point of order 8.

    It is the one with an even x and an odd y: twice it has y = 0, so that y^2 = -x^2 = (sqrt(1 + d) - 1)/d.
    """
    prime, d = curve.prime, curve.parameters["d"]
    field = PrimeField(prime)
    squares = field.quadratic_roots(-1, 2, d)
    square = next(value for value in squares if square_root(value, prime) is not None)
    y = _root(square, prime, 1)
    point = _root(-square, prime, 0), y
    found, (x, y) = [], (0, 1)
    for _ in range(8):
        found.append((x, y, x * y % prime))
        x, y = _sum(curve, (x, y), point)
    return found


def _sum(curve: Curve, p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    """Return the sum of points by the affine law for a = -1."""
    prime, d = curve.prime, curve.parameters["d"]
    (x1, y1), (x2, y2) = p, q
    product = d * x1 * x2 * y1 * y2
    x = (x1 * y2 + y1 * x2) * inverse(1 + product, prime) % prime
    return x, (y1 * y2 + x1 * x2) * inverse(1 - product, prime) % prime


def _low_order(curve: Curve) -> list[int]:
    """Return the u-coordinates of points of small order below 2^255: 0, 1, those of order 8, and -1."""
    prime = curve.prime
    by_eight = {(1 + y) * inverse(1 - y, prime) % prime for x, y, _ in _small_points(curve) if x and y}
    return [0, 1, *sorted(by_eight), prime - 1, prime, prime + 1]


def _root(value: int, prime: int, parity: int) -> int:
    """Return the square root of a value with this lowest bit."""
    root = square_root(value, prime)
    assert root is not None
    return root if root & 1 == parity else prime - root


def _rows(number: int, columns: int) -> str:
    """Return a number as rows of bytes, the least significant first."""
    text = array("", _bytes(number), columns - 4).split("\n")[1:-1]
    return indented("\n".join(line.strip() for line in text), columns)


def _bytes(number: int) -> list[str]:
    return [f"0x{byte:02x}" for byte in number.to_bytes(32, "little")]
