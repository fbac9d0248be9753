"""What is proved of a program, kept by content so that nothing is proved twice.

Sage is imported only where a proof has to be made. The kept certificates are in ``EFDGEN_CACHE``, or in
``efdgen`` below ``XDG_CACHE_HOME``, or in ``~/.cache/efdgen``; where that cannot be written, none are kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from efdgen.generator.bundle import digest
from efdgen.generator.errors import EfdgenError
from efdgen.verify.files import write_whole
from efdgen.verify.finding import characteristic_text

if TYPE_CHECKING:
    from efdgen.generator.formula import Formula
    from efdgen.generator.program import Program

_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Certificate:
    """The verdict on a program of a formula, and the primes to which a proof over Q does not carry over.

    ``formula_digest`` is the sha256, in hexadecimal, of the formula's normalised text. A proof for binary
    fields excludes no primes: it is for characteristic 2. ``remarks`` say what the function's tests accept.
    """

    formula_digest: str
    verdict: Literal["proved", "refuted", "error"]
    reason: str
    binary: bool
    excluded_primes: tuple[int, ...]
    remarks: tuple[str, ...] = ()

    @property
    def characteristic(self) -> str:
        """Say in words for which fields the program is proved: ``every odd p``."""
        return characteristic_text(self.binary, self.excluded_primes)

    def covers(self, prime: int) -> bool:
        """Whether the program is proved for fields of this characteristic."""
        return self.verdict == "proved" and (prime == 2 if self.binary else prime not in self.excluded_primes)


def certify(formula: Formula, program: Program) -> Certificate:
    """Prove that a program of a formula's signature satisfies the laws of its kind, or look the proof up."""
    # Labels may repeat in a program, and its printed form would then not say which value is read.
    content = "\n".join((prover_digest(), repr(formula), repr(program)))
    name = f"{hashlib.sha256(content.encode()).hexdigest()}.json"
    certificate = _read(name)
    if certificate is None:
        certificate = _prove(formula, program)
        if certificate.verdict != "error":
            _write(name, certificate)
    return certificate


def require_proof(formula: Formula, program: Program, prime: int) -> str:
    """Return what is proved of a program over fields of a characteristic, in words.

    Raises :class:`EfdgenError` where it is not proved, or not for that characteristic.
    """
    certificate = certify(formula, program)
    if certificate.verdict != "proved":
        raise EfdgenError(f"{formula.id} is not proved: {certificate.reason}")
    if not certificate.covers(prime):
        raise EfdgenError(
            f"{formula.id} is proved for {certificate.characteristic} only, not for p = {prime}"
        )
    laws = f"the laws of {formula.kind.title}, for {certificate.characteristic}"
    return "; ".join([laws, *certificate.remarks])


def _prove(formula: Formula, program: Program) -> Certificate:
    from efdgen.verify.examination import judge
    from efdgen.verify.laws.acceptance import prove_tests
    from efdgen.verify.laws.batch import prove_batch
    from efdgen.verify.laws.characteristic import excluded_primes
    from efdgen.verify.laws.law import prove_law

    excluded: set[int] = set()
    remarks: tuple[str, ...] = ()

    def prove() -> None:
        nonlocal remarks
        excluded.update(excluded_primes(prove_law(formula, program)))
        accepted = prove_tests(formula, program)
        excluded.update(accepted.excluded_primes)
        remarks = (*prove_batch(formula.kind.length), *accepted.remarks)

    verdict, reason = judge(prove)
    primes = tuple(sorted(excluded))
    return Certificate(digest(formula), verdict, reason, formula.system.model.binary, primes, remarks)


@cache
def prover_digest() -> str:
    """Return a hash of all code that a verdict could depend on."""
    code = hashlib.sha256()
    for folder in ("generator", "verify"):
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()


def cache_directory() -> Path:
    """Return where certificates are kept; raise RuntimeError where there is no home directory."""
    chosen = os.environ.get("EFDGEN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "efdgen")


def _read(name: str) -> Certificate | None:
    try:
        fields = json.loads((cache_directory() / name).read_text(encoding="utf-8"))
        lists = {name: tuple(fields[name]) for name in ("excluded_primes", "remarks")}
        return Certificate(**fields | lists)
    except (OSError, RuntimeError, ValueError, TypeError, KeyError):
        return None


def _write(name: str, certificate: Certificate) -> None:
    with suppress(OSError, RuntimeError, EfdgenError):
        directory = cache_directory()
        directory.mkdir(parents=True, exist_ok=True)
        write_whole(directory / name, json.dumps(asdict(certificate)))
