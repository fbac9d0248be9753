"""Errors that a user can act on: one clear line, and a place in the text if there is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_LONGEST, _SHORT = 60, 2
_PATH = 255
_LONG = re.compile(
    rf"""(?<=')[^'\n]{{{_LONGEST + 1},}}(?=')|[^\s/'"]{{{_LONGEST},}}[^\s/'",;:.]|[^\s'"]{{{_PATH + 1},}}"""
)


class EfdgenError(Exception):
    """Something the user can mend; the command line prints it without a traceback."""


class MissingSageError(Exception):
    """A question for Singular where Sage is not installed; ends a command, and is a verdict on nothing."""

    def __str__(self) -> str:
        from efdgen.generator.requirements import installing

        return f"needs Sage: {installing('prove')}"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text; line and column count from 1."""

    line: int
    column: int


class TextError(EfdgenError):
    """An error at a place in a text, printed with that line and a caret.

    The message reads ``path:line:column: reason``, then the line and the caret, if the line is not blank.
    """

    def __init__(self, reason: str, text: str, position: Position, path: str = "<text>") -> None:
        self.reason = reason
        self.position = position
        self.path = path
        lines = text.split("\n")
        self.line = lines[position.line - 1].rstrip("\r") if 0 < position.line <= len(lines) else ""
        super().__init__(reason)

    def __reduce__(self) -> tuple[object, ...]:
        text = "\n" * (self.position.line - 1) + self.line
        return (type(self), (self.reason, text, self.position, self.path))

    def __str__(self) -> str:
        reason = _LONG.sub(_cut, self.reason)
        head = f"{self.path}:{self.position.line}:{self.position.column}: {reason}"
        if not self.line.strip():
            return head
        start, end = 0, len(self.line)
        if end > 2 * _LONGEST:
            start = max(0, self.position.column - _LONGEST // 2)
            end = start + _LONGEST
        line = "".join(c if c.isprintable() or c == "\t" else "�" for c in self.line[start:end])
        before = line[: self.position.column - 1 - start]
        caret = "".join("\t" if c == "\t" else " " for c in before) + "^"
        return f"{head}\n  {line}\n  {caret}"


class DefectiveTextError(TextError):
    """Several errors of one text, each printed as by itself; place and reason are those of the first."""

    def __init__(self, errors: Sequence[TextError]) -> None:
        self.errors = tuple(sorted(errors, key=lambda error: error.position))
        first = self.errors[0]
        text = "\n" * (first.position.line - 1) + first.line
        super().__init__(first.reason, text, first.position, first.path)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.errors,))

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


def raise_all(errors: Sequence[TextError]) -> None:
    """Raise the errors of a text, one or all of them together; return if there is none."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise DefectiveTextError(errors)


def _cut(found: re.Match[str]) -> str:
    return f"{found[0][: _LONGEST - 1]}…"


def shortened(message: str) -> str:
    """Cut what the first line of a message quotes, and words without a slash, and very long paths, to 60."""
    head, end, rest = message.partition("\n")
    return _LONG.sub(_cut, head) + end + rest


def suggestion(word: str, known: Iterable[str]) -> str:
    """Say which known words are nearest to an unknown one; empty when none is near."""
    # One of two letters is enough: X1 for X2.
    cutoff = 0.5 if len(word) <= _SHORT else 0.6
    near = get_close_matches(word, list(known), n=3, cutoff=cutoff) if len(word) <= _LONGEST else ()
    return f"; did you mean {' or '.join(near)}?" if near else ""
