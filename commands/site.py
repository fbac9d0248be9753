"""The command `efdgen site`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from efdgen.commands import completion
from efdgen.commands.common import DIRECTORY, json_option
from efdgen.commands.export import known_document, report

if TYPE_CHECKING:
    from efdgen.reference.pages.site import Parts


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
    "--kernels",
    "with_kernels",
    is_flag=True,
    help="Show kernels in C, Rust and Python too, proved on a curve: about a second a formula, once.",
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
    *,
    with_kernels: bool,
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
    from efdgen.generator.progress import work
    from efdgen.reference.pages.documentation import read_documentation
    from efdgen.reference.pages.site import site_files
    from efdgen.reference.writing import require_tree, write_tree

    require_tree(out)
    with work("collecting"):
        document = known_document(selectors, jobs)
    with work("writing pages"):
        parts = _parts(document, selectors, jobs)
        if with_kernels:
            parts.kernels.update(_kernels(document))
        if documentation:
            parts = replace(parts, documentation=read_documentation(documentation))
        written = write_tree(out, site_files(document, parts, base))
    report(out, written, as_json=as_json)


def _parts(document: dict[str, Any], selectors: tuple[str, ...], jobs: int | None) -> Parts:
    """Return the parts of pages that take long to make, made or cached."""
    from base64 import b64decode

    from efdgen.commands.kept import kept_answer
    from efdgen.generator.progress import at
    from efdgen.reference.pages import mathml, pictures, proofs
    from efdgen.reference.pages.site import Parts

    mathematics = kept_answer(("mathematics", *selectors), lambda: mathml.mathematics(document))
    by_system: dict[str, list[str]] = {}
    for each in document["formulas"]:
        by_system.setdefault(each["system_id"], []).append(each["id"])
    parts = Parts(mathematics=mathematics, pictures={}, scripts={}, archives={})
    for system, ids in by_system.items():
        at(system)
        if pictures.can_draw():
            parts.pictures.update(kept_answer(("pictures", *ids), partial(pictures.pictures, ids)))
        proved = [
            each["id"] for each in document["formulas"] if each["id"] in ids and each["verdict"] == "proved"
        ]
        if proved:
            made = kept_answer(("proofs", *proved), partial(proofs.proofs, proved, jobs))
            parts.scripts.update(made["scripts"])
            parts.archives[system] = b64decode(made["archive"])
    return replace(parts, **_compared(document))


def _compared(document: dict[str, Any]) -> dict[str, Any]:
    """Return which formulas have equal values, and the differences of pairs, made or cached by system."""
    from efdgen.commands.kept import kept_answer
    from efdgen.generator.progress import at
    from efdgen.reference import comparisons

    same: dict[str, list[str]] = {}
    for system, groups in comparisons.groups_of(document).items():
        at(system)
        same |= kept_answer(("same", *groups), partial(comparisons.equal_values, groups))
    differences = []
    for system, pairs in comparisons.pairs_of(document).items():
        at(system)
        differences += kept_answer(("differences", *pairs), partial(comparisons.comparisons, pairs))
    return {"same": same, "comparisons": differences}


def _kernels(document: dict[str, Any]) -> dict[str, Any]:
    """Return the kernels of proved formulas, made or cached one by one."""
    from efdgen.commands.kept import kept_answer
    from efdgen.generator.progress import at
    from efdgen.reference.pages.kernels import kernels

    found = {}
    for formula in document["formulas"]:
        if formula["verdict"] == "proved":
            at(formula["id"])
            made = kept_answer(("kernels", formula["id"]), partial(kernels, formula["id"]))
            found[formula["id"]] = made
    return found
