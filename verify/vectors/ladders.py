"""Scalar multiplication by co-Z ladders over emitted kernels, called by name, on plain numbers.

The first doubling or tripling scales its points by a z that the caller may draw at random. A kernel recovers
implicit coordinates, and says whether it could.

A ladder is right for the scalars in [1, n) that it is for, n the prime order of the point; :func:`multiple`
serves the others by them. Ladders: Goundar, Joye, Miyaji, Rivain, Venelli, J. Cryptographic Engineering 2011.
They model how the kernels are used and are not constant time: they start at the scalar's top bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Call: TypeAlias = "Callable[[str, tuple[int, ...]], tuple[int, ...]]"
"""A function's name and all coordinates of its inputs, to all coordinates of its outputs, in order."""

_TAKES_C = {"coz_double_and_add", "coz_double_and_add_xy", "coz_double_add_update_xy"}


@dataclass(frozen=True)
class Pair:
    """Two points (X, Y) of one Z, None where it is implicit, and C = (X1 - X2)^2 where a step gave it."""

    first: tuple[int, int]
    second: tuple[int, int]
    z: int | None
    c: int | None = None

    def ordered(self, keep: int) -> Pair:
        """Return the pair as it is for 1, exchanged for 0."""
        return self if keep else replace(self, first=self.second, second=self.first)


@dataclass(frozen=True)
class Kernels:
    """The co-Z kernels of a curve over GF(p), with Z or, where it is implicit, in (X, Y) alone.

    ``z``, not 0, scales the first points; ``x_call`` calls the kernels in X and Z, and ``a`` is the curve's.
    """

    call: Call
    prime: int
    implicit: bool = False
    z: int | None = None
    x_call: Call | None = None
    a: int = 0

    def start(self, name: str, point: tuple[int, int]) -> Pair:
        """Return m·P and P for an affine P: m is 2 for ``double_update``, 3 for ``triple_update``."""
        scaled, numbers = ("", point) if self.z is None else ("_given_z", (*point, self.z))
        return self._pair(f"{name}{scaled}{'_xy' * self.implicit}_normalized", numbers)

    def step(self, name: str, pair: Pair) -> Pair:
        """Return the two points that the kernel of this name makes of two."""
        name += "_xy" * self.implicit
        z = () if pair.z is None else (pair.z,)
        c = () if name not in _TAKES_C else (self._c(pair),)
        return self._pair(name, (*pair.first, *z, *pair.second, *c))

    def negated_second(self, pair: Pair) -> Pair:
        """Return P and -Q for P and Q; C stays what it is."""
        x, y = pair.second
        return replace(pair, second=(x, -y % self.prime))

    def affine(self, point: tuple[int, int], z: int | None) -> tuple[int, int]:
        """Return (X/Z^2, Y/Z^3); the inverse of 0 is 0, as in emitted code."""
        if z is None:
            raise ValueError("an implicit Z has to be recovered first")
        inverse = pow(z, -1, self.prime) if z else 0
        return point[0] * inverse**2 % self.prime, point[1] * inverse**3 % self.prime

    def recovered(self, pair: Pair, second: tuple[int, int]) -> Pair:
        """Return a pair whose Z is implicit with its Z, given the affine coordinates of the second point.

        Raises :class:`EfdgenError` where one of them is 0.
        """
        numbers = (*pair.second, *pair.first, *second)
        *values, recovered = self.call("coz_recover_z_affine", numbers)
        x2, y2, z, x1, y1 = values
        if not recovered:
            raise EfdgenError("Z cannot be recovered from a point with x = 0 or y = 0; take a ladder with Z")
        return Pair((x1, y1), (x2, y2), z)

    def _pair(self, name: str, numbers: tuple[int, ...]) -> Pair:
        x, y, *rest = self.call(name, numbers)
        z = None if self.implicit else rest.pop(0)
        return Pair((x, y), (rest[0], rest[1]), z, rest[2] if rest[2:] else None)

    def _c(self, pair: Pair) -> int:
        return (pair.first[0] - pair.second[0]) ** 2 % self.prime if pair.c is None else pair.c


