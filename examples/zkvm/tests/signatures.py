"""Claims that Q is the key of an ECDSA signature for recover.c: right ones, and lies, each with its check.

Expected points result from the affine law in Python integers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import recovery

if TYPE_CHECKING:
    from collections.abc import Callable

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
LAMBDA, BETA = recovery.LAMBDA, recovery.image((1, 0))[0]
Point = tuple[int, ...]
# Operations on the first multiple of a point.
OF_Q, OF_R, OF_G = recovery.OWN, recovery.OWN + recovery.OWN_MULTIPLES, 0


def add(one: Point | None, other: Point | None) -> Point | None:
    """A sum; None is the identity."""
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2 and (y1 + y2) % P == 0:
        return None
    slope = (3 * x1 * x1 * pow(2 * y1, -1, P) if x1 == x2 else (y1 - y2) * pow(x1 - x2, -1, P)) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def multiple(k: int, point: Point | None) -> Point | None:
    found = None
    for bit in f"{k % N:b}":
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def point(k: int, base: Point = G) -> Point:
    found = multiple(k, base)
    assert found is not None
    return found


def negative(one: Point) -> Point:
    return one[0], -one[1] % P


def with_x(x: int, odd: int) -> Point | None:
    square = (x**3 + 7) % P
    root = pow(square, (P + 1) // 4, P)
    if root * root % P != square:
        return None
    return x, root if root % 2 == odd else P - root


def expected(signature: recovery.Signature) -> Point | None:
    """The key, from the definition."""
    z, r, s, v = signature.z, signature.r, signature.s, signature.v
    of_r = with_x(r + N * (v // 2), v % 2)
    inverse = pow(r, -1, N)
    return add(multiple(-z * inverse, G), multiple(s * inverse, of_r))


def signed(z: int, key: int, nonce: int) -> recovery.Signature:
    x, y = point(nonce)
    s = pow(nonce, -1, N) * (z + x * key) % N
    return recovery.Signature(z, x % N, s, y % 2 + 2 * (x >= N))


@dataclass(frozen=True)
class Claim:
    """The input of recover.c."""

    signature: recovery.Signature
    q: Point
    hints: recovery.Hints

    @property
    def input(self) -> bytes:
        return recovery.recovery_input(self.signature, self.q, self.hints)


def honest(signature: recovery.Signature) -> Claim:
    q, hints = recovery.recover(signature)
    return Claim(signature, (q[0], q[1]), hints)


class Unproved(recovery.Trace):
    """Hints that satisfy the checks of formulas, on the curve or not."""

    def double(self, point: Point) -> Point:
        x, y = point
        w = y * y
        found = (
            x * (w - 63) * pow(4 * w, -1, P) % P,
            ((w + 63) ** 2 - 5292) * pow(8 * w * y, -1, P) % P,
        )
        self.hints += found
        return found

    def add(self, one: Point, other: Point) -> Point:
        (x1, y1), (x2, y2) = one, other
        slope = (y1 - y2) * pow(x1 - x2, -1, P) % P
        n = slope * x1 - y1
        return self.forged(one, slope, (n * n - 7) * pow(x1 * x2, -1, P) % P)

    def forged(self, one: Point, slope: int, x: int) -> Point:
        """The result of an addition for any hints."""
        self.hints += [slope, x]
        return x, (slope * (one[0] - x) - one[1]) % P


Table = list[Point]


def table_with(trace: Unproved, base: Point, twice: Point, second: Point | None) -> Table:
    found = [base, second or trace.add(base, twice)]
    while len(found) < recovery.OWN_MULTIPLES:
        found.append(trace.add(found[-1], twice))
    return found


def line(one: Point, other: Point) -> int:
    return (one[1] - other[1]) * pow(one[0] - other[0], -1, P) % P


def negative_addend(trace: Unproved, base: Point) -> Table:
    """R - 2R in place of R + 2R: the slope belongs to another addend."""
    twice = trace.double(base)
    other = point(2, negative(base))
    return table_with(trace, base, twice, trace.forged(base, line(base, other), base[0]))


def first_x(trace: Unproved, base: Point) -> Table:
    """-R in place of 3R: it is on the line too."""
    twice = trace.double(base)
    return table_with(trace, base, twice, trace.forged(base, line(base, twice), base[0]))


def image_of_double(trace: Unproved, base: Point) -> Table:
    """The image of 2R in place of it has the same y."""
    x, y = point(2, base)
    trace.hints += [BETA * x % P, y]
    return table_with(trace, base, (BETA * x % P, y), None)


def negative_double(trace: Unproved, base: Point) -> Table:
    """-2R in place of 2R has the same x."""
    twice = negative(point(2, base))
    trace.hints += twice
    return table_with(trace, base, twice, None)


def number(entry: tuple[int, int]) -> int:
    """The coefficient that a digit adds."""
    position, operation = entry
    digit = 1 << position
    digit *= LAMBDA if operation & recovery.IMAGE else 1
    return -digit if operation & recovery.NEGATE else digit


def wrong_table(claim: Claim, forge: Callable[[Unproved, Point], Table]) -> Claim:
    """The Q for which the schedule ends well, with a table of R that is not R's."""
    signature = claim.signature
    a, b = signature.coefficients()
    of_r = with_x(signature.r, signature.v)
    assert of_r
    for vector in recovery.vectors(b, 2):
        found = recovery.coefficients(vector, a)
        entries = recovery.digits(found)
        last = Unproved()
        table = forge(last, of_r)
        known = {OF_R + i: entry for i, entry in enumerate(table)} | dict(enumerate(recovery.FIXED))
        total = None
        for entry in entries:
            of = entry[1] & ~(recovery.IMAGE | recovery.NEGATE)
            if of in known:
                x, y = known[of]
                total = add(total, multiple(number(entry), (x, y)))
        c_q = found["Q"][0] + found["Q"][1] * LAMBDA
        q = multiple(-pow(c_q, -1, N), total)
        assert q
        try:
            return told(signature, q, entries, c_q, forge)
        except (recovery.EqualPointsError, ValueError):
            continue
    raise AssertionError


