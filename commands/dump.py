"""The command `efdgen dump`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import echo_json, is_given, json_option, option, refuse_given


@click.command()
@click.argument("formula", required=False, shell_complete=completion.FORMULAS)
@click.option("--list", "listed", is_flag=True, help="List the stages.")
@click.option(
    "--after",
    "stage",
    default="final-dead-code",
    show_default=True,
    shell_complete=completion.STAGES,
    help="parse, lower, or a pass.",
)
@option("curve", default=None, help="Specialise the formula to this curve first.")
@json_option("an object with the lines, or the list of the stages")
def dump(formula: str | None, listed: bool, stage: str, curve: str | None, as_json: bool) -> None:
    """Print a formula after a stage of the compiler.

    \b
    Examples:
      efdgen dump --list
      efdgen dump add-2007-bl --after lower
      efdgen dump g1p/shortw/jacobian-0/doubling/dbl-2009-l --curve secp256k1 --after allocate
    """
    from efdgen.generator.dump import dump_formula, stages

    if listed:
        if formula is not None or is_given("stage") or curve is not None:
            raise click.UsageError("--list takes no formula and no other option")
        echo_json(stages()) if as_json else click.echo("\n".join(stages()))
        return
    if formula is None:
        raise click.UsageError("Missing argument 'FORMULA'.")
    if stage in {"parse", "lower"}:
        refuse_given(("curve",), "at the stages parse and lower")
    from efdgen.generator.formulas.database import Database

    found, text = dump_formula(Database(), formula, stage, curve)
    if as_json:
        echo_json({"id": found, "stage": stage, "curve": curve, "lines": text.splitlines()})
    else:
        click.echo(text, nl=False)
