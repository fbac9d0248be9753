"""Every single edit of routines: what could be mistyped in their text, and names in the places of others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mutants.edits import Edit, edits, function_at

if TYPE_CHECKING:
    from collections.abc import Iterator

# Functions for which the order of their first two arguments does not matter.
_SYMMETRIC = ("fe_mul(", "fe_add(", "fe_equal(", "swap(", "fe_cswap(")
_DECLARED = re.compile(r"(?:let|var) (\w+(?:, \w+)*)(?:: \w+)? =|(?:let|var) (\w+): |(?<=[(\s])(\w+): \w")
_QUOTED = re.compile(r'""".*?"""|#[^\n]*', re.S)
_NAME = re.compile(r"(?<![\w.{])[a-z]\w*(?![\w(:}])")


def routine_edits(text: str, names: set[str]) -> list[Edit]:
    """Return the single edits inside of routines by these names, except exchanges that change no value."""
    found = [*edits(text, "routines"), *_names(text, names)]
    return [
        edit
        for edit in found
        if function_at(text, "routines", edit.start) in names
        and not (edit.sort == "arguments exchanged" and text.endswith(_SYMMETRIC, 0, edit.start))
    ]


def _names(text: str, names: set[str]) -> Iterator[Edit]:
    """Yield the uses of variables with another variable of their routine in their places."""
    for start, end in _routines(text, names):
        body = _QUOTED.sub(lambda found: " " * len(found[0]), text[start:end])
        known = {name for row in _DECLARED.findall(body) for part in row for name in part.split(", ") if name}
        for line in re.finditer(r"^ {4}.*$", body, re.M):
            for used in _NAME.finditer(body, line.start() + line[0].find("= ") + 1, line.end()):
                others = sorted(known - {used[0]}) if used[0] in known else ()
                at = start + used.start()
                yield from (Edit("another name", at, at + len(used[0]), other) for other in others)


def _routines(text: str, names: set[str]) -> Iterator[tuple[int, int]]:
    for head in re.finditer(r"^(?:export )?(?:public )?routine (\w+)\(", text, re.M):
        if head[1] in names:
            found = re.compile(r"^\S", re.M).search(text, head.end())
            yield head.start(), found.start() if found else len(text)
