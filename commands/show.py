"""The command `efdgen show`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import as_option, effort_option, formula_named, json_option


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
    from efdgen.commands.kept import kept_text
    from efdgen.generator.curves.load import is_curve
    from efdgen.generator.errors import MissingSageError
    from efdgen.generator.reports.json_text import json_text

    if place is None and is_curve(name):
        click.echo(
            kept_text(("show", name, as_json), lambda: _of_curve(name, as_json), files=[name]), nl=False
        )
        return
    if place is None:
        _require_known(name)
    formula = formula_named(name, place)

    # Imported after the look-up, because they take longer than it.
    from efdgen.verify.account import account

    found = account(formula)
    click.echo(json_text(found.fields()) if as_json else found.text(), nl=False)
    if found.unproved:
        raise MissingSageError


def _require_known(name: str) -> None:
    """Raise :class:`EfdgenError` for a name of no formula, with the nearest of formulas and of curves."""
    import os

    from efdgen.generator.curves.load import curve_names
    from efdgen.generator.errors import EfdgenError, suggestion
    from efdgen.generator.formulas.database import Database

    database = Database()
    try:
        database.select([name])
    except EfdgenError:
        if os.path.exists(name):
            raise
        parts = {part for known in database.ids for part in (known, *known.split("/"))}
        near = suggestion(name, [*curve_names(), *parts]) or suggestion(name.upper(), curve_names())
        raise EfdgenError(f"no formula and no curve is called {name!r}{near}") from None


def _of_curve(name: str, as_json: bool) -> str:
    """Return the numbers of a curve, and what is proved of multiplications on it."""
    from efdgen.api.formulas import database
    from efdgen.generator.reports.json_text import json_text
    from efdgen.verify.curve_account import account_of_curve

    shown = account_of_curve(database(), name)
    return json_text(shown.fields()) if as_json else shown.text()
