"""Primes, quadratic residues and square roots modulo a prime."""

from __future__ import annotations

from functools import cache
from itertools import count

from flint import fmpz


@cache
def is_prime(value: int) -> bool:
    """Return whether an integer is prime; FLINT proves it, by the test of Adleman, Pomerance and Rumely."""
    return value > 1 and bool(fmpz(value).is_prime())


def next_prime(value: int) -> int:
    """Return the least prime above an integer."""
    return next(found for found in count(value + 1) if fmpz(found).is_probable_prime() and is_prime(found))


def prime_factors(number: int) -> list[tuple[int, int]]:
    """Return the primes that divide an integer, ascending, with their exponents; none for 0."""
    found = fmpz(abs(number)).factor() if number else ()
    return sorted((int(prime), int(power)) for prime, power in found)


def inverse(value: int, prime: int) -> int:
    """Return 1/value mod p; raise ZeroDivisionError for zero."""
    number = fmpz(value % prime)
    if number.gcd(prime) != 1:  # FLINT would abort
        raise ZeroDivisionError
    return int(pow(number, -1, prime))


def power(value: int, exponent: int, prime: int) -> int:
    """Return value^exponent mod p, for an exponent of 0 or more."""
    return int(pow(fmpz(value), exponent, prime))


def is_square(value: int, prime: int) -> bool:
    """Return whether a value is a square modulo an odd prime, by Legendre's symbol; 0 is."""
    return int(fmpz(value).jacobi(prime)) >= 0


def square_root(value: int, prime: int) -> int | None:
    """Return the smaller square root of a value modulo an odd prime, None if there is none.

    Tonelli and Shanks: with p - 1 = 2^s·q and q odd, a root of value^q·value is value^((q+1)/2), and
    value^q lies in the group of order 2^s, where one bit after the other is taken off.
    """
    value %= prime
    if not is_square(value, prime):
        return None
    if value == 0:
        return 0
    twos = ((prime - 1) & -(prime - 1)).bit_length() - 1
    odd = (prime - 1) >> twos
    root = power(value, (odd + 1) // 2, prime)
    if twos > 1:
        generator, rest = _generator(prime, odd), power(value, odd, prime)
        for bit in range(1, twos):
            # rest has order dividing 2^(twos - bit); where it is exactly that, generator^2 halves it.
            if power(rest, 1 << (twos - bit - 1), prime) != 1:
                root = root * generator % prime
                rest = rest * generator * generator % prime
            generator = generator * generator % prime
    return min(root, prime - root)


@cache
def _generator(prime: int, odd: int) -> int:
    """Return a generator of the group whose order is the power of two in p - 1."""
    return pow(next(z for z in range(2, prime) if not is_square(z, prime)), odd, prime)
