"""Pages that compare two formulas: values, cost, equations and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.reference.pages.page import Pages


def address(first: str, second: str) -> str:
    """Return the path of the page that compares two formulas of an operation."""
    return f"{first}-and-{second.rpartition('/')[2]}.html"


def add_comparisons(pages: Pages, differences: Iterable[Mapping[str, Any]]) -> None:
    """Add a page for each difference of two formulas."""
    shelf = pages.shelf
    for each in differences:
        a, b = (shelf.formulas[name] for name in each["ids"])
        kind = shelf.kinds[a["kind"]]
        pages.page(
            "comparison.html.j2",
            address(*each["ids"]),
            f"{a['name']} and {b['name']}",
            about=f"{a['name']} beside {b['name']}: values, cost, equations and programs",
            model_id=a["model_id"],
            system_id=a["system_id"],
            crumbs=[
                ("Reference", "index.html"),
                (a["system"], f"{a['system_id']}.html"),
                (kind["title"], f"{a['system_id']}.html#{kind['id']}"),
            ],
            command=f"efdgen diff {a['id']} {b['id']}",
            kind=kind,
            sides=(a, b),
            difference=each,
            equations=_lines(each["equations"]),
            program=_lines(each["program"]),
        )


def links(differences: Iterable[Mapping[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    """Return the comparisons of each formula: the path of a page, and the name of the other formula."""
    found: dict[str, list[tuple[str, str]]] = {}
    for each in differences:
        first, second = each["ids"]
        path = address(first, second)
        found.setdefault(first, []).append((path, second.rpartition("/")[2]))
        found.setdefault(second, []).append((path, first.rpartition("/")[2]))
    return found


def _lines(changes: Sequence[str]) -> list[tuple[str, str]]:
    """Return lines of a difference, each after its sign: ``-``, ``+`` or none."""
    return [(line[0].strip(), line[2:]) for line in changes]
