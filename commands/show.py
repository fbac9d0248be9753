"""The command `efdgen show`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import as_option, echo_json, effort_option, formula_named, json_option


@click.command()
@click.argument("name", metavar="ID", shell_complete=completion.FORMULAS)
@as_option
@effort_option
@json_option("one object")
def show(name: str, place: str | None, as_json: bool) -> None:
    """Show a formula: source, equations, program, cost, verdict, and exceptional inputs.

    Of a curve, by its name or file, show its numbers, and what is proved of multiplications on it.

    \b
    Examples:
      efdgen show g1p/shortw/jacobian/addition/add-2007-bl
      efdgen show jacobian/doubling/dbl-2007-bl --json
      efdgen show my-doubling --as g1p/shortw/jacobian-0/doubling
      efdgen show secp256k1
    """
    from efdgen.generator.curves.load import is_curve

    if place is None and is_curve(name):
        from efdgen.api.formulas import database
        from efdgen.verify.routines.account import account_of_curve

        shown = account_of_curve(database(), name)
        if as_json:
            echo_json(shown.fields())
        else:
            click.echo(shown.text(), nl=False)
        return
    formula = formula_named(name, place)

    # Imported after the look-up, because they take longer than it.
    from efdgen.verify.account import account

    found = account(formula)
    if as_json:
        echo_json(found.fields())
    else:
        click.echo(found.text(), nl=False)
