"""Signed combs: multiples of a fixed point with few doublings, by a table of sums of its 2^i-multiples.

Every bit i of D = (k - 1)/2 + 2^(L - 1) is taken for +1 or -1, and Σ ±2^i = 2·D - (2^L - 1) = k for odd k <
2^L. Bit (block·teeth + tooth)·spacing + s belongs to a tooth of a block, in pass s. [1994-lim-lee]
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Comb:
    """``blocks`` tables of 2^(teeth - 1) entries; L = blocks·teeth·spacing bits in ``spacing`` passes."""

    blocks: int
    teeth: int
    spacing: int

    @property
    def bits(self) -> int:
        """L, at least the bits of the order."""
        return self.blocks * self.teeth * self.spacing

    @property
    def entries(self) -> int:
        """Entries of all tables."""
        return self.blocks << (self.teeth - 1)

    @property
    def doublings(self) -> int:
        """Doublings of a multiplication."""
        return self.spacing - 1

    @property
    def additions(self) -> int:
        """Additions of a multiplication; the first entry is copied."""
        return self.blocks * self.spacing - 1

    def exponents(self, block: int, s: int = 0) -> tuple[int, ...]:
        """Return the positions of a block's bits in a pass."""
        return tuple((block * self.teeth + tooth) * self.spacing + s for tooth in range(self.teeth))

    def multiples(self, block: int) -> list[int]:
        """Return what a block's entries are multiples of; bit t of an entry's number is the sign at tooth t.

        The top tooth is positive; where it is not, the entry of the other bits, inverted, is negated.
        """
        powers = [1 << exponent for exponent in self.exponents(block)]
        return [
            powers[-1] + sum(power if entry >> t & 1 else -power for t, power in enumerate(powers[:-1]))
            for entry in range(1 << (self.teeth - 1))
        ]

    def steps(self, scalar: int) -> list[list[tuple[int, int, int]]]:
        """Return for each pass, the highest first, each (block, entry, sign); k is odd and below 2^L."""
        if scalar % 2 == 0 or not 0 < scalar < 1 << self.bits:
            raise ValueError(f"{scalar} is not odd and in [1, 2^{self.bits})")
        shifted = (scalar >> 1) + (1 << (self.bits - 1))
        passes = []
        for s in reversed(range(self.spacing)):
            added = []
            for block in range(self.blocks):
                bits = [shifted >> exponent & 1 for exponent in self.exponents(block, s)]
                sign = 2 * bits[-1] - 1
                entry = sum((bit ^ (1 - bits[-1])) << t for t, bit in enumerate(bits[:-1]))
                added.append((block, entry, sign))
            passes.append(added)
        return passes


def combs(bits: int, most_entries: int) -> list[Comb]:
    """Return the combs for ``bits`` bits with at most ``most_entries`` entries, the leanest of each shape."""
    found = []
    for teeth in range(1, 9):
        for blocks in range(1, bits // teeth + 2):
            spacing = -(-bits // (blocks * teeth))
            # Fewer blocks with the same spacing are enough: this many only add entries.
            if blocks > 1 and -(-bits // ((blocks - 1) * teeth)) == spacing:
                continue
            comb = Comb(blocks, teeth, spacing)
            if comb.entries <= most_entries:
                found.append(comb)
    return found
