"""Prefixes that the names of the library of routines do not admit."""

from __future__ import annotations

import re
from functools import cache

from efdgen.generator.routines.parser import LIBRARY

_ROUTINE = re.compile(r"^(?:export )?(?:routine|leaf) (\w+)", re.M)
_VARIABLE = re.compile(r"\b(?:let|var|inout) ([a-z]\w*)")


@cache
def taken_prefixes() -> frozenset[str]:
    """Return prefixes with which a name in the library would be another one, or a variable's."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in LIBRARY.iterdir())
    routines, variables = {*_ROUTINE.findall(text)}, {*_VARIABLE.findall(text)}
    of_others = {a.removesuffix(f"_{b}") for a in routines for b in routines if a.endswith(f"_{b}")}
    return frozenset(of_others | {name.partition("_")[0] for name in variables if "_" in name})
