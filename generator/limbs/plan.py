"""How to compute in a prime field on a machine: a decision, and the reason for it in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.pseudo_mersenne import PseudoMersenneReduction
from efdgen.generator.limbs.shape import (
    General,
    Goldilocks,
    MontgomeryFriendly,
    PseudoMersenne,
    Shape,
    Solinas,
    shape_of,
)

if TYPE_CHECKING:
    from efdgen.generator.limbs.reduction import Reduction

Target = Literal["gcc", "clang", "rust", "portable"]


@dataclass(frozen=True)
class FieldPlan:
    """A prime, its shape, what an element is in words of ``word`` bits, and why."""

    prime: int
    word: int
    target: Target
    shape: Shape
    reduction: Reduction
    reason: str


def plan(prime: int, word: Literal[64, 32] = 64, target: Target = "clang") -> FieldPlan:
    """Choose representation and reduction for an odd prime.

    Raises :class:`EfdgenError` for an even number.
    """
    if prime < 3 or prime % 2 == 0:
        raise EfdgenError("the prime must be odd")
    shape = shape_of(prime, word)
    match shape:
        case PseudoMersenne(exponent, offset):
            reduction = PseudoMersenneReduction(exponent, offset, word)
            reason = (
                f"p = 2^{exponent} - {offset}: {reduction.limbs} full {word}-bit words, carries in chains;"
                f" what lies above 2^{word * reduction.limbs} is multiplied by {reduction.fold} and added"
            )
            return FieldPlan(prime, word, target, shape, reduction, reason)
        case MontgomeryFriendly(factor, exponent):
            products = sum(not is_cheap(part) for part in words(prime + 1, word))
            reason = (
                f"p = {factor:#x}·2^{exponent} - 1: Montgomery's reduction in full {word}-bit words;"
                f" its quotients are the words themselves, at {products} product{'s' * (products != 1)} each"
            )
        case Goldilocks() | Solinas() | General():
            reason = f"Montgomery's reduction in full {word}-bit words: no use is made of the shape of p"
        case _:
            assert_never(shape)
    return FieldPlan(prime, word, target, shape, MontgomeryReduction(prime, word), reason)


def words(value: int, word: int) -> list[int]:
    """Split a number into words, least significant first."""
    return [value >> at & (1 << word) - 1 for at in range(0, value.bit_length(), word)]


def is_cheap(part: int) -> bool:
    """Whether multiplying by a word takes no product: 0, or a power of two."""
    return part & part - 1 == 0
