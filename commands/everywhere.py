"""Options of every command: user databases, colours, and the verbosity of standard error."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import click

from efdgen.commands.common import DIRECTORY

if TYPE_CHECKING:
    from pathlib import Path

_VOLUMES = {"quiet": logging.ERROR, "verbose": logging.DEBUG}


def with_common_options(command: click.Command) -> click.Command:
    """Return a command with the common options, which its subcommands get too."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            with_common_options(below)
    if not any(option.name == "database" for option in command.params):
        for option in (_database, _color, _verbose, _quiet):
            option(command)
    return command


def _set_color(context: click.Context, _option: click.Parameter, when: str) -> None:
    """Turn colours of click and rich on or off; rich obeys ``NO_COLOR`` itself, click does here."""
    if when != "auto":
        os.environ.pop("NO_COLOR" if when == "always" else "FORCE_COLOR", None)
        os.environ["FORCE_COLOR" if when == "always" else "NO_COLOR"] = "1"
    if os.environ.get("NO_COLOR"):
        context.color = False
    elif os.environ.get("FORCE_COLOR"):
        context.color = True


def _set_volume(context: click.Context, option: click.Parameter, given: bool) -> None:
    """Set the verbosity; without either option, notes and warnings are printed."""
    if not given:
        return
    name = option.name or ""
    if context.meta.setdefault("efdgen.volume", name) != name:
        raise click.UsageError("--quiet contradicts --verbose; remove one")
    logging.getLogger("efdgen").setLevel(_VOLUMES[name])


def _set_database(context: click.Context, _option: click.Parameter, roots: tuple[Path, ...]) -> None:
    from efdgen.generator.formulas.layers import layers, set_roots

    if context.parent is None and not isinstance(context.command, click.Group):
        return  # it is the line of a project or of a header, which another command reads
    above = context.meta.setdefault("efdgen.database", ())
    context.meta["efdgen.database"] = (*roots, *above)
    set_roots((*roots, *above))
    if context.resilient_parsing or isinstance(context.command, click.Group):
        return  # the line is being completed, or more of its options come
    log = logging.getLogger(__name__)
    for path, below in layers().hidden():
        log.warning("%s hides %s", path, below)
    for text in layers().meaningless():
        log.warning("%s", text)


_database = click.option(
    "--database",
    metavar="DIR",
    type=DIRECTORY,
    multiple=True,
    expose_value=False,
    is_eager=True,
    callback=_set_database,
    help="Directory of your formulas, systems, kinds, curves and hosts; repeatable, hides built-in ones.",
)
_color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    expose_value=False,
    is_eager=True,
    callback=_set_color,
    help="Colours; auto obeys NO_COLOR, and uses colours only on a terminal.",
)
_quiet = click.option(
    *("--quiet", "-q"),
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_set_volume,
    help="Print only errors on standard error.",
)
_verbose = click.option(
    *("--verbose", "-v"),
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_set_volume,
    help="Also print on standard error which claims are proved, and which proofs are reused.",
)
