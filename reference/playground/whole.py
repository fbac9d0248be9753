"""The playground as a site has it: the parts that others made, and what efdgen packs beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.reference.pages.play import Playground
from efdgen.reference.playground.archive import archive
from efdgen.reference.playground.examples import examples
from efdgen.reference.playground.parts import pins, read_parts, wheel

if TYPE_CHECKING:
    from pathlib import Path


def playground_of(folder: Path) -> Playground:
    """Return the playground with the parts in a directory; raise :class:`EfdgenError` if one is not right."""
    files = {**read_parts(folder), "efdgen.zip": archive()}
    return Playground(files, wheel(), examples(), pins()["works"])
