"""Routines of a curve on lanes: those in constant time, which are the same for every lane."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.fields.root_steps import two_adicity
from efdgen.generator.planning.curve_routines import curve_parts
from efdgen.generator.planning.ladder_routines import ladder_parts
from efdgen.generator.planning.lane_powers import powers
from efdgen.generator.planning.plan import CurvePlan, EntryKind
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import parse

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.routines.module import Module

MULTIPLES, SUM = ("multiply", "multiply_generator"), "double_multiply"
"""The multiplications that lanes have, and the sum of both."""

SUMS = "multi_multiply"
"""The sum of many multiples, which lanes have where memory is allocated."""

LIFTING = "point_with_y"
"""The function that decodes a point, given its coordinate and a low bit."""

X_MULTIPLE = "x_multiply"
"""The multiplication that lanes have of Montgomery curves."""

_MOST_STEPS = 5

_TEXT = '''
routine double_multiply(a: byte[SCALAR_BYTES], b: byte[SCALAR_BYTES], q: point) -> point as r:
    """Return a*G + b*q, in constant time."""
    let first = multiply_generator(a)
    let second = multiply(b, q)
    return add(first, second)
'''


class LanePlan(CurvePlan):
    """A plan whose table of the generator is shared by all lanes: its entries are a kind of their own."""

    @property
    def entry_kinds(self) -> tuple[EntryKind, ...]:
        """The kinds of entries, first that for any point."""
        own, *others = super().entry_kinds
        return own, *(others or [replace(own, suffix="_fixed", own=False)])


@dataclass(frozen=True)
class LaneRoutineText(RoutineText):
    """The multiplications of a plan in lanes, with all that they call."""

    plan: LanePlan | LadderPlan


def in_lanes(plan: CurvePlan) -> LanePlan:
    """Return the plan of a curve in lanes."""
    return LanePlan(**{part.name: getattr(plan, part.name) for part in fields(plan)})


def decodes(plan: CurvePlan | LadderPlan) -> bool:
    """Return whether there is a function that decodes many points: on Edwards curves."""
    return isinstance(plan, CurvePlan) and plan.model != "shortw"


def lifts(plan: CurvePlan | LadderPlan) -> bool:
    """Return whether points are decoded in lanes: where the field has roots in a few steps."""
    return decodes(plan) and two_adicity(plan.curve.prime) <= _MOST_STEPS


def lane_module(plan: LanePlan, *, sums: bool = False) -> Module:
    """Return the functions of lanes with all that they call, staged and checked; ``sums`` allocate."""
    text, staged, values = curve_parts(plan)
    text = text.beside(parse(_TEXT, "a sum of two multiples")).beside(powers(plan.curve.prime))
    further = [name for name, needed in ((SUMS, sums), (LIFTING, lifts(plan))) if needed]
    return module(text, staged, values, (*MULTIPLES, SUM, *further))


def ladder_lane_module(plan: LadderPlan) -> Module:
    """Return the ladder in lanes with all that it calls, staged and checked."""
    text, staged, values = ladder_parts(plan)
    # The formula's points may have the name that routines have for affine ones.
    del staged["point.members"]
    return module(text.beside(powers(plan.curve.prime)), staged, values, (X_MULTIPLE,))
