"""Breaking of lines of generated code and of its comments, at spaces alone."""

from __future__ import annotations

import textwrap


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
