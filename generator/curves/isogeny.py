"""Isogenies between curves y^2 = x^3 + a*x + b over GF(p), by Vélu's formulas [1971-velu]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Isogeny:
    """A map (x, y) to (n(x)/h(x)^2, y*m(x)/h(x)^3), of odd degree; polynomials have the constant first.

    It is Vélu's map, whose differential is that of the image, over the degree.
    """

    kernel: tuple[int, ...]
    above: tuple[int, ...]
    slope: tuple[int, ...]
    a: int
    b: int


def isogeny(prime: int, a: int, b: int, kernel: Sequence[int]) -> Isogeny:
    """Return the isogeny from a curve with a monic kernel polynomial, and the parameters of its image.

    Raises :class:`EfdgenError` where the polynomial is of no kernel.
    """
    ring = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(prime))
    x, h = ring([0, 1]), ring([value % prime for value in kernel])
    count, right = h.degree(), x**3 + a * x + b
    if count < 1 or h[count] != 1 or h.gcd(h.derivative()).degree() or (4 * a**3 + 27 * b**2) % prime == 0:
        raise EfdgenError("a kernel polynomial is monic and squarefree, on a curve that is not singular")
    # The sum of f(r)/(x - r) over the roots r of h is (f*h' mod h)/h; that of f(r) is its coefficient at 1/x.
    first, second = ((f * h.derivative()) % h for f in (right.derivative() * 2, right * 4))
    above = x * h * h + first * h - second.derivative() * h + second * h.derivative()
    slope = above.derivative() * h - 2 * above * h.derivative()
    moved = (x * first) % h
    t, w = int(first[count - 1]), int(second[count - 1]) + int(moved[count - 1])
    degree = 2 * count + 1
    scale = pow(degree, -1, prime)
    found = Isogeny(
        tuple(map(int, h.coeffs())),
        _coefficients(above * pow(scale, 2, prime)),
        _coefficients(slope * pow(scale, 3, prime)),
        (a - 5 * t) * pow(scale, 4, prime) % prime,
        (b - 7 * w) * pow(scale, 6, prime) % prime,
    )
    # The image satisfies its equation as polynomials in x, and only a kernel has such an image.
    n, m = ring(list(found.above)), ring(list(found.slope))
    if right * m**2 != n**3 + found.a * n * h**4 + found.b * h**6:
        raise EfdgenError("the polynomial is not that of a kernel")
    return found


def _coefficients(polynomial: Any) -> tuple[int, ...]:  # noqa: ANN401 - FLINT's polynomials carry no types
    return tuple(map(int, polynomial.coeffs()))
