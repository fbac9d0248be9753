"""A prime field as emitted code computes in it: one prime, and a plan for each way of building it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.plan import Target, plan

if TYPE_CHECKING:
    from efdgen.generator.limbs.plan import FieldPlan

MAX_BITS = 640


@dataclass(frozen=True)
class Representation:
    """What an element is in one build: little-endian words, and a plan that says how they are computed with.

    An element x is kept as any number at most ``tight`` that is x·radix modulo p. ``name`` is what a build
    chooses it by: the number of bits of a word.
    """

    name: str
    plan: FieldPlan

    @property
    def word(self) -> Literal[64, 32]:
        """Bits of a word."""
        return 64 if self.plan.word == 64 else 32

    @property
    def limbs(self) -> int:
        """Words of an element."""
        return self.plan.reduction.limbs

    @property
    def radix(self) -> int:
        """1, or Montgomery's R."""
        return self.plan.reduction.radix

    @property
    def tight(self) -> int:
        """The largest number that an element is kept as."""
        return self.plan.reduction.tight

    def words(self, value: int) -> tuple[int, ...]:
        """Split a non-negative integer of ``limbs`` words, least significant first."""
        return tuple(value >> self.word * index & (1 << self.word) - 1 for index in range(self.limbs))

    def element(self, value: int) -> tuple[int, ...]:
        """Return the words by which an integer modulo p is kept."""
        return self.words(value * self.radix % self.plan.prime)


@dataclass(frozen=True)
class Field:
    """GF(p) for an odd prime p of 2 to 640 bits, planned for one compiler or for any (``target``)."""

    prime: int
    target: Target = "portable"

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

    @cached_property
    def representations(self) -> tuple[Representation, ...]:
        """The builds that one source tree has, the fastest first."""
        words: tuple[Literal[64, 32], ...] = (64, 32)
        return tuple(Representation(str(word), plan(self.prime, word, self.target)) for word in words)

    def representation(self, name: str) -> Representation:
        """Return the representation of that name."""
        return next(found for found in self.representations if found.name == name)
