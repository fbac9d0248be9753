"""The record of what Rocq accepted: a committed file, by digests of formulas and of their certificates.

``make certificates`` writes it. A formula is recorded as long as its text and everything that gives it a
meaning are those that were certified; a test certifies formulas again and compares the certificates.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.formulas.formula import Formula

RECORD = Path(__file__).with_name("accepted.txt")
_HEAD = "# Certificates that Rocq {} accepted: digests of formula and certificate, by make certificates.\n"
_LENGTH = 16


class Accepted(NamedTuple):
    """The digests of a formula and of its certificate."""

    formula: str
    certificate: str


def digest(text: str) -> str:
    """Return the first 64 bits of the sha256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def formula_digest(formula: Formula) -> str:
    """Return the digest of a formula with its systems, kind, model and map, wherever in files they are."""
    return digest(re.sub(r"at=Position\(line=\d+, column=\d+\)", "", repr(formula)))


def record_text(version: str, accepted: Iterable[tuple[str, Accepted]]) -> str:
    """Return the record's text; ``accepted`` are ids with digests."""
    lines = [f"{found.formula} {found.certificate} {name}\n" for name, found in sorted(accepted)]
    return _HEAD.format(version) + "".join(lines)


@cache
def recorded() -> tuple[str, dict[str, Accepted]]:
    """Return the version of Rocq in the record, and the digests by id; nothing without a record."""
    if not RECORD.exists():
        return "", {}
    head, *lines = RECORD.read_text(encoding="utf-8").splitlines()
    words = (line.split(" ", 2) for line in lines)
    return head.split()[4], {name: Accepted(formula, certificate) for formula, certificate, name in words}


def checked_by(formula: Formula) -> str | None:
    """Return ``Rocq 8.16.1`` where that version accepted the certificate of a formula as it is, or None."""
    version, accepted = recorded()
    found = accepted.get(formula.id)
    return f"Rocq {version}" if found and found.formula == formula_digest(formula) else None
