"""The command `efdgen site`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from efdgen.commands import completion
from efdgen.commands.common import DIRECTORY, FILE, json_option
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
    help="Directory of a project, whose README.md, docs/*.md and other texts become pages, with search.",
)
@click.option(
    "--kernels",
    "with_kernels",
    is_flag=True,
    help="Show kernels in C, Rust and Python too, proved on a curve: about a second a formula, once.",
)
@click.option(
    "--plans",
    "with_plans",
    is_flag=True,
    help="Show methods of multiplication on each curve too: about a second a curve, once.",
)
@click.option(
    "--measured",
    multiple=True,
    type=FILE,
    help="File that bench --json wrote: pages of curves, systems and formulas have its times; repeatable.",
)
@click.option(
    "--playground",
    "playground_parts",
    type=DIRECTORY,
    help="Directory of parts that make playground fetches: add a page that proves formulas in the browser.",
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
    measured: tuple[Path, ...],
    playground_parts: Path | None,
    jobs: int | None,
    *,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - options of all_parts, of several types
) -> None:
    """Write the reference of formulas as static pages, which need no server; without a selector, of all.

    Formulas of user databases have pages too, also those that are refuted or unreadable, and so have the
    hosts of `compile --field-api`, each with a function that is proved. Pages have the
    paths of the published database. A directory of others is refused; pages that are gone are removed.

    \b
    Examples:
      efdgen site --out public
      efdgen site g1p/shortw --out public --base https://example.org/curves/
      efdgen --database mine site --out public
      efdgen bench --curve edwards25519 --json > times.json
      efdgen site --measured times.json --out public
    """
    from efdgen.commands.site_parts import all_parts
    from efdgen.generator.progress import work
    from efdgen.reference.measured import read_measured
    from efdgen.reference.pages.site import site_files
    from efdgen.reference.playground.whole import playground_of
    from efdgen.reference.writing import require_tree, write_tree

    require_tree(out)
    times = read_measured(measured)
    playground = playground_of(playground_parts) if playground_parts else None
    with work("collecting"):
        document = known_document(selectors, jobs)
    with work("writing pages"):
        parts = all_parts(document, selectors, jobs, **asked)
        parts = replace(parts, playground=playground, measured=times)
        written = write_tree(out, site_files(document, parts, base))
    report(out, written, as_json=as_json)
