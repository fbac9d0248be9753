"""Methods for square roots modulo a prime."""

from __future__ import annotations

from dataclasses import dataclass

from efdgen.generator.fields.chains import Chain, addition_chain
from efdgen.generator.mathematics.primes import is_square


@dataclass(frozen=True)
class Turn:
    """A bit of an exponent is found: b^(2^``left``) is of order 2^``order`` at most, and halfway -1 or 1."""

    left: int
    order: int


@dataclass(frozen=True)
class RootSteps:
    """Steps of a root modulo a prime: a power along a chain, then iterations with powers of a root of unity.

    p - 1 = 2^``adicity``·q, q odd; ``unity`` is of order 2^adicity. Turns come in windows: in each, b is
    raised once to a power of a smaller order, and its bits are found there [2001-bernstein-roots]. For s > 1
    a turn before them tells whether x is a square; where it is none, x/unity is, and the turns are for that.

    For s = 1, x^((p+1)/4) is a root itself: ``direct`` is its chain, where that is shorter than the other one
    and a multiplication.
    """

    prime: int
    adicity: int
    chain: Chain
    unity: int
    window: int
    direct: Chain | None = None

    @classmethod
    def of(cls, prime: int) -> RootSteps:
        """Return how roots are found for an odd prime."""
        adicity = two_adicity(prime)
        # The power p - 1 does for the power 0, and makes 0 of 0.
        chain = addition_chain(((prime - 1 >> adicity) - 1) // 2 or prime - 1)
        direct = addition_chain((prime + 1) // 4) if adicity == 1 else None
        if direct is not None and direct.weight >= chain.weight + 1:
            direct = None
        unity, windows = root_of_unity(prime), range(adicity - 1, 0, -1) or (0,)
        found = (cls(prime, adicity, chain, unity, window, direct) for window in windows)
        return min(found, key=lambda steps: steps.squarings + steps.multiplications)

    @property
    def bits(self) -> int:
        """The number of bits found: one per iteration."""
        return self.adicity - 1

    @property
    def turns(self) -> list[Turn]:
        """The turns in order; the first window may be narrower than the others."""
        found: list[Turn] = []
        while rest := self.bits - len(found):
            count = rest % self.window or self.window
            found += [Turn(rest - count, order) for order in range(count, 0, -1)]
        return found

    @property
    def squarings(self) -> int:
        """Squarings of the chain, of b, to tell its bits, and to make powers of the root of unity."""
        tests = sum(turn.order - 1 for turn in self.turns)
        windows = sum({turn.left for turn in self.turns})
        return self.chain.squarings + tests + windows + (2 * self.bits + 1 if self.bits else 0)

    @property
    def multiplications(self) -> int:
        """Multiplications of the chain, of y and b, and of the power of b where windows make another."""
        turns = self.bits * (2 if self.window == self.bits else 3) + 3 if self.bits else 0
        return self.chain.multiplications + turns


def two_adicity(prime: int) -> int:
    """Return the largest s for which 2^s divides p - 1."""
    return ((prime - 1) & -(prime - 1)).bit_length() - 1


def root_of_unity(prime: int) -> int:
    """Return an element of order 2^s: the power q of the least number that is no square."""
    nonsquare = next(number for number in range(2, prime) if not is_square(number, prime))
    return pow(nonsquare, prime - 1 >> two_adicity(prime), prime)
