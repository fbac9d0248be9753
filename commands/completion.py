"""Shell completion of formulas, kinds, places, curves, systems, hosts, stages, authors and commands."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Names = Callable[[click.Context], Iterable[str]]
    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _completer(names: Names, *, files: bool = False, separator: str = "") -> Completer:
    """Return a completer for some names, or else paths with ``files``; with a separator, for the last name.

    Nothing is completed if a database cannot be read: an error would appear in the middle of the line.
    """

    @wraps(names)
    def complete(
        context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from efdgen.generator.errors import EfdgenError

        head, cut, last = incomplete.rpartition(separator) if separator else ("", "", incomplete)
        try:
            found = [name for name in dict.fromkeys(names(context)) if name.startswith(last)]
        except (EfdgenError, OSError):
            return []
        if files and not found:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(f"{head}{cut}{name}") for name in found]

    return complete


def _formulas(_context: click.Context) -> Iterable[str]:
    """Yield ids of formulas, and the last parts of ids, which are selectors too."""
    from efdgen.generator.formulas.database import Database

    ids = Database().ids
    yield from ids
    yield from (each.rpartition("/")[2] for each in ids)


def _kinds(_context: click.Context) -> Iterable[str]:
    from efdgen.generator.formulas.database import Database

    return (each.split("/")[-2] for each in Database().ids)


def _places(_context: click.Context) -> Iterable[str]:
    """Yield the places of formulas: a system and a kind."""
    from efdgen.generator.formulas.database import Database

    return (each.rpartition("/")[0] for each in Database().ids)


def _curves(_context: click.Context) -> Iterable[str]:
    from efdgen.generator.curves.load import built_in_curves

    found = built_in_curves()
    return [*(curve.name for curve in found), *(alias for curve in found for alias in curve.aliases)]


def _systems(context: click.Context) -> Iterable[str]:
    """Yield names of coordinate systems: those of the curve on the command line, if there is one."""
    from efdgen.generator.curves.load import checked_curve
    from efdgen.generator.formulas.database import Database

    curve = context.params.get("curve")
    model = f"{checked_curve(curve).model}/" if isinstance(curve, str) else ""
    systems = dict.fromkeys(each.rsplit("/", 2)[0] for each in Database().ids)
    return (each.rpartition("/")[2] for each in systems if each.startswith(model))


def _hosts(_context: click.Context) -> Iterable[str]:
    from efdgen.generator.hosts.file import built_in_hosts

    return built_in_hosts()


def _stages(_context: click.Context) -> Iterable[str]:
    from efdgen.generator.dump import stages

    return stages()


def _authors(_context: click.Context) -> Iterable[str]:
    """Yield the last names of the authors of cited works, as printed and in small letters."""
    from efdgen.generator.reports.filters import folded
    from efdgen.generator.reports.references import read_references

    works = (work.fields.get("author", "") for work in read_references())
    for name in sorted({author.split()[-1] for work in works for author in work.split(" and ") if author}):
        yield from (re.sub(r"[{}]", "", name), folded(name))


def _commands(context: click.Context) -> Iterable[str]:
    """Yield the commands of efdgen, or of the command that is on the command line."""
    root = context.find_root()
    command: click.Command | None = root.command
    for word in context.params.get("words") or ():
        command = command.get_command(root, word) if isinstance(command, click.Group) else None
    return command.list_commands(root) if isinstance(command, click.Group) else ()


AUTHORS = _completer(_authors)
COMMANDS = _completer(_commands)
FORMULAS = _completer(_formulas)
KINDS = _completer(_kinds)
PLACES = _completer(_places)
CURVES = _completer(_curves, files=True)
SYSTEMS = _completer(_systems)
SYSTEM_LIST = _completer(_systems, separator=",")
HOSTS = _completer(_hosts, files=True)
STAGES = _completer(_stages)
