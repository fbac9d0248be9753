"""Parallel proofs of field claims, then translation validation of the generated files."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import Claims
from efdgen.generator.fields.printed import FileText, Printed
from efdgen.generator.progress import at, each
from efdgen.generator.render.rust.crate import crate_of
from efdgen.verify import store
from efdgen.verify.children import CrashedError, ask_all
from efdgen.verify.fields.certificate import kept_proof, key_of, name_of, new_proof
from efdgen.verify.readback.read import differences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.fields.claims import Claim

Made = TypeVar("Made")
_READER, _READ = "efdgen.verify.readback.read", "read back"
_log = logging.getLogger(__name__)


class FieldProofs(Claims):
    """Proofs of the claims of a printer, and the comparison of its files with what was proved.

    ``expected`` is all that the printer claimed and announced, in order.
    """

    def __init__(self) -> None:
        self.expected: list[Printed | Claim] = []
        self._texts: dict[str, str] = {}
        self._missing: dict[str, Claim] = {}

    def statement(self, claim: Claim) -> str:
        """Return in words what was proved of a claim, here or before; empty where it is to be proved."""
        self.expected.append(claim)
        name = key_of(claim)
        if name not in self._texts and name not in self._missing:
            kept = kept_proof(name)
            _log.debug("%s: the field's %s", "to prove" if kept is None else "looked up", name_of(claim))
            if kept is None:
                self._missing[name] = claim
            else:
                self._texts[name] = kept
        return self._texts.get(name, "")

    def announce(self, printed: Printed) -> None:
        """Keep what a text must equal."""
        self.expected.append(printed)

    def proved(self, make: Callable[[Claims], Made]) -> Made:
        """Return what a printer makes, with what is proved of its claims in words.

        The printer runs once where all of its proofs are kept. Otherwise claims without a proof are collected
        by that and proved in one process per processor, and it runs again. Raises :class:`EfdgenError` where
        one is refuted or not proved, the first of them.
        """
        before = len(self.expected)
        made = make(self)
        if not self._missing:
            return made
        self._prove()
        del self.expected[before:]
        return make(self)

    def require_read(self, files: Mapping[str, str]) -> None:
        """Read files back, by their relative paths; raise :class:`EfdgenError` where they differ.

        The same texts are read once for the same claims and the same readers.
        """
        name = store.key(_READER, repr(sorted(files.items())), *map(repr, self.expected))
        if store.load(name) == _READ:
            return
        at("reading back what is printed")
        found = differences(as_read(files), self._announced())
        if found:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            raise EfdgenError(f"the text differs from what was proved: {found[0]}{more}; report it as a bug")
        store.store(name, _READ)

    def _announced(self) -> list[Printed | Claim]:
        """Return what is expected, with files by the paths that readers know."""
        texts = {each.path: each.text for each in self.expected if isinstance(each, FileText)}
        others = [each for each in self.expected if not isinstance(each, FileText)]
        return [*others, *(FileText(path, text) for path, text in as_read(texts).items())]

    def _prove(self) -> None:
        """Prove claims of which no proof is known, and keep their proofs."""
        missing, self._missing = self._missing, {}
        asked = ask_all(
            lambda name: new_proof(missing[name]),
            [[name] for name in missing],
            os.cpu_count() or 1,
            lambda name: at(name_of(missing[name])),
        )
        errors: dict[str, Exception] = {}
        for name, found in each(asked, len(missing), "proving the field"):
            if isinstance(found, CrashedError):
                errors[name] = EfdgenError(f"no proof for the field's {name_of(missing[name])}; {found}")
            elif isinstance(found, Exception):
                errors[name] = found
            else:
                self._texts[name] = found
                store.store(name, found)
        for name in missing:
            if name in errors:
                raise errors[name]


def as_read(files: Mapping[str, str]) -> dict[str, str]:
    """Return files by the paths that readers know: a module as a crate, and headers outside of folders."""
    headers = {Path(path).name: text for path, text in files.items() if path.endswith(".h")}
    return crate_of(files) | headers
