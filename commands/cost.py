"""The command `efdgen cost`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from efdgen.api.formulas import database
from efdgen.commands import completion
from efdgen.commands.common import (
    DIRECTORY,
    FORMATS,
    chosen_format,
    format_option,
    json_option,
)


@click.group()
def cost() -> None:
    """Count the operations of formulas."""


@cost.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@click.option("--weights", default="", help="Presets and OPERATION=NUMBER, separated by commas; see above.")
@format_option([*FORMATS, "latex", "html"])
@json_option("an object for each formula; the same as --format json")
@click.option("--from", "tree", type=DIRECTORY, help="Count the .op3 files of a published tree.")
def tables(selectors: tuple[str, ...], weights: str, form: str, as_json: bool, tree: Path | None) -> None:
    """Print the cost of each formula, as published and as emitted, by kind and weight.

    One three-operand line is one operation. M is a multiplication, S a squaring, I an inversion, ^3 a power,
    *a a product by a parameter, *2 by a constant, add an addition, subtraction or negation.

    \b
    Weights are in multiplications. Presets, from the database's tables:
      large-S1  large-S0.8  large-S0.67   I=100, for large characteristic; large-S0.8 is the default
      binary-S0  binary-S0.2              I=10, for binary fields; binary-S0.2 is the default
    Operations: M S I add, param and const for all parameters and constants, a or *a for one
    parameter, 2 or *2 for one constant, ^3 for cubes (S + M without it). Later items win.

    \b
    Examples:
      efdgen cost tables g1p/shortw/jacobian
      efdgen cost tables g1p/twisted --weights large-S0.67,a=0,d=1 --format markdown
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.reports.table_formats import render
    from efdgen.generator.reports.tables import cost_tables

    form = chosen_format(form, as_json)
    found = cost_tables(Database(tree, "upstream") if tree else database(), selectors, weights)
    click.echo(render(found, form), nl=False)
    if any(row.cost is None for table in found for row in table.rows):
        sys.exit(1)


@cost.command()
@click.option("--weights", default="", help="As in `efdgen cost tables`.")
@click.option("--bits", type=click.IntRange(min=1), default=256, show_default=True, help="Bits of a scalar.")
@format_option(FORMATS)
@json_option("an object for each computation; the same as --format json")
def totals(weights: str, bits: int, form: str, as_json: bool) -> None:
    """Print the cost of tables of odd multiples, ladders and windows, with the cheapest formulas.

    \b
    Examples:
      efdgen cost totals
      efdgen cost totals --weights large-S1 --bits 521 --format markdown
    """
    from efdgen.generator.progress import work
    from efdgen.generator.reports.total_formats import render
    from efdgen.generator.reports.totals import cost_totals

    form = chosen_format(form, as_json)
    with work("counting"):
        found = cost_totals(database(), weights, bits)
    click.echo(render(found, form), nl=False)
