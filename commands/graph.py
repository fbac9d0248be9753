"""The command `efdgen graph`."""

from __future__ import annotations

import click


@click.command()
@click.argument("formula_id", metavar="ID")
@click.option(
    "--format",
    "form",
    type=click.Choice(["dot", "mermaid", "svg"]),
    default="dot",
    show_default=True,
    help="svg needs Graphviz.",
)
@click.option("--published", is_flag=True, help="The formula as it is written, not as it is emitted.")
def graph(formula_id: str, form: str, published: bool) -> None:
    """Print a formula's data flow as a graph, with its depth and width.

    Depth is the number of products and squarings that have to follow one another, width the largest number of
    them that can be done at a time, each as early as possible.

    \b
    Examples:
      efdgen graph g1p/shortw/jacobian-0/doubling/dbl-2009-l
      efdgen graph jacobian/addition/add-2007-bl --format mermaid
      efdgen graph jacobian/addition/add-2007-bl --format svg > add.svg
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.programs.lower import lower
    from efdgen.generator.programs.pipeline import optimise
    from efdgen.generator.reports.describe import one_formula
    from efdgen.generator.reports.graph import Flow

    database = Database()
    formula = database.formula(one_formula(database, formula_id))
    program = lower(formula)
    flow = Flow(formula.id, program if published else optimise(program))
    click.echo({"dot": flow.dot, "mermaid": flow.mermaid, "svg": flow.svg}[form](), nl=False)
