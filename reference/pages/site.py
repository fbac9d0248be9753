"""All pages of the reference, from the document and from parts that take longer to make."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from efdgen.reference.export.forms import many_files, one_file
from efdgen.reference.export.schema import schema_text
from efdgen.reference.pages import documentation, hosts, lists, systems
from efdgen.reference.pages.comparisons import add_comparisons, address
from efdgen.reference.pages.curves import add_curves
from efdgen.reference.pages.formulas import add_formulas
from efdgen.reference.pages.fulltext import index_files
from efdgen.reference.pages.page import FOLDER, Pages
from efdgen.reference.pages.play import ADDRESS, Playground, add_playground
from efdgen.reference.pages.search import search_data
from efdgen.reference.pages.shelf import Shelf
from efdgen.reference.pages.style import token_colours

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.reference.measured import Timing


@dataclass(frozen=True)
class Parts:
    """Parts of pages by formula or text, each left out of a page where it is missing.

    ``kernels`` are by id and language, ``archives`` of certificates by the id of their system, ``same`` has
    formulas of equal values, ``comparisons`` the differences of pairs, ``plans`` the methods on curves,
    ``hosts`` field arithmetic of other projects, and ``measured`` times of operations.
    """

    mathematics: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    kernels: dict[str, Any] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    archives: dict[str, bytes] = field(default_factory=dict)
    same: Mapping[str, list[str]] = field(default_factory=dict)
    comparisons: Sequence[Mapping[str, Any]] = ()
    plans: dict[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    hosts: Sequence[Mapping[str, Any]] = ()
    measured: Sequence[Timing] = ()
    documentation: Mapping[str, bytes] = field(default_factory=dict)
    playground: Playground | None = None


def site_files(document: Mapping[str, Any], parts: Parts, base: str = "") -> dict[str, bytes]:
    """Return all files of the site, by path; ``base`` is the address that they will have."""
    base = f"{base.rstrip('/')}/" if base else ""
    pages = Pages(Shelf(document), base, parts.mathematics)
    pages.known |= documentation.addresses(parts.documentation)
    pages.known |= {address(*each["ids"]) for each in parts.comparisons}
    pages.known |= hosts.addresses(parts.hosts)
    if parts.playground:
        pages.known.add(ADDRESS)
        add_playground(pages, parts.playground)
    _add_data(pages)
    systems.add_index(pages)
    systems.add_models(pages)
    systems.add_systems(pages, parts.archives, parts.measured)
    add_formulas(pages, parts)
    add_comparisons(pages, parts.comparisons)
    lists.add_kinds(pages)
    lists.add_sources(pages)
    add_curves(pages, parts.plans, hosts.by_curve(parts.hosts, document["curves"]), parts.measured)
    hosts.add_hosts(pages, parts.hosts)
    lists.add_unreadable(pages)
    documentation.add_documentation(pages, parts.documentation)
    pages.files |= index_files(pages.passages)
    _add_static(pages)
    if base:
        _add_site_map(pages)
    return pages.files


def _add_data(pages: Pages) -> None:
    """Add the exports, the page that lists them, and the search."""
    document = pages.shelf.document
    abouts = {
        "efdgen.json": "one document, as efdgen export writes it",
        "efdgen.sqlite": "tables and views for sqlite3 and datasette",
        "references.bib": "every work that a formula cites",
        "efdgen-schema.md": "the meaning of members, columns and views",
    }
    forms = ("json", "sqlite", "bibtex", "schema")
    downloads = []
    for (name, about), form in zip(abouts.items(), forms, strict=True):
        content = one_file(document, form)
        pages.write(name, content)
        downloads.append((name, about, f"{len(content) / 1e6:.1f} MB"))
    for name, content in many_files(document).items():
        pages.write(name, content)
    example = next(iter(pages.shelf.formulas.values()), None)
    pages.page(
        "data.html.j2",
        "data.html",
        "Data",
        crumbs=[("Reference", "index.html")],
        downloads=downloads,
        example=pages.shelf.formulas.get("g1p/shortw/jacobian/addition/add-2007-bl", example),
        schema=documentation.html(schema_text().partition("\n")[2]),
    )
    pages.page("search.html.j2", "search.html", "Search")
    text = json.dumps(search_data(pages.shelf), ensure_ascii=False, separators=(",", ":"))
    pages.write("static/search-data.js", f"window.efdData={text};\n")


def _add_static(pages: Pages) -> None:
    """Add style sheets, scripts and fonts."""
    for path in sorted((FOLDER / "static").iterdir()):
        content = path.read_bytes()
        if path.name == "site.css":
            content += token_colours().encode()
        pages.write(f"static/{path.name}", content)


def _add_site_map(pages: Pages) -> None:
    """Add the list of pages that search engines read."""
    urls = "".join(
        f"<url><loc>{escape(pages.base + pages.href(path, ''))}</loc></url>\n" for path in pages.paths
    )
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    pages.write("sitemap.xml", f"{head}\n{urls}</urlset>\n")
