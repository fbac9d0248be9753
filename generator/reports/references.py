"""The bibliography: the meaning of a ``[key]`` in a source line."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from efdgen.generator.formulas.database import Database

_log = logging.getLogger(__name__)
_ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_UNESCAPED = re.compile(r"(?<!\\)[#&%_]")
_KEY = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True)
class Reference:
    """A published work: its BibTeX type, its key and its fields."""

    type: str
    key: str
    fields: Mapping[str, str]

    @property
    def authors(self) -> tuple[str, ...]:
        """The authors, each as in the entry."""
        names = self.fields.get("author", "")
        return tuple(names.split(" and ")) if names else ()

    @property
    def bibtex(self) -> str:
        """The entry of a bibliography, with signs that LaTeX reads as commands, as in addresses, escaped."""
        safe = {name: _UNESCAPED.sub(r"\\\g<0>", value) for name, value in self.fields.items()}
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in safe.items())
        return f"@{self.type}{{{self.key},\n{fields}}}\n"

    def __str__(self) -> str:
        """Write authors, title, where it appeared, and the year, as plain text."""
        names = ("author", "title", "journal", "booktitle", "series", "howpublished", "year", "note")
        texts = {**self.fields, "author": ", ".join(self.authors)}
        return ". ".join(_plain(texts[name]) for name in names if texts.get(name)) + "."


def read_references(path: Path = BUILT_IN / "references.bib") -> tuple[Reference, ...]:
    """Read a bibliography in the form that ``efd/references.bib`` has: one field a line, in braces."""
    text = read_text(path)
    return tuple(Reference(kind, key, dict(_FIELD.findall(body))) for kind, key, body in _ENTRY.findall(text))


@cache
def works() -> Mapping[str, Reference]:
    """Return the works of ``efd/references.bib`` by their keys."""
    return {reference.key: reference for reference in read_references()}


def cited_keys(source: str) -> tuple[str, ...]:
    """Return the keys that a source line cites: ``[2007-bernstein-lange] page 3``."""
    return tuple(_KEY.findall(source))


def warn_of_unknown_keys(database: Database, ids: Iterable[str]) -> None:
    """Give a warning of each of the user's formulas that cites a key of no reference."""
    own = [name for name in ids if database.dialect == "normalised" and not database.layers.is_built_in(name)]
    known = {*works()} if own else set()
    for name in own:
        with suppress(EfdgenError):  # the examination reports it
            for key in {*cited_keys(database.formula(name).source)} - known:
                _log.warning("%s cites [%s], which is not a key of references.bib", name, key)


def _plain(text: str) -> str:
    return re.sub(r"[{}]", "", text).replace("--", "–")
