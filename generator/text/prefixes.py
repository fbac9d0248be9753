"""Valid prefixes of generated names, in each language, also as names of files, crates or modules."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.text import keywords

if TYPE_CHECKING:
    from collections.abc import Collection

SCALAR_MODULE = "scalar"
"""The module of scalars in a crate, and the prefix of their field."""

_MOST = 63
_IDENTIFIER = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{_MOST - 1}}}")
_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Modules that are written beside the one with the prefix.
_BESIDE = ("driver", "test_fp")
# Files beside a generated header, the part for 32-bit words of another one among them, and headers of C that
# one of the same name would hide from compilers.
_C_FILES = re.compile(
    r"driver|example|test_fp|\w+_32"
    "|assert|complex|ctype|errno|fenv|float|immintrin|intrin|inttypes|iso646|limits|locale|math|setjmp|signal"
    "|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar"
    "|wchar|wctype",
    re.IGNORECASE,
)


def require_prefix(language: str, prefix: str) -> str:
    """Return a prefix; raise :class:`EfdgenError` for one that the names of a language cannot start with."""
    if language == "python" and (not prefix.isidentifier() or prefix in keywords.PYTHON):
        raise EfdgenError(f"{prefix!r} cannot name a Python module; choose an identifier as the prefix")
    if language == "python" and (prefix in _BESIDE or prefix in sys.stdlib_module_names):
        raise EfdgenError(f"a Python module called {prefix} would hide another; choose another prefix")
    if language == "c" and _C_FILES.fullmatch(prefix):
        raise EfdgenError(f"{prefix}.h would hide another file; choose another prefix")
    if language == "rust" and (not _SNAKE_CASE.fullmatch(prefix) or prefix in keywords.RUST):
        advice = "choose another prefix, in lower case, with single underscores"
        raise EfdgenError(f"{prefix!r} cannot name a Rust crate or module of one's own; {advice}")
    if not _IDENTIFIER.fullmatch(prefix):
        raise EfdgenError(f"--prefix must be an identifier of {_MOST} characters at most, not {prefix!r}")
    return prefix


def require_own_prefix(language: str, prefix: str, taken: Collection[str]) -> None:
    """Raise :class:`EfdgenError` for a prefix with which names of a whole curve would meet each other.

    The names of its routines in C have no prefix that is ``taken``.
    """
    if prefix in {"c": taken, "rust": {SCALAR_MODULE}}.get(language, ()):
        raise EfdgenError(f"names of a whole curve begin with {prefix} already; choose another prefix")
