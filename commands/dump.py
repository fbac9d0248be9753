"""The command `efdgen dump`."""

from __future__ import annotations

import click


def _list_stages(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from efdgen.generator.dump import stages

        click.echo("\n".join(stages()))
        context.exit()


@click.command()
@click.argument("formula")
@click.option(
    "--list", is_flag=True, expose_value=False, is_eager=True, callback=_list_stages, help="List the stages."
)
@click.option(
    "--after", "stage", default="final-dead-code", show_default=True, help="parse, lower, or a pass."
)
@click.option("--curve", help="Specialise the formula to this curve first.")
def dump(formula: str, stage: str, curve: str | None) -> None:
    """Print a formula as it stands after a stage of the compiler.

    \b
    Examples:
      efdgen dump add-2007-bl --after lower
      efdgen dump g1p/shortw/jacobian-0/doubling/dbl-2009-l --curve secp256k1 --after allocate
    """
    from efdgen.generator.dump import dump_formula
    from efdgen.generator.formulas.database import Database

    click.echo(dump_formula(Database(), formula, stage, curve), nl=False)
