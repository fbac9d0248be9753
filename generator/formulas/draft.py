"""A formula from a file or from standard input, with a place in the tree but not in it."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import Draft, Layers, layers
from efdgen.generator.reading import decoded, read_bytes, read_standard_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.diagnosis import Dialect

_STDIN = "-"
_PARTS = 5  # field class, model, system, kind, name
_FIELD_CLASS = re.compile(r"g[0-9]+[a-z]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*")


def read_draft(file: str, place: str | None) -> tuple[Draft, Path | None]:
    """Read a formula; return it with the root of the tree that its path shows, None where it shows none.

    A text that is not in the language of ``efd/`` is read as one that is pasted from elsewhere. ``place`` is
    the path of its kind, or its id. Raises :class:`EfdgenError` where the place is not known, or the file
    cannot be read.
    """
    path = Path(file)
    parts = Path(os.path.abspath(path)).parts if file != _STDIN else ()
    shown = parts[-_PARTS:]
    root = None
    if len(shown) == _PARTS and _FIELD_CLASS.fullmatch(shown[0]):
        root = Path(*parts[:-_PARTS])
    if place is None:
        if root is None:
            _text(file)  # a missing file is reported first
            raise EfdgenError(f"say where {_called(file)} belongs: --as g1p/shortw/jacobian-0/doubling")
        name = "/".join(shown)
    else:
        name = _id(place, "draft" if file == _STDIN else path.name)
    text = _text(file)
    return Draft(name, _called(file), text, _dialect(text)), root


def draft(text: str, place: str) -> Draft:
    """Return a text as a formula of a place, the path of its kind or its id; raise as :func:`read_draft`."""
    return Draft(_id(place, "draft"), "<text>", text, _dialect(text))


def with_draft(
    draft: Draft, root: Path | None, require: Callable[[Formula], object] | None = None
) -> Database:
    """Return the layers in force with a draft over them, and under it the tree that it is in.

    ``require`` raises :class:`EfdgenError` for a formula of the user's that is not to be chosen unasked.
    """
    below = layers()
    roots = below.roots if root is None else tuple(dict.fromkeys((root, *below.roots)))
    return Database(Layers(roots, (draft,)), require=require)


def require_id(name: str) -> None:
    """Raise :class:`EfdgenError` where a text is not of the form of a formula's id."""
    parts = name.split("/")
    if len(parts) != _PARTS or not _FIELD_CLASS.fullmatch(parts[0]) or not all(map(_NAME.fullmatch, parts)):
        raise EfdgenError(f"{name[:60]!r} is not an id, such as g1p/shortw/jacobian-0/doubling/dbl-mine")


def _id(place: str, name: str) -> str:
    """Return a formula's id of what ``--as`` says, which may lack its name."""
    parts = list(PurePosixPath(place).parts)
    if len(parts) == _PARTS - 1:
        parts.append(_NAME.match(name)[0] if _NAME.match(name) else "draft")  # type: ignore[index]
    if len(parts) != _PARTS or not _FIELD_CLASS.fullmatch(parts[0]):
        raise EfdgenError(
            f"--as {place[:60]!r}: expected a kind of a system, such as g1p/shortw/jacobian-0/doubling"
        )
    return "/".join(parts)


def _called(file: str) -> str:
    return "<stdin>" if file == _STDIN else file


def _dialect(text: str) -> Dialect:
    from efdgen.generator.language.parser import parse_document

    try:
        parse_document(text)
    except TextError:
        return "pasted"
    return "normalised"


def _text(file: str) -> str:
    return decoded(read_standard_input() if file == _STDIN else read_bytes(file), _called(file))
