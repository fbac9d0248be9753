"""A witness that a proof applies to the given curve: inputs on which a program is defined and correct.

A law is proved on the generic curve, and holds wherever nothing that is divided by is zero. On one curve a
divisor in parameters alone, such as b - 1, may be zero, or an output may represent nothing for any input. One
choice of inputs on that curve for which the program gives the points of the affine law shows that neither is
so, because polynomials that are zero for all inputs are zero there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.verify.curve_trial import CurveTrial

if TYPE_CHECKING:
    from efdgen.generator.kernels.specialise import Specialised


def require_witness(specialised: Specialised) -> None:
    """Find inputs on which a program is right; raise :class:`NotApplicable` where there seem to be none."""
    formula = specialised.formula
    trial = CurveTrial(formula, specialised.program, specialised.ground, specialised.values)
    tried = (trial.is_right(points, names) for points in trial.points() for names in trial.inputs(points))
    if not any(tried):
        raise NotApplicable(
            f"{formula.id} is undefined or wrong for every input that was tried on this curve"
        )
