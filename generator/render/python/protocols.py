"""Protocols as Python modules next to a curve's: thin examples over its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.hashing import Elligator, SimplifiedSwu
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.hashing_routines import hashing_of
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import (
    exchange_scheme,
    protocols,
    recovers_keys,
    signature_scheme,
)
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import assignment, comment
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan


def render_protocols(
    plan: CurvePlan | LadderPlan, own: str | None = None, *, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the texts of ``PREFIX_eddsa.py`` and so on.

    ``own`` is the statement that imports the curve's module as ``curve``. With ``lanes`` this has functions
    on many points, by which many signatures are verified.
    """
    names = protocols(plan.curve)
    bundle = Bundle(plan.prefix, plan.curve.field, (plan.kernels,), plan.command)
    bits = plan.curve.field.bits
    context = {
        "header": comment(header_lines(bundle)[:4]),
        "machine": MACHINES[lanes] if lanes else None,
        "recovers": recovers_keys(plan.curve),
        "own": own or f"import {plan.prefix} as curve",
        "curve": plan.curve.name,
        "scheme": signature_scheme(plan.curve) or exchange_scheme(plan.curve),
        "bits": bits,
        "encoded": bits // 8 + 1,
        "coordinate": "x" if plan.curve.model == "g1p/shortw" else "y",
    }
    if isinstance(plan, CurvePlan) and "hash_to_curve" in names:
        context |= _hashing(plan)
    templates = environment("python")
    return {
        f"{plan.prefix}_{name}.py": with_exports(
            templates.get_template(f"protocols/{name}.py.j2").render(context)
        )
        for name in names
    }


def _hashing(plan: CurvePlan) -> dict[str, Any]:
    """Return what the module of hashing to a curve prints of the suite."""
    own, root = hashing_of(plan), plan.square_root
    assert root is not None
    numbers: dict[str, int | tuple[int, ...]] = {
        "P": plan.curve.prime,
        "A": own.map.a,
        "B": own.map.b,
        "Z": own.map.z,
        "ROOT_EXPONENT": root.exponent,
    }
    if root.method == "tonelli":
        numbers["ROOT_GENERATOR"] = root.generator
    if own.cofactor != plan.cofactor:
        numbers["EFFECTIVE_COFACTOR"] = own.cofactor
    image = own.map.isogeny if isinstance(own.map, SimplifiedSwu) else None
    if image:
        numbers |= {"ISOGENY_KERNEL": image.kernel, "ISOGENY_X": image.above, "ISOGENY_Y": image.slope}
    moved = isinstance(own.map, Elligator) and own.map.factor != 1
    if isinstance(own.map, Elligator) and moved:
        numbers["FACTOR"] = own.map.factor
    return {
        "hashing": own,
        "xof": own.expander == "xof",
        "root": root,
        "swu": isinstance(own.map, SimplifiedSwu),
        "isogenous": image is not None,
        "degree": own.map.degree if isinstance(own.map, Elligator) else 0,
        "moved": moved,
        "effective": own.cofactor != plan.cofactor,
        "constants": [line for name, value in numbers.items() for line in _assigned(name, value)],
    }


def _assigned(name: str, value: int | tuple[int, ...]) -> list[str]:
    """Return the lines of a constant: a number, or a tuple of them."""
    if isinstance(value, int):
        return assignment(name, value)
    return [f"{name} = (", *(f"    0x{number:X}," for number in value), ")"]
