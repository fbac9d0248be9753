"""The command `efdgen show`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_json, effort_option, json_option


@click.command()
@click.argument("formula_id", metavar="ID", shell_complete=completion.FORMULAS)
@effort_option
@json_option("one object")
def show(formula_id: str, as_json: bool) -> None:
    """Show a formula: source, equations, program, cost, verdict, and exceptional inputs.

    \b
    Examples:
      efdgen show g1p/shortw/jacobian/addition/add-2007-bl
      efdgen show jacobian/doubling/dbl-2007-bl --json
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.reports.describe import one_formula

    database = Database()
    formula = database.formula(one_formula(database, formula_id))

    # Imported after the look-up, because they take longer than it.
    from efdgen.verify.account import account

    found = account(formula)
    if as_json:
        echo_json(found.fields())
    else:
        click.echo(found.text(), nl=False)
