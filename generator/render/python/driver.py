"""The test program of a whole curve in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.hashing import hashing
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.protocols import recovers_keys
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.kernels import comment
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.planning.plan import CurvePlan


def render_curve_driver(
    plan: CurvePlan | LadderPlan, names: Sequence[str] = (), *, package: bool = False
) -> dict[str, str]:
    """Return the text of ``driver.py``, and where protocols are named that of ``driver_protocols.py``.

    The functions are those of the module ``PREFIX``, or of the private modules of a ``package``.
    """
    ladder = isinstance(plan, LadderPlan)
    bundle = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command)
    own = hashing(plan.curve)
    values = {
        "expander": own.expander if own else "",
        "hashing": own,
        "header": comment(header_lines(bundle)[:4]),
        "prefix": plan.prefix,
        "names": names,
        "recovers": recovers_keys(plan.curve),
        "package": package,
        "ladder": ladder,
        "plain_functions": [function for function in exported(plan, "python") if function.is_plain],
        "infinite": not isinstance(plan, LadderPlan) and plan.representation.infinite,
        "byteorder": "little" if isinstance(plan, LadderPlan) else plan.encoding.byteorder,
    }
    templates = {"driver.py": "curve_driver.py.j2"}
    if names:
        templates["driver_protocols.py"] = "protocols/driver.py.j2"
    found = environment("python")
    return {name: found.get_template(template).render(values) for name, template in templates.items()}
