"""What is proved of an operation of a field on words, kept by content so that nothing is proved twice."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.verify.certificate import cache_directory, prover_digest
from efdgen.verify.files import write_whole
from efdgen.verify.laws.law import Refuted
from efdgen.verify.limbs.prove import LimbCertificate, prove_contract

if TYPE_CHECKING:
    from pathlib import Path

    from efdgen.generator.fields.operations import FieldOperation


def require_field_proof(operation: FieldOperation) -> str:
    """Return in words what is proved of an operation, for all inputs within its contract.

    Raises :class:`EfdgenError` where that is refuted, or not proved.
    """
    certificate = _read(operation)
    if certificate is None:
        try:
            certificate = prove_contract(operation.program, operation.contract)
        except Refuted as refuted:
            raise EfdgenError(f"{operation.name} of the field is not proved: {refuted}") from None
        _write(operation, certificate)
    by = "polynomial identities" + (" and Z3" if certificate.questions else "")
    return f"no carry lost, value and bound right, for all inputs within bounds (by {by})"


def _path(operation: FieldOperation) -> Path:
    content = "\n".join((prover_digest(), repr(operation.program), repr(operation.contract)))
    return cache_directory() / f"field-{hashlib.sha256(content.encode()).hexdigest()}.json"


def _read(operation: FieldOperation) -> LimbCertificate | None:
    try:
        return LimbCertificate(**json.loads(_path(operation).read_text(encoding="utf-8")))
    except (OSError, RuntimeError, ValueError, TypeError):
        return None


def _write(operation: FieldOperation, certificate: LimbCertificate) -> None:
    with suppress(OSError, RuntimeError, EfdgenError):
        path = _path(operation)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(vars(certificate)))
