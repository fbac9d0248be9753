"""Options and output that several commands share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from efdgen.commands import completion
from efdgen.generator.options import REQUIRED, TABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.output import Change

Command = TypeVar("Command", bound="Callable[..., Any] | click.Command")

DIRECTORY = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FORMATS = ("table", "markdown", "csv")
PRINTABLE = click.Path(file_okay=False, allow_dash=True, path_type=Path)


def option(name: str, argument: str | None = None, **changes: Any) -> Callable[[Command], Command]:  # noqa: ANN401 - attributes of an option
    """Return an option of the table for a command, with the command's own name and changes of it."""
    row = replace(TABLE[name], **changes)
    kind = click.Choice(row.choices) if row.choices else FILE if row.is_path else None
    settings: dict[str, Any] = {} if row.default in (None, (), REQUIRED) else {"default": row.default}
    return click.option(
        *(row.flag, argument or name),
        type=kind,
        required=row.default is REQUIRED,
        multiple=row.multiple,
        metavar=row.metavar,
        show_default=bool(settings),
        shell_complete=getattr(completion, row.completion.upper(), None),
        help=row.help,
        **settings,
    )


def compile_options(command: Command) -> Command:
    """Add all options of the table to a command, in their order."""
    for name in reversed(TABLE):
        command = option(name)(command)
    return command


def out_option(default: str) -> Callable[[Command], Command]:
    """Return the option ``--out`` of a command that writes files, or prints one."""
    text = f"Directory, or - to print a single file; the default is {default}."
    return click.option("--out", type=PRINTABLE, help=text)


def _set_effort(_context: click.Context, _option: click.Parameter, effort: int) -> None:
    from efdgen.verify.effort import set_effort

    set_effort(effort)


effort_option = click.option(
    "--effort",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    expose_value=False,
    callback=_set_effort,
    help="Multiply the provers' budgets by N, for claims that are undecided otherwise.",
)


def note(text: str) -> None:
    """Print a note on standard error, unless ``--quiet`` is given."""
    import logging

    logging.getLogger(__name__).info("%s", text)


def json_option(what: str) -> Callable[[Command], Command]:
    """Return the option ``--json`` of a command; ``what`` describes the document."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print JSON: {what}.")


def format_option(forms: Sequence[str]) -> Callable[[Command], Command]:
    """Return the option ``--format`` of a command that also has ``--json``."""
    return click.option(
        "--format", "form", default=forms[0], show_default=True, type=click.Choice([*forms, "json"])
    )


def chosen_format(form: str, as_json: bool) -> str:
    """Return the format from ``--format`` and ``--json``; raise if they contradict each other."""
    if as_json and form != "json" and is_given("form"):
        raise click.UsageError(f"--format {form} contradicts --json; remove one")
    return "json" if as_json else form


def echo_json(value: object) -> None:
    """Print a value as JSON, the only standard output of a command with ``--json``."""
    from efdgen.generator.reports.json_text import json_text

    click.echo(json_text(value), nl=False)


def echo(line: str) -> None:
    """Print a line of a report on standard output, at once, and above the progress."""
    from efdgen.generator.progress import aside

    with aside():
        click.echo(line)


class JsonList:
    """A list as JSON, printed element by element: the only standard output of a command with ``--json``."""

    def __init__(self) -> None:
        self._empty = True

    def append(self, value: object) -> None:
        """Print an element."""
        from efdgen.generator.reports.json_text import json_text

        element = json_text([value]).removeprefix("[\n").removesuffix("\n]\n")
        # At once: an interrupt between the two would leave a comma without an element.
        click.echo(("[\n" if self._empty else ",\n") + element, nl=False)
        self._empty = False

    def end(self) -> None:
        """Print the end of the list."""
        click.echo("[]" if self._empty else "\n]")


def echo_files(files: Iterable[Change], **more: object) -> None:
    """Print files and their states as JSON."""
    echo_json({"files": [{"path": str(each.path), "state": each.state} for each in files], **more})


as_option = click.option(
    "--as",
    "place",
    metavar="PLACE",
    shell_complete=completion.PLACES,
    help="Read files too, as formulas of this place, such as g1p/shortw/jacobian-0/doubling.",
)


def formula_named(name: str, place: str | None) -> Formula:
    """Return a formula by its id or the last part of it; with a ``place``, of a file if there is one.

    Raises :class:`EfdgenError` for an unknown formula, and for a file that cannot be read.
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.draft import read_draft, with_draft
    from efdgen.generator.reports.describe import one_formula

    if place is not None and (name == "-" or Path(name).is_file()):
        draft, root = read_draft(name, place)
        return with_draft(draft, root).formula(draft.name)
    database = Database()
    return database.formula(one_formula(database, name))


def write(directory: Path, files: Mapping[str, str], *, quiet: bool = False) -> list[Change]:
    """Write a command's files, print their paths, and remove files that its options no longer produce."""
    from efdgen.generator.output import apply, changes, removals, same_subject

    made = changes(directory, files)
    stale, edited = removals(directory, [change.path for change in made], same_subject(files))
    apply([*made, *stale])
    if not quiet:
        click.echo("\n".join(str(change.path) for change in made))
    for change in stale:
        note(f"removed {change.path}, which these options do not produce")
    for path in edited:
        note(f"kept {path}: these options do not produce it, but it was edited")
    return [*made, *stale]


def is_given(name: str) -> bool:
    """Return whether an option was given on the command line of the running command."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def refuse_given(names: Iterable[str], reason: str) -> None:
    """Raise :class:`EfdgenError` for options that have no effect, such as ``--table`` without ``--set``."""
    from efdgen.generator.errors import EfdgenError

    options = {option.name: option.opts[0] for option in click.get_current_context().command.params}
    found = [options[name] for name in names if is_given(name)]
    if found:
        has = "has" if len(found) == 1 else "have"
        raise EfdgenError(f"{' and '.join(found)} {has} no effect {reason}")


def require_one_file(as_json: bool, options: Mapping[str, Any]) -> None:
    """Raise :class:`click.UsageError` for ``--out -`` with ``--json``, or with several files."""
    if as_json:
        raise click.UsageError("--out - contradicts --json; remove one")
    layout = options["layout"] or ("crate" if options["lang"] == "rust" else "")
    is_package = layout == "" and options["lang"] == "python" and not options.get("backend")
    if is_package and options.get("set") == "curve":
        raise click.UsageError("--out - prints one file, but a package has several; add --layout module")
    chosen = options.get("set", "kernels")
    if layout == "crate" and chosen == "kernels":
        raise click.UsageError("--out - prints one file, but a crate has several; add --layout module")
    several = (
        options.get("backend") or options.get("set") == "protocols" or layout in {"crate", "split", "package"}
    )
    if options["lang"] == "c" or several:  # C has a header for each size of words
        raise click.UsageError("--out - prints one file, but these options produce several; give a directory")
