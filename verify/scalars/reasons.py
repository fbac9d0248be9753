"""Reasons why the operations of a plan are correct for every scalar and point: proved, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.planning.prover import PlanProver
from efdgen.verify.children import ask

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.plan import CurvePlan, FixedComb, FixedWindow

    _Proved: TypeAlias = tuple[FixedWindow, FixedComb, dict[str, str], dict[str, str]]


def require_safe(plan: CurvePlan, database: Database) -> CurvePlan:
    """Return a plan with the reasons that were proved, and with the numbers of additions that they allow.

    Raises :class:`EfdgenError` for a plan that is wrong.

    There are reasons for ``buckets``, ``one_z`` of tables over one Z, ``half`` of tests at half length,
    ``split`` with an endomorphism, and for each multiplication that is proved: ``multiply``,
    ``multiply_generator`` and ``double_multiply_generators``, also with the ending ``_var``. There are claims
    about the latter.
    """
    variable, generator, reasons, claims = ask(_proved, plan, database)
    return replace(plan, variable=variable, generator=generator, reasons=reasons, claims=claims)


class SafePlans(PlanProver):
    """Proofs of plans alone; nothing is proved of their formulas."""

    def reasons(self, plan: CurvePlan, database: Database) -> CurvePlan:
        """Return a plan with the reasons that were proved; raise as :func:`require_safe`."""
        return require_safe(plan, database)


def _proved(plan: CurvePlan, database: Database) -> _Proved:
    """Return windows, combs, reasons and claims that are proved; Sage is imported only here, in a child."""
    from efdgen.verify.routines.curve import fitted, multiplication_reasons, split_reason
    from efdgen.verify.scalars.buckets import bucket_reason
    from efdgen.verify.scalars.lattice import half_reason
    from efdgen.verify.scalars.tables import table_reason

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
