"""Certificates of programs, cached by content so that nothing is proved twice.

Sage is imported only where a proof has to be made.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.bundle import digest
from efdgen.generator.programs.lower import lower
from efdgen.generator.progress import at
from efdgen.verify import store
from efdgen.verify.children import CrashedError, ExhaustedError, ask
from efdgen.verify.finding import characteristic_text
from efdgen.verify.verdicts import verdict_of
from efdgen.verify.witness import require_witness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.formulas.specialise import Specialised
    from efdgen.generator.programs.program import Program
    from efdgen.verify.verdicts import Verdict

_PROVER = "efdgen.verify.laws.proof"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Certificate:
    """The verdict on a program of a formula, and the primes to which a proof over Q does not carry over.

    ``formula_digest`` is the sha256, in hexadecimal, of the formula's normalised text. A proof for binary
    fields excludes no primes: it is for characteristic 2. ``remarks`` say what the function's tests accept.
    """

    formula_digest: str
    verdict: Verdict
    reason: str
    binary: bool
    excluded_primes: tuple[int, ...]
    remarks: tuple[str, ...] = ()

    @property
    def characteristic(self) -> str:
        """Say in words for which fields the program is proved: ``every odd p``."""
        return characteristic_text(self.binary, self.excluded_primes)

    def covers(self, prime: int) -> bool:
        """Return whether the program is proved for fields of this characteristic."""
        return self.verdict == "proved" and (prime == 2 if self.binary else prime not in self.excluded_primes)


def certify(formula: Formula, program: Program) -> Certificate:
    """Prove that a program of a formula's signature satisfies the laws of its kind, or look the proof up."""
    # Labels may repeat in a program, and its printed form would then not say which value is read.
    name = store.key(_PROVER, repr(formula), repr(program))
    certificate = _read(name)
    _log.debug("%s: %s", "to prove" if certificate is None else "looked up", formula.id)
    if certificate is None:
        at(f"proving {formula.id}")
        certificate = _proof(formula, program)
        if certificate.verdict in {"proved", "refuted"}:
            store.store(name, asdict(certificate))
    return certificate


def require_law(formula: Formula) -> Certificate:
    """Return what is proved of a formula as it is written; raise :class:`EfdgenError` where it is not."""
    return _require_proved(formula, lower(formula))


def _require_proved(formula: Formula, program: Program) -> Certificate:
    certificate = certify(formula, program)
    if certificate.verdict != "proved":
        raise EfdgenError(f"{formula.id} is not proved: {certificate.reason}")
    return certificate


def require_proof(specialised: Specialised) -> str:
    """Return what is proved of a formula's program on a curve, in words.

    Raises :class:`EfdgenError` where it is not proved, or not for the curve's characteristic, and
    :class:`NotApplicable` where the proof says nothing of the curve.
    """
    formula, prime = specialised.formula, specialised.prime
    certificate = _require_proved(formula, specialised.program)
    if not certificate.covers(prime):
        raise EfdgenError(
            f"{formula.id} is proved for {certificate.characteristic} only, not for p = {prime}"
        )
    require_witness(specialised)
    laws = f"the laws of {formula.kind.title}, for {certificate.characteristic}"
    return "; ".join([laws, *certificate.remarks])


def _proof(formula: Formula, program: Program) -> Certificate:
    """Return what a child proves, or that it died."""
    try:
        proof: Sequence[Any] = ask(_prove, formula, program)
    except (CrashedError, ExhaustedError) as death:
        proof = verdict_of(death), str(death), (), ()
    verdict, reason, primes, remarks = proof
    return Certificate(digest(formula), verdict, reason, formula.system.model.binary, primes, remarks)


def _prove(formula: Formula, program: Program) -> Sequence[Any]:
    """Prove a program; Sage is imported only here, in a child. What is returned needs none."""
    from efdgen.verify.laws.proof import prove_program

    return tuple(prove_program(formula, program))


def _read(name: str) -> Certificate | None:
    try:
        fields = store.load(name)
        lists = {key: tuple(fields[key]) for key in ("excluded_primes", "remarks")}
        return Certificate(**fields | lists)
    except (TypeError, KeyError):
        return None
