"""The command `efdgen graph`."""

from __future__ import annotations

import click

from efdgen.commands import completion
from efdgen.commands.common import (
    as_option,
    chosen_format,
    echo_json,
    format_option,
    formula_named,
    json_option,
)


@click.command()
@click.argument("formula_id", metavar="ID", shell_complete=completion.FORMULAS)
@as_option
@format_option(["dot", "mermaid", "svg"])
@json_option("an object with values and edges; the same as --format json")
@click.option("--published", is_flag=True, help="Show the published formula instead of the emitted one.")
def graph(formula_id: str, place: str | None, form: str, as_json: bool, published: bool) -> None:
    """Print a formula's data flow as a graph, with its depth and width.

    --format svg needs Graphviz. Depth is the length of the longest chain of products and squarings; width is
    the largest number of them at a time, if each is computed as early as possible.

    \b
    Examples:
      efdgen graph g1p/shortw/jacobian-0/doubling/dbl-2009-l
      efdgen graph jacobian/addition/add-2007-bl --format mermaid
      efdgen graph jacobian/addition/add-2007-bl --format svg > add.svg
    """
    from efdgen.generator.passes.pipeline import emitted
    from efdgen.generator.programs.lower import lower
    from efdgen.generator.reports.graph import Flow

    form = chosen_format(form, as_json)
    formula = formula_named(formula_id, place)
    flow = Flow(formula.id, lower(formula) if published else emitted(formula))
    if form == "json":
        echo_json(flow.fields())
    else:
        click.echo({"dot": flow.dot, "mermaid": flow.mermaid, "svg": flow.svg}[form](), nl=False)
