"""The page of each formula, with its text, its program and its proof as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from efdgen.reference import costs
from efdgen.reference.measured import times_of
from efdgen.reference.pages.comparisons import links
from efdgen.reference.pages.hosts import by_formula
from efdgen.reference.pages.page import coloured
from efdgen.reference.pages.play import is_playable
from efdgen.reference.pages.words import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.reference.pages.page import Pages
    from efdgen.reference.pages.site import Parts

_NEAR = 13
"""Neighbours by cost that a page shows."""

_COMPARED = 6
"""Comparisons that a page leads to: the cheapest formula is compared with all others."""


def add_formulas(pages: Pages, parts: Parts) -> None:
    """Add a page for each formula."""
    shelf = pages.shelf
    peers: dict[tuple[str, str], list[Any]] = {}
    for system, found in shelf.serving.items():
        for each in sorted(found, key=costs.order):
            peers.setdefault((system, each["kind"]), []).append(each)
    compared, hosts = links(parts.comparisons), by_formula(parts.hosts)
    for formula in shelf.formulas.values():
        others = {
            "compared": compared.get(formula["id"], [])[:_COMPARED],
            "hosts": hosts.get(formula["id"], []),
            "measured": times_of(e for e in parts.measured if e.subject.formula == formula["id"]),
        }
        _add_formula(pages, parts, formula, peers[formula["system_id"], formula["kind"]], others)


def _add_formula(
    pages: Pages,
    parts: Parts,
    formula: Mapping[str, Any],
    peers: Sequence[Any],
    others: Mapping[str, Any],
) -> None:
    shelf, name = pages.shelf, formula["id"]
    kind = shelf.kinds[formula["kind"]]
    script = parts.scripts.get(name, "")
    at = peers.index(formula)
    start = max(0, min(at - _NEAR // 2, len(peers) - _NEAR))
    works = [shelf.sources[key] for key in formula["citations"] if key in shelf.sources]
    archive = f"{formula['system_id']}-rocq.zip"
    pages.page(
        "formula.html.j2",
        f"{name}.html",
        formula["name"],
        f=formula,
        about=f"{formula['name']}: {kind['title']} in {formula['system']}, {formula['emitted']['text']}",
        model_id=formula["model_id"],
        system_id=formula["system_id"],
        crumbs=[
            ("Reference", "index.html"),
            (plain(formula["model"]), f"{formula['model_id']}.html"),
            (formula["system"], f"{formula['system_id']}.html"),
            (kind["title"], f"{formula['system_id']}.html#{kind['id']}"),
        ],
        command=f"efdgen show {name}",
        kind=kind,
        binary=shelf.models[formula["model_id"]]["binary"],
        neighbours=peers[start : start + _NEAR],
        total=len(peers),
        same=parts.same.get(name, ()),
        picture=Markup(parts.pictures.get(name, "")),
        script=script,
        certificates=archive if parts.archives.get(formula["system_id"]) else "",
        bibtex="\n".join(each["bibtex"] for each in works),
        files=_files(pages, formula, script),
        playable=is_playable(pages, formula),
        **others,
        **_kernels(parts.kernels.get(name)),
    )


def _files(pages: Pages, formula: Mapping[str, Any], script: str) -> list[tuple[str, str]]:
    """Write the files of a formula; return their paths, each with words for it."""
    name = formula["id"]
    steps = (line for line in formula["program"] if not line.startswith(("input", "output")))
    pages.write(name, formula["text"])
    pages.write(f"{name}.op3", "".join(f"{line}\n" for line in steps))
    files = [(name, "text"), (f"{name}.op3", "three operands"), (f"{name}.tex", "LaTeX")]
    if script:
        pages.write(f"{name}.sage.py", script)
        files.append((f"{name}.sage.py", "proof in SageMath"))
    return files


def _kernels(made: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the part of a page about kernels; empty for a formula that applies to no named curve."""
    if not made:
        return {"kernels": (), "kernels_note": "", "kernel_commands": ""}
    names = {"c": "C", "rust": "Rust", "python": "Python"}
    return {
        "kernels": [(key, names[key], coloured(text, key)) for key, text in made["texts"].items()],
        "kernels_note": made["note"],
        "kernel_commands": "\n".join(made["commands"]),
    }
