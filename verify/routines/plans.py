"""Proofs of whole plans: reasons and claims about all that a curve's multiplications are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.planning.ladder_routines import ladder_module
from efdgen.verify.routines.curve import fitted, multiplication_reasons, split_reason
from efdgen.verify.routines.ladder import prove_ladder
from efdgen.verify.scalars.buckets import bucket_reason
from efdgen.verify.scalars.lattice import half_reason
from efdgen.verify.scalars.tables import table_reason

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan, FixedComb, FixedWindow

    Proved: TypeAlias = tuple[FixedWindow, FixedComb, dict[str, str], dict[str, str]]


def proved_plan(plan: CurvePlan, database: Database) -> Proved:
    """Return windows, combs, reasons and claims that are proved."""
    plan, own = fitted(plan)
    reasons, claims = multiplication_reasons(plan, own)
    reasons |= {
        "buckets": bucket_reason(plan, own.half_bound),
        "one_z": table_reason(plan, database),
    }
    if plan.half is not None:
        reasons["half"] = half_reason(plan)
    if plan.endomorphism is not None:
        reasons["split"] = split_reason(plan, database, own)
    return plan.variable, plan.generator, reasons, claims


def ladder_claims(plan: LadderPlan) -> dict[str, str]:
    """Return claims about the multiplications of a Montgomery curve."""
    return prove_ladder(plan, ladder_module(plan))
