"""Frames of files: all text outside the bodies of functions that readers follow, character by character.

A printer announces each file that it prints. Text that no reader follows, that is declarations, macros,
comments, loops on words, protocols and manifests, must be in the file as it was announced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from efdgen.generator.fields.printed import FileText


class Followed(NamedTuple):
    """A function that a reader follows: its file, its name there, and in Rust the type or module of it."""

    file: str
    name: str
    owner: str = ""


# The first line of a function or of a block of definitions: its indentation, and its name.
_HEADS = {
    "c": re.compile(r"(?P<indent>)(?!typedef|struct|return)[A-Za-z_][\w *]*?\b(?P<name>\w+)\("),
    "rust": re.compile(r"(?P<indent> *)(?:pub(?:\(\w+\))? )?(?:const )?fn (?P<name>\w+)\b"),
    "python": re.compile(r"(?P<indent> *)def (?P<name>\w+)\("),
}
_BLOCK = re.compile(r"( *)(?:pub(?:\(\w+\))? )?(impl|mod|trait)\b(?:<[^>]*>)? (.*?) ?\{$")
_QUOTES = '"""'
_ENDINGS = {"h": "c", "c": "c", "rs": "rust", "py": "python"}


def frame_differences(
    files: Mapping[str, str], announced: Iterable[FileText], followed: Collection[Followed]
) -> Iterator[tuple[str, str]]:
    """Yield the files that differ from those announced in what no reader follows, and how."""
    known = {text.path: text.text for text in announced}
    if not known:
        return
    for path in files.keys() - known.keys():
        yield path, "nobody printed this file"
    for path, printed in known.items():
        if path not in files:
            yield path, "the file is missing"
        elif files[path] != printed:
            names = {each[1:] for each in followed if path == each.file or path.endswith(f"/{each.file}")}
            found, wanted = _frame(path, files[path], names), _frame(path, printed, names)
            if [line for _, line in found] != [line for _, line in wanted]:
                pairs = zip([*found, (0, "")], [*wanted, (0, "")], strict=False)
                number = next((one[0] for one, other in pairs if one[1] != other[1]), 0)
                where = f"line {number}" if number else "its end"
                yield path, f"{where} is not as printed, and no reader follows it"


def _frame(path: str, text: str, names: Collection[tuple[str, str]]) -> list[tuple[int, str]]:
    """Return the numbered lines of a file without the bodies of functions, by names and owners."""
    language = _ENDINGS.get(path.rpartition(".")[2])
    lines = [*enumerate(text.split("\n"), 1)]
    if language is None:
        return lines
    left: list[tuple[int, str]] = []
    blocks: list[tuple[str, str]] = []  # the closing line, and the owner, of each block that is open
    at = 0
    while at < len(lines):
        number, line = lines[at]
        left.append((number, line))
        at += 1
        owner = blocks[-1][1] if blocks else ""
        if blocks and line == blocks[-1][0]:
            blocks.pop()
        elif language == "rust" and (block := _BLOCK.match(line)):
            blocks.append((f"{block[1]}}}", block[3] if block[2] == "impl" else f"{block[2]} {block[3]}"))
        elif (head := _HEADS[language].match(line)) and (head["name"], owner) in names:
            at = _body_end(language, lines, at - 1, head["indent"], left)
    return left


def _body_end(
    language: str, lines: list[tuple[int, str]], at: int, indent: str, left: list[tuple[int, str]]
) -> int:
    """Keep the rest of a signature that begins in a line, and return the index after the body."""
    opening = ":" if language == "python" else "{"
    while not lines[at][1].endswith((opening, ";", "}")):
        at += 1
        if at == len(lines):
            return at
        left.append(lines[at])
    if lines[at][1].endswith((";", "}")):
        return at + 1  # a declaration, or a body in one line, which stays
    at += 1
    if language == "python":
        at = _after_docstring(lines, at, left)
        while at < len(lines) and (not lines[at][1] or lines[at][1].startswith(f"{indent} ")):
            at += 1
        return at
    while at < len(lines) and lines[at][1] != f"{indent}}}":
        at += 1
    return at


def _after_docstring(lines: list[tuple[int, str]], at: int, left: list[tuple[int, str]]) -> int:
    """Keep the docstring of a function, which says what it does, and return the index after it."""
    if at < len(lines) and (text := lines[at][1].strip()).startswith(_QUOTES):
        left.append(lines[at])
        at += 1
        ended = len(text) > len(_QUOTES) and text.endswith(_QUOTES)
        while not ended and at < len(lines):
            left.append(lines[at])
            ended = lines[at][1].endswith(_QUOTES)
            at += 1
    return at
