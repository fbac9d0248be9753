"""Comments of routines: commands in the source, statements about a function in languages that expect them."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"^([A-Z][a-z]+)\b")


def third_person(doc: str) -> str:
    """Return a comment that says what a function does, of one that says what it shall do."""
    found = _COMMAND.match(doc)
    if not found:
        return doc
    verb = found[1]
    ending = "es" if verb.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{verb}{ending}{re.sub(r', and return ', ', and returns ', doc[len(verb) :])}"
