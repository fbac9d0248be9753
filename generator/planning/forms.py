"""The non-adjacent forms of a plan: their widths, and the integers that their digits are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.prepared_routines import WIDTHS, has_tables

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan

_BYTE = 8


def form_widths(plan: CurvePlan) -> list[int]:
    """Return the widths of the forms of a plan."""
    found = [plan.single.width, plan.double.width, plan.double.fixed_width, plan.multi.straus_width]
    if plan.half:
        found += [plan.half.width, plan.half.fixed_width]
    return found + [*WIDTHS] * has_tables(plan)


def narrow_digits(plan: CurvePlan) -> bool:
    """Return whether the digits of all forms, which are below 2^(width - 1), fit a byte."""
    return max(form_widths(plan)) <= _BYTE
