"""Findings as lines for people, and as JSON for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from efdgen.verify.finding import FormulaFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.finding import Finding

_MANY = 20
_COLOURS = {"proved": "green", "refuted": "red", "error": "red"}


def report(findings: Sequence[Finding], seconds: float) -> list[str]:
    """Return a line for each finding, of many only for those not proved, with its reason, and a summary."""
    lines = []
    for finding in findings:
        if finding.verdict != "proved" or len(findings) < _MANY:
            lines.append(f"{click.style(f'{finding.verdict:8}', _COLOURS[finding.verdict])} {finding.id}")
            lines += [f"  {line}" for line in (*finding.reason.splitlines(), *_derived(finding))]
    proved = sum(finding.verdict == "proved" for finding in findings)
    what = {"model": " affine laws", "map": " maps"}
    kinds = dict.fromkeys(what[finding.kind] for finding in findings if finding.kind in what)
    return [*lines, f"{proved} of {len(findings)}{' and'.join(kinds)} proved in {seconds:.1f} s"]


def _derived(finding: Finding) -> list[str]:
    """Say on which inputs a formula is wrong, and on which curves none of them exists."""
    if not isinstance(finding, FormulaFinding) or finding.exceptions is None:
        return []
    facts = [f"exceptions: {', '.join(finding.exceptions) or 'none'}"]
    if finding.unrepresentable:
        facts.append(f"not representable: {', '.join(finding.unrepresentable)}")
    return ["; ".join([*facts, f"complete: {finding.complete}"])]


def to_json(findings: Sequence[Finding]) -> str:
    """Return a list of objects, one for each finding, in the findings' order."""
    return json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False) + "\n"
