"""Findings as text, and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from efdgen.generator.curves.exceptional import shortened
from efdgen.verify.finding import FormulaFinding, ModelFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.finding import Finding

_MANY = 20
_COLOURS = {"proved": "green", "refuted": "red", "undecided": "yellow", "error": "red"}


class Report:
    """Lines about findings, one after another: few, or those of many formulas that are not proved; a summary.

    An error that stops several formulas, such as one in their system, is reported for the first; the summary
    counts the others. ``noun`` names findings that are neither on formulas nor on models.
    """

    def __init__(self, total: int, noun: str = "") -> None:
        self._few, self._noun = total < _MANY, noun
        self._findings: list[Finding] = []
        self._stopped: Counter[str] = Counter()

    def lines(self, finding: Finding) -> list[str]:
        """Return the lines about the next finding."""
        self._findings.append(finding)
        error = _error(finding)
        self._stopped.update([error] if error else [])
        few = self._few or isinstance(finding, ModelFinding)
        if self._stopped[error] > 1 or (finding.verdict == "proved" and not few):
            return []
        lines = [f"{click.style(f'{finding.words:9}', _COLOURS[finding.verdict])} {finding.id}"]
        lines += [f"  {line}" for line in (*finding.reason.splitlines(), *_derived(finding))]
        refutation = finding.refutation if isinstance(finding, FormulaFinding) else None
        return lines + [f"    {line}" for line in (refutation.lines() if refutation else ())]

    def summary(self, seconds: float) -> list[str]:
        """Return the last lines, after all findings."""
        findings, what = self._findings, {"model": " affine laws", "map": " maps"}
        more = [
            f"{number - 1} more cannot be proved for the same reason: {error}"
            for error, number in self._stopped.items()
            if number > 1
        ]
        proved = sum(finding.verdict == "proved" for finding in findings)
        of_models = dict.fromkeys(what[finding.kind] for finding in findings if finding.kind in what)
        kinds = [f" {self._noun}"] if self._noun else [*of_models]
        earlier = sum(finding.earlier for finding in findings)
        known = (
            f", {'all' if earlier == len(findings) else earlier} of them by an earlier run" if earlier else ""
        )
        halves = sum(finding.words.startswith("law proved") for finding in findings)
        alone = f", and the law alone of {halves} more," if halves else ""
        total = f"{proved} of {len(findings)}{' and'.join(kinds)} proved{alone} in {seconds:.1f} s{known}"
        return [*more, total]


def report(findings: Sequence[Finding], seconds: float, noun: str = "") -> list[str]:
    """Return the lines of a :class:`Report` of all findings."""
    made = Report(len(findings), noun)
    return [*(line for finding in findings for line in made.lines(finding)), *made.summary(seconds)]


def _error(finding: Finding) -> str:
    """Return what stops a proof, which begins with its place; empty where nothing does."""
    return finding.reason.partition("\n")[0] if finding.verdict == "error" else ""


def _derived(finding: Finding) -> list[str]:
    """Say for which fields something is proved, and on which inputs it is wrong or not defined."""
    remarks: list[str] = []
    match finding:
        case FormulaFinding(exceptions=tuple() as exceptions):
            facts = [f"exceptions: {', '.join(shortened(exceptions)) or 'none'}"]
            if finding.unrepresentable:
                facts.append(f"not representable: {', '.join(shortened(finding.unrepresentable))}")
            facts.append(f"complete: {finding.complete}")
            remarks = [f"tests: {text}" for text in finding.remarks]
        case ModelFinding(undefined=tuple() as undefined):
            facts = [f"undefined: {' or '.join(undefined) or 'nowhere'}"]
        case ModelFinding(characteristic=str()):
            facts = []
        case _:
            return []
    return ["; ".join([*facts, f"for {finding.characteristic}"]), *remarks]


def objects(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the findings as JSON objects; of a formula that is proved both halves are."""
    found = [asdict(finding) for finding in findings]
    for fields in found:
        if "law" in fields and fields["verdict"] == "proved":
            fields |= {"law": "proved", "exceptional_inputs": "proved"}
    return found
