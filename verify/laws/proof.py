"""All proofs about one program of a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.verify.laws.acceptance import prove_tests
from efdgen.verify.laws.batch import prove_batch
from efdgen.verify.laws.law import prove_law
from efdgen.verify.verdicts import judge

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program
    from efdgen.verify.verdicts import Verdict


class ProgramProof(NamedTuple):
    """A verdict with its reason, the primes that a proof excludes, and what the program's tests accept.

    ``curves`` say on which curves a check tests nothing.
    """

    verdict: Verdict
    reason: str
    excluded_primes: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()


def prove_program(formula: Formula, program: Program) -> ProgramProof:
    """Prove that a program of a formula's signature satisfies the laws of its kind."""
    excluded: set[int] = set()
    remarks: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()

    def prove() -> None:
        nonlocal remarks, curves
        excluded.update(prove_law(formula, program).excluded_primes)
        accepted = prove_tests(formula, program)
        excluded.update(accepted.excluded_primes)
        remarks, curves = (*prove_batch(formula.kind.length), *accepted.remarks), accepted.curves

    return ProgramProof(*judge(prove), tuple(sorted(excluded)), remarks, curves)
