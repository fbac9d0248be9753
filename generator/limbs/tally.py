"""The number of word operations of a function: ``20 products and 44 sums of 64-bit words``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.limbs.spelling import LimbFunction


def tally_text(function: LimbFunction) -> str:
    """Return what a function costs, without what nothing reads; a column sums two words for each product.

    Products are also those of which one word is kept; sums are also differences, with carries or without.
    It is empty for a function that only moves words.
    """
    found: Counter[str] = Counter()
    for instruction in function.program.instructions:
        if function.needed.isdisjoint(instruction.results):
            continue
        found.update(instruction.operation.tally())
    kinds = [kind for kind in ("product", "carry-less product", "sum", "other operation") if found[kind]]
    parts = [f"{found[kind]} {kind}{'s' * (found[kind] > 1)}" for kind in kinds]
    if not parts:
        return ""
    *most, last = parts
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{listed} of {function.program.word}-bit words"
