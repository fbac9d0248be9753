"""Buckets: the signed digits of their windows represent every scalar, or every half, in its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.scalar_words import WORD, scalar_words

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan


def bucket_reason(plan: CurvePlan, half_bound: int | None) -> str:
    """Return why sums by buckets are right; raise :class:`EfdgenError` where they are not.

    ``half_bound`` bounds the halves of scalars, if they are halved.
    """
    greatest = plan.order * plan.cofactor - 1 if half_bound is None else half_bound
    words = scalar_words(plan).count
    for _, width in plan.multi.windows:
        require_windows(greatest, plan.scalar_bits, width, words)
    return (
        "A number of fewer bits than all windows, negative ones too, with half of every window added, has "
        "windows that are its digits plus that half. Every addition is right for every input."
    )


def require_windows(greatest: int, bits: int, width: int, words: int) -> None:
    """Raise :class:`EfdgenError` where windows for some bits do not hold the greatest number.

    Then they hold its negative, because halves are at least half of what windows hold.
    """
    windows = (bits + 1) // width + 1
    halves = sum(1 << (width * i + width - 1) for i in range(windows))
    if greatest + halves >= 1 << width * windows:
        raise EfdgenError(f"{windows} windows of {width} bits do not hold {greatest.bit_length()} bits")
    if (width * (windows - 1)) // WORD + 1 >= words:
        raise EfdgenError(f"{words} words do not hold {windows} windows of {width} bits")
