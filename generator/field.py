"""A prime field as the generated code computes in it: Montgomery form over 64-bit or 32-bit words.

A value x is kept as x·R mod p in [0, p), R = 2^(64·limbs). A 32-bit build has twice as many limbs of half
the size and the same R, so that one set of constants serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from efdgen.generator.errors import EfdgenError

MAX_BITS = 640


@dataclass(frozen=True)
class MontgomeryField:
    """GF(p) for an odd prime p of 2 to 640 bits, and the constants that Montgomery arithmetic needs."""

    prime: int

    def __post_init__(self) -> None:
        if self.prime % 2 == 0 or not 2 <= self.prime.bit_length() <= MAX_BITS:
            raise EfdgenError(f"the prime must be odd and have 2 to {MAX_BITS} bits")

    @property
    def bits(self) -> int:
        """Bits of p."""
        return self.prime.bit_length()

    @property
    def bytes(self) -> int:
        """Bytes of a canonical encoding."""
        return (self.bits + 7) // 8

    @property
    def limbs(self) -> int:
        """64-bit words of a value."""
        return (self.bits + 63) // 64

    @property
    def radix(self) -> int:
        """R = 2^(64·limbs)."""
        return 1 << 64 * self.limbs

    @cached_property
    def negated_inverse(self) -> int:
        """-1/p mod 2^64; its low half is -1/p mod 2^32."""
        return -pow(self.prime, -1, 1 << 64) % (1 << 64)

    def montgomery(self, value: int) -> int:
        """Return value·R mod p."""
        return value * self.radix % self.prime

    def words(self, value: int) -> tuple[int, ...]:
        """Split a non-negative integer below R into 64-bit words, least significant first."""
        return tuple(value >> 64 * index & (1 << 64) - 1 for index in range(self.limbs))
