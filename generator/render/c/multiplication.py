"""Template values for scalar multiplication in C: tables, windows, combs and halves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.c.parts import paragraph
from efdgen.generator.render.multiplication import multiplication_values

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan, EntryKind


class Multiplication:
    """The multiplications of a plan."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan = plan

    def values(self) -> dict[str, Any]:
        """Return the names of the templates."""
        return {
            **self._entries(),
            **multiplication_values(self.plan, paragraph),
            "split_scalar": self.plan.endomorphism is not None,
        }

    def _name(self, name: str) -> str:
        return f"{self.plan.prefix}_{self.plan.kernels.named(name)}"

    def _entries(self) -> dict[str, Any]:
        kinds = [self._entry(kind) for kind in self.plan.entry_kinds]
        return {"own": kinds[0], "fixed": kinds[-1]}

    def _entry(self, kind: EntryKind) -> dict[str, Any]:
        entry = kind.entry
        return {
            "type": self._name(entry.type),
            "members": kind.members,
            "plain": kind.plain,
            "normalized": entry.normalized,
            "from_affine": entry.from_affine and self._name(entry.from_affine),
        }
