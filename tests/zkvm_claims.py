"""Claims that R = a·G + b·Q for half.c and half.rs: right ones, and lies with the check that refuses each.

Expected points are those of the affine law, in Python integers.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, replace

from zkvm import EXAMPLE

sys.path.insert(0, str(EXAMPLE))
import prover
import tables

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
IDENTITY = (0, 1)
Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + y1 * x2) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def multiple(k: int, point: Point) -> Point:
    if k < 0:
        return multiple(-k, (-point[0] % P, point[1]))
    found = IDENTITY
    for bit in f"{k:b}":
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def point_with_y(y: int) -> Point | None:
    """The point of an even x, by a root of (y^2 - 1)/(d y^2 + 1)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    roots = [r for r in (x, x * pow(2, (P - 1) // 4, P) % P) if r * r % P == square]
    return (min(roots[0] % P, -roots[0] % P, key=lambda r: r % 2), y) if roots else None


G = point_with_y(4 * pow(5, -1, P) % P)
assert G is not None
SECOND = multiple(tables.SECOND, G)
# A point of order 8.
T8 = next(t for y in range(2, 99) if (q := point_with_y(y)) and multiple(4, t := multiple(L, q)) != IDENTITY)
EDGES = (0, 1, 2, L - 1, L, L + 1, (L - 1) // 2, 4 * L, 8 * L - 1, 8 * L, 2**255 - 1, 2**256 - 1)

STATUS = {
    name: number
    for number, name in enumerate(
        re.findall(r"^    ZK_(\w+)", (EXAMPLE / "guest/machine.h").read_text(), re.M), 1
    )
}
WORD_EDGES = (0, 1, 18, 19, P - 1, P, P + 1, 2**255 - 1, 2**255, 2**256 - 1, 2**224 - 1, 2**255 - 2**224)


@dataclass(frozen=True)
class Claim:
    """What half.c is told: scalars, points, the inverse of c_R, the schedule."""

    a: int
    b: int
    q: Point
    r: Point
    hints: prover.Hints

    @property
    def input(self) -> bytes:
        return prover.half_input(self.a, self.b, self.q, self.r, self.hints)


def honest(a: int, b: int, q: Point) -> Claim:
    return Claim(a, b, q, add(multiple(a, G), multiple(b, q)), prover.hints(a, b))


def random_claim(rng: random.Random) -> Claim:
    return honest(rng.randrange(L), rng.randrange(L), multiple(rng.randrange(L), G))


def lie_with(
    claim: Claim, c: dict[str, int], r: Point, more: list[tuple[int, int, int]] | None = None, last: int = 0
) -> Claim:
    """A claim of another result with a schedule of these coefficients, and more digits."""
    entries = sorted([*prover.digits(c), *(more or [])], key=lambda entry: -entry[0])
    inverse = pow(c["R"], -1, 8 * L) if c["R"] % 2 and c["R"] % L else 0
    return replace(claim, r=r, hints=prover.Hints(inverse, prover.schedule(entries, last)))


def even_coefficient(claim: Claim) -> Claim:
    """2 (R + T) = 2 R for T of order 2."""
    c = prover.coefficients(2, -2 * claim.b, claim.a)
    return lie_with(claim, c, add(claim.r, (0, P - 1)))


def nothing_added(claim: Claim) -> Claim:
    """Every point fits coefficients of 0."""
    return replace(claim, r=multiple(5, G), hints=prover.Hints(1, bytes([0, 0, 0, prover.END])))


def another_b(claim: Claim) -> Claim:
    b = claim.b ^ 1
    return replace(honest(claim.a, b, claim.q), b=claim.b)


def another_a(claim: Claim) -> Claim:
    a = claim.a ^ 1
    return replace(honest(a, claim.b, claim.q), a=claim.a)


def not_identity(claim: Claim) -> Claim:
    return replace(claim, r=add(claim.r, G))


def not_reduced(claim: Claim) -> Claim:
    x, y = claim.r
    return replace(claim, r=(x + P, y))


# (0, y) is not on the curve, and formulas triple it to (0, 1): y^3 + y^2 = 2.
OFF_THE_CURVE = (0, pow(2, (P - 1) // 4, P) - 1)


def r_off_the_curve(_: Claim) -> Claim:
    lie = Claim(0, 0, G, OFF_THE_CURVE, prover.Hints(0, b""))
    return lie_with(lie, {"R": 3, "Q": 0, "G": 0, "upper G": 0}, OFF_THE_CURVE)


def q_off_the_curve(_: Claim) -> Claim:
    lie = Claim(0, 3, OFF_THE_CURVE, IDENTITY, prover.Hints(0, b""))
    return lie_with(lie, {"R": 1, "Q": -3, "G": 0, "upper G": 0}, IDENTITY)


def doubled_after_the_end(claim: Claim) -> Claim:
    """Doublings that no coefficient knows of hide a point of order 2."""
    c = prover.coefficients(*prover.best_vector(claim.a, claim.b), claim.a)
    return lie_with(claim, c, add(claim.r, (0, P - 1)), last=-1)


def beyond(claim: Claim, position: int, mistaken_for_q: int) -> Claim:
    """R once more at a position whose column is not one of R's: it counts as nothing, or as a digit of Q.

    The points are multiples of G that the host knows, so that it finds the R that fits.
    """
    q = random.Random(1).randrange(L)
    c_q = -claim.b - mistaken_for_q
    r = (claim.a + (claim.b + mistaken_for_q) * q) * pow(1 + (1 << position), -1, L) % L
    c = prover.coefficients(1, c_q, claim.a)
    lie = replace(claim, q=multiple(q, G))
    return lie_with(lie, c, multiple(r, G), [(position, prover.OWN, 1)])


LIES = {
    "even coefficient": (even_coefficient, "NOT_INVERTIBLE"),
    "nothing added": (nothing_added, "NOT_INVERTIBLE"),
    "another b": (another_b, "WRONG_Q"),
    "another a": (another_a, "WRONG_G"),
    "another sum": (not_identity, "NOT_IDENTITY"),
    "R not reduced": (not_reduced, "BAD_POINT"),
    "R off the curve": (r_off_the_curve, "BAD_POINT"),
    "Q off the curve": (q_off_the_curve, "BAD_POINT"),
    "doublings at the end": (doubled_after_the_end, "BAD_SCHEDULE"),
    "a column of Q": (lambda claim: beyond(claim, 272, 1), "BAD_SCHEDULE"),
    "a coefficient of 2^256": (lambda claim: beyond(claim, 256, 0), "OUT_OF_RANGE"),
}
