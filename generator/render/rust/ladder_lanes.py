"""The modules of a Montgomery curve's crate for several x-coordinates at once: the ladder in lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.lane_routines import X_MULTIPLE, ladder_lane_module
from efdgen.generator.render.lanes import Lanes
from efdgen.generator.render.rust.imports import use_lines
from efdgen.generator.render.rust.kernels import fill, type_name
from efdgen.generator.render.rust.lane_names import ladder_lane_bindings
from efdgen.generator.render.rust.lanes import (
    FOLDER,
    element_values,
    kernel_lines,
    lane_batch,
    lane_functions,
    lane_types,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan

_PARTS = {"group": "group_x", "element": "element", "ladder": "ladder", "numbers": "numbers"}
_BATCH = (
    X_MULTIPLE,
    {"k": "[u8; SCALAR_BYTES]", "x": "FieldElement"},
    "the x-coordinate of k*P for a point P with the x-coordinate x, or 0,",
    "x_multiply_one(&k[at], &x[at])",
    "FieldElement",
)


def ladder_lane_files(
    plan: LadderPlan, claims: Claims, names: Mapping[str, Any], machine: Machine
) -> dict[str, str]:
    """Return the files of lanes, by their paths; ``names`` has the place of the curve's modules, ``root``.

    Raises :class:`EfdgenError` for a field or a formula that lanes do not have.
    """
    module, bindings = ladder_lane_module(plan), ladder_lane_bindings(plan)
    return _Ladder(plan, module, bindings, claims, machine).files(names)


class _Ladder(Lanes):
    language = "rust"

    @property
    def prefix(self) -> str:
        """The curve's own: Rust has modules in the place of prefixes."""
        return self.plan.prefix

    def files(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Return the files by their paths."""
        (step,) = self.plan.kernels.kernels
        bundle = self.bundle(f"{FOLDER}field.rs", [step.function])
        values = {
            **names,
            **element_values(self, bundle),
            "sums": False,
            "batches": [lane_batch(*_BATCH)],
            "modules": ["ladder", "numbers"],
            "functions": lane_functions(self, f"{FOLDER}ladder.rs"),
            "field_types": use_lines("use", "super::field", ["Fe", *map(type_name, lane_types(self.plan))]),
            "kernels": kernel_lines({"step_kernel": step.function}, names["root"]),
        }
        files = {f"{FOLDER}{part}.rs": fill(f"lanes/{name}.rs.j2", values) for part, name in _PARTS.items()}
        return {"src/lanes.rs": fill("lanes/x_lanes.rs.j2", values), **bundle.files(), **files}
