"""Series of measurements: one operation at several numbers of messages, or lengths of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import protocols

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.planning.ladder import LadderPlan

_COUNTS = (1, 4, 16, 64, 256, 1024)
_LENGTHS = (32, 256, 2048, 16384, 131072, 1048576)
ADDITIONS = "additions"
SIGNATURES = "signatures"
VERIFICATIONS = "verifications"
BATCH = "batch verification"
BY_LENGTH = "verification by length"
SERIES = {
    ADDITIONS: _COUNTS,
    SIGNATURES: _COUNTS,
    VERIFICATIONS: _COUNTS,
    BATCH: _COUNTS,
    BY_LENGTH: _LENGTHS,
}
"""The sizes of each series: numbers of operations; of the last one, bytes of a message."""


def series_of(plan: CurvePlan | LadderPlan) -> dict[str, Sequence[int]]:
    """Return the sizes of each series on a curve, none for what it cannot do; nothing at all of a ladder."""
    if not isinstance(plan, CurvePlan):
        return {}
    names = {*protocols(plan.curve)}
    possible = {ADDITIONS}
    if names & {"eddsa", "ecdsa"}:
        possible |= {SIGNATURES, VERIFICATIONS, BY_LENGTH}
    if "eddsa" in names:
        possible.add(BATCH)
    return {name: sizes if name in possible else () for name, sizes in SERIES.items()}


def name_of(series: str, size: int) -> str:
    """Return the name that programs print of a measurement in a series."""
    return f"{series}/{size}"
