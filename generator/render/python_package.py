"""A whole curve as a Python package: points with operators and keys, over the functions of its module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.kernels.kernel import Bundle
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import exchange_scheme, protocols, signature_scheme
from efdgen.generator.render.contract import header_lines
from efdgen.generator.render.environment import environment
from efdgen.generator.render.python_kernels import comment
from efdgen.generator.render.python_protocols import render_protocols

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.planning.ladder import LadderPlan

_KEYS = {"ecdsa": "ec", "eddsa": "eddsa", "exchange": "exchange"}
"""The template of the keys by the protocol that they are for."""


def render_package(
    plan: CurvePlan | LadderPlan, module: Mapping[str, str], *, with_keys: bool
) -> dict[str, str]:
    """Return the files of the package ``PREFIX``, by their paths, around those of its module.

    Raises :class:`EfdgenError` where keys are asked for and the curve has no protocol.
    """
    prefix = plan.prefix
    private = {f"{prefix}.py": "_curve.py", f"{prefix}_build.py": "_build.py"}
    files = {private.get(name, name): text for name, text in module.items()}
    offered = render_protocols(plan, "from . import _curve as curve") if with_keys else {}
    kinds = [name for name in protocols(plan.curve) if name in _KEYS] if with_keys else []
    bundle = Bundle(prefix, plan.curve.prime, (plan.kernels,), plan.command)
    header = comment(header_lines(bundle)[:4])
    context = {
        "header": header,
        "prefix": prefix,
        "curve": plan.curve.name,
        "shortw": plan.curve.model == "g1p/shortw",
        "scheme": signature_scheme(plan.curve) or exchange_scheme(plan.curve),
        "keys": bool(kinds),
    }
    load = environment("python").get_template
    start = "points" if isinstance(plan, CurvePlan) else "ladder"
    files["__init__.py"] = load(f"package/{start}.py.j2").render(context)
    files["py.typed"] = "".join(f"{line}\n" for line in header)
    for kind in kinds:
        files["keys.py"] = load(f"package/{_KEYS[kind]}.py.j2").render(context)
        for used in ("ecdh", "ecdsa") if kind == "ecdsa" else (kind,):
            files[f"_{used}.py"] = offered[f"{prefix}_{used}.py"]
    return {f"{prefix}/{name}": text for name, text in files.items()}
