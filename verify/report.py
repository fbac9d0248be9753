"""Findings as text, and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from efdgen.verify.finding import FormulaFinding, ModelFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.finding import Finding

_MANY = 20
_COLOURS = {"proved": "green", "refuted": "red", "undecided": "yellow", "error": "red"}


def report(findings: Sequence[Finding], seconds: float, noun: str = "") -> list[str]:
    """Return a line for each finding, of many formulas only for those not proved, and a summary.

    An error that stops many, such as one in their system, is told of the first. The ``noun`` is for what is
    found if that is neither formulas nor models.
    """
    lines = []
    stopped = Counter(_error(finding) for finding in findings)
    told: set[str] = set()
    for finding in findings:
        few = len(findings) < _MANY or isinstance(finding, ModelFinding)
        error = _error(finding)
        if error in told:
            continue
        told |= {error} - {""}
        if finding.verdict != "proved" or few:
            lines.append(f"{click.style(f'{finding.verdict:9}', _COLOURS[finding.verdict])} {finding.id}")
            lines += [f"  {line}" for line in (*finding.reason.splitlines(), *_derived(finding))]
            refutation = finding.refutation if isinstance(finding, FormulaFinding) else None
            lines += [f"    {line}" for line in (refutation.lines() if refutation else ())]
            if error and stopped[error] > 1:
                lines.append(f"  {stopped[error] - 1} more cannot be proved for the same reason")
    proved = sum(finding.verdict == "proved" for finding in findings)
    what = {"model": " affine laws", "map": " maps"}
    kinds = (
        [f" {noun}"]
        if noun
        else dict.fromkeys(what[finding.kind] for finding in findings if finding.kind in what)
    )
    earlier = sum(finding.earlier for finding in findings)
    known = f", {'all' if earlier == len(findings) else earlier} of them by an earlier run" if earlier else ""
    return [*lines, f"{proved} of {len(findings)}{' and'.join(kinds)} proved in {seconds:.1f} s{known}"]


def _error(finding: Finding) -> str:
    """Return what stops a proof, which begins with its place; empty where nothing does."""
    return finding.reason.partition("\n")[0] if finding.verdict == "error" else ""


def _derived(finding: Finding) -> list[str]:
    """Say for which fields something is proved, and on which inputs it is wrong or not defined."""
    remarks: list[str] = []
    match finding:
        case FormulaFinding(exceptions=tuple() as exceptions):
            facts = [f"exceptions: {', '.join(exceptions) or 'none'}"]
            if finding.unrepresentable:
                facts.append(f"not representable: {', '.join(finding.unrepresentable)}")
            facts.append(f"complete: {finding.complete}")
            remarks = [f"hints: {text}" for text in finding.remarks]
        case ModelFinding(undefined=tuple() as undefined):
            facts = [f"undefined: {' or '.join(undefined) or 'nowhere'}"]
        case ModelFinding(characteristic=str()):
            facts = []
        case _:
            return []
    return ["; ".join([*facts, f"for {finding.characteristic}"]), *remarks]


def objects(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the findings as JSON objects."""
    return [asdict(finding) for finding in findings]
