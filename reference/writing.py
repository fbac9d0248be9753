"""Files of exports and sites: all of them or none, and nothing that others wrote is touched.

A directory has a list of the files that efdgen wrote into it; the next run removes those that are gone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

from efdgen.generator.errors import EfdgenError
from efdgen.generator.output import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    State = Literal["unchanged", "added", "changed", "removed"]

MANIFEST = "efdgen-files.txt"
_HEAD = "# Files that efdgen wrote into this directory. It removes those that it no longer writes."


class Written(NamedTuple):
    """A file and its state after a run."""

    path: Path
    state: State


def write_file(path: Path, content: bytes) -> Written:
    """Write one file, in full or not at all; raise :class:`EfdgenError` where that fails."""
    state: State = "added"
    if path.is_file():
        state = "unchanged" if path.read_bytes() == content else "changed"
    with _errors(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    return Written(path, state)


def write_tree(directory: Path, files: Mapping[str, bytes]) -> list[Written]:
    """Write files below a directory, and remove those of an earlier run that are no longer among them.

    Raises :class:`EfdgenError` and leaves everything as it was for a directory that efdgen did not write, for
    a file in the way of a new one, and where writing fails.
    """
    require_tree(directory)
    before = _listed(directory)
    files = {**files, MANIFEST: "".join(f"{line}\n" for line in (_HEAD, *sorted(files))).encode()}
    _require_free(directory, sorted(files), before)
    gone = sorted(name for name in before - files.keys() if (directory / name).is_file())
    with _errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=directory, prefix=".efdgen-"))
        try:
            states = {name: _stage(directory / name, staging / name, files[name]) for name in sorted(files)}
            with uninterrupted():
                _remove(directory, gone)
                for name, state in states.items():
                    if state != "unchanged":
                        (directory / name).parent.mkdir(parents=True, exist_ok=True)
                        (staging / name).replace(directory / name)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return [
        *(Written(directory / name, state) for name, state in states.items()),
        *(Written(directory / name, "removed") for name in gone),
    ]


def require_tree(directory: Path) -> None:
    """Raise :class:`EfdgenError` for a directory with files that efdgen did not write."""
    if directory.exists() and not directory.is_dir():
        raise EfdgenError(f"{directory} is not a directory; give another one")
    if (directory / MANIFEST).is_file() or not directory.is_dir():
        return
    if any(not path.name.startswith(".") for path in directory.iterdir()):
        raise EfdgenError(f"{directory} has files that efdgen did not write; give an empty directory")


def _listed(directory: Path) -> set[str]:
    """Return the paths that an earlier run wrote, if it did; only those that stay below the directory."""
    with suppress(OSError, UnicodeDecodeError):
        lines = (directory / MANIFEST).read_text(encoding="utf-8").splitlines()
        paths = (PurePosixPath(line) for line in lines if line and not line.startswith("#"))
        return {str(path) for path in paths if not path.is_absolute() and ".." not in path.parts} | {MANIFEST}
    return set()


def _require_free(directory: Path, names: list[str], before: set[str]) -> None:
    """Raise :class:`EfdgenError` where something that efdgen did not write has the place of a file."""
    checked: set[Path] = {Path()}
    for name in names:
        path = Path(name)
        taken = [path] if name not in before and (directory / path).exists() else []
        taken += [directory / path] * (directory / path).is_dir()
        taken += [each for each in path.parents if each not in checked and (directory / each).is_file()]
        checked.update(path.parents)
        if taken and name != MANIFEST:
            raise EfdgenError(f"{directory / taken[0]} is in the way, and efdgen did not write it; move it")


def _stage(path: Path, temporary: Path, content: bytes) -> State:
    """Write a file's new content beside the tree, unless it has that already; return its state to be."""
    there = path.is_file()
    if there and path.stat().st_size == len(content) and path.read_bytes() == content:
        return "unchanged"
    temporary.parent.mkdir(parents=True, exist_ok=True)
    temporary.write_bytes(content)
    return "changed" if there else "added"


def _remove(directory: Path, names: list[str]) -> None:
    """Remove files, and directories that they leave empty."""
    for name in names:
        path = directory / name
        path.unlink(missing_ok=True)
        for parent in path.relative_to(directory).parents:
            with suppress(OSError):
                if parent.parts:
                    (directory / parent).rmdir()


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    """Report a failure of the system as one line."""
    try:
        yield
    except OSError as error:
        raise EfdgenError(f"cannot write {error.filename or path}: {error.strerror}") from None
