"""Orders of points."""

from __future__ import annotations

from efdgen.generator.errors import EfdgenError
from efdgen.generator.mathematics.primes import is_prime

_MOST = 1 << 20


def least_order(order: int, cofactor: int) -> int:
    """Return the least order that a point but the neutral one can have: the least prime divisor of h·n.

    Raises :class:`EfdgenError` where n is not prime, or h too large to find its divisors.
    """
    if not is_prime(order):
        raise EfdgenError("the order is not prime")
    for divisor in range(2, min(cofactor, _MOST) + 1):
        if cofactor % divisor == 0:
            return min(divisor, order)
    if cofactor > _MOST:
        raise EfdgenError(f"the cofactor has no divisor up to {_MOST}")
    return order
