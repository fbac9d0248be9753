"""Passages that a search of texts finds: sections of documentation, and what other pages are about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

_COMMENT = re.compile(r"<!--.*?-->", re.S)


class Passage(NamedTuple):
    """A part of a page: the page's path and title, the part's fragment and title, and its text."""

    path: str
    page: str
    fragment: str
    title: str
    text: str


def sections(tokens: Sequence[Token], path: str, page: str) -> Iterator[Passage]:
    """Yield the sections of a text in Markdown whose headings have ids; each ends where the next begins."""
    fragment, title, heading = "", page, False
    parts: list[str] = []
    for token in tokens:
        if token.type == "heading_open":
            if parts:
                yield passage(path, page, parts, fragment, title)
            fragment, heading, parts = str(token.attrs.get("id", "")), True, []
        elif token.type == "inline" and heading:
            title, heading = _text(token), False
        else:
            parts += [_text(token)]
    yield passage(path, page, parts, fragment, title)


def passage(path: str, page: str, parts: Iterable[str], fragment: str = "", title: str = "") -> Passage:
    """Return a passage; the page's title is that of a passage which has no other."""
    return Passage(path, page, fragment, title or page, " ".join(" ".join(parts).split()))


def _text(token: Token) -> str:
    """Return what a reader sees of a token: text, code, and HTML as text, but no comments."""
    if token.type == "inline":
        return "".join(_text(each) for each in token.children or ())
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return _COMMENT.sub("", token.content)
