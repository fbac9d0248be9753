"""Digits of scalars: signed odd digits of fixed windows; counts of digits of non-adjacent forms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class OddWindows:
    """Odd integers in [1, bound] as ``count`` signed odd digits of ``width`` bits, the lowest first.

    k = Σ dᵢ·2^(width·i) with dᵢ odd and |dᵢ| < 2^width: no digit is 0, and the top one is positive. With D =
    (k - 1)/2 + 2^(L - 1), L = width·count, the digits are 2·v - (2^width - 1) for the windows v of D, because
    2·D - (2^L - 1) = k. (Joye and Tunstall, Africacrypt 2009.)
    """

    width: int
    bound: int

    @property
    def count(self) -> int:
        """The number of digits, so that ``bound`` is below 2^(width·count)."""
        return -(-self.bound.bit_length() // self.width)

    @property
    def bits(self) -> int:
        """L, the bits of all windows."""
        return self.width * self.count

    @property
    def entries(self) -> int:
        """The number of odd multiples 1, 3, …, 2^width - 1 that the digits ask of a table."""
        return 1 << (self.width - 1)

    def digits(self, scalar: int) -> list[int]:
        """Return the digits of an odd scalar in [1, bound]; raise ValueError for any other."""
        if scalar % 2 == 0 or not 0 < scalar <= self.bound:
            raise ValueError(f"{scalar} is not odd and in [1, {self.bound}]")
        shifted, mask = (scalar >> 1) + (1 << (self.bits - 1)), (1 << self.width) - 1
        return [2 * (shifted >> (self.width * i) & mask) - mask for i in range(self.count)]

    def prefixes(self, remaining: int) -> tuple[int, int]:
        """Return the least and the most that the digits above the lowest ``remaining`` ones can be together.

        The prefix a satisfies k = a·2^r + t with |t| <= 2^r - 1 for r = width·remaining, and it is odd.
        """
        shift = self.width * remaining
        rest = (1 << shift) - 1
        most = (self.bound + rest) >> shift
        return 1, most - (most % 2 == 0)


def wnaf_density(width: int) -> Fraction:
    """Return the share of digits that are not 0 on average [2000-solinas]."""
    return Fraction(1, width + 1)


def wnaf_entries(width: int) -> int:
    """Return the number of odd multiples 1, 3, …, 2^(width - 1) - 1 that the digits ask of a table."""
    return 1 << max(width - 2, 0)
