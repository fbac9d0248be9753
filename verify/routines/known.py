"""Knowledge of each function that a curve exports, in C and Rust: proved, read back, or tested alone."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from efdgen.generator.routines.parser import library, library_names
from efdgen.verify.lemmas.table import LEMMAS
from efdgen.verify.routines import ladder as ladders
from efdgen.verify.routines.curve import FOLLOWED

if TYPE_CHECKING:
    from efdgen.generator.exports.export import Export

Known: TypeAlias = Literal["proved", "read back", "tested"]
WORDS: tuple[Known, ...] = get_args(Known)


def known(function: Export, ladder: bool = False) -> Known:
    """Return what is known of a function of any curve, or of the ladder of a Montgomery curve.

    ``proved``: for all inputs, of the text that is written. ``read back``: the text is that of a routine,
    which is tested. ``tested``: a template prints it. All are tested on vectors.
    """
    if ladder or function.on == ("ladder",):
        return "proved" if function.name in ladders.FOLLOWED else "tested"
    if function.name in FOLLOWED or function.name in LEMMAS:
        return "proved"
    return "read back" if function.name in _routines() else "tested"


@cache
def _routines() -> frozenset[str]:
    return frozenset(name for part in library_names() for name in library(part).routines)
