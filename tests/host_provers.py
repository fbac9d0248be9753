"""Provers of functions for hosts that prove less than everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.hosts.prover import HostProver
from efdgen.verify.certificate import require_proof
from efdgen.verify.hosts.solve import solve

if TYPE_CHECKING:
    from efdgen.generator.hosts.forms import Forms
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.select import Choice, Limits
    from efdgen.generator.kernels.specialise import Specialised


class Bounds(HostProver):
    """Bounds alone; nothing is proved."""

    def bounds(self, forms: Forms, limits: Limits, host: Host) -> Choice:
        return solve(forms, limits, host)


class ProvedPrograms(Bounds):
    """Bounds, and proofs of formulas."""

    def proof(self, specialised: Specialised) -> str:
        return require_proof(specialised)
