"""Pages of operations, works and files that are not formulas, and their lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from efdgen.reference import costs
from efdgen.reference.pages import words
from efdgen.reference.pages.page import is_name
from efdgen.reference.pages.passages import passage
from efdgen.reference.pages.shelf import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.reference.pages.page import Pages

_MOST = 150
"""Rows of a page of an operation; one with more is split by models."""


def add_kinds(pages: Pages) -> None:
    """Add a page for each operation, with the cheapest formula of each system, and their list."""
    shelf = pages.shelf
    cells = []
    for name in in_order(shelf.kinds):
        kind, found = shelf.kinds[name], shelf.of_kind[name]
        _add_kind(pages, kind, found)
        laws = Markup("{}").format(pages.maths(kind["laws"]))
        systems = len({each["system_id"] for each in found})
        cells.append(
            ((f"kinds/{name}.html", words.capital(kind["title"])), laws, str(len(found)), str(systems))
        )
    add_list(
        pages,
        "kinds/index.html",
        "Operations",
        f"{len(cells)} kinds of formula, each with a law that is proved.",
        (("Operation", False), ("Law", False), ("Formulas", True), ("Systems", True)),
        cells,
    )


def _add_kind(pages: Pages, kind: Any, found: Sequence[Any]) -> None:  # noqa: ANN401 - of the document
    shelf = pages.shelf
    path = f"kinds/{kind['id']}"
    groups = _groups(pages, found)
    parts: list[tuple[str, str]] = []
    if sum(len(rows) for _, _, rows in groups) > _MOST:
        for model in dict.fromkeys(each["model_id"] for each in found):
            own = [each for each in found if each["model_id"] == model]
            part = f"{path}-{model.replace('/', '-')}.html"
            parts.append((part, words.plain(shelf.models[model]["title"])))
            _kind_page(pages, part, kind, own, _groups(pages, own), model=shelf.models[model])
        groups = []
    _kind_page(pages, f"{path}.html", kind, found, groups, parts=parts)


def _kind_page(
    pages: Pages,
    path: str,
    kind: Any,  # noqa: ANN401 - of the document
    found: Sequence[Any],
    groups: Sequence[tuple[str, bool, list[Any]]],
    *,
    model: Any = None,  # noqa: ANN401 - of the document
    parts: Sequence[tuple[str, str]] = (),
) -> None:
    pages.page(
        "kind.html.j2",
        path,
        words.capital(kind["title"]),
        kind=kind,
        model=model,
        crumbs=[("Reference", "index.html"), ("Operations", "kinds/index.html")],
        command=f"efdgen list --kind {kind['id']}",
        count=len(found),
        systems=len({each["system_id"] for each in found}),
        groups=groups,
        parts_of=parts,
        plots=(),
    )


def _groups(pages: Pages, found: Iterable[Any]) -> list[tuple[str, bool, list[Any]]]:
    """Return the cheapest proved formula of each system and assumption; those between systems apart."""
    groups = []
    for binary, title in words.CLASSES.items():
        for several, suffix in ((False, ""), (True, ", between coordinate systems")):
            best: dict[Any, Any] = {}
            for each in sorted(found, key=costs.order):
                same = pages.shelf.models[each["model_id"]]["binary"] == binary
                if same and each["verdict"] == "proved" and bool(each["other_systems"]) == several:
                    key = each["system_id"], *each["input_assumptions"], *each["other_systems"]
                    best.setdefault(key, each)
            if best:
                groups.append((title + suffix, binary, list(best.values())))
    return groups


def add_sources(pages: Pages) -> None:
    """Add a page for each work, with the formulas that cite it, and their list, the latest first."""
    shelf = pages.shelf
    cells = []
    for source in sorted(
        shelf.sources.values(), key=lambda each: (each["year"] or "", each["key"]), reverse=True
    ):
        key, title = source["key"], words.plain(source["title"]) or source["key"]
        found = sorted(shelf.of_source.get(key, ()), key=lambda each: each["id"])
        if not is_name(key):
            continue
        pages.page(
            "source.html.j2",
            f"sources/{key}.html",
            title,
            source=source,
            crumbs=[("Reference", "index.html"), ("Papers", "sources/index.html")],
            groups=[
                (heading, binary, rows)
                for binary, heading in words.CLASSES.items()
                if (rows := [f for f in found if shelf.models[f["model_id"]]["binary"] == binary])
            ],
        )
        names = words.plain(", ".join(source["authors"]))
        about = names, source["year"] or "", key
        pages.passages.append(passage(f"sources/{key}.html", "Papers", about, title=title))
        cells.append((source["year"] or "", (f"sources/{key}.html", title), names, str(len(found))))
    add_list(
        pages,
        "sources/index.html",
        "Papers",
        "Works that formulas of the database cite, the latest first; all of them in references.bib.",
        (("Year", False), ("Title", False), ("Authors", False), ("Formulas", True)),
        cells,
    )


def add_unreadable(pages: Pages) -> None:
    """Add a page for each file of a user that is not a formula."""
    for each in pages.shelf.unreadable:
        system, _, name = each["id"].rsplit("/", 2)
        known = system in pages.shelf.systems
        crumbs = [(system, f"{system}.html")] if known else []
        pages.page(
            "unreadable.html.j2",
            f"{each['id']}.html",
            name,
            each=each,
            crumbs=[("Reference", "index.html"), *crumbs],
        )


def add_list(
    pages: Pages,
    path: str,
    title: str,
    lead: str,
    heads: Sequence[tuple[str, bool]],
    cells: Sequence[Sequence[Any]],
) -> None:
    """Add a page with a table; a cell is a text, or the address of a page with a text."""
    crumbs = [("Reference", "index.html")]
    pages.page("list.html.j2", path, title, lead=lead, note="", heads=heads, cells=cells, crumbs=crumbs)
