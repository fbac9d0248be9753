"""The routines on scalars that a curve needs, as its plan stages them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.scalar_words import WORD, scalar_words, words_of
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module, Value

SCALARS = "scalars"
# What only sums of many multiples call, which allocate memory.
ALLOCATING = ("scalar_shifted_var",)


def scalar_roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the routines that multiplications call."""
    found = ["scalar_read", "scalar_reduce", "scalar_bits", "scalar_make_odd", "scalar_signs"]
    if plan.endomorphism:
        found += ["scalar_halves", "scalar_absolute", "signed_wnaf_var"]
    else:
        found.append("wnaf_var")
    if plan.variable.halves:
        found.append("scalar_odd_halves")
    if plan.coz:
        found += ["scalar_lengthened", "scalar_differs_by"]
    return (*found, *ALLOCATING)


def scalar_module(plan: CurvePlan) -> Module:
    """Return the routines on scalars, staged and checked."""
    words = scalar_words(plan)
    split = words.split
    staged: dict[str, int | str] = {"encoding.big": int(plan.encoding.byteorder == "big")}
    values: dict[str, Value] = {
        "SCALAR_BYTES": plan.reduction.bytes,
        "SCALAR_WORDS": words.count,
        "DIGITS": words.digits,
    }
    if split:
        skipped = split.shift // WORD
        staged |= {
            "split.shift": split.shift,
            "split.words": skipped,
            "split.kept": min(words.count, 2 * words.count - skipped),
            "split.reason": plan.reasons["split"],
        }

        def table(numbers: Iterable[int], times: int = 1) -> Value:
            return tuple(words_of(number, times * words.count) for number in numbers)

        values |= {
            "SPLIT_MULTIPLIERS": table(split.multipliers),
            "SPLIT_HALVES": table(split.roundings, 2),
            "SPLIT_BASIS": table(number for row in split.basis for number in row),
            "SPLIT_SHIFTS": table(number for row in split.shifts for number in row),
        }
    return module(library(SCALARS), staged, values, scalar_roots(plan))