def told(
    signature: recovery.Signature,
    q: Point,
    entries: list[tuple[int, int]],
    c_q: int,
    forge: Callable[[Unproved, Point], Table] = Unproved.odd_multiples,
    forged: int | None = None,
) -> Claim:
    """A claim by a schedule, in which the addition of a number forges P + P = -P."""
    of_r = signature.point() or (signature.r + N * (signature.v // 2), 0)
    return told_of(signature, q, (of_r[0], of_r[1]), entries, c_q, forge, forged)


def told_of(
    signature: recovery.Signature,
    q: Point,
    of_r: Point,
    entries: list[tuple[int, int]],
    c_q: int,
    forge: Callable[[Unproved, Point], Table] = Unproved.odd_multiples,
    forged: int | None = None,
) -> Claim:
    trace = Unproved()
    own = [*trace.odd_multiples(q), *forge(trace, of_r)]
    tables = dict(enumerate(recovery.FIXED)) | dict(enumerate(own, recovery.OWN))
    position, total = entries[0][0], recovery.operand(entries[0][1], tables)
    for place, (at, operation) in enumerate(entries[1:-1], 1):
        for _ in range(position - at):
            total = trace.double(total)
        position = at
        if place == forged:
            total = trace.forged(total, 0, total[0])
        else:
            total = trace.add(total, recovery.operand(operation, tables))
    for _ in range(position - entries[-1][0]):
        total = trace.double(total)
    inverse = pow(c_q, -1, N) if c_q % N else 0
    hints = recovery.Hints(of_r[1], inverse, recovery.schedule(entries), tuple(trace.hints))
    return Claim(signature, q, hints)


def another_key(claim: Claim) -> Claim:
    q = add(claim.q, G)
    assert q
    a, b = claim.signature.coefficients()
    vector = next(recovery.vectors(b, 2))
    found = recovery.coefficients(vector, a)
    c_q = found["Q"][0] + found["Q"][1] * LAMBDA
    return told(claim.signature, q, recovery.digits(found), c_q)


def nothing_of_q(claim: Claim) -> Claim:
    """G - G = 0, whatever Q is."""
    return told(claim.signature, G, [(0, OF_G), (0, OF_G | recovery.NEGATE)], 0)


def another(claim: Claim, **changed: int) -> Claim:
    """Another signature with the hints of the right one."""
    return replace(claim, signature=replace(claim.signature, **changed))


def equal_points(r: Point) -> Claim:
    """R + R = -R gives Q = R for c_R = 2, c_Q = 1."""
    signature = recovery.Signature(0, r[0], -2 * r[0] % N, r[1] % 2)
    return told(signature, r, [(0, OF_R), (0, OF_R), (0, OF_Q)], 1, forged=1)


def r_above_the_order(_: Claim) -> Claim:
    """An x between n and p is r as it is."""
    x = next(x for x in range(N + 1, P) if with_x(x, 0))
    right = recovery.Signature(7, x - N, 11, 2)
    return another(honest(right), r=x, v=0)


def s_above_the_order(claim: Claim) -> Claim:
    right = replace(claim.signature, s=12345)
    return another(honest(right), s=12345 + N)


def s_of_0(claim: Claim) -> Claim:
    return honest(replace(claim.signature, s=0))


def x_above_the_prime(_: Claim) -> Claim:
    """r + n is p + 1, and (1, y) is a point."""
    r = with_x(1, 0)
    assert r
    signature = recovery.Signature(5, P + 1 - N, 7, 2)
    return of_other_x(signature, r)


def x_beyond_the_words(_: Claim) -> Claim:
    """r + n is 2^256 + 1."""
    r = with_x(1, 0)
    assert r
    signature = recovery.Signature(5, 2**256 + 1 - N, 7, 2)
    return of_other_x(signature, r)


def of_other_x(signature: recovery.Signature, r: Point) -> Claim:
    """The input of an honest host, if R were this point."""
    a, b = signature.coefficients()
    q = add(multiple(a, G), multiple(b, r))
    assert q
    found = recovery.coefficients(next(recovery.vectors(b, 2)), a)
    c_q = found["Q"][0] + found["Q"][1] * LAMBDA
    return told_of(signature, q, r, recovery.digits(found), c_q)


def q_not_reduced(_: Claim) -> Claim:
    q = with_x(1, 0)
    assert q
    a, b = 3, 5
    r = multiple(pow(b, -1, N), add(q, multiple(-a, G)))
    assert r
    claim = honest(recovery.Signature(-a * r[0] % N, r[0], b * r[0] % N, r[1] % 2))
    assert claim.q == q
    return replace(claim, q=(1 + P, q[1]))


def off_the_curve() -> tuple[Point, Point]:
    """P off the curve and Q on it, such that formulas add them to the image of P.

    With k = (1 + beta)/(1 - beta), N is k y and the slope 2y/((1 - beta) x), so that Q = (A/x^2, …). Then the
    curve's equation for Q has degree 2 in 1/x^3. One of its roots has P on the curve.
    """
    unit = pow(1 - BETA, -1, P)
    k = (1 + BETA) * unit % P
    for y in range(2, 99):
        w = y * y
        a = (k * k * w - 7) * pow(BETA, -1, P) % P
        square = (4 * a * a * w * unit * unit - a**3) % P
        cube = square * pow((w * k * k - 7) * (w - 7), -1, P) % P
        x = pow(cube, (P + 2) // 9, P)
        if pow(x, 3, P) == cube and (x**3 + 7 - w) % P:
            x2 = a * pow(x, -2, P) % P
            return (x, y), (x2, y * (2 * unit * x2 * pow(x, -1, P) - k) % P)
    raise AssertionError


def r_off_the_curve(_: Claim) -> Claim:
    """(1 - lambda) R + Q = 0."""
    r, q = off_the_curve()
    signature = recovery.Signature(0, r[0], -r[0] * (1 - LAMBDA) % N, r[1] % 2)
    entries = [(0, OF_R), (0, OF_Q), (0, OF_R | recovery.IMAGE | recovery.NEGATE)]
    return told_of(signature, q, r, entries, 1)


def q_off_the_curve(_: Claim) -> Claim:
    """(1 - lambda) Q + R = 0."""
    q, r = off_the_curve()
    signature = recovery.Signature(0, r[0], -r[0] * pow(1 - LAMBDA, -1, N) % N, r[1] % 2)
    entries = [(0, OF_Q), (0, OF_R), (0, OF_Q | recovery.IMAGE | recovery.NEGATE)]
    return told_of(signature, q, r, entries, 1 - LAMBDA)


def rising_position(claim: Claim) -> Claim:
    """R is added once and counted 32 times, since nothing is doubled: R + R' - Q = 0 for R' = lambda R."""
    r = claim.signature.point()
    assert r
    q = add((r[0], r[1]), (BETA * r[0] % P, r[1]))
    assert q
    signature = recovery.Signature(0, r[0], r[0] * (1 + 32 * LAMBDA) % N, r[1] % 2)
    entries = [(0, OF_R), (5, OF_R | recovery.IMAGE), (0, OF_Q | recovery.NEGATE)]
    return told(signature, q, entries, -1)


Lie = tuple["Callable[[Claim], Claim]", str]
FORMULAS = {
    "slope*X2 - Y2 == N": negative_addend,
    "HX*X1*X2 == NN - ": first_x,
    "HX*U == X1*(YY - ": image_of_double,
    "HY*2*Y1*U == (YY + ": negative_double,
}
LIES: dict[str, Lie] = {
    "another key": (another_key, "NOT_IDENTITY"),
    "nothing of Q": (nothing_of_q, "NOT_INVERTIBLE"),
    "another s": (lambda claim: another(claim, s=claim.signature.s ^ 1), "WRONG_R"),
    "another z": (lambda claim: another(claim, z=claim.signature.z ^ 1), "WRONG_G"),
    "equal points": (lambda _: equal_points(point(random.Random(1).randrange(N))), "EQUAL_POINTS"),
    "v of 4 more": (lambda claim: another(claim, v=claim.signature.v + 4), "OUT_OF_RANGE"),
    "another v": (lambda claim: another(claim, v=claim.signature.v ^ 1), "BAD_ENCODING"),
    "r above the order": (r_above_the_order, "OUT_OF_RANGE"),
    "s above the order": (s_above_the_order, "OUT_OF_RANGE"),
    "s of 0": (s_of_0, "OUT_OF_RANGE"),
    "x above the prime": (x_above_the_prime, "BAD_POINT"),
    "x beyond the words": (x_beyond_the_words, "BAD_POINT"),
    "Q not reduced": (q_not_reduced, "BAD_POINT"),
    "R off the curve": (r_off_the_curve, "BAD_POINT"),
    "Q off the curve": (q_off_the_curve, "BAD_POINT"),
    "a rising position": (rising_position, "BAD_SCHEDULE"),
}
