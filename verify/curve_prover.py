"""The prover of formulas, plans and functions for hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.hosts.prover import HostProver
from efdgen.verify.certificate import require_proof
from efdgen.verify.exceptions.derived import exceptions_on
from efdgen.verify.plan_proofs import SafePlans

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.curves.exceptional import Exceptions
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.hosts.forms import Forms
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.operation import Operation
    from efdgen.generator.hosts.select import Choice, Limits
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.programs.program import Program


class CurveProver(SafePlans, HostProver):
    """Proofs of everything that is asked for; each method raises :class:`EfdgenError` where it has none."""

    def proof(self, specialised: Specialised) -> str:
        """Return what is proved of a formula's program on a curve, in words."""
        return require_proof(specialised)

    def exceptions(self, formula: Formula, curve: Curve) -> Exceptions:
        """Return the exceptional inputs of a formula on a curve."""
        return exceptions_on(formula, curve)

    def bounds(self, forms: Forms, limits: Limits, host: Host) -> Choice:
        """Return calls of a host that meet all bounds, at the least cost."""
        from efdgen.verify.hosts.solve import solve

        return solve(forms, limits, host)

    def require_operation(self, operation: Operation, program: Program) -> None:
        """Raise :class:`EfdgenError` unless a program computes an operation, as polynomials."""
        from efdgen.verify.readback.host_curves import require_operation

        require_operation(operation, program)
