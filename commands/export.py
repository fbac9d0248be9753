"""The command `efdgen export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_json, json_option, note

if TYPE_CHECKING:
    from efdgen.reference.writing import Written

_FORMS = ("json", "sqlite", "latex", "bibtex", "schema")


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default=_FORMS[0],
    show_default=True,
    help="A document, tables, a directory for papers, a bibliography, or the meaning of members.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, allow_dash=True),
    help="File, for LaTeX a directory, or - to print; the default is efdgen.json, efdgen.sqlite and so on.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of processes that prove; the default is one per processor.",
)
@json_option("an object with the files, each with its path and state")
def export(selectors: tuple[str, ...], form: str, out: Path | None, jobs: int | None, as_json: bool) -> None:
    """Export formulas with their costs, verdicts, exceptional inputs and sources; without a selector, all.

    Maps, curves, and formulas of user databases are included, also those that are refuted or unreadable.
    SQLite has views for the best formulas, complete laws and authors. Equal databases give equal bytes.

    \b
    Examples:
      efdgen export
      efdgen export --format sqlite --out efdgen.sqlite
      efdgen export g1p/shortw/jacobian --format latex --out paper/formulas
      efdgen export --format schema --out -
    """
    from efdgen.generator.progress import work
    from efdgen.reference.export.forms import FORMS, many_files, one_file

    path = out or Path(FORMS[form])
    _require_place(path, form, as_json=as_json)
    with work("exporting"):
        document = {} if form == "schema" else known_document(selectors, jobs)
    if str(path) == "-":
        click.echo(one_file(document, form), nl=False)
        return
    if form == "latex":
        from efdgen.reference.writing import write_tree

        written = write_tree(path, many_files(document))
    else:
        from efdgen.reference.writing import write_file

        written = [write_file(path, one_file(document, form))]
    report(path, written, as_json=as_json)


def known_document(selectors: tuple[str, ...], jobs: int | None) -> dict[str, Any]:
    """Return the document of formulas in force, made or cached."""
    from efdgen.commands.kept import kept_answer
    from efdgen.reference.document import collect

    found: dict[str, Any] = kept_answer(("reference", *selectors), lambda: collect(selectors, jobs))
    return found


def report(path: Path, written: list[Written], *, as_json: bool) -> None:
    """Print the files that a command wrote, or their number and size."""
    if as_json:
        echo_json({"files": [{"path": str(each.path), "state": each.state} for each in written]})
        return
    there = [each.path for each in written if each.state != "removed"]
    size = sum(each.stat().st_size for each in there) / 1e6
    click.echo(f"{path}, {size:.1f} MB" if len(there) == 1 else f"{path}: {len(there)} files, {size:.1f} MB")
    removed = len(written) - len(there)
    if removed:
        note(f"removed {removed} files of an earlier run")


def _require_place(path: Path, form: str, *, as_json: bool) -> None:
    """Refuse a place that cannot be written, or that has files of others, before the long computation."""
    from efdgen.reference.export.forms import require_export
    from efdgen.reference.writing import require_tree
    from efdgen.verify.files import require_writable

    if str(path) == "-":
        if form in {"latex", "sqlite"}:
            raise click.UsageError(f"--out - prints one text, and {form} is not one; give a path")
        if as_json:
            raise click.UsageError("--out - contradicts --json; remove one")
    elif form == "latex":
        require_tree(path)
    else:
        require_writable(path)
        if path.is_file():
            require_export(path.read_bytes(), form, path)
