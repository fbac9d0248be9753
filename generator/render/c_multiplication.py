"""What the templates of a curve in C print of multiplications: tables, windows, combs and halves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.render.c_parts import paragraph
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan, EntryKind


class Multiplication:
    """The multiplications of a plan."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan = plan

    def values(self) -> dict[str, Any]:
        """Return the names of the templates."""
        return {**self._entries(), **self._multiplication()}

    def _name(self, name: str) -> str:
        return "_".join(filter(None, (self.plan.prefix, self.plan.kernels.namespace, name)))

    def _entries(self) -> dict[str, Any]:
        kinds = [self._entry(kind) for kind in self.plan.entry_kinds]
        return {"entry_kinds": kinds, "own": kinds[0], "fixed": kinds[-1]}

    def _entry(self, kind: EntryKind) -> dict[str, Any]:
        entry = kind.entry
        return {
            "suffix": kind.suffix,
            "own": kind.own,
            "type": self._name(entry.type),
            "members": kind.members,
            "add": self._name(entry.add),
            "plain": kind.plain,
            "normalized": entry.normalized,
            "liftable": kind.lifts,
            "make": entry.make and self._name(entry.make),
            "negation": entry.negation,
        }

    def _multiplication(self) -> dict[str, Any]:
        plan, roles = self.plan, self.plan.roles
        digits, comb = plan.variable.digits, plan.generator.comb
        chain = plan.kernel(roles.chain_double).inputs[0].type
        widths = plan.single.width, plan.double.width
        return {
            "chained": roles.chain_double != roles.chain_last,
            "chain_type": self._name(chain.name),
            "chain_members": chain.members,
            "chain_add": plan.chain_add and self._name(plan.chain_add),
            "window": {
                "count": digits.count,
                "width": digits.width,
                "bits": digits.bits,
                "entries": digits.entries,
                "most_entries": max(digits.entries, *map(wnaf_entries, widths)),
                "negate_even": plan.variable.negate_even,
                "halves": plan.variable.halves,
                "complete": plan.variable.complete_steps,
                "top_safe": plan.variable.safe_top,
                "safe_table": plan.variable.safe_table,
                "table": plan.variable.table,
                "complete_doublings": plan.variable.complete_doublings,
                "apart": plan.variable.apart,
                "small_bits": plan.cofactor.bit_length() - 1,
                "reason": paragraph(plan.reasons["multiply"]),
            },
            "needs_odd": True,
            "multi": plan.multi,
            "modulus_bits": plan.reduction.modulus.bit_length(),
            "coz": self._coz(),
            "entries": wnaf_entries,
            "halves": 1 if plan.endomorphism is None else 2,
            "one_z": self._one_z(),
            "made": plan.tables,
            "single_table": plan.single.table,
            "double_table": plan.double.table,
            "width": plan.single.width,
            "double_width": plan.double.width,
            "fixed_width": plan.double.fixed_width,
            "comb": {
                "blocks": comb.blocks,
                "teeth": comb.teeth,
                "spacing": comb.spacing,
                "bits": comb.bits,
                "half": 1 << (comb.teeth - 1),
                "complete": plan.generator.complete_additions,
                "complete_doublings": plan.generator.complete_doublings,
                "reason": paragraph(plan.reasons["multiply_generator"]),
            },
            "split_scalar": self._split(),
        }

    def _one_z(self) -> dict[str, Any] | None:
        one_z = self.plan.roles.one_z
        if one_z is None:
            return None
        found = {
            "start": self._name(one_z.start),
            "step": self._name(one_z.step),
            "updated_type": self._name(self.plan.kernel(one_z.step).outputs[1].type.name),
            "reason": paragraph(self.plan.reasons["one_z"]),
        }
        if one_z.add is not None:
            _, given, scalar = self.plan.kernel(one_z.add).inputs
            found["add"] = self._name(one_z.add)
            found |= {"given_type": self._name(given.type.name), "scalar_type": self._name(scalar.type.name)}
        return found

    def _coz(self) -> dict[str, Any] | None:
        coz = self.plan.coz
        if coz is None:
            return None
        start, step = self.plan.kernel(coz.start), self.plan.kernel(coz.step)
        return {
            "start": self._name(coz.start),
            "start_type": self._name(start.inputs[0].type.name),
            "step": self._name(coz.step),
            "second_type": self._name(step.inputs[1].type.name),
            "scalar_type": self._name(step.inputs[2].type.name),
            "bits": coz.bits,
        }

    def _split(self) -> dict[str, Any] | None:
        if self.plan.endomorphism is None:
            return None
        shift = self.plan.endomorphism.split.shift
        return {"shift": shift, "reason": paragraph(self.plan.reasons["split"])}
