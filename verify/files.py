"""All-or-nothing writing of one file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from efdgen.generator.errors import EfdgenError


def require_writable(path: Path) -> None:
    """Raise :class:`EfdgenError` where a file cannot be written; asked before a long computation."""
    if path.is_dir():
        raise EfdgenError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise EfdgenError(f"cannot write {path}: {path.parent} is not a directory")
    if not os.access(path.parent, os.W_OK):
        raise EfdgenError(f"cannot write {path}: {path.parent} is not writable")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody ever sees half of it; raise :class:`EfdgenError` where that fails."""
    temporary = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        temporary.chmod(0o644)
        temporary.replace(path)
    except (OSError, KeyboardInterrupt) as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise EfdgenError(f"cannot write {path}: {error.strerror}") from None
