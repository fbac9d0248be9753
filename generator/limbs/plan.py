"""Plans for arithmetic in a prime field on a machine: a decision, and its reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.clearing import cheapest_step
from efdgen.generator.limbs.looped import LoopedMontgomery
from efdgen.generator.limbs.montgomery import MontgomeryReduction
from efdgen.generator.limbs.pseudo_mersenne import PseudoMersenneReduction
from efdgen.generator.limbs.shape import Goldilocks, PseudoMersenne, Shape, shape_of, shape_text
from efdgen.generator.limbs.unsaturated import UnsaturatedReduction
from efdgen.generator.mathematics.prime import PrimeField

if TYPE_CHECKING:
    from efdgen.generator.limbs.binary import BinaryPlan
    from efdgen.generator.limbs.reduction import PrimeReduction
    from efdgen.generator.options import RepresentationKind, Target


def usual_target(language: str) -> Target:
    """Return what code in a language is written for where nobody says it."""
    return "rust" if language == "rust" else "portable"


LOOPED = frozenset({32})
"""The sizes of words for which products are printed as loops where code is to be small."""

# With this many words, gcc keeps too few in registers, and saves carries between chains.
_LEAST_LIMBS_FOR_GCC = 8


@dataclass(frozen=True)
class FieldPlan:
    """A prime, its shape, what an element is in words of ``word`` bits, and why.

    ``representation`` is whether limbs are full words or have room above them.
    """

    prime: int
    word: int
    target: Target
    shape: Shape
    reduction: PrimeReduction
    reason: str
    representation: RepresentationKind = "saturated"

    @property
    def ground(self) -> PrimeField:
        """The field."""
        return PrimeField(self.prime)

    @property
    def in_rows(self) -> bool:
        """Return whether products take up words as they are made, and not in chains of carries afterwards."""
        return self.word == 32

    @property
    def has_columns(self) -> bool:
        """Return whether programs have sums of products in double words."""
        return self.representation == "unsaturated" or self.in_rows


AnyPlan: TypeAlias = "FieldPlan | BinaryPlan"
"""A plan of a prime field, or of one of characteristic 2."""


def representations(
    prime: int, word: Literal[64, 32] = 64, target: Target = "clang"
) -> tuple[RepresentationKind, ...]:
    """Return the kinds of limbs that an odd prime has plans for, what :func:`plan` chooses first."""
    limbs = _limbs_with_room(shape_of(prime, word), word)
    if limbs is None:
        return ("saturated",)
    return ("unsaturated", "saturated") if _prefers_limbs(limbs, target) else ("saturated", "unsaturated")


def plan(
    prime: int,
    word: Literal[64, 32] = 64,
    target: Target = "clang",
    representation: RepresentationKind | None = None,
) -> FieldPlan:
    """Choose representation and reduction for an odd prime; ``representation`` overrides the choice.

    Raises :class:`EfdgenError` for an even number, or a representation that the prime has not.
    """
    if prime < 3 or prime % 2 == 0:
        raise EfdgenError("the prime must be odd")
    offered = representations(prime, word, target)
    if representation is not None and representation not in offered:
        raise EfdgenError(
            f"this prime has no {representation} representation in {word}-bit words;"
            f" choose {' or '.join(offered)}"
        )
    shape = shape_of(prime, word)
    limbs = _limbs_with_room(shape, word)
    if limbs is not None and (representation or offered[0]) == "unsaturated":
        reason = _limbs_reason(limbs, shape)
        if offered[0] == "unsaturated":
            reason += "; gcc finds no registers for chains of carries through so many full words"
        return FieldPlan(prime, word, target, shape, limbs, reason, "unsaturated")
    if isinstance(shape, PseudoMersenne):
        folding = PseudoMersenneReduction(shape.exponent, shape.offset, word)
        if folding.exists:
            return FieldPlan(prime, word, target, shape, folding, _folding_reason(folding))
    reduction = MontgomeryReduction(prime, word)
    reason = _montgomery_reason(shape, reduction)
    if isinstance(shape, PseudoMersenne):
        reason += f"; a fold by {shape.offset} would need more room than {reduction.limbs} words have"
    return FieldPlan(prime, word, target, shape, reduction, reason)


def looped_plan(prime: int, word: Literal[64, 32], target: Target) -> FieldPlan:
    """Return the plan with the least code for an odd prime, in words of a size in ``LOOPED``."""
    shape = shape_of(prime, word)
    reduction = LoopedMontgomery(prime, word)
    count = reduction.limbs
    reason = f"{shape_text(shape)}: Montgomery's reduction in {count} full {word}-bit words, in loops"
    return FieldPlan(prime, word, target, shape, reduction, reason)


def _limbs_with_room(shape: Shape, word: int) -> UnsaturatedReduction | None:
    """Return the fewest limbs that a prime of some shape has room for in words; None if there is none.

    They have as nearly as can be the same number of bits, and all the same where columns do not wrap at once.
    """
    match shape:
        case PseudoMersenne(exponent, offset):
            folds: tuple[tuple[int, int], ...] = ((0, offset),)
        case Goldilocks(half):
            exponent, folds = 2 * half, ()
        case _:
            return None
    least = -(-exponent // (word - 2))
    for count in range(least, least + least // 4 + 2):
        ends = [-(-exponent * at // count) for at in range(count + 1)]
        balanced = tuple(high - low for low, high in pairwise(ends))
        for widths in (balanced, (balanced[0],) * count):
            if isinstance(shape, Goldilocks):
                if exponent % count or count % 2:
                    continue
                folds = (0, 1), (count // 2, 1)
            found = UnsaturatedReduction(exponent, folds, widths, word)
            if found.exists:
                return found
    return None


def _prefers_limbs(limbs: UnsaturatedReduction, target: Target) -> bool:
    """Return whether limbs with room are the faster ones, as measured; portable code is for clang as well."""
    return target == "gcc" and limbs.word == 64 and limbs.limbs >= _LEAST_LIMBS_FOR_GCC


def _limbs_reason(limbs: UnsaturatedReduction, shape: Shape) -> str:
    least, most = min(limbs.widths), max(limbs.widths)
    bits = f"{most}" if least == most else f"{least} or {most}"
    above = " + ".join(str(factor << limbs.positions[index]) for index, factor in limbs.wrap)
    if limbs.splits:
        above = f"2^{limbs.positions[limbs.limbs // 2]} + 1, which is Karatsuba's middle term,"
    return (
        f"{shape_text(shape)}: {limbs.limbs} limbs of {bits} bits in {limbs.word}-bit words, added without"
        f" carries; what lies above 2^{limbs.end} is multiplied by {above} and added"
    )


def _folding_reason(reduction: PseudoMersenneReduction) -> str:
    full = f"{reduction.limbs} full {reduction.word}-bit word"
    full += "s, carries in chains" if reduction.limbs > 1 else ""
    above = (
        f"what lies above 2^{reduction.word * reduction.limbs} is multiplied by {reduction.fold} and added"
    )
    return f"p = 2^{reduction.exponent} - {reduction.offset}: {full}; {above}"


def _montgomery_reason(shape: Shape, reduction: MontgomeryReduction) -> str:
    step = cheapest_step(reduction.prime, reduction.word, reduction.limbs)
    count = step.products(reduction.word)
    products = f"{count or 'no'} product{'s' * (count != 1)}"
    quotient = "the words themselves" if step.inverse is None else "one more product"
    return (
        f"{shape_text(shape)}: Montgomery's reduction in full {reduction.word}-bit words, {products} for each"
        f" word that is cleared; the quotients are {quotient}"
    )
