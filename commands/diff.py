"""The command `efdgen diff`."""

from __future__ import annotations

import sys

import click

from efdgen.commands import completion
from efdgen.commands.common import as_option, echo_json, effort_option, formula_named, json_option


@click.command()
@click.argument("first", metavar="A", shell_complete=completion.FORMULAS)
@click.argument("second", metavar="B", shell_complete=completion.FORMULAS)
@as_option
@effort_option
@json_option("one object")
def diff(first: str, second: str, place: str | None, as_json: bool) -> None:
    """Compare two formulas: equations, emitted programs, costs, and whether their values are equal.

    Values are equal if every output is the same rational function of the inputs; this is proved or refuted.
    The exit status is 0 if they are equal, 1 if they are not or if that is undecided.

    \b
    Examples:
      efdgen diff jacobian-0/doubling/dbl-2009-l jacobian-0/doubling/dbl-sum
      efdgen diff dbl-1998-cmo dbl-1998-cmo-2 --json
      efdgen diff dbl-2009-l my-doubling --as g1p/shortw/jacobian-0/doubling
    """
    from efdgen.generator.progress import work
    from efdgen.generator.reports.difference import Difference
    from efdgen.verify.peers import same_values

    a, b = formula_named(first, place), formula_named(second, place)
    with work("comparing"):
        found = Difference(a, b, same_values(a, b))
    if as_json:
        echo_json(found.fields())
    else:
        click.echo(found.text(), nl=False)
    sys.exit(0 if found.same else 1)
