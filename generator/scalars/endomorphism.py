"""Endomorphisms that cost one multiplication, and the halves of scalars by them.

On y² = x³ + b with p = 1 mod 3 the map (x, y) -> (β·x, y) is multiplication by λ, where β³ = 1 and λ² + λ + 1
= 0 mod n. The lattice of all (u, v) with u + v·λ = 0 mod n has a basis of vectors about √n long; what is left
of (k, 0) beside its nearest lattice point is (k1, k2) with k = k1 + k2·λ mod n.
[2001-gallant-lambert-vanstone]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from efdgen.generator.mathematics.primes import square_root

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.curves.affine import Point

Vector = tuple[int, int]


@dataclass(frozen=True)
class Endomorphism:
    """(x, y) -> (beta·x, y), which is multiplication by ``eigenvalue`` modulo the order."""

    beta: int
    eigenvalue: int
    split: Split


@dataclass(frozen=True)
class Split:
    """The split of scalars in [0, order): a reduced basis, and multipliers that replace divisions.

    c_i = (k·g_i + 2^(shift - 1)) >> shift is k·b_i'/order, rounded; (k1, k2) = (k, 0) - c1·v1 - c2·v2.
    """

    order: int
    eigenvalue: int
    basis: tuple[Vector, Vector]
    multipliers: tuple[int, int]
    shift: int

    def halves(self, scalar: int) -> Vector:
        """Return (k1, k2) with k = k1 + k2·λ mod n, as generated code computes them."""
        (a1, b1), (a2, b2) = self.basis
        c1, c2 = ((scalar * g + (1 << (self.shift - 1))) >> self.shift for g in self.multipliers)
        return scalar - c1 * a1 - c2 * a2, -c1 * b1 - c2 * b2

    def odd_halves(self, scalar: int) -> Vector:
        """Return odd (k1, k2) with k = k1 + k2·λ mod n: what :meth:`halves` gives, and a lattice vector."""
        k1, k2 = self.halves(scalar)
        u, v = self.shifts[2 * (k1 & 1) + (k2 & 1)]
        return k1 + u, k2 + v

    @property
    def shifts(self) -> tuple[Vector, ...]:
        """The shortest lattice vectors that make halves odd: at 2·(k1 mod 2) + (k2 mod 2).

        There is one for each parity, because the determinant of the basis is n and odd.
        """
        (a1, b1), (a2, b2) = self.basis
        signs = (-1, 0, 1)
        sums = [(c * a1 + d * a2, c * b1 + d * b2) for c in signs for d in signs]
        parities = [(u, v) for u in (1, 0) for v in (1, 0)]
        return tuple(
            min((s for s in sums if (s[0] % 2, s[1] % 2) == parity), key=lambda s: (max(map(abs, s)), s))
            for parity in parities
        )

    def odd_bounds(self) -> Vector:
        """Return bounds of |k1| and |k2| for odd halves of every scalar in [0, order)."""
        k1, k2 = self.bounds()
        return k1 + max(abs(u) for u, _ in self.shifts), k2 + max(abs(v) for _, v in self.shifts)

    def bounds(self) -> Vector:
        """Return bounds of |k1| and |k2| for every scalar in [0, order), by exact arithmetic.

        c_i differs from the quotient by 1/2 at most for rounding, and by order·|g_i/2^shift - exact| for the
        multiplier; k1 and k2 are these differences times the basis.
        """
        (a1, b1), (a2, b2) = self.basis
        errors = [
            Fraction(1, 2) + self.order * abs(Fraction(g, 1 << self.shift) - exact)
            for g, exact in zip(self.multipliers, self.exact_multipliers(), strict=True)
        ]
        k1 = errors[0] * abs(a1) + errors[1] * abs(a2)
        k2 = errors[0] * abs(b1) + errors[1] * abs(b2)
        return int(k1), int(k2)

    @property
    def shortest(self) -> int:
        """The square of the length of the lattice's shortest vector that is not 0, the first of the basis."""
        return _norm(self.basis[0])

    def exact_multipliers(self) -> tuple[Fraction, Fraction]:
        """Return what the multipliers approximate: (1, 0) in the basis is (b2, -b1)/determinant."""
        (a1, b1), (a2, b2) = self.basis
        determinant = a1 * b2 - a2 * b1
        return Fraction(b2, determinant), Fraction(-b1, determinant)


def reduced_basis(order: int, eigenvalue: int) -> tuple[Vector, Vector]:
    """Return a shortest basis of the lattice of (u, v) with u + v·λ = 0 mod n, by Lagrange's reduction."""
    first, second = (order, 0), (-eigenvalue % order, 1)
    while True:
        if _norm(first) > _norm(second):
            first, second = second, first
        step = round(Fraction(first[0] * second[0] + first[1] * second[1], _norm(first)))
        if step == 0:
            return first, second
        second = (second[0] - step * first[0], second[1] - step * first[1])


def split(order: int, eigenvalue: int) -> Split:
    """Return how to split scalars; the multipliers are good to 2^-(bits + 2) of a unit."""
    basis = reduced_basis(order, eigenvalue)
    shift = 64 * -(-(order.bit_length() * 3 // 2 + 2) // 64)
    draft = Split(order, eigenvalue, basis, (0, 0), shift)
    g1, g2 = (round(exact * (1 << shift)) for exact in draft.exact_multipliers())
    return Split(order, eigenvalue, basis, (g1, g2), shift)


def find_endomorphism(
    prime: int, order: int, generator: Point, multiple: Callable[[int, Point], Point]
) -> Endomorphism | None:
    """Return the endomorphism of a curve y² = x³ + b of prime order, None where p or n has no cube root of 1.

    The smaller of the two β is taken, and the one of the two λ with λ·G = (β·x, y); ``multiple`` is
    scalar multiplication by the affine law.
    """
    betas, eigenvalues = _cube_roots_of_one(prime), _cube_roots_of_one(order)
    if not betas or not eigenvalues:
        return None
    beta, (x, y) = min(betas), generator
    for eigenvalue in eigenvalues:
        if multiple(eigenvalue, generator) == (beta * x % prime, y):
            return Endomorphism(beta, eigenvalue, split(order, eigenvalue))
    return None


def _cube_roots_of_one(prime: int) -> list[int]:
    """Return the roots of z² + z + 1 modulo a prime above 3."""
    root = square_root(-3 % prime, prime)
    if root is None or gcd(6, prime) != 1:
        return []
    half = (prime + 1) // 2
    return sorted((sign * root - 1) * half % prime for sign in (1, -1))


def _norm(vector: Vector) -> int:
    return vector[0] ** 2 + vector[1] ** 2
