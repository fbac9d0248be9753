"""The statements of a published tree about models, systems and formulas, proved or refuted.

``ysquared`` says what y^2 is on the curve; ``toaffine`` and ``tosystem`` lead from representatives to affine
coordinates and back; ``homogweight`` gives the weights of a scaling that keeps the point; ``neutral`` is a
representative of the identity; ``unified``, of a formula, says that it adds equal points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.children import ask
from efdgen.verify.finding import PublishedFinding, StatedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.verify.finding import Finding
    from efdgen.verify.verdicts import Verdict

_UNIFIED: dict[bool | None, tuple[Verdict, str]] = {
    True: ("proved", ""),
    False: ("refuted", "equal points are not added"),
    None: ("undecided", "the formula does not add two points"),
}


def examine_stated(database: Database, findings: Sequence[Finding]) -> list[StatedFinding]:
    """Judge what a published tree states beside the formulas that were examined, and of these."""
    names = files_beside(finding.id for finding in findings)
    found = ask(_judge, database, names) if any(database.states(name) for name in names) else []
    return [*found, *(each for finding in findings for each in _unified(database, finding))]


def files_beside(ids: Iterable[str]) -> list[str]:
    """Return the files of the models and systems of formulas, sorted, models first."""
    systems = sorted({name.rsplit("/", 2)[0] for name in ids})
    models = sorted({name.rpartition("/")[0] for name in systems})
    return [*(f"{model}/coordinates" for model in models), *(f"{system}/variables" for system in systems)]


def _judge(database: Database, names: Sequence[str]) -> list[StatedFinding]:
    """Judge what files of models and systems state; Sage is imported only here, in a child."""
    from efdgen.verify.refutation.stated import judge_stated

    return [finding for name in names for finding in judge_stated(database, name)]


def _unified(database: Database, finding: Finding) -> Iterator[StatedFinding]:
    """Yield the verdict on a formula's line ``unified``, if it has one and is proved."""
    if not isinstance(finding, PublishedFinding) or finding.verdict_compute != "proved":
        return
    statements = database.stated(finding.id)
    for statement in statements:
        verdict, why = _UNIFIED[finding.unified]
        line = statement.at.line
        reason = f"{database.path(finding.id)}:{line}: unified: {why}" if why else ""
        yield StatedFinding(finding.id, "unified", verdict, reason, 0.0, statement="unified", line=line)
