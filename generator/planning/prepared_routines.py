"""Tables that callers prepare, for multiplications in constant time: their files and decisions of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.sum_routines import sum_of_forms
from efdgen.generator.routines.parser import library
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision

WIDTH = 4
"""Bits of a digit."""

PASSES = 2
"""Digits for each row, with doublings between passes over all rows."""


WIDTHS = 8, 5
"""Widths of non-adjacent forms in sums: of points with tables, and of others."""


def has_tables(plan: CurvePlan) -> bool:
    """Return whether entries of affine points are right for every point, and additions of them too."""
    return plan.roles.complete and not plan.representation.at_infinity


def normal_prefix(plan: CurvePlan) -> str:
    """Return the start of the names of files for entries with denominators 1."""
    return "normal" if plan.representation.affine else "scaled"


def row_count(plan: CurvePlan) -> int:
    """Return the number of rows for all scalars below the group's order."""
    return -(-(plan.order * plan.cofactor).bit_length() // (PASSES * WIDTH))


def row_entries() -> int:
    """Return the number of entries of a row, odd multiples."""
    return 1 << WIDTH - 1


def with_tables(plan: CurvePlan, text: Text, *alike: tuple[str, str]) -> Text:
    """Return routines and, if the curve has tables, their routines; some kinds of entries are alike."""
    if not has_tables(plan):
        return text
    block = "plain_combs" if plan.entry_kinds[-1].plain else f"{normal_prefix(plan)}_combs"
    for own in ("rows", "mixed_fixed"):
        text = text.beside(library("multiples", ("single", own)))
        text = text.beside(library(block, ("comb", own), *alike))
    text = text.beside(library("multiples", ("single", "mixed")))
    for part in ("tables", "prepared_sums"):
        text = text.beside(library(part, *alike))
    return text.beside(library("sums", ("single", "mixed"), *alike))


def prepared_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the decisions of the plan."""
    if not has_tables(plan):
        return {}
    count, (fixed_width, width) = row_count(plan), WIDTHS
    converted = bool(plan.entry_kinds[-1].entry.from_affine)
    return {
        **sum_of_forms("mixed", "n", width, "m", fixed_width),
        "mixed.safe": True,
        "mixed_fixed.entries": wnaf_entries(fixed_width),
        "mixed_fixed.half": wnaf_entries(fixed_width),
        "mixed_fixed.safe": True,
        "mixed_fixed.converted": converted,
        "multi_table.members": ("entries",),
        "table.members": ("entries",),
        "rows.count": count,
        "rows.width": WIDTH,
        "rows.step": PASSES * WIDTH,
        "rows.bits": PASSES * WIDTH * count,
        "rows.entries": row_entries(),
        "rows.half": row_entries(),
        "rows.safe": True,
        "rows.converted": converted,
        "rows.digits": f"{PASSES * count} signed odd digits of {WIDTH} bits",
        "rows.reason": f"{plan.claims['multiply_table']} {plan.reasons['multiply_table']}",
    }
