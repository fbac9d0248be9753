"""Tables of precomputed points as printed: their words are compared with those that were computed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.printed import TableText

# A definition by its name, to its initialiser's end.
_DEFINITIONS = {
    "c": r"\bconst \w+ {name}(?:\[\d+\])* = \{{\n(.*?)\n\}};",
    "rust": r"\bstatic {name}: [^=]+ = \[\n(.*?)\n\];",
}
_CONDITION = re.compile(r"^#(?:if|elif) \w+_WORD_BITS == (\d+)$|^#endif$", re.M)
_NUMBER = re.compile(r"\b0x[0-9A-Fa-f_]+\b")
# The rest of an initialiser without its numbers: brackets, and calls that make an entry.
_REST = re.compile(r"(?:[\s{}\[\](),]|\bentry\b)*")


def table_differences(text: TableText, files: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    """Yield the name of a table, its word size and the difference, if it is not as it was computed."""
    pattern = re.compile(_DEFINITIONS[text.language].format(name=re.escape(text.name)), re.S)
    found = [
        match[1] for path, file in files.items() if path in text.paths for match in pattern.finditer(file)
    ]
    if len(found) != 1:
        yield text.name, text.word, "the table is not there, or twice"
        return
    initialiser = _for_word(found[0], text.word)
    if not _REST.fullmatch(_NUMBER.sub("", initialiser)):
        yield text.name, text.word, "the table holds something else than numbers"
    elif tuple(int(number, 16) for number in _NUMBER.findall(initialiser)) != text.words:
        yield text.name, text.word, "its numbers are not those that were computed"
    elif text.language == "c" and not _is_nested(initialiser, text):
        yield text.name, text.word, "its braces are not those of its type"


def _is_nested(initialiser: str, text: TableText) -> bool:
    """Return whether the words of each element are in as many braces as its type has."""
    depth, count = 0, 0
    for token in re.findall(r"[{}]|\b0x", initialiser):
        if token == "0x":
            count += 1
            if depth != text.braces:
                return False
            continue
        if depth == text.braces and count not in (0, text.limbs):
            return False
        depth, count = depth + (1 if token == "{" else -1), 0
    return depth == 0


def _for_word(initialiser: str, word: int) -> str:
    """Return the lines of an initialiser for words of a size: all, if it has no conditions."""
    parts = _CONDITION.split(initialiser)
    if len(parts) == 1:
        return initialiser
    return "".join(lines for size, lines in zip(parts[1::2], parts[2::2], strict=True) if size == str(word))
