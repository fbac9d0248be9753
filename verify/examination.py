"""Proof of one formula, and of the three-operand code that is published with it."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.programs.lower import lower
from efdgen.verify.comparison import first_difference
from efdgen.verify.exceptions.derived import derive, with_built_in_curve
from efdgen.verify.finding import FormulaFinding, PublishedFinding, characteristic_text
from efdgen.verify.laws.acceptance import prove_tests
from efdgen.verify.laws.foundations import prove_foundations
from efdgen.verify.laws.generic import generic_cases
from efdgen.verify.laws.law import check, prove_law
from efdgen.verify.laws.steps import in_parts
from efdgen.verify.refutation.refute import refute
from efdgen.verify.verdicts import SEVERITY, Refuted, UndecidedError, judge

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.formulas.reader import ThreeOperandCode
    from efdgen.verify.finding import Finding
    from efdgen.verify.laws.cases import Cases
    from efdgen.verify.laws.generic import GenericInstance
    from efdgen.verify.refutation.refutation import Refutation
    from efdgen.verify.verdicts import Verdict


def examine(database: Database, formula_id: str) -> Finding:
    """Prove a formula; in a published tree, prove the three-operand code as well, and compare the two."""
    start = time.perf_counter()
    kind = formula_id.split("/")[-2]
    subject = _Subject(database, formula_id)
    compute, reason = judge(subject.prove_formula)
    derived: dict[str, Any] = {}
    derivation, failure = judge(lambda: derived.update(subject.derive() if compute == "proved" else {}))
    if compute == "refuted":
        judge(lambda: derived.update(refutation=refute(subject.formula)))
        reason = f"{_place(subject.path, derived.get('refutation'))}: {reason}"
    if database.dialect != "upstream":
        verdict, reason = _worst(compute, derivation), reason or failure
        derived |= _halves(verdict, compute, derivation)
        return FormulaFinding(formula_id, kind, verdict, reason, _seconds_since(start), **derived)
    reasons = [f"compute: {text}" for text in (reason, failure) if text]
    op3, matches = None, None
    if subject.ships_code:
        op3, reason = judge(subject.prove_code)
        matches, difference = subject.compare()
        reasons += [f"op3: {text}" for text in (difference, reason) if text]
    verdict = _worst(compute, derivation, op3 or "proved", "refuted" if matches is False else "proved")
    derived |= _halves(verdict, compute, derivation)
    return PublishedFinding(
        formula_id,
        kind,
        verdict,
        "\n".join(reasons),
        _seconds_since(start),
        verdict_compute=compute,
        verdict_op3=op3,
        op3_matches_compute=matches,
        **derived,
    )


def _halves(verdict: Verdict, law: Verdict, inputs: Verdict) -> dict[str, Verdict | None]:
    """Return the verdicts on both halves of a formula that is not proved."""
    if verdict == "proved":
        return {}
    return {"law": law, "exceptional_inputs": inputs if law == "proved" else None}


def failed(
    database: Database, formula_id: str, verdict: Verdict, reason: str, *, law: Verdict | None = None
) -> Finding:
    """Return what is found of a formula whose examination came to no end, at exceptional inputs or before."""
    kind = formula_id.split("/")[-2]
    if database.dialect != "upstream":
        inputs = verdict if law == "proved" else None
        return FormulaFinding(
            formula_id, kind, verdict, reason, 0.0, law=law or verdict, exceptional_inputs=inputs
        )
    return PublishedFinding(
        formula_id,
        kind,
        verdict,
        reason,
        0.0,
        verdict_compute=verdict,
        verdict_op3=None,
        op3_matches_compute=None,
    )


class _Subject:
    """A formula of a database with its generic instances and its three-operand code, each loaded once."""

    def __init__(self, database: Database, formula_id: str) -> None:
        self.database, self.id = database, formula_id
        self.path = str(database.path(formula_id))
        self.code_path = f"{self.path}.op3"

    @property
    def ships_code(self) -> bool:
        return self.database.path(f"{self.id}.op3").exists()

    @cached_property
    def formula(self) -> Formula:
        return self.database.formula(self.id)

    @cached_property
    def code(self) -> ThreeOperandCode:
        return self.database.three_operand(self.id)

    @cached_property
    def cases(self) -> Cases[GenericInstance]:
        try:
            return generic_cases(self.formula)
        except TextError:
            raise
        except UndecidedError as undecided:
            raise undecided.within(self.path) from None
        except EfdgenError as error:
            raise EfdgenError(f"{self.path}: {error}") from None

    def prove_formula(self) -> None:
        program = lower(self.formula)
        # Models and maps of a published tree are proved by --models, and stated beside its formulas.
        own = prove_foundations(self.formula) if self.database.dialect == "normalised" else ()
        if len(in_parts(self.formula, program)) > 1:
            self.__dict__["cases"] = prove_law(self.formula, program)
        else:
            for instance in self.cases.instances:
                check(instance, program)
        self._excluded_primes = self.cases.excluded_primes
        accepted = prove_tests(self.formula, program)
        self._excluded_primes = tuple(sorted({*self._excluded_primes, *accepted.excluded_primes, *own}))
        self._remarks = (*accepted.remarks, *accepted.curves)

    def derive(self) -> dict[str, Any]:
        """Return what is derived of a formula that is proved, by the names that a finding has for it."""
        published = self.database.dialect == "upstream"
        derived = derive(with_built_in_curve(self.formula) if published else self.formula).fields()
        return derived | {
            "characteristic": characteristic_text(self.formula.system.model.binary, self._excluded_primes),
            "remarks": self._remarks,
        }

    def prove_code(self) -> None:
        try:
            cases = self.cases
        except EfdgenError:
            raise EfdgenError(f"{self.code_path}: cannot be proved without its formula") from None
        if self.code.defect is not None:
            raise self.code.defect
        _check(cases, self.code.formula, self.code_path)

    def compare(self) -> tuple[bool | None, str]:
        """Return whether the codes compute the same, None where that is unclear, and the first difference."""
        try:
            if self.code.defect is not None:
                return None, ""
            difference = first_difference(self.cases.instances, self.formula, self.code.formula)
        except EfdgenError:
            return None, ""
        except ZeroDivisionError:
            return False, ""
        if difference is None:
            return True, ""
        place = f"{self.code_path}:{difference.at.line}"
        return False, f"{place}: {difference.target} is not what the compute lines give"


def _check(cases: Cases[GenericInstance], code: Formula, path: str) -> None:
    """Check code on instances; say in which file and line an output is computed that is wrong."""
    program = lower(code)
    try:
        for instance in cases.instances:
            check(instance, program)
    except Refuted as refuted:
        lines = [a.at.line for a in code.assignments if a.target in refuted.coordinates]
        place = ":".join([path, *map(str, sorted(lines)[-1:])])
        raise Refuted(f"{place}: {refuted}") from None


def _place(path: str, refutation: Refutation | None) -> str:
    """Return where to look: the first step that an edit would mend, or else the last that has a say."""
    if refutation is None:
        return path
    lines = [repair.line for repair in refutation.repairs or ()]
    lines += [step.line for step in refutation.steps[-1:]]
    return ":".join([path, *map(str, lines[:1])])


def _worst(*verdicts: Verdict) -> Verdict:
    return max(verdicts, key=SEVERITY.index)


def _seconds_since(start: float) -> float:
    return round(time.perf_counter() - start, 6)
