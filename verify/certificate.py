"""Certificates of programs, cached by content so that nothing is proved twice.

Sage is imported only where a proof has to be made.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import built_in
from efdgen.generator.formulas.foundations import own_foundations
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.inert import inert
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

    from efdgen.generator.formulas.formula import Formula, Kind
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.programs.program import Program
    from efdgen.verify.verdicts import Verdict

_PROVER = "efdgen.verify.laws.proof"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Certificate:
    """The verdict on a program of a formula, and the primes to which a proof over Q does not carry over.

    ``formula_digest`` is the sha256, in hexadecimal, of the formula's normalised text. A proof for binary
    fields excludes no primes: it is for characteristic 2. ``remarks`` say what the function's tests accept,
    ``curves`` on which curves they test nothing.
    """

    formula_digest: str
    verdict: Verdict
    reason: str = ""
    binary: bool = False
    excluded_primes: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()

    @property
    def characteristic(self) -> str:
        """Say in words for which fields the program is proved: ``every odd p``."""
        return characteristic_text(self.binary, self.excluded_primes)

    def covers(self, prime: int) -> bool:
        """Return whether the program is proved for fields of this characteristic."""
        return self.verdict == "proved" and (prime == 2 if self.binary else prime not in self.excluded_primes)


def certify(formula: Formula, program: Program) -> Certificate:
    """Prove that a program of a formula's signature satisfies the laws of its kind, or look the proof up.

    The models and maps that it rests on are proved too, unless they are built in; if they are not proved, the
    verdict is ``error``.
    """
    # Labels may repeat in a program, and its printed form would then not say which value is read.
    name = store.key(_PROVER, repr(formula), repr(program))
    certificate = _read(name, formula)
    _log.debug("%s: %s", "to prove" if certificate is None else "looked up", formula.id)
    if certificate is None:
        at(f"proving {formula.id}")
        certificate = _proof(formula, program)
        if certificate.verdict in {"proved", "refuted"}:
            fields = store.fields_of(certificate)
            del fields["formula_digest"]
            store.store(name, fields)
    return _founded(formula, certificate)


def _founded(formula: Formula, certificate: Certificate) -> Certificate:
    """Return a certificate that takes account of the models and maps that are not built in."""
    if certificate.verdict == "refuted" or not own_foundations(formula):
        return certificate
    try:
        primes = ask(_prove_foundations, formula)
    except EfdgenError as error:
        return replace(certificate, verdict="error", reason=str(error))
    excluded = tuple(sorted({*certificate.excluded_primes, *primes}))
    return replace(certificate, excluded_primes=excluded)


def _prove_foundations(formula: Formula) -> tuple[int, ...]:
    """Prove what a formula rests on; Sage is imported only here, in a child."""
    from efdgen.verify.laws.foundations import prove_foundations

    return prove_foundations(formula)


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
    formula, ground = specialised.formula, specialised.ground
    certificate = _require_proved(formula, specialised.program)
    if not certificate.covers(p := ground.characteristic):
        raise EfdgenError(f"{formula.id} is proved for {certificate.characteristic} only, not for p = {p}")
    require_witness(specialised)
    laws = f"the laws of {_kind_text(formula.kind)}, for {certificate.characteristic}"
    return "; ".join([laws, *certificate.remarks])


def _kind_text(kind: Kind) -> str:
    """Return the description of a built-in kind; a user's own has the name of its file, not its own words."""
    path = f"kinds/{kind.id}"
    is_known = (BUILT_IN / path).is_file() and built_in().kind(kind.id) == kind
    return kind.title if is_known else inert(path)


def _proof(formula: Formula, program: Program) -> Certificate:
    """Return what a child proves, or that it died."""
    try:
        proof: Sequence[Any] = ask(_prove, formula, program)
    except (CrashedError, ExhaustedError) as death:
        proof = verdict_of(death), str(death), (), (), ()
    verdict, reason, primes, remarks, curves = proof
    return Certificate(digest(formula), verdict, reason, formula.system.model.binary, primes, remarks, curves)


def _prove(formula: Formula, program: Program) -> Sequence[Any]:
    """Prove a program; Sage is imported only here, in a child. The result needs none."""
    from efdgen.verify.laws.proof import prove_program

    return tuple(prove_program(formula, program))


def _read(name: str, formula: Formula) -> Certificate | None:
    try:
        fields: dict[str, Any] = store.load(name)
        plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
        return Certificate(**plain | {"formula_digest": digest(formula)})
    except (AttributeError, TypeError):
        return None
