"""Scalars in 32-bit words: how many a curve needs, and the constants that reduce and split them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.scalars.reduction import Reduction

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.scalars.endomorphism import Split

WORD = 32


@dataclass(frozen=True)
class SplitNumbers:
    """The constants that split a scalar, for integers of this many words; negative ones modulo 2^(32·words).

    c_i = (k·g_i + h_i) >> ``shift`` for the ``multipliers`` g and the ``roundings`` h, which have twice as
    many words; (k, 0) + Σ c_i·v_i are the halves for the rows v of ``basis``. A row of ``shifts`` makes them
    odd, that at 2·(k1 mod 2) + (k2 mod 2).
    """

    shift: int
    multipliers: tuple[int, int]
    roundings: tuple[int, int]
    basis: tuple[tuple[int, int], ...]
    shifts: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ScalarWords:
    """Scalars in generated code: ``count`` words, one more than any number needs, which is 0.

    ``group`` and ``order`` are multiples of the group's and the generator's order, each half of the one
    before, whose subtractions reduce every scalar; ``digits`` are those of a non-adjacent form.
    ``radix_squared`` is 2^(64·n) modulo that order for n ``radix_words``, those of a scalar's bytes.
    """

    count: int
    digits: int
    group: tuple[int, ...]
    order: tuple[int, ...]
    radix_words: int
    radix_squared: int
    split: SplitNumbers | None


def scalar_words(plan: CurvePlan) -> ScalarWords:
    """Return how a plan's scalars are kept."""
    modulus, size = plan.reduction.modulus, plan.reduction.bytes
    split = plan.endomorphism.split if plan.endomorphism else None
    digits = (max(split.bounds()) if split else modulus).bit_length() + 1
    bits = [8 * size, plan.variable.digits.bits, plan.generator.comb.bits, digits]
    bits += [abs(g).bit_length() for g in split.multipliers] if split else []
    # The lowest bit of the top window of buckets.
    bits += [width * ((plan.scalar_bits + 1) // width) + 1 for _, width in plan.multi.windows]
    count = -(-max(bits) // WORD) + 1
    group, order = _multiples(plan.reduction), _multiples(Reduction(plan.order, size))
    numbers = _split_numbers(split, count) if split else None
    radix_words = -(-8 * size // WORD)
    radix_squared = pow(2, 2 * WORD * radix_words, plan.order)
    return ScalarWords(count, digits, group, order, radix_words, radix_squared, numbers)


def words_of(number: int, count: int) -> tuple[int, ...]:
    """Return an integer modulo 2^(32·count), the least significant word first."""
    return tuple(number >> WORD * i & ((1 << WORD) - 1) for i in range(count))


def _multiples(reduction: Reduction) -> tuple[int, ...]:
    return tuple(reduction.modulus << shift for shift in reduction.shifts) or (reduction.modulus,)


def _split_numbers(split: Split, count: int) -> SplitNumbers:
    signs = [-1 if g < 0 else 1 for g in split.multipliers]
    # A negative number is rounded as its absolute value, ties the other way.
    roundings = [(1 << (split.shift - 1)) - (sign < 0) for sign in signs]
    whole = 1 << WORD * count
    basis = [(-s * u % whole, -s * v % whole) for s, (u, v) in zip(signs, split.basis, strict=True)]
    return SplitNumbers(
        split.shift,
        (abs(split.multipliers[0]), abs(split.multipliers[1])),
        (roundings[0], roundings[1]),
        tuple(basis),
        tuple((u % whole, v % whole) for u, v in split.shifts),
    )
