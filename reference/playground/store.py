"""Proofs in memory, packed in place of ``verify/store.py`` for a browser.

The archive's file ``shipped-answers`` has the shipped answers of Singular, by the hashes of their claims.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FILE = Path(__file__).with_name("shipped-answers")

_known: dict[str, Any] = json.loads(FILE.read_text(encoding="ascii")) if FILE.is_file() else {}


def key(prover: str, *claim: str) -> str:
    """Return the hash of a claim and its prover, as shipped proofs have it."""
    return hashlib.sha256("\0".join((prover, *claim)).encode()).hexdigest()[:32]


def load(name: str) -> object:
    """Return the value under a key, or None."""
    return _known.get(name)


def store(name: str, value: object) -> None:
    """Keep a value under a key, as JSON represents it."""
    _known[name] = json.loads(json.dumps(value))


def fields_of(value: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a dataclass by name, without those that have their default."""
    return {
        each.name: plain for each in fields(value) if (plain := getattr(value, each.name)) != each.default
    }
