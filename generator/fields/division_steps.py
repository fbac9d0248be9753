"""Divsteps: the reduction of an odd modulus and a number below it, in a fixed number of steps.

A step takes (δ, f, g), f odd, to

    (1 - δ, g, (g - f)/2)              where δ > 0 and g is odd
    (1 + δ, f, (g + (g mod 2)·f)/2)    otherwise

and starts from δ = 1/2, f = p, g = a. The steps are Bernstein and Yang's [2019-bernstein-yang]; starting from
1/2 needs fewer of them [2021-wuille]. After enough of them g = 0 and f = ±gcd(p, a). Each is a matrix of
determinant 1/2 that depends on low bits alone, so that many are collected before one is applied:

    piece   up to ⌊w/3⌋ - 1 steps on one word for each row, which holds f and both entries of the matrix
    batch   three pieces; their matrices multiplied fill a word, and are applied to f, g and to d, e

where d·a ≡ f and e·a ≡ g modulo p, up to a known factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.fields.field import Representation

PIECES = 3


def sufficient_steps(bits: int) -> int:
    """Return a number of steps after which g = 0 for every 0 ≤ g ≤ f < 2^bits.

    It is the published line above the bounds that convex hulls give [2021-wuille];
    ``verify.fields.steps`` computes these bounds.
    """
    return (45907 * bits + 26313) // 19929


@dataclass(frozen=True)
class DivisionSteps:
    """The arrangement of the steps for an odd modulus and words of ``word`` bits.

    ``radix`` is Montgomery's, or 1; ``lookahead`` is how much longer a word must be because steps read more
    than the lowest bits of f and g. Numbers are signed: ``limbs`` limbs of ``limb_bits`` bits, all in
    [0, 2^limb_bits) but the highest, which carries the sign.
    """

    modulus: int
    word: int
    radix: int = 1
    lookahead: int = 0

    @classmethod
    def of(cls, representation: Representation, lookahead: int = 0) -> DivisionSteps:
        """Return the arrangement for a field's elements in a representation."""
        return cls(representation.prime, representation.word, representation.radix, lookahead)

    @property
    def limb_bits(self) -> int:
        """Bits of a limb: two below a word's, for a sign and for a sum of two products."""
        return self.word - 2

    @property
    def limbs(self) -> int:
        """Limbs that hold every number between -2p and 2p."""
        return -(-(self.modulus.bit_length() + 2) // self.limb_bits)

    @property
    def longest_piece(self) -> int:
        """The most steps of which a word holds f and a row of the matrix side by side."""
        return (self.word - 3 - self.lookahead) // 3

    @cached_property
    def batches(self) -> int:
        """The number of batches."""
        return -(-sufficient_steps(self.modulus.bit_length()) // (PIECES * self.longest_piece))

    @cached_property
    def steps(self) -> int:
        """Steps in a batch."""
        return -(-sufficient_steps(self.modulus.bit_length()) // self.batches)

    @property
    def pieces(self) -> tuple[int, ...]:
        """Steps in each piece of a batch."""
        return tuple((self.steps + index) // PIECES for index in range(PIECES))

    @property
    def inverse_of_modulus(self) -> int:
        """1/p modulo 2^limb_bits."""
        return pow(self.modulus, -1, 1 << self.limb_bits)

    @property
    def start(self) -> int:
        """The initial value of e, so that d ends as radix²/a: the words of 1/x, where a is those of x."""
        return self.radix**2 % self.modulus

    def split(self, value: int) -> tuple[int, ...]:
        """Return the limbs of a number."""
        mask = (1 << self.limb_bits) - 1
        low = [value >> self.limb_bits * index & mask for index in range(self.limbs - 1)]
        return (*low, value >> self.limb_bits * (self.limbs - 1))

    def balanced_modulus(self) -> tuple[int, ...]:
        """Return limbs of p between -2^(limb_bits-1) and 2^(limb_bits-1): more of them are 0 or small."""
        half, rest, limbs = 1 << self.limb_bits - 1, self.modulus, []
        for _ in range(self.limbs - 1):
            limbs.append((rest + half) % (2 * half) - half)
            rest = (rest - limbs[-1]) >> self.limb_bits
        return (*limbs, rest)
