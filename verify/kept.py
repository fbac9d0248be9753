"""Cached findings, by content, so that nothing is proved twice and no Sage is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import layers
from efdgen.verify import store
from efdgen.verify.finding import Finding, FormulaFinding, ModelFinding, PublishedFinding

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.layers import Layers

_CLASSES: dict[str, Callable[..., Finding]] = {
    found.__name__: found for found in (FormulaFinding, ModelFinding, PublishedFinding)
}
_SHARED = ("kinds/*", "g*/*/coordinates", "g*/*/maps/*", "g*/*/*/variables")


class KeptFindings:
    """The findings of some modules on one tree, by what its files say, and by those that formulas share."""

    def __init__(self, database: Database, *provers: str) -> None:
        self._database = database
        shared = hashlib.sha256(database.dialect.encode())
        shared.update("\0".join(provers).encode())
        self._digests = [store.fingerprint(prover) for prover in provers]
        for tree in dict.fromkeys((layers(), database.layers)):
            for name in sorted(name for pattern in _SHARED for name in tree.glob(pattern)):
                _add(shared, name, _content(tree, name))
        self._shared = shared

    def find(self, name: str) -> Finding | None:
        """Return what was found of a formula, model or map, None where nothing is kept."""
        fields: Any = store.load(self._name(name))
        try:
            found = _CLASSES[fields.pop("class")]
            values = {key: tuple(v) if isinstance(v, list) else v for key, v in fields.items()}
            finding = found(**values, earlier=True)
        except (AttributeError, TypeError, KeyError):
            return None
        return finding if _is_finding(finding, name) else None

    def keep(self, finding: Finding) -> None:
        """Keep a finding on what is proved; where that cannot be written, nothing is kept."""
        if finding.verdict != "proved":
            return
        fields = store.fields_of(replace(finding, seconds=0.0, earlier=False))
        store.store(self._name(finding.id), {"class": type(finding).__name__, **fields})

    def _name(self, name: str) -> str:
        content = self._shared.copy()
        tree = self._database.layers
        for file in (name, f"{name}.op3"):
            _add(content, name, _content(tree, file) if tree.has(file) else b"")
        return store.joined(content.hexdigest(), *self._digests)


def _is_finding(finding: Finding, name: str) -> bool:
    """Return whether a cached finding is one on a name, with fields of the right types."""
    kinds = tuple, str, bool, type(None)
    return (
        finding.id == name
        and all(
            isinstance(value, float | int) if field == "seconds" else isinstance(value, kinds)
            for field, value in vars(finding).items()
        )
        and all(
            isinstance(each, str)
            for each in chain.from_iterable(v for v in vars(finding).values() if isinstance(v, tuple))
        )
    )


def _content(tree: Layers, name: str) -> bytes:
    """Return what is in a file; of one that cannot be read, why."""
    try:
        return tree.bytes(name)
    except EfdgenError as error:
        return str(error).encode()


def _add(content: hashlib._Hash, name: str, data: bytes) -> None:
    """Add a file to what is hashed; its length tells apart what is in it from what comes next."""
    content.update(f"\0{name}\0{len(data)}\0".encode() + data)
