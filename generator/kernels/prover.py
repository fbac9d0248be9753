"""The proofs that planners ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.curves.exceptional import Exceptions
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.specialise import Specialised


class Prover:
    """A prover of formulas on curves, which knows nothing; subclasses prove, or raise where they cannot."""

    def proof(self, specialised: Specialised) -> str:
        """Return in words what is proved of a formula's program on a curve; empty where nothing is."""
        return ""

    def exceptions(self, formula: Formula, curve: Curve) -> Exceptions | None:
        """Return the exceptional inputs of a formula on a curve; None where they are not known."""
        return None
