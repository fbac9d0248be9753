"""Decisions about sums of multiples: of one point, of two, of many, and of half the length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.plan import Entry, EntryKind
from efdgen.generator.planning.scalar_words import WORD, scalar_words
from efdgen.generator.scalars.digits import wnaf_entries

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.staging import Decision


SUMMAND = "summand"
"""The name of the entries of sums in constant time, if they are points."""


def makes_summands(plan: CurvePlan) -> bool:
    """Return whether sums in constant time add entries, which are right for every point."""
    return plan.roles.complete and not plan.roles.entry.normalized


def summand(plan: CurvePlan) -> EntryKind:
    """Return the entries of these sums if they are points."""
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    return EntryKind(Entry("point", False, None, None, plan.roles.add, ()), "_summand", True, members)


def sum_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the decisions about sums by digits of one point, of two and of many."""
    parts, single, double = plan.scalar_parts, plan.single, plan.double
    one_z = double.table == "effective-affine"
    return {
        "sums.parts": parts,
        "sums.halves": ", of both halves of it" if parts == 2 else "",
        "sums.finite": " for p other than the identity" if plan.representation.infinite else "",
        "sums.finite_q": ", for q other than the identity" if plan.representation.infinite else "",
        "sums.infinite": plan.representation.infinite,
        "sums.chains": plan.chains_sums,
        "single.one_z": single.table == "effective-affine",
        "double.one_z": one_z,
        **sum_of_forms("many", "n", plan.multi.straus_width),
        **_shared_names(plan),
        **_many_names(plan),
        **sum_of_forms("single", parts, single.width),
        **sum_of_forms("double", parts, double.width, parts, double.fixed_width, scaled=one_z),
    }


def _many_names(plan: CurvePlan) -> dict[str, Decision]:
    multi, normalized, both = plan.multi, plan.roles.entry.normalized, plan.scalar_parts == 2
    return {
        "many.one_z": multi.table == "effective-affine",
        "many.normalized": normalized,
        "many.method": ", by one inversion" if normalized and plan.representation.batch else "",
        "many.images": ", each followed by its image" if both else "",
        "many.with_images": ", each followed by its image" if both else "",
        "many.parts": "both halves of a scalar" if both else "a scalar",
        "many.of_parts": ", by halves of each k" if both else "",
        "many.threshold": multi.threshold,
        "many.window": multi.windows[-1][1],
        "many.windows": tuple(reversed(multi.windows[:-1])),
    }


def _shared_names(plan: CurvePlan) -> dict[str, Decision]:
    multi, digits = plan.multi, plan.multi.shared
    return {
        **{f"shared.{name}": getattr(digits, name) for name in ("width", "count", "bits", "entries")},
        "shared.made": makes_summands(plan),
        "shared.safe": False,
        "shared.least": multi.shared_from,
        "shared.digits": f"{digits.count} signed odd digits of {digits.width} bits",
        "shared.few": f" of {multi.shared_from} points or more" if multi.shared_from > 2 else "",
    }


def sum_of_forms(
    way: str,
    own: int | str,
    width: int,
    fixed: int | str = 0,
    fixed_width: int = 0,
    *,
    rows: int = 1,
    scaled: bool = False,
) -> dict[str, Decision]:
    """Return the numbers of a sum of entries by digits of any points, and of fixed ones.

    The tables of these are constants unless their number is the name of a length.
    """
    given = isinstance(fixed, str)
    return {
        f"{way}.own": own,
        f"{way}.fixed": fixed,
        f"{way}.rows": 0 if given else min(rows, int(fixed)),
        f"{way}.reads": fixed != 0,
        f"{way}.given": given,
        f"{way}.turns": not given and int(fixed) > rows,
        f"{way}.width": width,
        f"{way}.entries": wnaf_entries(width),
        f"{way}.fixed_width": fixed_width,
        f"{way}.fixed_entries": wnaf_entries(fixed_width),
        f"{way}.scaled": scaled,
    }


def half_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the decisions about the test at half length."""
    half = plan.half
    if half is None:
        return {}
    return {
        **{f"half.{name}": getattr(half, name) for name in ("bits", "split", "leading", "least")},
        **sum_of_forms("half", 2, half.width, 2, half.fixed_width, rows=2),
        "half.inverse": -pow(plan.order, -1, 1 << WORD) % (1 << WORD),
        "half.mask": plan.cofactor - 1,
        "half.words": scalar_words(plan).radix_words,
        "half.reason": plan.reasons["half"],
    }
