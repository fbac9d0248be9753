"""The command `efdgen import`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from efdgen.commands.common import DIRECTORY, echo_json, json_option


@click.command("import")
@click.argument("directory", type=DIRECTORY)
@click.option("--out", type=DIRECTORY, help="Directory to write to; without it the tree is only checked.")
@json_option("each file and its state")
def import_command(directory: Path, out: Path | None, as_json: bool) -> None:
    """Read a tree in the form of the Explicit-Formulas Database and write it in the form of `efd/`.

    A copy of the database's site is accepted, with folders g1p/data and g1p/auto-code, and the toolkit
    pyecsca's copy: it has == in equations, no folder g1p/, and statements that follow from the rest
    (ysquared, toaffine, tosystem, homogweight, neutral, unified), which are not written; efdgen verify
    --from proves them, and compares formulas by value.

    Unusable files are reported with file, line and column; the others are processed, and the exit status is
    1. Formulas whose text differs from the current one are listed.

    \b
    Examples:
      efdgen import efd-upstream
      efdgen import efd-upstream --out efd-normalised
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.importing.importer import compared, import_tree, objects, report, write_tree
    from efdgen.generator.output import require_directory

    if out:
        require_directory(out)
    imported = list(import_tree(Database(directory, "upstream")))
    for problem in report(imported):
        click.echo(problem, err=True)
    usable = sum(file.text is not None for file in imported)
    written = write_tree(imported, out) if out else None
    if as_json:
        echo_json({"files": objects(imported, Database()), "written": written})
    else:
        new = f"{written} of them new in {out}" if out else "--out DIR writes them"
        click.echo("\n".join(compared(imported, Database())))
        click.echo(f"{usable} of {len(imported)} files can be used; {new}")
    if usable < len(imported):
        sys.exit(1)
