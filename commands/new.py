"""The command `efdgen new`."""

from __future__ import annotations

from pathlib import Path

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_files, echo_json, json_option


@click.command()
@click.argument("formula_id", metavar="ID", shell_complete=completion.PLACES)
@click.option(
    "--in",
    "root",
    default="efd",
    show_default=True,
    type=click.Path(file_okay=False, allow_dash=True, path_type=Path),
    help="Directory of your formulas; - prints the text.",
)
@json_option("the written file, or its text with --in -")
def new(formula_id: str, root: Path, as_json: bool) -> None:
    """Write a template for a formula: its inputs, outputs, laws and relations, as comments.

    \b
    Examples:
      efdgen new g1p/shortw/jacobian-0/doubling/dbl-mine
      efdgen new g1p/twisted/extended/addition/add-mine --in my
    """
    import logging

    from efdgen.generator.errors import EfdgenError
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.draft import require_id
    from efdgen.generator.formulas.skeleton import skeleton
    from efdgen.generator.output import apply, changes

    require_id(formula_id)
    database = Database()
    system, kind, _ = formula_id.rsplit("/", 2)
    text = skeleton(formula_id, database.kind(kind), database.system(system))
    if str(root) == "-":
        echo_json({"id": formula_id, "text": text}) if as_json else click.echo(text, nl=False)
        return
    if (root / formula_id).exists():
        raise EfdgenError(f"{root / formula_id}: the file exists already")
    if formula_id in database.ids:
        logging.getLogger(__name__).warning("%s hides the formula of this name", root / formula_id)
    written = changes(root, {formula_id: text})
    apply(written)
    echo_files(written) if as_json else click.echo(written[0].path)
