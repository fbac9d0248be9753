"""Claims that R = a·G + b·Q for half.c and half.rs: right ones, and lies with the check that refuses each.

Expected points are those of the affine law, in Python integers.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

import prover
import tables
from affine_edwards import IDENTITY, T8, G, L, P, Point, add, multiple
from guests import HERE

SECOND = multiple(tables.SECOND, G)
EDGES = (0, 1, 2, L - 1, L, L + 1, (L - 1) // 2, 4 * L, 8 * L - 1, 8 * L, 2**255 - 1, 2**256 - 1)

STATUS = {
    name: number
    for number, name in enumerate(
        re.findall(r"^    ZK_(\w+)", (HERE / "guest/machine.h").read_text(), re.M), 1
    )
}
WORD_EDGES = (0, 1, 18, 19, P - 1, P, P + 1, 2**255 - 1, 2**255, 2**256 - 1, 2**224 - 1, 2**255 - 2**224)


@dataclass(frozen=True)
class Claim:
    """The input of half.c: scalars, points, the inverse of c_R, the schedule."""

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


def edge_points(rng: random.Random) -> list[Point]:
    random_point = multiple(rng.randrange(L), G)
    return [IDENTITY, (0, P - 1), multiple(2, T8), T8, G, multiple(-1, G), add(random_point, T8)]


def wrong_sum(claim: Claim, rng: random.Random) -> Claim:
    """The hints of a claim with another result."""
    other = rng.choice([G, T8, (0, P - 1), multiple(rng.randrange(L), G)])
    return replace(claim, r=add(claim.r, other))


def with_schedule(claim: Claim, text: bytes) -> Claim:
    return replace(claim, hints=replace(claim.hints, schedule=text))


NONSENSE = (b"", bytes(512), bytes([255, 255]) + bytes([0, 5]) * 255, bytes([0, 255] * 256))
"""Schedules that are none."""


def numbers(text: bytes) -> list[int]:
    """Return numbers of 32 bytes, the least significant first."""
    return [int.from_bytes(text[at : at + 32], "little") for at in range(0, len(text), 32)]


def summands(rng: random.Random) -> list[tuple[int, int]]:
    """Pairs of words to add and to subtract."""
    pairs = [(a, b) for a in WORD_EDGES for b in WORD_EDGES]
    return pairs + [(rng.getrandbits(255), rng.getrandbits(255)) for _ in range(20)]


def sums(a: int, b: int) -> list[int] | None:
    """The sum and the difference without a reduction; None if a word would not hold them."""
    return None if max(a, b) >= 2**255 or a + P < b else [a + b, a - b + P]


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
