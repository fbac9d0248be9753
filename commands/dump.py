"""The command `efdgen dump`."""

from __future__ import annotations

import click


@click.command()
@click.argument("formula")
@click.option(
    "--after", "stage", default="final-dead-code", show_default=True, help="parse, lower, or a pass."
)
@click.option("--curve", help="Specialise the formula to this curve first.")
@click.option("--list", "list_stages", is_flag=True, help="List the stages and stop.")
def dump(formula: str, stage: str, curve: str | None, list_stages: bool) -> None:
    """Print a formula as it stands after a stage of the compiler.

    \b
    Examples:
      efdgen dump add-2007-bl --after lower
      efdgen dump g1p/shortw/jacobian-0/doubling/dbl-2009-l --curve secp256k1 --after allocate
    """
    from efdgen.generator.dump import dump_formula, stages
    from efdgen.generator.formulas.database import Database

    click.echo(
        "\n".join(stages()) if list_stages else dump_formula(Database(), formula, stage, curve),
        nl=list_stages,
    )
