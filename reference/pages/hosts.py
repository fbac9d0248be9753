"""Pages of hosts, projects whose field arithmetic functions can call, and their list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.reference.pages.lists import add_list
from efdgen.reference.pages.page import is_name
from efdgen.reference.pages.passages import passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.reference.pages.page import Pages

LIST = "hosts/index.html"
_LANGUAGES = {"c": "C", "rust": "Rust"}
_LEAD = (
    "Projects whose own field arithmetic functions of formulas can call, by their rules: "
    "efdgen compile --field-api HOST. A file of yours describes another one."
)


def address(name: str) -> str:
    """Return the path of a host's page."""
    return f"hosts/{name}.html"


def addresses(hosts: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the paths of the pages of hosts, and of their list."""
    return {LIST, *(address(each["id"]) for each in hosts if is_name(each["id"]))} if hosts else set()


def by_curve(hosts: Iterable[Mapping[str, Any]], curves: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the hosts that have the field of each curve, which is of a large characteristic."""
    return {
        curve["name"]: [
            host["id"]
            for host in hosts
            if is_name(host["id"])
            and (not host["fields"] or any(curve["name"] in field["curves"] for field in host["fields"]))
        ]
        for curve in curves
        if curve["polynomial"] is None
    }


def by_formula(hosts: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return hosts by the formula of their example."""
    found: dict[str, list[str]] = {}
    for host in hosts:
        if is_name(host["id"]):
            found.setdefault(host["example"].get("formula", ""), []).append(host["id"])
    return found


def add_hosts(pages: Pages, hosts: Sequence[Mapping[str, Any]]) -> None:
    """Add a page for each host, and their list."""
    cells: list[tuple[Any, ...]] = []
    for host in (each for each in hosts if is_name(each["id"])):
        pages.page(
            "host.html.j2",
            address(host["id"]),
            host["id"],
            about=f"Formulas in the field arithmetic of {host['title']}",
            h=host,
            languages=_LANGUAGES,
            crumbs=[("Reference", "index.html"), ("Hosts", LIST)],
            command=host["example"].get("command", ""),
        )
        calls = (each["call"] for each in host["operations"])
        about = host["title"], f"Tested on {host['tested']}", host["source"], *calls
        pages.passages.append(passage(address(host["id"]), "Hosts", about, title=host["id"]))
        fields = ", ".join(each["name"] for each in host["fields"]) or "any"
        largest = str(host["largest"]) if host["largest"] > 1 else "none"
        place = address(host["id"]), host["id"]
        language, whole = _LANGUAGES[host["language"]], "yes" if host["whole_curves"] else "no"
        cells.append((place, host["title"], language, fields, largest, whole, host["tested"]))
    heads = ("Host", "Field arithmetic", "Language", "Fields", "Bounds", "Whole curves", "Tested on")
    if cells:
        add_list(pages, LIST, "Hosts", _LEAD, [(text, False) for text in heads], cells)
