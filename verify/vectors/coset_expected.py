"""Expected results of the functions on cosets of points (RFC 9496), with integers and the affine law.

Encodings are by the affine coordinates of the point that decoding returns, not by the formulas of the RFC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import is_square, square_root

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.curves.affine import Point
    from efdgen.verify.vectors.whole_curve import WholeCurve


def coset(curve: WholeCurve, p: Point) -> list[Point]:
    """Return the points of a coset: four for a = -1, two for a = 1."""
    (x, y), prime = p, curve.curve.prime
    found = [p, (-x % prime, -y % prime)]
    if curve.model == "twisted":
        found += [curve.affine.add(one, (_root(-1, prime), 0)) for one in found]
    return found


def encoded(curve: WholeCurve, p: Point) -> bytes | None:
    """Return the encoding of a coset, None where none of its points is decoded from anything."""
    every, prime = coset(curve, p), curve.curve.prime
    if (0, 1) in every:
        return bytes(curve.field_bytes)
    for x, y in every:
        # On either curve one coordinate of what s is decoded to is (1 - s^2)/(1 + s^2) or 2*s/(1 + s^2).
        if curve.model == "twisted":
            roots = [_root((1 - y) * pow(1 + y, -1, prime), prime)]
        else:
            root = _root(1 - x * x, prime)
            roots = [(1 + sign * root) * pow(x, -1, prime) % prime for sign in (1, -1)] if root else []
        for root in filter(None, roots):
            data = _even(root, prime).to_bytes(curve.field_bytes, "little")
            if decoded(curve, data) in every:
                return data
    return None


def decoded(curve: WholeCurve, data: bytes) -> Point | None:
    """Return the point of an encoding, None for anything else."""
    s, prime = int.from_bytes(data, "little"), curve.curve.prime
    if len(data) != curve.field_bytes or s >= prime or s % 2:
        return None
    return (_of_ristretto if curve.model == "twisted" else _of_decaf)(curve, s)


def _of_ristretto(curve: WholeCurve, s: int) -> Point | None:
    """Return the point with y = (1 - s^2)/(1 + s^2) and an even x, if x*y is even and y is not 0."""
    prime = curve.curve.prime
    if (1 + s * s) % prime == 0:
        return None
    found = curve.lifted((1 - s * s) * pow(1 + s * s, -1, prime) % prime, 0)
    return found if found and found[1] and found[0] * found[1] % prime % 2 == 0 else None


def _of_decaf(curve: WholeCurve, s: int) -> Point | None:
    """Return the point with x = 2*s/(1 + s^2) or its negative, by the signs of RFC 9496, 5.3.1."""
    prime, d = curve.curve.prime, curve.curve.parameters["d"]
    below = (1 + s * s) % prime
    square = (below * below - 4 * d * s * s) % prime
    if not is_square(square, prime) or not square * below:
        return None
    root = _even(pow(_root(square, prime) * below, -1, prime), prime)
    doubled = 2 * s * root * below * _root(-d, prime)
    factor = 1 if doubled % prime % 2 == 0 else -1
    x, y = factor * 2 * s * pow(below, -1, prime), (1 - s * s) * root * below
    return x % prime, y % prime


def equal(curve: WholeCurve, p: Point, q: Point) -> bool:
    """Return whether two points are of one coset."""
    return q in coset(curve, p)


def mapped(curve: WholeCurve, t: int) -> Point:
    """Return the image of an element, by RFC 9496, 4.3.4 or 5.3.4."""
    return (_image_of_ristretto if curve.model == "twisted" else _image_of_decaf)(curve, t)


def _image_of_ristretto(curve: WholeCurve, t: int) -> Point:
    prime, d = curve.curve.prime, curve.curve.parameters["d"]
    i = _root(-1, prime)
    r = i * t * t
    u, v = (r + 1) * (1 - d * d) % prime, (-1 - r * d) * (r + d) % prime
    s, c = _root_of_ratio(u, v, prime), -1
    if s is None:
        s, c = -_even(t * (_root_of_ratio(i * u, v, prime) or 0), prime), r
    n = c * (r - 1) * (d - 1) ** 2 - v
    x = 2 * s * v * pow(n * -_root(-1 - d, prime), -1, prime)
    return x % prime, (1 - s * s) * pow(1 + s * s, -1, prime) % prime


def _image_of_decaf(curve: WholeCurve, t: int) -> Point:
    prime, d = curve.curve.prime, curve.curve.parameters["d"]
    r = -t * t
    u = d * (r - 1)
    below = (r + 1) * (u + 1) * (u - r)
    v, sign = _root_of_ratio(1 - 2 * d, below, prime), 1
    if v is None:
        v, sign = t * (_root_of_ratio(2 * d - 1, below, prime) or 0), -1
    s = v * (r + 1)
    y = (s * s - 1) * pow(v * s * (r - 1) * (1 - 2 * d) + sign, -1, prime)
    return 2 * _even(s, prime) * pow(s * s + 1, -1, prime) % prime, y % prime


def of_uniform_bytes(curve: WholeCurve, data: bytes) -> Point:
    """Return the sum of the images of two numbers."""
    size, bits = curve.field_bytes, curve.curve.prime.bit_length()
    numbers = (int.from_bytes(part, "little") % (1 << bits) for part in (data[:size], data[size:]))
    one, other = (mapped(curve, number % curve.curve.prime) for number in numbers)
    return curve.affine.add(one, other)


def _even(value: int, prime: int) -> int:
    value %= prime
    return value if value % 2 == 0 else prime - value


def _root(square: int, prime: int) -> int:
    """Return the even root of a square; 0 for what is none."""
    return _even(square_root(square % prime, prime) or 0, prime)


def _root_of_ratio(u: int, v: int, prime: int) -> int | None:
    """Return the even root of u/v, None where it is no square or v is 0."""
    if u % prime == 0:
        return 0
    ratio = u * pow(v, -1, prime) % prime if v % prime else None
    return None if ratio is None or not is_square(ratio, prime) else _root(ratio, prime)


_FUNCTIONS: dict[str, Callable[..., bytes | Point | bool | None]] = {
    "encode": encoded,
    "decode": decoded,
    "equal": equal,
    "map": mapped,
    "from_uniform_bytes": of_uniform_bytes,
}
COSETS = {f"{group}_{name}": own for group in ("ristretto", "decaf") for name, own in _FUNCTIONS.items()}
COSETS["ristretto_double_encode"] = lambda curve, p: encoded(curve, curve.affine.double(p))
"""The result of each function by its name."""
