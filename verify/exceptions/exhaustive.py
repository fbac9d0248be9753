"""The exhaustive side: the inputs of a tiny curve on which a formula is wrong, against the whole group."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.programs.interpreter import run
from efdgen.verify.exceptions.tiny_field import Lanes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program
    from efdgen.verify.exceptions.trials import Rows, Trials


class Outcome(NamedTuple):
    """The outcome of trials: the rows that are wrong for some representatives, and the lanes that are wrong.

    ``homogeneous`` says that no scaled representatives of the same points give different points.
    """

    wrong: Rows
    wrong_lanes: frozenset[int]
    homogeneous: bool


def outcome(
    formula: Formula, programs: Sequence[Program], trials: Trials, parameters: Mapping[str, int]
) -> Outcome:
    """Run a formula's programs on trials; ``parameters`` are all of the formula's."""
    rows = trials.row_of_lane
    lanes = Lanes(trials.curve.field, len(rows))
    names = lanes.columns(parameters) | trials.columns
    outputs: dict[str, list[int]] = {}
    for program in programs:
        outputs |= run(program, lanes, names)
    lanes.undefined |= trials.undefined
    wrong, elsewhere = set(lanes.undefined), set[int]()
    for number, law in trials.law.items():
        tuples = list(zip(*(outputs[name] for name in formula.coordinates(number).values()), strict=True))
        known = trials.representatives[number]
        found = {lane for lane, row in enumerate(rows) if law[row] not in known.points(tuples[lane])}
        elsewhere |= {lane for lane in found - lanes.undefined if not known.degenerate(tuples[lane])}
        wrong |= found
    orbits = trials.orbit_of_lane
    right_orbits = {orbit for lane, orbit in enumerate(orbits) if lane not in wrong}
    homogeneous = right_orbits.isdisjoint(orbits[lane] for lane in elsewhere)
    wrong_rows = sum(1 << row for row in {rows[lane] for lane in wrong})
    return Outcome(wrong_rows, frozenset(wrong), homogeneous)
