"""The host's side: hints for the guest that checks R = a·G + b·Q at half length. None of it is trusted.

A multiple of the equation has short coefficients: c_R·R + c_Q·Q + c_G·G = 0 for c_Q = -c_R·b modulo 8L and
c_G = -c_R·a modulo L, where (c_R, c_Q) is a short vector of the lattice of all (v, -v·b modulo 8L), and c_G
is split between G and 2^127·G. The short vector whose schedule costs the least is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha512
from typing import TYPE_CHECKING

from edwards import GENERATOR, LAW, ORDER, PRIME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from edwards import Point

GROUP = 8 * ORDER
UPPER = 127  # G's coefficient is low + 2^UPPER·high

# Operations, as half.h has them.
OWN, NEGATE, END = 0x80, 0x40, 0xFF


@dataclass(frozen=True)
class Shape:
    """Widths of non-adjacent forms for a guest's own points R and Q, and for G; cycles of its operations."""

    own_width: int
    fixed_width: int
    doubling: int
    addition: int

    @property
    def own_multiples(self) -> int:
        """The number of odd multiples of R and of Q."""
        return 1 << self.own_width - 2

    @property
    def fixed_multiples(self) -> int:
        """The number of odd multiples of G and of 2^127·G."""
        return 1 << self.fixed_width - 2

    @property
    def tables(self) -> dict[str, tuple[int, int]]:
        """The first index of each table, and the width of its digits."""
        return {
            "R": (OWN, self.own_width),
            "Q": (OWN + self.own_multiples, self.own_width),
            "G": (0, self.fixed_width),
            "upper G": (self.fixed_multiples, self.fixed_width),
        }


CALL = Shape(own_width=4, fixed_width=6, doubling=300, addition=430)
PLAIN = Shape(own_width=5, fixed_width=7, doubling=4500, addition=5000)

Vector = tuple[int, int]


