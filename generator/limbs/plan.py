"""How to compute in a prime field on a machine: a decision, and the reason for it in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.pseudo_mersenne import PseudoMersenneReduction
from efdgen.generator.limbs.shape import PseudoMersenne, Shape, shape_of

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

    Raises :class:`EfdgenError` for an even number, and for shapes that have no reduction yet.
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
        case _:
            raise EfdgenError(f"there is no reduction for a prime of this shape yet: {shape}")
