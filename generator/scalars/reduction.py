"""Reduction of scalars of fixed length by conditional subtractions alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reduction:
    """Integers of ``bytes`` bytes modulo ``modulus``, by subtracting modulus·2^s where that is possible."""

    modulus: int
    bytes: int

    @property
    def shifts(self) -> tuple[int, ...]:
        """Each s, the largest first; where the quotient is below 2^j, there are j of them."""
        quotient = ((1 << 8 * self.bytes) - 1) // self.modulus
        return tuple(reversed(range(quotient.bit_length())))

    def reduce(self, scalar: int) -> int:
        """Return the scalar modulo the modulus, as generated code computes it."""
        for shift in self.shifts:
            if scalar >= self.modulus << shift:
                scalar -= self.modulus << shift
        return scalar


def reduction(modulus: int) -> Reduction:
    """Return the reduction of scalars that have as many bytes as the modulus."""
    return Reduction(modulus, (modulus.bit_length() + 7) // 8)
