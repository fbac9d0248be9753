"""Files that a command line of a project or of a header would generate."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands.kept import kept_files
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Command: its module, its name there, and the function that returns a default directory, and files.
_COMMANDS = {"compile": ("compile", "compile_command", "made"), "field": ("field", "field", "made")}
# Options that do not change the content of files.
_ELSEWHERE = ("out", "json", "database", "color", "quiet", "verbose", "help")


def command_line(title: str, name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the options of an entry as words of a command line; raise :class:`EfdgenError` for others."""
    known = {param.opts[-1].removeprefix("--"): param for param in _command(name).params}
    words: list[str] = []
    for key, value in options.items():
        option = known.get(key)
        if key in _ELSEWHERE:
            raise EfdgenError(f"{title}: {key!r} is only for command lines, not for an entry")
        if not isinstance(option, click.Option):
            near = get_close_matches(key, known.keys() - {*_ELSEWHERE}, 1)
            raise EfdgenError(f"{title}: unknown option {key!r}" + (f"; is it {near[0]}?" if near else ""))
        words += _words(title, option, key, value)
    return words


def files_of(title: str, name: str, words: Sequence[str]) -> tuple[Path, dict[str, str]]:
    """Return the default directory of a command line's files, and their texts.

    Raises :class:`EfdgenError`, whose message starts with a title, if the command line is wrong.
    """
    module, _, made = _COMMANDS[name]
    try:
        with _command(name).make_context(name, [*words]) as context:
            options = {key: value for key, value in context.params.items() if key not in ("out", "as_json")}
            return kept_files(name, options, getattr(import_module(f"efdgen.commands.{module}"), made))
    except click.UsageError as error:
        raise EfdgenError(f"{title}: {error.format_message()}") from None
    except EfdgenError as error:
        raise EfdgenError(f"{title}: {error}") from None


def _command(name: str) -> click.Command:
    module, attribute, _ = _COMMANDS[name]
    command: click.Command = getattr(import_module(f"efdgen.commands.{module}"), attribute)
    return command


def _words(title: str, option: click.Option, key: str, value: object) -> list[str]:
    """Return the words of one option."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise EfdgenError(f"{title}: {key} must be true or false")
        return [f"--{key}"] * value
    values = value if isinstance(value, list) and option.multiple else [value]
    if not all(isinstance(each, str | int) and not isinstance(each, bool) for each in values):
        raise EfdgenError(
            f"{title}: {key} must be text or a number" + ", or a list of these" * option.multiple
        )
    if any("\0" in str(each) for each in values):
        raise EfdgenError(f"{title}: {key} contains a NUL character")
    return [word for each in values for word in (f"--{key}", str(each))]
