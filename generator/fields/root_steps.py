"""How square roots modulo a prime are found."""

from __future__ import annotations

from dataclasses import dataclass

from efdgen.generator.fields.chains import Chain, addition_chain
from efdgen.generator.mathematics.primes import is_square


@dataclass(frozen=True)
class RootSteps:
    """How roots modulo a prime are found: a power along a chain, then turns with a root of unity.

    p - 1 = 2^``adicity``·q, q odd; ``unity`` is of order 2^adicity.
    """

    prime: int
    adicity: int
    chain: Chain
    unity: int

    @classmethod
    def of(cls, prime: int) -> RootSteps:
        """Return how roots are found for an odd prime."""
        adicity = two_adicity(prime)
        # The power p - 1 does for the power 0, and makes 0 of 0.
        chain = addition_chain(((prime - 1 >> adicity) - 1) // 2 or prime - 1)
        return cls(prime, adicity, chain, root_of_unity(prime))

    @property
    def turns(self) -> range:
        """In each turn, how often b is squared to see whether it needs a factor."""
        return range(self.adicity - 2, -1, -1)


def two_adicity(prime: int) -> int:
    """Return the largest s for which 2^s divides p - 1."""
    return ((prime - 1) & -(prime - 1)).bit_length() - 1


def root_of_unity(prime: int) -> int:
    """Return an element of order 2^s: the power q of the least number that is no square."""
    nonsquare = next(number for number in range(2, prime) if not is_square(number, prime))
    return pow(nonsquare, prime - 1 >> two_adicity(prime), prime)
