"""Groups of prime order in C: a header over the functions of the curve that has their cosets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.source import source
from efdgen.generator.text.c import comment

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan


def group_files(plan: CurvePlan, prefix: str) -> dict[str, str]:
    """Return the header ``PREFIX.h`` of the group on the curve of a plan, which includes the curve's."""
    bundle = Bundle(prefix, plan.curve.field, (plan.kernels,), plan.command)
    values = {
        "header": comment(header_lines(bundle)[:4]),
        "group": cosets(plan.curve),
        "prefix": prefix,
        "PREFIX": prefix.upper(),
        "curve": plan.prefix,
        "CURVE": plan.prefix.upper(),
    }
    return {f"{prefix}.h": source("curve/group.h.j2", values)}
