"""The proofs that functions for hosts ask for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from efdgen.generator.planning.prover import PlanProver

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.curves.exceptional import Exceptions
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.hosts.forms import Forms
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.operation import Operation
    from efdgen.generator.hosts.select import Choice, Limits
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.programs.program import Program


class HostProver(PlanProver, ABC):
    """A prover of formulas, plans and functions for hosts, which knows nothing but bounds."""

    @abstractmethod
    def bounds(self, forms: Forms, limits: Limits, host: Host) -> Choice:
        """Return calls of a host that meet all bounds, at the least cost."""

    def require_operation(self, operation: Operation, program: Program) -> None:
        """Raise :class:`EfdgenError` for a program that is not an operation."""


class Deferred(PlanProver):
    """A prover that proves no program, because a host's calls replace it; otherwise another prover."""

    def __init__(self, prover: PlanProver) -> None:
        self._prover = prover

    def exceptions(self, formula: Formula, curve: Curve) -> Exceptions | None:
        """Return the other prover's answer."""
        return self._prover.exceptions(formula, curve)

    def reasons(self, plan: CurvePlan, database: Database) -> CurvePlan:
        """Return the other prover's answer."""
        return self._prover.reasons(plan, database)