@dataclass(frozen=True)
class Ladder:
    """A ladder: what it does with a scalar and a point, whether Z is implicit, and if scalars must be odd."""

    run: Callable[[Kernels, int, tuple[int, int]], tuple[int, int]]
    implicit: bool = False
    odd: bool = False


def multiple(
    ladder: Ladder, kernels: Kernels, order: int, scalar: int, point: tuple[int, int]
) -> tuple[int, int]:
    """Return scalar·point by a ladder, for an affine point of a known prime order n of 5 or more.

    P and -P are given back as they are; where scalars must be odd, an even k is served by -(n - k).
    Raises :class:`EfdgenError` for scalars outside [1, n), and where Z or y cannot be recovered.
    """
    if not 0 < scalar < order:
        raise EfdgenError(f"the scalar {scalar} is not in [1, {order}); reduce it modulo the order first")
    negative = scalar == order - 1 or (ladder.odd and scalar % 2 == 0)
    used = order - scalar if negative else scalar
    x, y = point if used == 1 else ladder.run(replace(kernels, implicit=ladder.implicit), used, point)
    return x, -y % kernels.prime if negative else y


def montgomery(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder with ZACAU: R0 = k·P for the bits k that were seen, R1 = R0 + P. Not n - 1."""
    pair = kernels.start("double_update", point)  # R1, R0
    for bit in _bits(scalar)[1:]:
        pair = kernels.step("coz_double_and_add", pair.ordered(bit)).ordered(bit)
    return kernels.affine(pair.second, pair.z)


def conjugate_montgomery(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder with ZADDC, then ZADDU. Not n - 1."""
    pair = kernels.start("double_update", point)
    for bit in _bits(scalar)[1:]:
        pair = _conjugate_step(kernels, pair.ordered(bit)).ordered(bit)
    return kernels.affine(pair.second, pair.z)


def montgomery_xy(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder with ZACAU' and recovery of Z. Not 1, n - 1."""
    pair = kernels.start("double_update", point)
    for bit in _bits(scalar)[1:-1]:
        pair = kernels.step("coz_double_and_add", pair.ordered(bit)).ordered(bit)
    return _last_bit(kernels, scalar, pair, point)


def conjugate_montgomery_xy(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder with ZADDC', then ZADDU', and recovery of Z. Not 1, n - 1."""
    pair = kernels.start("double_update", point)
    for bit in _bits(scalar)[1:-1]:
        pair = _conjugate_step(kernels, pair.ordered(bit)).ordered(bit)
    return _last_bit(kernels, scalar, pair, point)


def joye(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Joye's double-add ladder from the right, with ZDAU: R0 + R1 = 2^i·P after i bits. Odd scalars.

    There is no form in (X, Y) alone: at the end no multiple of P is known from which Z could be recovered.
    """
    first, *rest = _bits(scalar)[-2::-1] or [0]
    pair = kernels.start("triple_update", point).ordered(first)  # R0, R1
    for bit in rest:
        pair = kernels.step("coz_double_add_update", pair.ordered(bit)).ordered(bit)
    return kernels.affine(pair.first, pair.z)


def signed_digit(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Digits 1 and -1 from the left, with ZDAU: R0 = 2·R0 ± P. Odd scalars, not 1."""
    pair, _ = _signed_digits(kernels, scalar, point)
    return kernels.affine(pair.first, pair.z)


def signed_digit_xy(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Digits 1 and -1 from the left, with ZDAU', and recovery of Z from ±P. Odd scalars, not 1."""
    pair, sign = _signed_digits(kernels, scalar, point)
    pair = kernels.recovered(pair, (point[0], sign * point[1] % kernels.prime))
    return kernels.affine(pair.first, pair.z)


def x_only(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder in X and Z, with recovery of y at its end. Not n - 1."""
    call = _x_call(kernels)
    x1, z, x0 = _x_start(kernels, point[0])  # R1 = 2P and R0 = P
    for bit in _bits(scalar)[1:]:
        doubled, other = (x1, x0) if bit else (x0, x1)
        doubled, z, other = call("coz_ladder_step_mixed", (point[0], doubled, z, other))
        x1, x0 = (doubled, other) if bit else (other, doubled)
    return _recovered_y(kernels, point, (x0, z, x1))


def x_only_carried(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Montgomery's ladder in X alone that carries xZ, aZ^2, 4bZ^3; Z is xZ/x. Not n - 1, and not x = 0."""
    call, prime, (x, y) = _x_call(kernels), kernels.prime, point
    x1, z, x0 = _x_start(kernels, x)
    carried = (x * z % prime, kernels.a * z**2 % prime, 4 * (y**2 - x**3 - kernels.a * x) * z**3 % prime)
    for bit in _bits(scalar)[1:]:
        doubled, other = (x1, x0) if bit else (x0, x1)
        doubled, other, *carried_on = call("coz_ladder_step_carried", (doubled, other, *carried))
        carried = (carried_on[0], carried_on[1], carried_on[2])
        x1, x0 = (doubled, other) if bit else (other, doubled)
    if x == 0:
        raise EfdgenError("Z cannot be had from a point with x = 0; take the ladder in X and Z")
    return _recovered_y(kernels, point, (x0, carried[0] * pow(x, -1, prime) % prime, x1))


def _x_call(kernels: Kernels) -> Call:
    if kernels.x_call is None:
        raise ValueError("these kernels are not those in X and Z")
    return kernels.x_call


def _x_start(kernels: Kernels, x: int) -> tuple[int, int, int]:
    """Return X of 2P, the common Z, and X of P."""
    scaled, numbers = ("", (x,)) if kernels.z is None else ("_given_z", (x, kernels.z))
    x1, z, x0 = _x_call(kernels)(f"double_update{scaled}_normalized", numbers)
    return x1, z, x0


def _recovered_y(kernels: Kernels, point: tuple[int, int], pair: tuple[int, int, int]) -> tuple[int, int]:
    """Return R0 from X, Z of R0 and X of R1 = R0 + P; raise :class:`EfdgenError` for a P with y = 0."""
    x, y, z, recovered = _x_call(kernels)("coz_recover_y_affine_to_projective", (*point, *pair))
    if not recovered:
        raise EfdgenError("y cannot be recovered from a point with y = 0")
    inverse = pow(z, -1, kernels.prime)
    return x * inverse % kernels.prime, y * inverse % kernels.prime


def _conjugate_step(kernels: Kernels, pair: Pair) -> Pair:
    """Return 2·P and P + Q for P and Q: (P + Q) + (P - Q), and P + Q updated."""
    return kernels.step("coz_add_update", kernels.step("coz_add_conjugate", pair))


def _last_bit(kernels: Kernels, scalar: int, pair: Pair, point: tuple[int, int]) -> tuple[int, int]:
    """Return R0 after the last bit; between its two additions, P or -P is there with the Z of the sum."""
    bit = scalar & 1
    conjugate = kernels.step("coz_add_conjugate", pair.ordered(bit))
    known = point[0], (point[1] if bit else -point[1]) % kernels.prime
    pair = replace(kernels, implicit=False).step("coz_add_update", kernels.recovered(conjugate, known))
    return kernels.affine(pair.ordered(bit).second, pair.z)


def _signed_digits(kernels: Kernels, scalar: int, point: tuple[int, int]) -> tuple[Pair, int]:
    """Return scalar·P and P or -P, and which: 1 or -1. The digit of bit i is 1 where bit i + 1 is set."""
    pair, sign = kernels.start("triple_update", point), 1
    for bit in _bits(scalar)[1:-1]:
        if sign != 2 * bit - 1:
            pair, sign = kernels.negated_second(pair), -sign
        pair = kernels.step("coz_double_add_update", pair)
    return pair, sign


def _bits(scalar: int) -> list[int]:
    return [int(bit) for bit in f"{scalar:b}"]


LADDERS: Mapping[str, Ladder] = {
    "montgomery": Ladder(montgomery),
    "montgomery-xy": Ladder(montgomery_xy, implicit=True),
    "conjugate-montgomery": Ladder(conjugate_montgomery),
    "conjugate-montgomery-xy": Ladder(conjugate_montgomery_xy, implicit=True),
    "joye": Ladder(joye, odd=True),
    "signed-digit": Ladder(signed_digit, odd=True),
    "signed-digit-xy": Ladder(signed_digit_xy, implicit=True, odd=True),
    "x-only": Ladder(x_only),
    "x-only-carried": Ladder(x_only_carried),
}
