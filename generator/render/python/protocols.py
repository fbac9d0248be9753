"""Protocols as Python modules next to a curve's: thin examples over its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.planning.protocols import exchange_scheme, protocols, signature_scheme
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import comment
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan


def render_protocols(plan: CurvePlan | LadderPlan, own: str | None = None) -> dict[str, str]:
    """Return the texts of ``PREFIX_eddsa.py`` and so on.

    ``own`` is the statement that imports the curve's module as ``curve``.
    """
    names = protocols(plan.curve)
    bundle = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command)
    bits = plan.curve.prime.bit_length()
    context = {
        "header": comment(header_lines(bundle)[:4]),
        "own": own or f"import {plan.prefix} as curve",
        "curve": plan.curve.name,
        "scheme": signature_scheme(plan.curve) or exchange_scheme(plan.curve),
        "bits": bits,
        "encoded": bits // 8 + 1,
        "coordinate": "x" if plan.curve.model == "g1p/shortw" else "y",
    }
    templates = environment("python")
    return {
        f"{plan.prefix}_{name}.py": with_exports(
            templates.get_template(f"protocols/{name}.py.j2").render(context)
        )
        for name in names
    }
