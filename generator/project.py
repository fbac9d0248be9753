"""A project's file: ``efdgen.toml``, or ``[tool.efdgen]`` of ``pyproject.toml``, and the entries in it.

Each ``[[generate]]`` is a command line by its options: ``curve = "secp256k1"`` is ``--curve secp256k1``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import PROJECT_FILE
from efdgen.generator.toml_reader import Table
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
    table.require_known(_KEYS)
    wanted = table.value("version", f"a string such as {__version__!r}", _is_version, __version__)
    if wanted != __version__:
        reason = f"it requires efdgen {wanted}, but this is {__version__}; install {wanted}"
        raise table.error(reason, "version")
    entries = tuple(_entry(path, entry) for entry in table.rows("generate", "entry"))
    if not entries:
        raise table.error("write at least one [[generate]]")
    return Project(path, entries)


def _entry(path: Path, table: Table) -> Entry:
    command = table.choice("command", COMMANDS, COMMANDS[0])
    out = table.value("out", f"a directory below that of {path.name}", _is_relative)
    if not _is_below(path.parent, out):
        raise table.error(f"out leads through a link to a directory outside that of {path.name}", "out")
    options = {key: value for key, value in table.values.items() if key not in ("command", "out")}
    return Entry(f"{path.name}, {table.title}", command, options, Path(out))


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def _is_relative(out: object) -> bool:
    """Return whether a value is a path, not ``-``, that leads nowhere above."""
    if not isinstance(out, str) or out in ("", "-"):
        return False
    return not Path(out).is_absolute() and ".." not in Path(out).parts


def _is_below(folder: Path, out: str) -> bool:
    """Return whether a directory below a folder is so when links are followed."""
    try:
        return (folder / out).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links that lead to each other
        return False


def _table(path: Path) -> Table | None:
    """Return the table of efdgen in a file; None for a ``pyproject.toml`` without one."""
    table = Table.read(path)
    if path.name != PYPROJECT:
        return table
    tools = table.table("tool")
    return tools.table("efdgen") if "efdgen" in tools else None
