"""The command `efdgen check`."""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import click

from efdgen.commands import completion
from efdgen.commands.common import effort_option, json_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.formulas.layers import Draft

_PATIENCE = 0.1  # seconds between two looks at a file that is watched


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@click.option(
    "--as",
    "place",
    metavar="PLACE",
    shell_complete=completion.PLACES,
    help="The formula's place, such as g1p/shortw/jacobian-0/doubling.",
)
@click.option("--print", "print_only", is_flag=True, help="Only print the formula, in the language of efd/.")
@click.option("--watch", is_flag=True, help="Check again on each save, until interrupted.")
@effort_option
@json_option("one object, or one for each save")
def check(file: str, place: str | None, print_only: bool, watch: bool, as_json: bool) -> None:
    """Check one formula: parse it, prove or refute it, count it, and rank it among its peers.

    FILE is in the language of efd/FORMAT.md; - is standard input. Three-operand code is accepted too, and
    steps as written in Sage, Magma and the published database, such as Z3 := 2 Y1 Z1; these are then printed
    in the language of efd/. Without --as the path gives the formula's place: for
    my/g1p/shortw/jacobian-0/doubling/dbl, systems and kinds in my/ are used too.

    The exit status is 0 if the formula is proved, 1 if it is not, or its law alone is, 2 if it cannot be
    read, or if its proof needs Sage, which is not installed, and 130 after an interrupt.

    \b
    Examples:
      efdgen check my-doubling --as g1p/shortw/jacobian-0/doubling
      efdgen check my-doubling --as g1p/shortw/jacobian-0/doubling --watch
      efdgen check my/g1p/shortw/jacobian-0/doubling/dbl --json
      efdgen check dbl.magma --as g1p/shortw/jacobian-0/doubling --print > dbl
      efdgen check - --as g1p/shortw/jacobian-0/doubling < my-doubling
    """
    if print_only and as_json:
        raise click.UsageError("--print contradicts --json; remove one")

    def once() -> bool:
        return _print(file, place) if print_only else _check(file, place, as_json)

    if watch:
        _again_on_each_save(file, once)
    if not once():
        sys.exit(1)


def _print(file: str, place: str | None) -> bool:
    """Print a formula in the normalised language."""
    from efdgen.generator.formulas.draft import read_draft, with_draft
    from efdgen.generator.formulas.reader import normalised

    draft, root = read_draft(file, place)
    click.echo(normalised(with_draft(draft, root).formula(draft.name)), nl=False)
    return True


def _check(file: str, place: str | None, as_json: bool) -> bool:
    """Print the findings about a formula; return whether it is proved."""
    from efdgen.commands.kept import kept_text
    from efdgen.generator.errors import MissingSageError
    from efdgen.generator.formulas.draft import read_draft
    from efdgen.generator.formulas.layers import over

    draft, root = read_draft(file, place)
    with over([root] if root else []):  # the cache depends on its files
        verdict, text, needs_sage = kept_text(
            ("check", draft, str(root), as_json),
            lambda: _checked(draft, root, as_json),
            lambda answer: answer[0] in {"proved", "refuted"},
        )
    click.echo(text, nl=False)
    if needs_sage:
        raise MissingSageError
    return bool(verdict == "proved")


def _checked(draft: Draft, root: Path | None, as_json: bool) -> tuple[str, str, bool]:
    """Return the verdict on a formula, all findings about it as a text, and whether a proof needs Sage."""
    from efdgen.generator.formulas.draft import with_draft
    from efdgen.generator.reports.json_text import json_text
    from efdgen.verify.certificate import require_law

    database = with_draft(draft, root, require_law)
    database.formula(draft.name)

    # Imported after the reading, because it takes longer than it.
    from efdgen.verify.checking import check_draft

    found = check_draft(database, draft)
    text = json_text(found.fields()) if as_json else found.text()
    return found.account.verdict, text, found.needs_sage


def _again_on_each_save(file: str, once: Callable[[], bool]) -> None:
    """Call a function, and again whenever a file is saved; only an interrupt ends it."""
    from efdgen.generator.errors import EfdgenError, MissingSageError, TextError, shortened

    if file == "-":
        raise EfdgenError("--watch needs a file, not standard input")
    path, seen = Path(os.path.abspath(file)), None
    for time in count():
        saved = _stamp(path)
        if time and saved in {seen, None}:  # editors may take a file away for a moment
            sleep(_PATIENCE)
            continue
        if time:
            click.echo(f"\n--- {file} was saved")
        seen = saved
        try:
            once()
        except (TextError, MissingSageError) as error:
            click.echo(f"efdgen: {shortened(str(error))}", err=True)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return a stamp that changes when a file is saved, or None without a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
