"""Parts of the pages of a site that take long to make, made or cached."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from efdgen.commands.kept import kept_answer
from efdgen.generator.progress import at
from efdgen.reference import comparisons
from efdgen.reference.hosts import host_names, host_page
from efdgen.reference.pages import mathml, pictures, proofs
from efdgen.reference.pages.documentation import read_documentation
from efdgen.reference.pages.kernels import kernels
from efdgen.reference.pages.site import Parts
from efdgen.reference.plans import methods

if TYPE_CHECKING:
    from pathlib import Path


def all_parts(
    document: dict[str, Any],
    selectors: tuple[str, ...],
    jobs: int | None,
    documentation: Path | None,
    *,
    with_kernels: bool,
    with_plans: bool,
) -> Parts:
    """Return the parts of pages, with kernels, methods on curves and a project's texts as asked."""
    parts = _parts(document, selectors, jobs)
    if with_kernels:
        parts.kernels.update(_kernels(document))
    if with_plans:
        parts.plans.update(_plans(document))
    return replace(parts, documentation=read_documentation(documentation)) if documentation else parts


def _parts(document: dict[str, Any], selectors: tuple[str, ...], jobs: int | None) -> Parts:
    """Return the parts of pages that every site has."""
    mathematics = kept_answer(("mathematics", *selectors), lambda: mathml.mathematics(document))
    by_system: dict[str, list[str]] = {}
    for each in document["formulas"]:
        by_system.setdefault(each["system_id"], []).append(each["id"])
    parts = Parts(mathematics=mathematics)
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
    return replace(parts, hosts=_hosts(), **_compared(document))


def _compared(document: dict[str, Any]) -> dict[str, Any]:
    """Return which formulas have equal values, and the differences of pairs, made or cached by system."""
    same: dict[str, list[str]] = {}
    for system, groups in comparisons.groups_of(document).items():
        at(system)
        same |= kept_answer(("same", *groups), partial(comparisons.equal_values, groups))
    differences = []
    for system, pairs in comparisons.pairs_of(document).items():
        at(system)
        differences += kept_answer(("differences", *pairs), partial(comparisons.comparisons, pairs))
    return {"same": same, "comparisons": differences}


def _hosts() -> list[dict[str, Any]]:
    """Return the pages of hosts, each with a proved function, made or cached one by one."""
    found = []
    for name in host_names():
        at(name)
        found.append(kept_answer(("host", name), partial(host_page, name)))
    return found


def _kernels(document: dict[str, Any]) -> dict[str, Any]:
    """Return the kernels of proved formulas, made or cached one by one."""
    found = {}
    for formula in document["formulas"]:
        if formula["verdict"] == "proved":
            at(formula["id"])
            made = kept_answer(("kernels", formula["id"]), partial(kernels, formula["id"]))
            found[formula["id"]] = made
    return found


def _plans(document: dict[str, Any]) -> dict[str, Any]:
    """Return the methods of multiplication on each curve, made or cached one by one."""
    found = {}
    for name in (each["name"] for each in document["curves"]):
        at(name)
        found[name] = kept_answer(("methods", name), partial(methods, name))
    return found
