"""The host's side of recover.c: the key of an ECDSA signature on secp256k1, and hints. None of it is trusted.

The equation Q = a·G + b·R has a multiple with short coefficients: c_Q·Q + c_R·R + c_G·G = 0 where each is an
integer of Q(sqrt(-3)), c_R = -c_Q·b and c_G = -c_Q·a modulo the prime that divides LAMBDA - w. A short
vector (c_Q, c_R) has parts of 64 bits, and c_G is split between G and 2^64·G. Of many vectors the one is
taken whose schedule costs the least and adds no points of one x.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from prover import little_endian, non_adjacent
from secp256k1 import (
    GENERATOR,
    LAMBDA,
    LAW,
    ORDER,
    PRIME,
    conjugate,
    image,
    minus,
    norm,
    plus,
    quotient,
    remainder,
    times,
)
from tables import odd_multiples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from secp256k1 import Integer, Point

UPPER = 64  # c_G is low + 2^UPPER·high
OWN_WIDTH, FIXED_WIDTH = 4, 6
OWN_MULTIPLES, FIXED_MULTIPLES = 1 << OWN_WIDTH - 2, 1 << FIXED_WIDTH - 2
# Operations, as recover.c has them.
OWN, NEGATE, IMAGE, LAST = 0x80, 0x40, 0x20, 0x80
SCHEDULE_BYTES = 256
DOUBLING, ADDITION = 320, 520
# The first index and the width of digits for each point.
TABLES = {
    "Q": (OWN, OWN_WIDTH),
    "R": (OWN + OWN_MULTIPLES, OWN_WIDTH),
    "G": (0, FIXED_WIDTH),
    "upper G": (FIXED_MULTIPLES, FIXED_WIDTH),
}

Vector: TypeAlias = "tuple[Integer, Integer]"
Coefficients: TypeAlias = "dict[str, Integer]"
Digit = tuple[int, int]
"""A position and an operation."""


class EqualPointsError(ValueError):
    """A sum of points of one x, which formulas do not add."""


@dataclass(frozen=True)
class Signature:
    """A hash, a signature and which of at most four points R is."""

    z: int
    r: int
    s: int
    v: int

    def point(self) -> Point | None:
        """Return R, or None if there is no such point."""
        x = self.r + (ORDER if self.v & 2 else 0)
        points = LAW.points_with(0, x) if x < PRIME else []
        return next((p for p in points if p[1] % 2 == self.v % 2), None)

    def coefficients(self) -> tuple[int, int]:
        """Return a and b of Q = a·G + b·R."""
        inverse = pow(self.r, -1, ORDER)
        return -self.z * inverse % ORDER, self.s * inverse % ORDER


def _modulus() -> Integer:
    """Return the greatest common divisor of ORDER and LAMBDA - w, a prime of norm ORDER."""
    one, other = (ORDER, 0), (LAMBDA, -1)
    while other != (0, 0):
        one, other = other, remainder(one, other)
    return one


MODULUS = _modulus()


def reduced_basis(b: int) -> tuple[Vector, Vector]:
    """Return a basis of short vectors (v, w) with w = -v·b modulo MODULUS, by Lagrange's reduction."""
    short: Vector = ((0, 0), MODULUS)
    long: Vector = ((1, 0), remainder((-b, 0), MODULUS))
    while norm(long[0]) + norm(long[1]) < norm(short[0]) + norm(short[1]):
        short, long = long, short
        inner = plus(*(times(one, conjugate(other)) for one, other in zip(long, short, strict=True)))
        factor = quotient(inner, norm(short[0]) + norm(short[1]))
        long = minus(long[0], times(factor, short[0])), minus(long[1], times(factor, short[1]))
    return short, long


def vectors(b: int, span: int) -> Iterator[Vector]:
    """Yield short vectors with a first part that is not 0."""
    one, other = reduced_basis(b)
    for i0, i1, j0, j1 in product(range(-span, span + 1), repeat=4):
        i, j = (i0, i1), (j0, j1)
        v, w = (plus(times(i, one[part]), times(j, other[part])) for part in range(2))
        if v != (0, 0):
            yield v, w


def coefficients(vector: Vector, a: int) -> Coefficients:
    """Return the coefficients of Q, R, G and 2^64·G."""
    v, w = vector
    whole = remainder(times(v, (-a, 0)), MODULUS)
    half = 1 << UPPER - 1
    low = (whole[0] + half) % (2 * half) - half, (whole[1] + half) % (2 * half) - half
    return {"Q": v, "R": w, "G": low, "upper G": (whole[0] - low[0] >> UPPER, whole[1] - low[1] >> UPPER)}


