"""Results on disk, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def recalled(
    place: Path, key: object, make: Callable[[], Any], accepted: Callable[[Any], bool] = lambda _: True
) -> Any:
    """Return the JSON value that a file has for a key; make it where the file has another key, and write it.

    A value that is not accepted is not written.
    """
    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
    if place.exists():
        found = json.loads(place.read_text())
        if found["key"] == digest:
            return found["value"]
    value = make()
    if accepted(value):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"key": digest, "value": value}))
    return value


def digest_of(*roots: Path) -> str:
    """Return the sha256 of the names and contents of all files in some folders."""
    found = hashlib.sha256()
    for root in roots:
        for path in _files(root):
            found.update(f"{path.relative_to(root)}\n".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder in order, without what Python compiles."""
    every: Iterable[Path] = [root] if root.is_file() else sorted(root.rglob("*"))
    yield from (path for path in every if path.is_file() and path.suffix != ".pyc")
