"""The forms of an export, each with its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.reference.export.latex import bibliography, latex_files
from efdgen.reference.export.schema import schema_text
from efdgen.reference.export.sqlite import sqlite_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS = {
    "json": "efdgen.json",
    "sqlite": "efdgen.sqlite",
    "bibtex": "references.bib",
    "schema": "efdgen-schema.md",
    "latex": "efdgen-latex",
}
"""Each form with its default file; LaTeX is a directory."""

_BEGINNINGS = {
    "json": b'{\n "schema":',
    "sqlite": b"SQLite format 3\0",
    "bibtex": b"@",
    "schema": b"# The exported database",
}


def json_document(document: Mapping[str, Any]) -> str:
    """Return the document as JSON, with one member a line."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def one_file(document: Mapping[str, Any], form: str) -> bytes:
    """Return the one file of a form; LaTeX has many."""
    match form:
        case "json":
            return json_document(document).encode()
        case "sqlite":
            return sqlite_bytes(document)
        case "bibtex":
            return bibliography(document).encode()
        case "schema":
            return schema_text().encode()
    raise EfdgenError(f"{form} is a directory of files")


def many_files(document: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files in LaTeX, by path."""
    return {name: text.encode() for name, text in latex_files(document).items()}


def require_export(content: bytes, form: str, path: object) -> None:
    """Raise :class:`EfdgenError` for the content of a file that is not an export of this form."""
    if content and not content.startswith(_BEGINNINGS[form]):
        raise EfdgenError(f"{path} is not an export in {form}; move it, or give another --out")
