"""Findings of the prover: a verdict, and its consequences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from efdgen.verify.verdicts import in_halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.refutation.refutation import Refutation
    from efdgen.verify.verdicts import Verdict

Likeness = Literal["same text", "same values", "other values", "unclear", "new"]


@dataclass(frozen=True)
class Finding:
    """A verdict with its reason, which is empty for a proof, and the seconds that it took.

    ``earlier`` marks a finding of an earlier run, looked up in 0 seconds by this one.
    """

    id: str
    kind: str
    verdict: Verdict
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    earlier: bool = False

    @property
    def words(self) -> str:
        """The verdict as it is printed."""
        return self.verdict


@dataclass(frozen=True, kw_only=True)
class ModelFinding(Finding):
    """A finding on a model or a map, with the fields that a proof holds for; None if there is none.

    ``undefined`` says where a map is not defined, in the affine coordinates of its source.
    """

    characteristic: str | None = None
    undefined: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class StatedFinding(Finding):
    """A finding on what a published file states beside its formulas; the kind is its keyword."""

    statement: str
    line: int


@dataclass(frozen=True, kw_only=True)
class FormulaFinding(Finding):
    """A finding on a formula, with what is derived of one that is proved; None where nothing is.

    ``characteristic`` says for which fields it is proved. ``exceptions`` are the inputs on which it is wrong,
    ``unrepresentable`` those that it cannot be given; on the curves of ``complete`` nothing is exceptional.
    ``tried_over`` are the fields over which it was run, ``remarks`` what its tests accept. ``refutation``
    explains why it is false. ``law`` and ``exceptional_inputs`` are the verdicts on the two halves of one
    that is not proved, None for a half that was not tried.
    """

    characteristic: str | None = None
    exceptions: tuple[str, ...] | None = None
    unrepresentable: tuple[str, ...] | None = None
    unified: bool | None = None
    complete: str | None = None
    homogeneous: bool | None = None
    refutation: Refutation | None = None
    tried_over: tuple[str, ...] | None = None
    remarks: tuple[str, ...] = ()
    law: Verdict | None = None
    exceptional_inputs: Verdict | None = None

    @property
    def words(self) -> str:
        """The verdict as it is printed: of one whose law is proved, each half."""
        verdict = self.exceptional_inputs
        return in_halves(self.verdict, self.law) if verdict == self.verdict else self.verdict


@dataclass(frozen=True, kw_only=True)
class PublishedFinding(FormulaFinding):
    """A finding on a published formula; ``verdict`` is the worst of it, ``refuted`` also where codes differ.

    ``verdict_op3`` is None where no three-operand code is shipped, ``op3_matches_compute`` where it cannot
    be compared. ``likeness`` is to the formula in force of the same id, None for one that cannot be read;
    ``same_as`` are others of its kind with its values, where that one is missing or has other values.
    """

    verdict_compute: Verdict
    verdict_op3: Verdict | None
    op3_matches_compute: bool | None
    likeness: Likeness | None = None
    same_as: tuple[str, ...] = ()


def characteristic_text(binary: bool, excluded_primes: Sequence[int]) -> str:
    """Say for which fields a proof holds that leaves out some primes: ``every odd p``."""
    if binary:
        return "characteristic 2"
    match tuple(excluded_primes):
        case ():
            return "every p"
        case (2,):
            return "every odd p"
        case primes:
            return f"every p but {', '.join(map(str, primes))}"
