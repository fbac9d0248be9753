"""Files of functions in a whole curve's crate, with what structures hold before they are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS = "Words are parts of longer numbers; loops index several arrays."
_OF_WORDS = (
    *("cast_possible_truncation", "cast_possible_wrap", "cast_sign_loss"),
    *("manual_memcpy", "needless_range_loop"),
)
_HOMES = "point", "multiply", "multi", "coz", "encoding", "words"
"""Files of functions, those that are always there first."""


@dataclass(frozen=True)
class FunctionFile:
    """A file of functions: methods of a type, and others, with what structures hold before they are written.

    ``others`` is the text of files that read these blanks too. ``by_coordinates`` is for a constructor of
    the type, ``allows`` are lints, with the reason, and ``sizes`` those of scalars.
    """

    title: str
    functions: Sequence[str]
    methods: Sequence[str] = ()
    type: str = "Point"
    blanks: Sequence[Mapping[str, Any]] = ()
    others: str = ""
    allocates: bool = False
    by_coordinates: bool = False
    allows: Sequence[str] = ()
    reason: str = ""
    sizes: bool = False


def functions_of(
    functions: Mapping[str, list[str]], blanks: Sequence[dict[str, Any]], *, coz: bool
) -> dict[str, FunctionFile]:
    """Return the files of functions by their names."""
    files = {
        "encoding": FunctionFile(
            "Points as bytes.", functions["encoding_functions"], functions["encoding_methods"]
        ),
        "multi": FunctionFile(
            "Sums of many multiples.",
            functions["many_functions"],
            allocates=True,
            allows=("needless_range_loop",),
            reason="Loops index several arrays.",
        ),
        "multiply": FunctionFile("Multiplication by scalars.", functions["multiplications"]),
        "point": FunctionFile(
            "Points: functions that are correct for every point, including the identity.",
            functions["point_functions"],
            functions["point_methods"],
            by_coordinates=True,
        ),
        "words": FunctionFile(
            "Scalars as words of 32 bits, and their digits.",
            functions["scalar_functions"],
            allows=_OF_WORDS,
            reason=_WORDS,
            sizes=True,
        ),
    }
    if coz:
        title = "Multiplication by scalars on points of one Z."
        files["coz"] = FunctionFile(title, functions["coz_functions"])
    return _with_blanks(files, blanks)


def _with_blanks(
    files: Mapping[str, FunctionFile], blanks: Sequence[dict[str, Any]]
) -> dict[str, FunctionFile]:
    """Return files with what structures hold before they are written, in the first that needs it."""
    texts = {
        name: "".join((*files[name].functions, *files[name].methods)) for name in _HOMES if name in files
    }
    homes = {
        blank["name"]: next((name for name, text in texts.items() if blank["name"] in text), "")
        for blank in blanks
    }
    return {
        name: replace(
            file,
            blanks=[blank for blank in blanks if homes[blank["name"]] == name],
            others="".join(text for other, text in texts.items() if other != name),
        )
        for name, file in files.items()
    }
