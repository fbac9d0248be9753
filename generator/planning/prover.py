"""The proofs that plans of whole curves ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.kernels.prover import Prover

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan


class PlanProver(Prover):
    """A prover of formulas and plans, which knows nothing; subclasses prove, or raise where they cannot."""

    def reasons(self, plan: CurvePlan, database: Database) -> CurvePlan:
        """Return a plan with the reasons why it meets no exceptional input."""
        return plan

    def ladder(self, plan: LadderPlan) -> LadderPlan:
        """Return a plan of a Montgomery curve with claims about its multiplications."""
        return plan