def digits(found: Coefficients) -> list[Digit]:
    """Return all digits, the highest first."""
    return sorted(
        (
            (position, TABLES[name][0] + (abs(digit) >> 1) | kind | (NEGATE if digit < 0 else 0))
            for name, number in found.items()
            for part, kind in zip(number, (0, IMAGE), strict=True)
            for position, digit in non_adjacent(part, TABLES[name][1])
        ),
        reverse=True,
    )


def cost(entries: Sequence[Digit]) -> int:
    """Return about the cycles of a schedule."""
    return DOUBLING * entries[0][0] + sum(
        ADDITION + (13 if operation & NEGATE else 0) + (13 if operation & IMAGE else 0)
        for _, operation in entries
    )


def schedule(entries: Sequence[Digit]) -> bytes:
    """Return each position with its operation."""
    text = bytes(number for entry in entries for number in entry)
    return text[:-2] + bytes([text[-2] | LAST, text[-1]])


class Trace:
    """Points as recover.c has them, and the hints of each sum and double."""

    def __init__(self) -> None:
        self.hints: list[int] = []

    def double(self, point: Point) -> Point:
        """Return 2·P."""
        found = LAW.double(point)
        self.hints += found
        return found

    def add(self, one: Point, other: Point) -> Point:
        """Return P + Q; raise EqualPointsError for points of one x."""
        (x1, y1), (x2, y2) = one, other
        if x1 == x2:
            raise EqualPointsError
        slope = (y1 - y2) * pow(x1 - x2, -1, PRIME) % PRIME
        x = (slope * slope - x1 - x2) % PRIME
        self.hints += [slope, x]
        return x, (slope * (x1 - x) - y1) % PRIME

    def odd_multiples(self, point: Point) -> list[Point]:
        """Return the guest's own table of a point."""
        found, twice = [point], self.double(point)
        while len(found) < OWN_MULTIPLES:
            found.append(self.add(found[-1], twice))
        return found

    def follow(self, entries: Sequence[Digit], tables: dict[int, Point]) -> None:
        """Follow a schedule to its last digit, which is compared and not added."""
        position, total = entries[0][0], operand(entries[0][1], tables)
        for number, (at, operation) in enumerate(entries[1:], 2):
            for _ in range(position - at):
                total = self.double(total)
            position = at
            if number < len(entries):
                total = self.add(total, operand(operation, tables))


def operand(operation: int, tables: dict[int, Point]) -> Point:
    """Return the point of an operation."""
    point = tables[operation & ~(NEGATE | IMAGE)]
    point = image(point) if operation & IMAGE else point
    return LAW.negate(point) if operation & NEGATE else point


FIXED = [
    multiple
    for base in (GENERATOR, LAW.multiple(1 << UPPER, GENERATOR))
    for multiple in odd_multiples(base, FIXED_MULTIPLES, LAW)
]


@dataclass(frozen=True)
class Hints:
    """Hints beside the signature and Q: the y of R, the inverse of c_Q, a schedule, points and slopes."""

    y: int
    inverse: int
    schedule: bytes
    points: tuple[int, ...]

    @property
    def bytes(self) -> bytes:
        """The hints as recover.c reads them."""
        return (
            little_endian(self.y, self.inverse)
            + self.schedule.ljust(SCHEDULE_BYTES, b"\0")
            + (little_endian(*self.points))
        )


def hints(found: Coefficients, q: Point, r: Point) -> Hints:
    """Return the hints for coefficients; raise EqualPointsError where points of one x would be added."""
    trace = Trace()
    own = [*trace.odd_multiples(q), *trace.odd_multiples(r)]
    entries = digits(found)
    trace.follow(entries, dict(enumerate(FIXED)) | dict(enumerate(own, OWN)))
    low, high = found["Q"]
    inverse = pow(low + high * LAMBDA, -1, ORDER)
    return Hints(r[1], inverse, schedule(entries), tuple(trace.hints))


def recover(signature: Signature, span: int = 2) -> tuple[Point, Hints]:
    """Return Q and hints; raise ValueError if no point is Q."""
    r = signature.point()
    if r is None:
        raise ValueError("no point of the curve has this r")
    a, b = signature.coefficients()
    q = LAW.add(LAW.multiple(a, GENERATOR), LAW.multiple(b, r))
    if q == LAW.neutral:
        raise ValueError("the identity is not a public key")
    usable = (coefficients(vector, a) for vector in vectors(b, span))
    for found in sorted(usable, key=lambda each: cost(digits(each))):
        try:
            return q, hints(found, q, r)
        except EqualPointsError:
            continue
    raise ValueError("every schedule adds points of one x")


def recovery_input(signature: Signature, q: Point, given: Hints) -> bytes:
    """Return what the guest recover.c reads."""
    numbers = little_endian(signature.z, signature.r, signature.s)
    return numbers + signature.v.to_bytes(4, "little") + little_endian(*q) + given.bytes
