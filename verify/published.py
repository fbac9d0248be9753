"""A published tree compared with the current formulas: identical, of equal values, or new.

Texts are compared first; values only of those whose texts are not the same, by a proof.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.reader import formula_statements
from efdgen.generator.importing.importer import imported_formula
from efdgen.verify.finding import Likeness, PublishedFinding
from efdgen.verify.peers import same_values_of_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Statement
    from efdgen.verify.finding import Finding


def compared(theirs: Database, findings: Sequence[Finding], ours: Database) -> list[Finding]:
    """Return findings on a published tree with the likeness of each formula that can be read."""
    found: dict[str, tuple[Likeness, tuple[str, ...]]] = {}
    questions: list[tuple[Formula, list[Formula]]] = []
    for name in (finding.id for finding in findings):
        try:
            formula, text = theirs.formula(name), imported_formula(theirs, name)
        except EfdgenError:
            continue
        if name in ours.ids and _steps(text) == _steps(formula_statements(ours.formula(name))):
            found[name] = "same text", ()
        else:
            questions.append((formula, _rivals(ours, formula)))
    for (formula, rivals), same in zip(questions, same_values_of_all(questions), strict=True):
        found[formula.id] = _likeness(formula.id, [each.id for each in rivals], same)
    return [
        replace(finding, likeness=found[finding.id][0], same_as=found[finding.id][1])
        if isinstance(finding, PublishedFinding) and finding.id in found
        else finding
        for finding in findings
    ]


def comparison(findings: Iterable[Finding]) -> list[str]:
    """Return a line for each formula whose text is not that of the formula in force, and a summary."""
    known = [f for f in findings if isinstance(f, PublishedFinding) and f.likeness is not None]
    lines = [
        f"{f.likeness:12} {f.id}{', the values of ' if f.same_as else ''}{' and '.join(f.same_as)}"
        for f in known
        if f.likeness != "same text"
    ]
    numbers = Counter(finding.likeness for finding in known)
    said = ", ".join(f"{numbers[kind]} {kind}" for kind in get_args(Likeness) if numbers[kind])
    return [*lines, f"beside the formulas in force: {said}"] if known else []


def _steps(statements: Iterable[Statement]) -> list[Statement]:
    return [statement for statement in statements if statement.keyword != "source"]


def _rivals(ours: Database, formula: Formula) -> list[Formula]:
    """Return the formulas in force of a formula's kind and system, that of the same id first."""
    if formula.system.id not in ours.systems(formula.system.model.id):
        return []
    names = [n for n in ours.formulas_for(formula.system.id) if n.split("/")[-2] == formula.kind.id]
    return [ours.formula(name) for name in sorted(names, key=lambda name: (name != formula.id, name))]


def _likeness(
    name: str, rivals: Sequence[str], same: Sequence[bool | None]
) -> tuple[Likeness, tuple[str, ...]]:
    equal = tuple(rival for rival, is_same in zip(rivals, same, strict=True) if is_same and rival != name)
    if name not in rivals:
        return "new", equal[:1]
    match same[rivals.index(name)]:
        case True:
            return "same values", ()
        case False:
            return "other values", equal[:1]
        case None:
            return "unclear", equal[:1]
