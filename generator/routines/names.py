"""Names that routines may give: none that a language, a printer, or a reader of printed text needs."""

from __future__ import annotations

import re

from efdgen.generator.routines.types import SCALARS
from efdgen.generator.text import keywords

# Operations of the language of routines that look like calls.
MASK, HIDE = "mask", "opaque"
ERASE = "erase"
"""The function in Rust that overwrites a room."""
# Functions of a curve, without a prefix, that would be types, functions or methods of texts around routines.
FUNCTIONS = frozenset(
    [
        *["carry", "fe", "fe2", "poly", "signed", "sum", "wide", "word"],
        *["black_box", ERASE, "word_mask"],
        *["enumerate", "from", "iter", "len", "rev", "zip"],
        *["wrapping_add", "wrapping_mul", "wrapping_neg", "wrapping_sub"],
    ]
)
# Names in Rust's routines beside their variables; with the former begin those of what a kernel reads of
# the places that it writes to.
BEFORE = "before"
_BESIDE = frozenset(["black_box"])
_RESERVED = keywords.C | keywords.RUST
_SNAKE_CASE = re.compile(r"_|[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_TYPE = re.compile(r"[iuf](?:8|16|32|64|128|size)|str|\w+_t")
# Readers remove this prefix from all names.
_PREFIX = "fp_"


def is_variable(name: str) -> bool:
    """Return whether a parameter, a variable or a result may have a name."""
    taken = _RESERVED | _BESIDE
    return _is_plain(name) and name not in taken and not name.startswith(BEFORE)


def is_routine(name: str) -> bool:
    """Return whether a routine or a leaf may have a name."""
    taken = keywords.RUST | {MASK, HIDE} | FUNCTIONS | SCALARS.keys()
    return _is_plain(name) and name not in taken


def is_type(name: str) -> bool:
    """Return whether a type may have a name."""
    return _is_plain(name) and name not in SCALARS


def place(result: str) -> str:
    """Return the name of a result's place in C, where a variable has the name of the result."""
    return f"{result}_out"


def _is_plain(name: str) -> bool:
    plain = _SNAKE_CASE.fullmatch(name) and not _TYPE.fullmatch(name)
    return bool(plain) and not name.startswith(_PREFIX)
