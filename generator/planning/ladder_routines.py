"""The routines of a Montgomery curve, specialised by its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.programs.kernel import PointType
    from efdgen.generator.routines.module import Module, Value
    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision


def ladder_types(plan: LadderPlan) -> dict[str, PointType]:
    """Return the types of the ladder's points, by their names in routines."""
    step = plan.kernel(plan.step)
    return {"normalized_xz": step.inputs[0].type, "xz": step.outputs[0].type}


def ladder_module(plan: LadderPlan) -> Module:
    """Return the routines of a Montgomery curve, staged and checked."""
    text, staged, values = ladder_parts(plan)
    exported = [name for name, routine in text.routines.items() if routine.exported]
    return module(text, staged, values, exported)


def ladder_parts(plan: LadderPlan) -> tuple[Text, dict[str, Decision], dict[str, Value]]:
    """Return the routines of a Montgomery curve, the plan's decisions, and the values of constants."""
    types = {name: kind.members for name, kind in ladder_types(plan).items()} | {"point": ("x", "y")}
    staged: dict[str, Decision] = {
        "encoding.big": False,
        "ladder.bits": plan.bits,
        "ladder.scaled": plan.curve.parameters["b"] != 1,
        **{f"{name}.members": members for name, members in types.items()},
    }
    text = library("elements").beside(library("numbers")).beside(library("ladder"))
    values: dict[str, Value] = {"SCALAR_BYTES": plan.reduction.bytes}
    values |= dict.fromkeys(("FIELD_BYTES", "ENCODED_BYTES"), plan.field_bytes)
    return text, staged, values
