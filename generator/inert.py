"""Free text of a user, such as a publication or a description, as it may be in comments of every language."""

from __future__ import annotations

import re

# Ends of strings and escapes; starts and ends of comments in C and Rust; trigraphs; tags in Rust's documents.
_HOSTILE = re.compile(r"""[\\"]|\*(?=/)|/(?=[*/])|\?(?=\?)|<(?=[A-Za-z/!?])""")


def inert(text: str) -> str:
    """Return a text that ends no comment or string of C, Rust and Python, and starts none.

    Controls, separators of lines, marks of direction and the characters with such an effect are written by
    their code points, ``(U+202E)``.
    """
    printable = "".join(each if each.isprintable() else _code_point(each) for each in text)
    return _HOSTILE.sub(lambda found: _code_point(found[0]), printable)


def _code_point(character: str) -> str:
    return f"(U+{ord(character):04X})"
