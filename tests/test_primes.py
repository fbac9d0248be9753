"""Primality, square roots and polynomial roots, against sieves and exhaustive search."""

import random
from fractions import Fraction

import pytest

from efdgen.generator.mathematics.polynomial import RationalFunctions
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import is_prime, is_square, prime_factors, square_root

SMALL_PRIMES = [p for p in range(3, 200) if all(p % d for d in range(2, p))]

# 2-adicity of p - 1: 1, 2, 1 with p = 3 mod 4, 32, 96.
LARGE_PRIMES = [
    2**256 - 2**32 - 977,
    2**255 - 19,
    2**521 - 1,
    0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    2**224 - 2**96 + 1,
]


def test_primality_against_a_sieve() -> None:
    limit = 20_000
    sieve = bytearray([1]) * limit
    sieve[0] = sieve[1] = 0
    for n in range(2, 142):
        sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    assert [is_prime(n) for n in range(limit)] == [bool(flag) for flag in sieve]


@pytest.mark.parametrize(
    "pseudoprime",
    [
        561,  # Carmichael
        3215031751,  # strong pseudoprime to the bases 2, 3, 5, 7
        3825123056546413051,  # to the first nine primes
        318665857834031151167461,  # to the first twelve
        5459,  # strong Lucas
        5777,  # strong Lucas
    ],
)
def test_pseudoprimes_are_composite(pseudoprime: int) -> None:
    assert not is_prime(pseudoprime)


@pytest.mark.parametrize("exponent", [521, 607, 1279])
def test_mersenne_primes_are_prime(exponent: int) -> None:
    assert is_prime(2**exponent - 1)
    assert not is_prime(2 ** (exponent + 2) - 1)
    assert not is_prime(-(2**exponent - 1))


def test_primes_of_an_integer() -> None:
    assert prime_factors(-360) == [(2, 3), (3, 2), (5, 1)]
    assert prime_factors(1) == prime_factors(0) == []
    assert prime_factors((2**61 - 1) * (2**31 - 1)) == [(2**31 - 1, 1), (2**61 - 1, 1)]


@pytest.mark.parametrize("prime", SMALL_PRIMES)
def test_square_roots_of_everything_modulo_small_primes(prime: int) -> None:
    roots: dict[int, int] = {}
    for value in range(prime):
        roots.setdefault(value * value % prime, value)
    for value in range(prime):
        assert square_root(value, prime) == roots.get(value)
        assert is_square(value, prime) == (value in roots)


@pytest.mark.parametrize("prime", LARGE_PRIMES)
def test_square_roots_modulo_large_primes(prime: int, rng: random.Random) -> None:
    for _ in range(4):
        root = rng.randrange(1, prime)
        assert square_root(root * root, prime) == min(root, prime - root)
    non_residue = next(z for z in range(2, 100) if pow(z, (prime - 1) // 2, prime) != 1)
    assert square_root(non_residue * root * root, prime) is None


@pytest.mark.parametrize("prime", [3, 5, 7, 13, 31, 61])
def test_roots_of_polynomials_against_exhaustive_search(prime: int, rng: random.Random) -> None:
    functions = RationalFunctions(PrimeField(prime))
    for _ in range(150):
        polynomial = [rng.randrange(prime) for _ in range(rng.randrange(1, 10))]
        found = [x for x in range(prime) if sum(c * x**i for i, c in enumerate(polynomial)) % prime == 0]
        assert functions.zeros(functions.polynomial(polynomial)) == (found if any(polynomial) else None)


@pytest.mark.parametrize("prime", LARGE_PRIMES)
def test_roots_of_products_with_known_roots(prime: int, rng: random.Random) -> None:
    functions = RationalFunctions(PrimeField(prime))
    for degree in (1, 2, 3, 6):
        roots = [rng.randrange(prime) for _ in range(degree)]
        product = functions.element(rng.randrange(1, prime))
        for root in (*roots, roots[0]):  # one root twice
            product = functions.mul(product, functions.polynomial((-root, 1)))
        non_residue = next(z for z in range(2, 100) if not is_square(z, prime))
        product = functions.mul(product, functions.polynomial((-non_residue, 0, 1)))  # has no root
        assert functions.zeros(product) == sorted(roots)


def test_constants_have_no_roots_and_zero_has_too_many() -> None:
    functions = RationalFunctions(PrimeField(7))
    assert functions.zeros(functions.element(3)) == []
    assert functions.zeros(functions.element(0)) is None


def test_rational_functions_are_evaluated_where_they_are_defined(rng: random.Random) -> None:
    prime = 10007
    field = RationalFunctions(PrimeField(prime))
    t, third = field.unknown, field.constant(Fraction(1, 3))
    # (t + 1/3)/(t - 2) - t·(t - 2), by hand in integers at random places.
    shifted = field.sub(t, field.element(2))
    function = field.sub(field.mul(field.add(t, third), field.inv(shifted)), field.mul(t, shifted))
    for _ in range(20):
        at = rng.randrange(3, prime)
        expected = ((at + pow(3, -1, prime)) * pow(at - 2, -1, prime) - at * (at - 2)) % prime
        assert field.value(function, at) == expected
    assert field.value(function, 2) is None
    assert field.value(field.mul(shifted, field.inv(shifted)), 2) == 1
    with pytest.raises(ZeroDivisionError):
        field.constant(Fraction(1, prime))
    with pytest.raises(ZeroDivisionError):
        field.inv(field.element(0))
