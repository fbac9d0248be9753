"""The command `efdgen man`: manual pages, made from the help."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_json, json_option

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("words", nargs=-1, metavar="[COMMAND]...", shell_complete=completion.COMMANDS)
@json_option("an object with the page")
def man(words: tuple[str, ...], as_json: bool) -> None:
    """Print the manual page of efdgen or of a command, in the language of man.

    \b
    Examples:
      efdgen man | man -l -
      efdgen man compile > ~/.local/share/man/man1/efdgen-compile.1
    """
    found = _context(words)
    text = "".join(f"{line}\n" for line in _page(found))
    if as_json:
        echo_json({"command": found.command_path, "page": text})
    else:
        click.echo(text, nl=False)


def _context(words: tuple[str, ...]) -> click.Context:
    """Return the context of the command that some words name; raise click's error if there is none."""
    context = click.get_current_context().find_root()
    command = context.command
    context = click.Context(command, info_name="efdgen", **command.context_settings)
    for word in words:
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            raise click.UsageError(f"{context.command_path} has no command {word!r}")
        command, context = found, click.Context(found, parent=context, info_name=word)
    return context


def _page(context: click.Context) -> Iterator[str]:
    """Yield the lines of a page, in man's macros."""
    from efdgen import __version__

    command, path = context.command, context.command_path
    name = path.replace(" ", "-")
    summary, _, rest = cleandoc(command.help or "").partition("\n\n")
    yield f'.TH "{_text(name.upper())}" "1" "" "efdgen {__version__}" "efdgen"'
    yield from (".SH NAME", f"{_text(name)} \\- {_text(_line(summary).rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {_text(path)}", _text(" ".join(command.collect_usage_pieces(context))))
    if rest:
        yield ".SH DESCRIPTION"
        for paragraph in rest.split("\n\n"):
            yield from _paragraph(paragraph)
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            yield from (".TP", f".B {_text(record[0])}", _text(_line(record[1])))
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            first = (found.help or "").partition("\n\n")[0] if found else ""
            yield from (".TP", f".B {_text(f'{path} {below}')}", _text(_line(first)))


def _paragraph(text: str) -> Iterator[str]:
    """Yield a paragraph; after click's mark its lines are kept, and the first line is a heading."""
    if not text.startswith("\b"):
        yield from (".PP", _text(_line(text)))
        return
    heading, *lines = text.removeprefix("\b\n").splitlines()
    yield from (".PP", _text(heading), ".RS 2", ".nf", *map(_text, lines), ".fi", ".RE")


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _text(text: str) -> str:
    """Escape backslashes, hyphens, and dots at the start of a line for roff."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^(?=\.)", r"\\&", plain)
