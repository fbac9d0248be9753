"""An account of a formula: its operation and cost, its verdict, and its exceptional inputs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, MissingSageError
from efdgen.generator.kernels.bundle import digest
from efdgen.generator.programs.lower import lower
from efdgen.generator.progress import at, work
from efdgen.generator.reports.describe import description, description_text
from efdgen.verify.certificate import Certificate, certify
from efdgen.verify.exceptions.derived import derive
from efdgen.verify.refutation import explain
from efdgen.verify.refutation.sample import sample
from efdgen.verify.rocq.record import checked_by
from efdgen.verify.verdicts import in_halves, verdict_of, with_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.refutation.refutation import Refutation
    from efdgen.verify.verdicts import Verdict


@dataclass(frozen=True)
class Account:
    """A formula with its certificate; what is derived of it if it is proved, why not if it is refuted.

    ``failure`` says why nothing could be derived of a formula whose law is proved, ``inputs`` is the verdict
    on its exceptional inputs; ``unproved`` describes a formula whose proof needs Sage, if that is missing.
    """

    formula: Formula
    certificate: Certificate
    derived: Mapping[str, object]
    refutation: Refutation | None = None
    failure: str = ""
    unproved: str = ""
    inputs: Verdict | None = None

    @property
    def verdict(self) -> Verdict:
        """The certificate's verdict, unless its exceptions could not be derived, or Sage is missing."""
        if self.unproved:
            return "undecided"
        return self.certificate.verdict if self.inputs is None else self.inputs

    @property
    def reason(self) -> str:
        """Why the formula is not proved; empty for a proof."""
        return self.unproved or self.failure or self.certificate.reason

    @property
    def headline(self) -> str:
        """The verdict in words, with the fields of a proof, without its reason."""
        certificate = self.certificate
        if self.verdict == "proved":
            return f"proved for {certificate.characteristic}"
        return in_halves(self.verdict, certificate.verdict, certificate.characteristic)

    def fields(self) -> dict[str, object]:
        """Return everything by name, as JSON has it."""
        found = {
            "verdict": self.verdict,
            "reason": self.reason,
            "law": self.certificate.verdict,
            "exceptional_inputs": self.inputs,
        }
        proof = {
            "characteristic": self.certificate.characteristic,
            "remarks": [*self.certificate.remarks, *self.certificate.curves],
            "checked_by": checked_by(self.formula),
        }
        why = {"refutation": asdict(self.refutation)} if self.refutation else {}
        return description(self.formula) | found | proof | dict(self.derived) | why

    def text(self) -> str:
        """Return everything in lines for a terminal, a refutation first."""
        certificate = self.certificate
        checked = checked_by(self.formula) if self.verdict == "proved" else None
        remarks = (f"checked by {checked}" if checked else "", *certificate.remarks, *certificate.curves)
        said = filter(None, (with_reason(self.headline, self.reason), *remarks))
        text = description_text(self.formula, ": ".join(said), self.derived)
        if self.refutation:
            text = "\n".join(["refutation", *(f"  {line}" for line in self.refutation.lines()), "", text])
        return text


def account(formula: Formula) -> Account:
    """Prove a formula, and derive its exceptions or why it is false; or look it up."""
    with work("proving"):
        return _account(formula)


def _account(formula: Formula) -> Account:
    try:
        certificate = certify(formula, lower(formula))
    except MissingSageError as missing:
        undecided = Certificate(digest(formula), "undecided", binary=formula.system.model.binary)
        return Account(
            formula,
            undecided,
            {},
            unproved=f"it is {sample(formula, ()).text(lawful=False)}; a proof {missing}",
        )
    if certificate.verdict == "refuted":
        at(f"looking for what is wrong with {formula.id}")
        return Account(formula, certificate, {}, explain(formula))
    if certificate.verdict != "proved":
        return Account(formula, certificate, {})
    try:
        return Account(formula, certificate, derive(formula).fields(), inputs="proved")
    except MissingSageError as missing:
        tried = sample(formula, certificate.excluded_primes).text(lawful=True)
        known = f"it is {tried}; a proof of the exceptional inputs {missing}"
        return Account(formula, certificate, {}, unproved=known, inputs="undecided")
    except EfdgenError as error:
        return Account(formula, certificate, {}, failure=str(error), inputs=verdict_of(error))
