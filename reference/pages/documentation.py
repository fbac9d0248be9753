"""A project's documentation in Markdown, as pages beside the reference."""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from efdgen.reference.pages.passages import sections

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from markdown_it.token import Token

    from efdgen.reference.pages.page import Pages

_PAGES = ("*.md", "docs/*.md", "efd/*.md", "efd/hosts/*.md", "examples/*.md", "examples/*/README.md")
_PICTURES = ("docs/**/*.svg", "docs/**/*.png")
_FIRST = "docs/README.md"
_ELSEWHERE = re.compile(r"[a-z]+:|//|#")


def read_documentation(root: Path) -> dict[str, bytes]:
    """Return the pages and pictures of a project, by their paths below its directory."""
    paths = (path for pattern in (*_PAGES, *_PICTURES) for path in sorted(root.glob(pattern)))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def addresses(files: Mapping[str, bytes]) -> set[str]:
    """Return the paths of the pages that documentation has in a site."""
    return {_address(name) for name in files if name.endswith(".md")}


def add_documentation(pages: Pages, files: Mapping[str, bytes]) -> None:
    """Add a page for each text, and the pictures; a link to a file that is neither becomes its text."""
    for name, content in files.items():
        if not name.endswith(".md"):
            pages.write(name, content)
            continue
        tokens = _markdown().parse(content.decode())
        title = _title(tokens, name)
        for token in tokens:
            _mend(token, name, files)
        pages.passages += sections(tokens, _address(name), title)
        crumbs = [("Reference", "index.html")]
        if _FIRST in files and name != _FIRST:
            crumbs.append(("Documentation", _address(_FIRST)))
        body = Markup(_markdown().renderer.render(tokens, _markdown().options, {}))
        pages.page("documentation.html.j2", _address(name), title, body=body, crumbs=crumbs)


def html(text: str) -> Markup:
    """Return a text in Markdown as HTML, with ids of its headings."""
    tokens = _markdown().parse(text)
    _title(tokens, "")
    return Markup(_markdown().renderer.render(tokens, _markdown().options, {}))


def _address(name: str) -> str:
    return f"{name.removesuffix('.md')}.html"


def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    made.add_render_rule("html_block", _html_as_text)
    made.add_render_rule("html_inline", _html_as_text)
    made.add_render_rule("table_open", _table_in_a_region)
    made.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return made


def _table_in_a_region(_renderer: Any, _tokens: Any, _index: int, _options: Any, env: Any) -> str:  # noqa: ANN401 - a rule
    """Begin a table that can be scrolled; regions of a page have numbers."""
    env["tables"] = env.get("tables", 0) + 1
    return f'<div class="scroll" role="region" aria-label="Table {env["tables"]}" tabindex="0"><table>'


def _html_as_text(_renderer: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:  # noqa: ANN401 - a rule
    """Leave comments out, and show other HTML as text."""
    return str(escape(re.sub(r"<!--.*?-->", "", tokens[index].content, flags=re.S)))


def _title(tokens: Sequence[Token], name: str) -> str:
    """Give each heading an id as GitHub does; return the first heading's text."""
    title, used = "", dict[str, int]()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(each.content for each in inline.children or ())
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = used[slug] = used.get(slug, -1) + 1
            token.attrSet("id", f"{slug}-{count}" if count else slug)
            title = title or text
        if token.type in {"fence", "code_block"}:
            token.attrSet("tabindex", "0")
    return title or name


def _mend(token: Token, name: str, files: Mapping[str, bytes]) -> None:
    """Make links of a text lead to pages of the site."""
    dropped = 0
    for each in token.children or ():
        if each.type == "link_open":
            href = str(each.attrs["href"])
            path, mark, fragment = href.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path)))
            if _ELSEWHERE.match(href):
                continue
            if target in files:
                each.attrSet(
                    "href",
                    f"{path.removesuffix('.md')}.html{mark}{fragment}" if path.endswith(".md") else href,
                )
            else:
                each.type, each.tag, each.attrs, dropped = "html_inline", "", {}, dropped + 1
        elif each.type == "link_close" and dropped:
            each.type, dropped = "html_inline", dropped - 1
