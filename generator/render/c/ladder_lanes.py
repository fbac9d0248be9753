"""Headers beside a Montgomery curve's for several x-coordinates at once: the ladder, on numbers in lanes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.languages.erasure import erasing
from efdgen.generator.planning.lane_routines import ladder_lane_module
from efdgen.generator.render.c.lanes import element_values, lane_functions, numbers_of, shared, with_lanes
from efdgen.generator.render.c.routines import ladder_bindings
from efdgen.generator.render.c.source import source
from efdgen.generator.render.lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan

_PARTS = {"": "ladder.h.j2", "_curve": "ladder_curve.h.j2"}


def ladder_lane_files(
    plan: LadderPlan, claims: Claims, names: Mapping[str, Any], machine: Machine
) -> dict[str, str]:
    """Return the headers by their names: a function for users, routines in lanes, and the field.

    Raises :class:`EfdgenError` for a field or a formula that lanes do not have.
    """
    module, prefix = erasing(ladder_lane_module(plan)), f"{plan.prefix}_lanes"
    own = ladder_bindings(plan, prefix, prefix)
    types = {name: text for name, text in own.types.items() if name != "point"}
    bindings = with_lanes(replace(own, types=types), prefix, module)
    return _Ladder(plan, module, bindings, claims, machine).files(names)


class _Ladder(Lanes):
    language = "c"

    @property
    def prefix(self) -> str:
        """The beginning of every name in lanes."""
        return f"{self.plan.prefix}_lanes"

    def files(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Return the headers by their names."""
        bundle = self.bundle(
            f"{self.prefix}_field.h", {kernel.function for kernel in self.plan.kernels.kernels}
        )
        values = {
            **element_values(self, bundle, names),
            "sizes": numbers_of(self.module, "SCALAR_BYTES"),
            "shared_elements": {"zero": shared(self, 0), "one": shared(self, 1)},
            "routines": [*lane_functions(self)],
        }
        files = {f"{self.prefix}{part}.h": source(f"lanes/{name}", values) for part, name in _PARTS.items()}
        return files | bundle.files()
