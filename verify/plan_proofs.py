"""Reasons why the operations of a plan are correct for every scalar and point: proved, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.planning.prover import PlanProver
from efdgen.verify.children import ask

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.routines.plans import Proved


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

    def ladder(self, plan: LadderPlan) -> LadderPlan:
        """Return a plan of a Montgomery curve with the claims that were proved; raise where one is wrong."""
        return replace(plan, claims=ask(_ladder_claims, plan))


def _proved(plan: CurvePlan, database: Database) -> Proved:
    """Return windows, combs, reasons and claims that are proved, in a child: what is imported takes long."""
    from efdgen.verify.routines.plans import proved_plan

    return proved_plan(plan, database)


def _ladder_claims(plan: LadderPlan) -> dict[str, str]:
    from efdgen.verify.routines.plans import ladder_claims

    return ladder_claims(plan)
