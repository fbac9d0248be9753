"""Breaking of lines of generated code and of its comments, at spaces alone."""

from __future__ import annotations

import textwrap

LABEL = len("Variables: ")
"""The width of a label before a fact."""


def wrap(text: str, width: int, initial_indent: str = "", subsequent_indent: str = "") -> list[str]:
    """Break a text at spaces; a name, an operator or a number that is too long stays whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def wrapped(line: str, width: int) -> list[str]:
    """Break a line at spaces; the continuation of a fact is under its text, that of another line indented."""
    own = len(line) - len(line.lstrip())
    indent = " " * (LABEL if line[:LABEL].rstrip().endswith(":") else 2 * own)
    return wrap(line, width, subsequent_indent=indent) or [""]