def non_adjacent(number: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield positions and odd digits below 2^(width - 1) of a number, the lowest first."""
    position = 0
    while number:
        if number & 1:
            digit = (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)
            number -= digit
            yield position, digit
        number >>= 1
        position += 1


def reduced_basis(b: int) -> tuple[Vector, Vector]:
    """Return a shortest basis of the lattice of (v, w) with w = -v·b modulo 8L, by Lagrange's reduction."""

    def square(vector: Vector) -> int:
        return vector[0] ** 2 + vector[1] ** 2

    short, long = sorted([(1, -b % GROUP), (0, GROUP)], key=square)
    while True:
        size = square(short)
        times = (2 * (short[0] * long[0] + short[1] * long[1]) + size) // (2 * size)
        long = long[0] - times * short[0], long[1] - times * short[1]
        if square(long) >= size:
            return short, long
        short, long = long, short


def coefficients(v: int, w: int, a: int) -> dict[str, int]:
    """Return the coefficients of R, Q, G and 2^127·G for a vector of the lattice."""
    whole = (-v * a + ORDER // 2) % ORDER - ORDER // 2
    low = (whole + (1 << UPPER - 1)) % (1 << UPPER) - (1 << UPPER - 1)
    return {"R": v, "Q": w, "G": low, "upper G": whole - low >> UPPER}


def digits(found: dict[str, int], shape: Shape = CALL) -> list[tuple[int, int, int]]:
    """Return all digits, the highest first: position, index of the entry, sign."""
    return sorted(
        (
            (position, first + (abs(digit) >> 1), 1 if digit > 0 else -1)
            for name, (first, width) in shape.tables.items()
            for position, digit in non_adjacent(found[name], width)
        ),
        key=lambda entry: (-entry[0], entry[2]),
    )


def usable_vectors(b: int, span: int) -> Iterator[Vector]:
    """Yield short vectors whose first coefficient is positive and invertible modulo 8L."""
    (v1, w1), (v2, w2) = reduced_basis(b)
    for i in range(-span, span + 1):
        for j in range(span + 1):
            v, w = i * v1 + j * v2, i * w1 + j * w2
            if v % 2 and v % ORDER:
                yield (v, w) if v > 0 else (-v, -w)


def best_vector(a: int, b: int, shape: Shape = CALL, span: int = 9) -> Vector:
    """Return the vector whose schedule costs the least."""

    def cost(vector: Vector) -> int:
        found = digits(coefficients(*vector, a), shape)
        return shape.doubling * found[0][0] + shape.addition * len(found)

    return min(usable_vectors(b, span), key=cost)


def schedule(entries: list[tuple[int, int, int]], last: int = 0) -> bytes:
    """Return the bytes that have the guest add entries at their positions, and end at position ``last``."""
    position = entries[0][0] if entries else 0
    text = bytes([min(position, 255), max(position - 255, 0)])
    sign = 1
    for at, index, wanted in entries:
        text += bytes([position - at, index | (NEGATE if wanted != sign else 0)])
        position, sign = at, wanted
    return text + bytes([position - last, END])


@dataclass(frozen=True)
class Hints:
    """The host's input beside the claim: the inverse of c_R modulo 8L, the schedule.

    Without the call, ``quotients`` are those of the products modulo 8L and L.
    """

    inverse: int
    schedule: bytes
    quotients: tuple[int, ...] = ()

    @property
    def bytes(self) -> bytes:
        """The hints as half.h reads them."""
        return little_endian(self.inverse, *self.quotients) + self.schedule


def hints(a: int, b: int, shape: Shape = CALL) -> Hints:
    """Return the hints for R = a·G + b·Q, for scalars of 256 bits."""
    v, w = best_vector(a, b, shape)
    found = coefficients(v, w, a)
    inverse = pow(v, -1, GROUP)
    return Hints(
        inverse, schedule(digits(found, shape)), quotients(a, b, found, inverse) if shape == PLAIN else ()
    )


def quotients(a: int, b: int, found: dict[str, int], inverse: int) -> tuple[int, ...]:
    """Return the quotients of the products of check_coefficients, in its order."""
    r, q, low, high = (number if number >= 0 else number + GROUP for number in found.values())
    negative_low, negative_high = low * (ORDER - 1), high * (-(1 << UPPER) % ORDER)
    total = negative_low % ORDER + negative_high % ORDER
    modulo_8l = (r * inverse, r * b, q * (GROUP - 1))
    modulo_l = (r, r % ORDER * a, negative_low, negative_high, total)
    return tuple(n // GROUP for n in modulo_8l) + tuple(n // ORDER for n in modulo_l)


def little_endian(*numbers: int) -> bytes:
    """Return numbers in 32 bytes each."""
    return b"".join(number.to_bytes(32, "little") for number in numbers)


def sum_of(a: int, b: int, q: Point) -> Point:
    """Return a·G + b·Q."""
    return LAW.add(LAW.multiple(a, GENERATOR), LAW.multiple(b, q))


def encoded(point: Point) -> bytes:
    """Return the 32 bytes of a point, as RFC 8032 encodes it."""
    x, y = point
    return little_endian(y | (x & 1) << 255)


def half_input(a: int, b: int, q: Point, r: Point, given: Hints) -> bytes:
    """Return what the guest half.c reads."""
    return little_endian(a, b, *q, *r) + given.bytes


def decoded(encoded: bytes) -> Point | None:
    """Return the point that 32 bytes encode, by RFC 8032; None if there is none."""
    number = int.from_bytes(encoded, "little")
    y, odd = number % 2**255, number >> 255
    roots = [x for x, _ in LAW.points_with(1, y)] if y < PRIME else []
    return next(((x, y) for x in roots if x % 2 == odd), None)


def hashed(*parts: bytes) -> int:
    """Return the number that SHA-512 makes of bytes, as RFC 8032 reads it."""
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little")


def signature_input(key: bytes, message: bytes, signature: bytes, h: int | None = None) -> bytes:
    """Return what the guest signature.c reads; ``h`` is another hash for those who cheat."""
    r, point = decoded(signature[:32]), decoded(key)
    s = int.from_bytes(signature[32:], "little")
    given = hints(s, hashed(signature[:32], key, message) % ORDER if h is None else h)
    return (
        signature
        + key
        + little_endian(r[0] if r else 0, point[0] if point else 0)
        + given.bytes.ljust(32 + 512, b"\0")
        + len(message).to_bytes(4, "little")
        + message
    )
