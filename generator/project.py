"""A project's file: ``efdgen.toml``, or ``[tool.efdgen]`` of ``pyproject.toml``, and the entries in it.

Each ``[[generate]]`` is a command line by its options: ``curve = "secp256k1"`` is ``--curve secp256k1``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import PROJECT_FILE
from efdgen.generator.reading import read_text
from efdgen.generator.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

PYPROJECT = "pyproject.toml"
COMMANDS = ("compile", "field")
_VERSION = re.compile(r"[0-9]+(\.[0-9a-z]+)*")
_KEYS = ("version", "generate")


@dataclass(frozen=True)
class Entry:
    """One entry: what errors call it, its command, and its options by their names without ``--``."""

    title: str
    command: str
    options: Mapping[str, Any]
    out: Path


@dataclass(frozen=True)
class Project:
    """A project's file and its entries; paths in it are relative to its folder."""

    path: Path
    entries: tuple[Entry, ...]

    @property
    def folder(self) -> Path:
        """The directory of the project."""
        return self.path.parent


def project_file(folder: Path) -> Path | None:
    """Return the project file of a folder, None without one."""
    if (folder / PROJECT_FILE).is_file():
        return folder / PROJECT_FILE
    is_project = (folder / PYPROJECT).is_file() and _table(folder / PYPROJECT) is not None
    return folder / PYPROJECT if is_project else None


def find_project(start: Path) -> Path:
    """Return the project file of the nearest folder that has one; raise :class:`EfdgenError` without any."""
    for folder in (start, *start.parents):
        if (path := project_file(folder)) is not None:
            return path
    raise EfdgenError(f"no {PROJECT_FILE} here or above; write one with a [[generate]] entry")


def read_project(path: Path) -> Project:
    """Read a project's file; raise :class:`EfdgenError` for what it may not say, and another version."""
    table = _table(path)
    if table is None:
        raise EfdgenError(f"{path}: [tool.efdgen] is missing")
    for key in table:
        if key not in _KEYS:
            raise EfdgenError(f"{path}: unknown key {key!r}; known: {', '.join(_KEYS)}")
    wanted = table.get("version", __version__)
    if not isinstance(wanted, str) or not _VERSION.fullmatch(wanted):
        raise EfdgenError(f"{path}: version must be a string such as {__version__!r}, not {wanted!r}")
    if wanted != __version__:
        raise EfdgenError(f"{path}: it requires efdgen {wanted}, but this is {__version__}; install {wanted}")
    given = table.get("generate", [])
    if not isinstance(given, list) or not given or not all(isinstance(entry, dict) for entry in given):
        raise EfdgenError(f"{path}: write at least one [[generate]]")
    return Project(path, tuple(_entry(path, number, entry) for number, entry in enumerate(given, 1)))


def _entry(path: Path, number: int, given: dict[str, Any]) -> Entry:
    title = f"{path.name}, entry {number}"
    command, out = given.pop("command", COMMANDS[0]), given.pop("out", None)
    if command not in COMMANDS:
        raise EfdgenError(f"{title}: command must be {' or '.join(COMMANDS)}, not {command!r}")
    if not isinstance(out, str) or not out:
        raise EfdgenError(f"{title}: out is missing, the directory of its files")
    if out == "-" or Path(out).is_absolute() or ".." in Path(out).parts:
        raise EfdgenError(f"{title}: out must be a directory below that of {path.name}, not {out!r}")
    if not _is_below(path.parent, out):
        raise EfdgenError(f"{title}: out leads through a link to a directory outside that of {path.name}")
    return Entry(title, command, given, Path(out))


def _is_below(folder: Path, out: str) -> bool:
    """Return whether a directory below a folder is so when links are followed."""
    try:
        return (folder / out).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links that lead to each other
        return False


def _table(path: Path) -> dict[str, Any] | None:
    """Return what a file says of efdgen; None of a ``pyproject.toml`` that does not."""
    try:
        found = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise EfdgenError(f"{path}: {error}") from None
    if path.name != PYPROJECT:
        return found
    tool = found.get("tool", {}).get("efdgen")
    return tool if isinstance(tool, dict) else None
