"""A Montgomery curve in C: its plan's ladder step, in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.fields.field import Field
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.bundle import Options, printed
from efdgen.generator.render.c.driver import driver_values
from efdgen.generator.render.c.ladder_lanes import ladder_lane_files
from efdgen.generator.render.c.parts import (
    byte_lines,
    field_constants,
    initialised,
    part_functions,
    random_values,
)
from efdgen.generator.render.c.routines import ladder_functions
from efdgen.generator.render.c.source import source, sources

if TYPE_CHECKING:
    from typing import Any

    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan

PARTS = ("curve/random",)
WANTED = (*BASIC, "cswap", "sqrt_ratio")


def render_ladder(plan: LadderPlan, options: Options, *, lanes: Machine | None = None) -> dict[str, str]:
    """Return the texts of :func:`sources`, and of ``driver.c``.

    With ``lanes`` there are headers for many x-coordinates beside these; raises :class:`EfdgenError` for a
    field that lanes do not have.
    """
    curve = plan.curve
    a, b = curve.parameters["a"], curve.parameters["b"]
    numbers = {"zero": 0, "a": a, "b": b, "twice_a": 2 * a % curve.prime}
    if b != 1:
        numbers["twice_b"] = 2 * b % curve.prime
    bundle = Bundle(plan.prefix, curve.field, (plan.kernels,), plan.command, plan.claims)
    values = printed(bundle, options, WANTED, field_constants(plan.prefix, numbers))
    values |= _values(plan, options.fields.of(curve.field))
    functions = [*ladder_functions(plan, options.claims), *part_functions(PARTS, values)]
    values |= {"functions": [*values["functions"], *functions], "batches": True}
    driver = source("curve/driver.c.j2", values)
    files = {**sources(values, "curve/ladder_header.h.j2"), "driver.c": driver}
    return files | (ladder_lane_files(plan, options.claims, values, lanes) if lanes else {})


def _values(plan: LadderPlan, field: Field) -> dict[str, Any]:
    """Return all names of the templates."""
    curve, size = plan.curve, plan.reduction.bytes
    assert curve.generator is not None
    generator = {
        "name": f"{plan.prefix.upper()}_GENERATOR",
        "doc": "The generator.",
        "type": f"{plan.prefix}_affine_point",
        "builds": initialised(field, (curve.generator["x"], curve.generator["y"])),
    }
    return {
        "host": None,
        **driver_values(plan),
        "affine": f"{plan.prefix}_affine_point",
        "point": f"{plan.prefix}_affine_point",
        "big": False,
        "points": False,
        "scalar_bytes": size,
        "field_bytes": plan.field_bytes,
        "order_lines": byte_lines(plan.order.to_bytes(size, "little")),
        "cofactor": plan.cofactor,
        "point_constants": [generator],
        **random_values(plan.order, curve.bits),
    }
