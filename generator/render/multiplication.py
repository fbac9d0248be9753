"""Template values of whole curves in every language: windows, tables and combs; messages in points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.exported import embedding_of
from efdgen.generator.planning.prepared_routines import (
    PASSES,
    WIDTH,
    WIDTHS,
    has_tables,
    row_count,
    row_entries,
)
from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.planning.table_routines import tables, way_of
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan


def require_additions(plan: CurvePlan) -> None:
    """Raise :class:`EfdgenError` for a coordinate system in which not all points can be added."""
    if not (plan.roles.complete or plan.representation.infinite or shared_numerator(plan)):
        system = plan.representation.system
        raise EfdgenError(f"no addition of {system} is complete on {plan.curve.name}; choose other --coords")


def multiplication_values(plan: CurvePlan, paragraph: Callable[[str], object]) -> dict[str, Any]:
    """Return the names of the templates that no language changes; ``paragraph`` writes a reason."""
    digits, variable, roles = plan.variable.digits, plan.variable, plan.roles
    return {
        "chained": roles.chain_double != roles.chain_last,
        "chains_sums": plan.chains_sums,
        "window": {
            "count": digits.count,
            "width": digits.width,
            "entries": digits.entries,
            "negate_even": variable.negate_even,
            "halves": variable.halves,
            "complete": variable.complete_steps,
            "table": variable.table,
            "apart": variable.apart,
            "small_bits": plan.cofactor.bit_length() - 1,
            "reason": paragraph(plan.reasons["multiply"]),
        },
        "cofactor_doublings": _doublings(plan.cofactor),
        "comb": _comb(plan, paragraph),
        "embedding": embedding_of(plan),
        "multi": plan.multi,
        "many": way_of(plan, "many"),
        "many_multiples": tables(plan)["many"].function(way_of(plan, "many"), "multiples"),
        "half": plan.half,
        "prepared": _prepared(plan),
        "entries": wnaf_entries,
        "halves": plan.scalar_parts,
        "made": plan.tables,
        "shares_z": plan.shares_z,
        "single_table": plan.single.table,
        "double_table": plan.double.table,
        "width": plan.single.width,
        "double_width": plan.double.width,
        "fixed_width": plan.double.fixed_width,
    }


def _doublings(factor: int) -> int | None:
    """Return the number of doublings that multiply by a factor, None where doublings alone do not."""
    return factor.bit_length() - 1 if factor.bit_count() == 1 else None


def _prepared(plan: CurvePlan) -> dict[str, int] | None:
    """Return the numbers of tables that callers prepare, None of a curve without."""
    if not has_tables(plan):
        return None
    return {
        "count": row_count(plan),
        "half": row_entries(),
        "step": PASSES * WIDTH,
        "multiples": wnaf_entries(WIDTHS[0]),
    }


def _comb(plan: CurvePlan, paragraph: Callable[[str], object]) -> dict[str, Any]:
    comb = plan.generator.comb
    return {
        "blocks": comb.blocks,
        "teeth": comb.teeth,
        "spacing": comb.spacing,
        "bits": comb.bits,
        "half": 1 << (comb.teeth - 1),
        "reason": paragraph(plan.reasons["multiply_generator"]),
    }
