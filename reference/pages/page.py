"""The environment of all pages: templates, what they call, and the files that are made."""

from __future__ import annotations

import posixpath
import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from efdgen.generator.text.environment import TEMPLATES
from efdgen.reference import costs
from efdgen.reference.pages import mathml, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.reference.pages.passages import Passage
    from efdgen.reference.pages.shelf import Shelf

FOLDER = TEMPLATES / "site"


class Pages:
    """The files of a site, by path, and the passages that its search finds; texts of users are escaped."""

    def __init__(self, shelf: Shelf, base: str, mathematics: Mapping[str, str]) -> None:
        self.shelf, self.base, self._mathematics = shelf, base, mathematics
        self.files: dict[str, bytes] = {}
        self.paths: list[str] = []
        self.passages: list[Passage] = []
        self.known = {f"{each}.html" for each in (*shelf.models, *shelf.systems, *shelf.formulas)}
        self.known |= {f"kinds/{each}.html" for each in shelf.kinds}
        self.known |= {f"sources/{each}.html" for each in shelf.sources if is_name(each)}
        self.known |= {f"curves/{each}.html" for each in shelf.curves}
        self.known |= {f"{each['id']}.html" for each in shelf.unreadable}
        self._rows: dict[tuple[str, str, bool], Markup] = {}

    def page(self, template: str, path: str, title: str, **given: Any) -> None:  # noqa: ANN401 - for templates
        """Render a page; its links lead from its own folder."""
        folder = posixpath.dirname(path)

        def link(target: str) -> str:
            return self.href(target, folder)

        given = {"about": title, "crumbs": (), "model_id": "", "system_id": "", "command": "", **given}
        rows = self._rows_from(link, folder)
        text = self.environment.get_template(template).render(
            title=title, page=path, link=link, rows=rows, side=self._side(path, given, link), **given
        )
        self.write(path, text)
        self.paths.append(path)

    def write(self, path: str, content: str | bytes) -> None:
        """Add a file."""
        self.files[path] = content.encode() if isinstance(content, str) else content

    def href(self, target: str, folder: str) -> str:
        """Return the address of a file from a folder; ``#…`` and ``?…`` at the end stay."""
        path, mark, rest = re.split(r"([#?]|$)", target, maxsplit=1)
        if path in self.known or mark or "%" not in path:
            path = quote(posixpath.relpath(path, folder or "."))
        return f"{path}{mark}{rest}"

    def math(self, text: str) -> Markup:
        """Return an equation, set."""
        found = self._mathematics.get(text)
        return Markup(mathml.html(text) if found is None else found)

    def maths(self, texts: Iterable[str]) -> Markup:
        """Return equations in a row."""
        return Markup(", ").join(self.math(each) for each in texts)

    def _rows_from(self, link: Callable[[str], str], folder: str) -> Callable[..., Markup]:
        """Return the function that renders rows of a table of formulas; a row is the same on many pages."""

        def rows(formulas: Sequence[Mapping[str, Any]], here: str = "", system: bool = False) -> Markup:
            found = []
            for each in formulas:
                key = each["id"], folder, system
                if each["id"] == here or key not in self._rows:
                    row = self._parts.row(each, link, here, system)
                    if each["id"] == here:
                        found.append(row)
                        continue
                    self._rows[key] = row
                found.append(self._rows[key])
            return Markup("").join(found)

        return rows

    def _side(self, path: str, given: Mapping[str, Any], link: Callable[[str], str]) -> Markup:
        system = given["system_id"]
        kinds = [(kind["id"], len(found)) for kind, found in self.shelf.kinds_of(system)] if system else []
        return Markup(self._parts.side(self._classes, link, path, given["model_id"], system, kinds))

    @cached_property
    def _classes(self) -> list[tuple[str, list[tuple[Any, list[Any]]]]]:
        """Models by characteristic, each with its systems."""
        return [
            (title, found)
            for binary, title in words.CLASSES.items()
            if (
                found := [
                    (m, self.shelf.systems_of(m["id"]))
                    for m in self.shelf.models.values()
                    if m["binary"] == binary
                ]
            )
        ]

    @cached_property
    def _parts(self) -> Any:  # noqa: ANN401 - macros of a template
        return self.environment.get_template("parts.html.j2").module

    @cached_property
    def environment(self) -> Environment:
        """The environment of the templates."""
        made = Environment(
            loader=FileSystemLoader(FOLDER),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.filters |= {
            "math": self.math,
            "maths": self.maths,
            "cost": cost_html,
            "terms": lambda cost: ",".join(f"{unit}:{count}" for unit, count in costs.terms(cost)),
            "number": words.number,
            "capital": words.capital,
            "plain": words.plain,
            "exception": words.exception,
            "completeness": words.completeness,
            "short_field": words.short_field,
            "last": lambda text: text.rpartition("/")[2],
            "coloured": coloured,
        }
        made.globals |= {
            "ratios": words.RATIOS,
            "version": self.shelf.document["efdgen"],
            "base": self.base,
            "known": self.known,
            "kinds": self.shelf.kinds,
            "sources": self.shelf.sources,
            "classes": self._classes,
            "is_name": is_name,
        }
        return made


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a file, as a key of a work."""
    return re.fullmatch(r"[\w+-][\w.+-]*", text) is not None


@cache
def _cost_html(terms: tuple[tuple[str, int], ...], length: str) -> Markup:
    strong, soft = [], []
    for unit, count in terms:
        product = f"{count}{unit}" if unit in {"M", "S", "I"} else f"{count}·{unit.removeprefix('*')}"
        if unit == "add":
            soft.append(f"{count}add")
        elif re.fullmatch(r"\*[\d/]+", unit):
            soft.append(product)
        else:
            strong.append(product)
    text = escape(" + ".join(strong) or ("" if soft else "0"))
    if soft:
        plus = " + " if strong else ""
        text += Markup('<span class="soft">{}{}</span>').format(plus, " + ".join(soft))
    return Markup("{}({}) + 1I − 3M").format(length, text) if length else text


def cost_html(cost: Mapping[str, Any]) -> Markup:
    """Return a cost: products in full strength, additions and small multiples softly."""
    return _cost_html(tuple(costs.terms(cost)), costs.per_point(cost))


def coloured(text: str, language: str) -> Markup:
    """Return a text in a language with its tokens marked, for the style sheet to colour."""
    return Markup(highlight(text, get_lexer_by_name(language), HtmlFormatter(nowrap=True)))
