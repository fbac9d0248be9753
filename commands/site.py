"""The command `efdgen site`."""

from __future__ import annotations

from pathlib import Path

import click

from efdgen.commands import completion
from efdgen.commands.common import DIRECTORY, json_option
from efdgen.commands.export import known_document, report


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...", shell_complete=completion.FORMULAS)
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Directory of the pages."
)
@click.option(
    "--base", default="", help="Address that the pages will have, for a site map and canonical links."
)
@click.option(
    "--documentation",
    type=DIRECTORY,
    help="Directory of a project, whose README.md, docs/*.md and other texts become pages of the site.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of processes that prove; the default is one per processor.",
)
@json_option("an object with the files, each with its path and state")
def site(
    selectors: tuple[str, ...],
    out: Path,
    base: str,
    documentation: Path | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Write the reference of formulas as static pages, which need no server; without a selector, of all.

    Formulas of user databases have pages too, also those that are refuted or unreadable. Pages have the paths
    of the published database. A directory of others is refused; pages that are gone are removed.

    \b
    Examples:
      efdgen site --out public
      efdgen site g1p/shortw --out public --base https://example.org/curves/
      efdgen --database mine site --out public
    """
    from efdgen.commands.kept import kept_answer
    from efdgen.generator.progress import work
    from efdgen.reference.pages.documentation import read_documentation
    from efdgen.reference.pages.mathml import mathematics
    from efdgen.reference.pages.site import Parts, site_files
    from efdgen.reference.writing import require_tree, write_tree

    require_tree(out)
    with work("collecting"):
        document = known_document(selectors, jobs)
    with work("writing pages"):
        parts = Parts(
            mathematics=kept_answer(("reference mathematics", *selectors), lambda: mathematics(document)),
            documentation=read_documentation(documentation) if documentation else {},
        )
        written = write_tree(out, site_files(document, parts, base))
    report(out, written, as_json=as_json)
