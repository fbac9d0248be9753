"""The rows of the tables: suites and programs, by name or by the project whose crates they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ecosystem.programs import PROGRAMS
from ecosystem.suites import SUITES, with_arithmetic
from efdgen.generator.interfaces import INTERFACES

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS: dict[str, Any] = SUITES | PROGRAMS
PROJECTS = sorted({interface.project for interface in INTERFACES.values()})


def replaced(name: str) -> list[str]:
    """Return the suites of the crates that emitted ones replace in a row."""
    return with_arithmetic(ROWS[name].get("replaces", [name]))


def chosen(words: Sequence[str]) -> list[str]:
    """Return the rows that words name, in order; a project names all rows with one of its crates.

    Without a word, return all rows.
    """
    unknown = [word for word in words if word not in ROWS and word not in PROJECTS]
    if unknown:
        raise ValueError(f"there is no {', '.join(unknown)}; choose some of {', '.join([*PROJECTS, *ROWS])}")
    return [name for name in ROWS if not words or name in words or not _projects(name).isdisjoint(words)]


def _projects(name: str) -> set[str]:
    """Return the projects whose crates are replaced in a row."""
    return {INTERFACES[SUITES[suite].get("api", "rustcrypto")].project for suite in replaced(name)}
