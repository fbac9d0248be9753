"""Edits of emitted kernels, and the verdicts of both readers on each.

Usage: python -m second.edits [c|rust]
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from efdgen.verify.readback.read import Readback
from second import refuses
from second.c_edits import C_EDITS, Edit
from second.printing import printed
from second.rust_edits import RUST_EDITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

EDITS = {"c": C_EDITS, "rust": RUST_EDITS}
"""The edits of secp256k1's kernels, by language."""


def edited(files: Mapping[str, str], edit: Edit) -> dict[str, str]:
    """Return files with an edit, of the first place that has its text."""
    if edit.old not in files[edit.file]:
        raise ValueError(f"{edit.name}: {edit.file} has no {edit.old!r}")
    return {**files, edit.file: files[edit.file].replace(edit.old, edit.new, 1)}


def main(languages: list[str]) -> None:
    """Print a line for each edit."""
    for language in languages or [*EDITS]:
        files, announced = printed(language, "secp256k1")
        readers = Readback(announced).differences, partial(refuses, expected=announced)
        print(f"{language}, edit | first reader | second reader | a compiler")
        for edit in EDITS[language]:
            text = edited(files, edit)
            verdicts = [_verdict(partial(reader, text)) for reader in readers]
            print(" | ".join([edit.name, *verdicts, edit.same and f"same: {edit.same}"]), flush=True)


def _verdict(read: Callable[[], Sequence[object]]) -> str:
    """Return the verdict of a reader, with its first difference."""
    try:
        found = read()
    except Exception as error:
        return f"fails: {type(error).__name__}: {error}"
    return f"refuses: {found[0]}"[:100] if found else "accepts"


if __name__ == "__main__":
    main(sys.argv[1:])
