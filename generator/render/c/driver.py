"""The test program of a whole curve in C: what its template calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.ladder import LadderPlan

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan


def driver_values(plan: CurvePlan | LadderPlan) -> dict[str, Any]:
    """Return the functions that a driver calls, all and those that one rule calls, and affine coordinates."""
    functions = exported(plan, "c")
    ladder = isinstance(plan, LadderPlan)
    return {
        "ladder": ladder,
        "infinite": isinstance(plan, LadderPlan) or plan.representation.infinite,
        "exported_functions": functions,
        "plain_functions": [function for function in functions if function.is_plain],
        "x": "x" if ladder else "X",
        "y": "y" if ladder else "Y",
    }
