"""The command `efdgen list`."""

from __future__ import annotations

import click

from efdgen.commands.common import echo_json


@click.command("list")
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option("--json", "as_json", is_flag=True, help="Objects: kind, model, system, source, assumptions.")
def list_command(selectors: tuple[str, ...], as_json: bool) -> None:
    """List the formulas that a selector means, or all.

    \b
    Examples:
      efdgen list g1p/shortw/jacobian
      efdgen list 'madd-*' --json
    """
    from efdgen.generator.formulas.database import Database

    database = Database()
    found = database.select(selectors)
    if as_json:
        from efdgen.generator.reports.describe import summary

        echo_json([summary(database.formula(formula_id)) for formula_id in database.readable(found)])
    else:
        click.echo("\n".join(found))
