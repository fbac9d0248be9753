"""Constants that structures in Rust are before they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.curve_routines import coz_types
from efdgen.generator.planning.table_routines import chained_types
from efdgen.generator.render.rust.kernels import PLAIN_NAMES, type_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.planning.plan import CurvePlan


def blanks(plan: CurvePlan, members: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the constants that structures are before they are written, given the members of each type."""
    doubled = plan.kernel(plan.roles.chain_double).inputs[0].type.name
    named = {"NOT_DOUBLED": ("An input of doublings", doubled)}
    if plan.roles.slopes is not None:
        _, second, slope, _ = plan.kernel(plan.roles.slopes.add).inputs
        named["NO_POINT_OVER_Z"] = "A point over a Z", second.type.name
        named["NO_SLOPE"] = "A part of a slope", slope.type.name
    types = coz_types(plan) | chained_types(plan)
    other = {"NO_NEXT": ("A point", "coz_next"), "NO_UPDATED": ("An entry over another Z", "updated")}
    named |= {name: (doc, types[kind].name) for name, (doc, kind) in other.items() if kind in types}
    for kind in plan.entry_kinds:
        named[f"NO{kind.suffix.upper()}_ENTRY"] = "An entry", kind.entry.type
    # Not every system has formulas with affine points.
    affine = {"name": "NO_POINT", "doc": "An affine point", "type": "AffinePoint", "members": ["x", "y"]}
    return [
        affine,
        *(
            {"name": name, "doc": doc, "type": type_name(PLAIN_NAMES.get(own, own)), "members": members[own]}
            for name, (doc, own) in named.items()
        ),
    ]
