"""The index by which pages find words in passages: files of script of a moderate size, which need no server.

``sections.js`` has the pages, the passages, and the first word or passage of each other file. ``words-N.js``
has words in order, each with the passages that have it and how often; ``texts-N.js`` the texts of passages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.reference.pages.passages import Passage

FOLDER = "static/search"
_WORD = re.compile(r"\w+")
_WORDS, _TEXTS = 40_000, 80_000
"""Sizes in bytes at which a file of words, loaded for a word of a query, and a file of texts are full."""

_IN_TITLE, _IN_PAGE = 6, 2
"""The weight of a word in the title of a passage, and in that of its page."""


def index_files(passages: Sequence[Passage]) -> dict[str, bytes]:
    """Return the files of the index by their paths; equal passages give equal bytes."""
    pages = list(dict.fromkeys((each.path, each.page) for each in passages))
    counts = [_counts(each) for each in passages]
    places: dict[str, list[int]] = {}
    for number, found in enumerate(counts):
        for word, count in found.items():
            places.setdefault(word, []).extend((number, count))
    words = _parts([(word, places[word]) for word in sorted(places, key=_units)], _WORDS)
    texts = _parts(enumerate(each.text for each in passages), _TEXTS)
    head = {
        "pages": pages,
        "sections": [
            [pages.index((each.path, each.page)), each.fragment, each.title, found.total()]
            for each, found in zip(passages, counts, strict=True)
        ],
        "words": [part[0][0] for part in words],
        "texts": [part[0][0] for part in texts],
    }
    files = {"sections.js": _script("sections", head)}
    for number, part in enumerate(words):
        files[f"words-{number}.js"] = _script("words", number, part)
    for number, part in enumerate(texts):
        files[f"texts-{number}.js"] = _script("texts", number, [text for _, text in part])
    return {f"{FOLDER}/{name}": content for name, content in files.items()}


def words_of(text: str) -> list[str]:
    """Return the words of a text, as the script of the search page takes them from a query."""
    return _WORD.findall(text.lower())


def _counts(passage: Passage) -> Counter[str]:
    """Return how often a passage has each word; those in titles count more."""
    found = Counter(words_of(passage.text))
    for title, weight in ((passage.title, _IN_TITLE), (passage.page, _IN_PAGE)):
        for word in words_of(title):
            found[word] += weight
    return found


def _parts(entries: Iterable[tuple[Any, Any]], size: int) -> list[list[tuple[Any, Any]]]:
    """Divide entries into parts of about a size, as JSON; an entry is never divided."""
    parts: list[list[tuple[Any, Any]]] = []
    left = 0
    for entry in entries:
        length = len(_json(entry))
        if not parts or length > left:
            parts.append([])
            left = size
        parts[-1].append(entry)
        left -= length
    return parts


def _script(function: str, *arguments: object) -> bytes:
    return f"window.efdSearch.{function}({','.join(map(_json, arguments))});\n".encode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _units(text: str) -> bytes:
    """Return the units of UTF-16 of a text, by which scripts of pages order texts."""
    return text.encode("utf-16-be", "surrogatepass")
