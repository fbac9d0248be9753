"""Routines that make tables of odd multiples: one for each length and kind of table that a plan has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.planning.special import shared_numerator
from efdgen.generator.routines.parser import library
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.options import OddMultiples
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.programs.kernel import PointType
    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision


@dataclass(frozen=True)
class Table:
    """A table of odd multiples: how it is made, its entries, and whether points with x*y = 0 are met."""

    method: OddMultiples
    entries: int
    special: bool = False

    def function(self, way: str, what: str) -> str:
        """Return the name of a function that makes such a table for a way, or a part of it."""
        ending = "_var" if self.special and what != "images" else ""
        return f"{way}_{what}{ending}"


def tables(plan: CurvePlan) -> dict[str, Table]:
    """Return the tables of a plan by the ways to multiply that have them."""
    variable, special = plan.variable, bool(shared_numerator(plan))
    widths = {
        "single": (plan.single.table, plan.single.width),
        "double": (plan.double.table, plan.double.width),
        "many": (plan.multi.table, plan.multi.straus_width),
    }
    found = {"window": Table(variable.table, variable.digits.entries)}
    found |= {way: Table(table, wnaf_entries(width), special) for way, (table, width) in widths.items()}
    if plan.half:
        found["half"] = Table("additions", wnaf_entries(plan.half.width), special)
    return found


def way_of(plan: CurvePlan, way: str) -> str:
    """Return the first way that has the same table as another one."""
    known = tables(plan)
    return next(first for first, table in known.items() if table == known[way])


def instances(plan: CurvePlan) -> dict[str, Table]:
    """Return each table once, by the first way that has it."""
    return {way: table for way, table in tables(plan).items() if way_of(plan, way) == way}


def renamings(plan: CurvePlan) -> list[tuple[str, str]]:
    """Return the names of tables in other routines, with the functions that make them."""
    return [
        (f"{way}_{what}", table.function(way_of(plan, way), what))
        for way, table in tables(plan).items()
        for what in ("entries", "images", "multiples", "by_z", "scaled")
    ]


def table_text(plan: CurvePlan, text: Text) -> Text:
    """Return a text with the routines that make tables."""
    for part in _entry_files(plan):
        text = text.beside(library(part))
    for way, table in instances(plan).items():
        for part in _table_files(plan, table):
            text = text.beside(library(part, ("single", way)))
    return text


def _entry_files(plan: CurvePlan) -> Iterator[str]:
    own = plan.entry_kinds[0]
    yield "normal_entries" if own.entry.normalized else "copied_entries" if own.plain else "made_entries"
    if plan.shares_z:
        yield "chained_entries"
    if plan.endomorphism:
        yield "endomorphism"


def _table_files(plan: CurvePlan, table: Table) -> Iterator[str]:
    if table.method != "additions":
        yield "chained_multiples"
    elif table.special:
        yield "special_multiples"
    else:
        yield "multiples"
        if plan.roles.entry.normalized:
            yield "normal_multiples"
    if plan.endomorphism:
        yield "images"


def table_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the plan's decisions about tables."""
    represented, known = plan.representation, plan.variable
    types: dict[str, Decision] = {f"{n}.members": kind.members for n, kind in chained_types(plan).items()}
    return types | {
        "batch.shared": represented.batch,
        "batch.scaled": represented.batch_factor != 1,
        "batch.weighted": represented.powers != [1, 1],
        "batch.factor": " times a factor" if represented.batch_factor != 1 else "",
        "batch.method": ", by one inversion" if represented.batch else "",
        "batch.blocks": ", by one inversion for each block" if represented.batch else "",
        "tables.reason": plan.reasons["one_z"] if plan.shares_z else "",
        "entry.others": tuple(m for m in plan.entry_kinds[0].members if m != "X"),
        **{
            f"{way}.safe": known.safe_table and table.entries <= known.digits.entries
            for way, table in tables(plan).items()
        },
    }


def chained_types(plan: CurvePlan) -> dict[str, PointType]:
    """Return the types of additions on one Z, by their names in routines."""
    one_z = plan.roles.one_z
    if one_z is None:
        return {}
    found = {"updated": plan.kernel(one_z.step).outputs[1].type}
    if one_z.add is not None:
        _, given, scale = plan.kernel(one_z.add).inputs
        found |= {"given": given.type, "scale": scale.type}
    return found


def table_kernels(plan: CurvePlan) -> dict[str, str]:
    """Return the kernels that make entries by the names of their leaves, those of additions on one Z too."""
    one_z, make = plan.roles.one_z, plan.roles.entry.make
    found = {f"one_z_{name}_kernel": own for name, own in vars(one_z).items() if own} if one_z else {}
    return found | ({"make_entry_kernel": make} if make else {})
