"""Comments with "Proved", and their functions: each of these has to be one that was read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.pieces import Language

_COMMENTS = {"c": re.compile(r"/\*.*?\*/\n", re.S), "rust": re.compile(r"(?:^[ \t]*///[^\n]*\n)+", re.M)}
_HEADS = {
    "c": re.compile(r"[A-Za-z_][\w \t*]*?(\w+)\s*[(\[=]"),
    "rust": re.compile(
        r"\s*(?:(?:#\[(?:[^\[\]]|\[[^\]]*\])*\]|//[^\n]*\n)\s*)*[\w() ]*?\b(?:fn|const|static) (\w+)"
    ),
}


def marked_names(text: str, language: Language) -> Iterator[str]:
    """Yield the names of the definitions below comments that say "Proved".

    A comment before an empty line is about a part of the text, and not about a definition.
    """
    for comment in _COMMENTS[language].finditer(text):
        if "Proved:" in comment[0] and not text.startswith("\n", comment.end()):
            head = _HEADS[language].match(text, comment.end())
            yield head[1] if head else comment[0]
