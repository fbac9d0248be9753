"""The command `efdgen check`."""

from __future__ import annotations

import sys

import click

from efdgen.commands.common import echo_json, effort_option


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@click.option(
    "--as", "place", metavar="PLACE", help="Where it belongs, such as g1p/shortw/jacobian-0/doubling."
)
@effort_option
@click.option("--json", "as_json", is_flag=True, help="One object.")
def check(file: str, place: str | None, as_json: bool) -> None:
    """Check one formula: parse it, prove it, count it, say where it is wrong, and rank it among its peers.

    FILE is in the language of efd/FORMAT.md; - is standard input. Without --as its path says where it
    belongs: my/g1p/shortw/jacobian-0/doubling/dbl, where systems and kinds in my/ are known too.

    The exit status is 0 for a formula that is proved, 1 for one that is not, 2 for one that cannot be read.

    \b
    Examples:
      efdgen check my-doubling --as g1p/shortw/jacobian-0/doubling
      efdgen check my/g1p/shortw/jacobian-0/doubling/dbl --json
      efdgen check - --as g1p/shortw/jacobian-0/doubling < my-doubling
    """
    from efdgen.generator.formulas.draft import read_draft, with_draft

    draft, root = read_draft(file, place)
    database = with_draft(draft, root)
    formula = database.formula(draft.name)

    # Behind the reading, because these take longer than that.
    from efdgen.verify.account import account
    from efdgen.verify.peers import peers, ranking_fields, ranking_text

    found = account(formula)
    rivals = peers(database, formula) if found.verdict == "proved" else ()
    if as_json:
        echo_json(found.fields() | ({"peers": ranking_fields(rivals)} if rivals else {}))
    else:
        click.echo(found.text(), nl=False)
        if rivals:
            click.echo(ranking_text(formula.id, rivals))
    if found.verdict != "proved":
        sys.exit(1)
