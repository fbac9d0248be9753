"""The commands `efdgen generate` and `efdgen regenerate`."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from efdgen.commands.common import DIRECTORY, FILE, echo_files, json_option, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.header import Header
    from efdgen.generator.output import Change
    from efdgen.generator.project import Project

_check = click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file is out of date.")
_diff = click.option("--diff", "as_diff", is_flag=True, help="Like --check, and print the differences.")
_json = json_option("each file and its state")


@click.command()
@click.option("--project", "path", type=FILE, help="The project's file; the default is the nearest one.")
@click.option("--clean", is_flag=True, help="Remove generated files of other directories of the project too.")
@_check
@_diff
@_json
def generate(path: Path | None, *, clean: bool, check: bool, as_diff: bool, as_json: bool) -> None:
    """Generate the files that efdgen.toml, or [tool.efdgen] of pyproject.toml, lists.

    Each [[generate]] has the options of `efdgen compile`, or of `efdgen field` with command = "field".
    Unchanged files are not touched. Generated files in these directories that no entry produces any longer
    are removed, unless they were edited; with --clean, those in other directories of the project too.

    \b
    Examples:
      efdgen generate
      efdgen generate --check
      efdgen generate --clean --diff
      efdgen generate --diff --project curves/efdgen.toml
    """
    from efdgen.generator.project import find_project, read_project

    project = read_project(path or find_project(Path.cwd()))
    with _inside(project.folder):
        made, edited = _changes(project)
        others, kept = _elsewhere(made)
        if clean:
            made, edited = [*made, *others], kept
        elif others:
            folders = ", ".join(sorted({f"{change.path.parent}" for change in others}))
            note(f"{folders}: no entry produces these generated files; efdgen generate --clean removes them")
        _finish(made, edited, write=not (check or as_diff), as_diff=as_diff, as_json=as_json)


@click.command()
@click.argument("directory", type=DIRECTORY)
@_check
@_diff
@_json
def regenerate(directory: Path, *, check: bool, as_diff: bool, as_json: bool) -> None:
    """Regenerate the files of a directory, with the commands in their headers.

    Headers name curve files, tunings, field APIs and databases without a path; they are looked for in the
    current directory, in DIRECTORY, in the directories above it, and in the directories of these.

    \b
    Examples:
      efdgen regenerate src/curve
      efdgen regenerate src --check
    """
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.progress import each

    commands = _commands(directory)
    if not commands:
        raise EfdgenError(f"{directory}: no file has a header by efdgen")
    made: list[Change] = []
    for header, paths in each(commands.items(), len(commands), "generating", lambda pair: str(pair[1][0])):
        made += _made_again(header, paths)
    _finish(made, [], write=not (check or as_diff), as_diff=as_diff, as_json=as_json)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Resolve relative paths in a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _changes(project: Project) -> tuple[list[Change], list[Path]]:
    """Return the changes by generating a project, and edited files that no entry produces."""
    from efdgen.commands.making import command_line, files_of
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.output import changes, removals
    from efdgen.generator.progress import each

    lines = [command_line(entry.title, entry.command, entry.options) for entry in project.entries]
    made: dict[Path, Change] = {}
    owners: dict[Path, str] = {}
    pairs = zip(project.entries, lines, strict=True)
    for entry, words in each(pairs, len(lines), "generating", lambda pair: pair[0].title):
        _, files = files_of(entry.title, entry.command, words)
        for change in changes(entry.out, files):
            if change.path in made:
                raise EfdgenError(
                    f"{entry.title}: {owners[change.path]} produces {change.path} too; give each its own out"
                )
            made[change.path], owners[change.path] = change, entry.title
    stale: dict[Path, Change] = {}
    edited: dict[Path, None] = {}
    for folder in dict.fromkeys(entry.out for entry in project.entries):
        removed, kept = removals(folder, made, lambda _: True)
        stale |= {change.path: change for change in removed}
        edited |= dict.fromkeys(kept)
    return [*made.values(), *stale.values()], [*edited]


def _elsewhere(made: Sequence[Change]) -> tuple[list[Change], list[Path]]:
    """Return the removal of generated files that no entry produces, and edited ones; skip inner projects."""
    from efdgen.generator.output import generated_folders, removals
    from efdgen.generator.project import project_file

    known = {change.path for change in made}
    removed: dict[Path, Change] = {}
    edited: dict[Path, None] = {}
    for folder in generated_folders(Path(), lambda folder: project_file(folder) is not None):
        found, kept = removals(folder, known, lambda _: True)
        removed |= {change.path: change for change in found}
        edited |= dict.fromkeys(kept)
    return [*removed.values()], [*edited]


def _commands(directory: Path) -> dict[Header, list[Path]]:
    """Return the headers with different commands below a directory, each with the files that have it.

    A command's files of the user are those of all its headers.
    """
    from dataclasses import replace

    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.header import read_header
    from efdgen.generator.reading import read_text

    found: dict[Header, list[Path]] = {}
    own: dict[Header, set[tuple[str, str]]] = {}
    for path in sorted(directory.rglob("*")):
        try:
            header = read_header(read_text(path, regular=True)) if path.is_file() else None
        except EfdgenError:  # it is none of ours
            continue
        if header is not None:
            command = replace(header, seal=None, own=())
            found.setdefault(command, []).append(path)
            own.setdefault(command, set()).update(header.own)
    return {replace(header, own=(*sorted(own[header]),)): paths for header, paths in found.items()}


def _made_again(header: Header, paths: Sequence[Path]) -> list[Change]:
    """Return the changes by the command line of some files, in each directory that has some of them."""
    from itertools import chain

    from efdgen.commands.making import files_of
    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.formulas.layers import over
    from efdgen.generator.output import changes, removals, same_subject

    options, databases = header.located(paths[0].parent)
    with over(databases):
        _, files = files_of(str(paths[0]), header.kind, [*chain.from_iterable(options)])
    roots = sorted({root for path in paths if (root := _root(path, files)) is not None})
    if not roots:
        raise EfdgenError(f"{paths[0]}: its command makes files of other names: {', '.join(sorted(files))}")
    found: list[Change] = []
    for root in roots:
        made = changes(root, files)
        stale, _ = removals(root, [change.path for change in made], same_subject(files))
        found += [*made, *stale]
    return found


def _root(path: Path, files: Mapping[str, str]) -> Path | None:
    """Return the directory in which a path is one of some relative names."""
    names = [Path(name) for name in files]
    fitting = [name for name in names if path.parts[-len(name.parts) :] == name.parts]
    if not fitting:
        return None
    longest = max(fitting, key=lambda name: len(name.parts))
    return path.parents[len(longest.parts) - 1]


def _finish(
    made: Sequence[Change], edited: Sequence[Path], *, write: bool, as_diff: bool, as_json: bool
) -> None:
    """Apply changes, or report them and exit with 1 if there are any."""
    from efdgen.generator.output import apply

    changed = [change for change in made if change.state != "unchanged"]
    if write:
        apply(made)
    if as_json:
        echo_files(made)
    elif as_diff:
        click.echo("".join(change.diff for change in changed), nl=False)
    else:
        for change in changed:
            click.echo(f"{change.state} {change.path}{', its line endings' * change.is_of_line_endings}")
    for path in edited:
        note(f"kept {path}: no entry produces it, but it was edited")
    if not write and changed:
        note(f"{len(changed)} of {len(made)} files are out of date")
    if not write and (changed or edited):
        click.get_current_context().exit(1)
