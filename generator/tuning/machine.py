"""The weights of squares and sums on machines with words of 32 bits, from counts of instructions."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from efdgen.generator.toml_reader import Table

if TYPE_CHECKING:
    from efdgen.generator.options import Target

_DIGITS = 3


@cache
def machine_weights(target: Target | None) -> str:
    """Return the weights of squares and sums on a target, empty for one with words of 64 bits."""
    name = "machines.toml"
    table = Table.parse(files(__package__).joinpath(name).read_text(encoding="utf-8"), name)
    if target is None or target not in table.values:
        return ""
    product, square, added = (sum(table.values[target][each]) for each in ("product", "square", "sum"))
    square, added = (round(each / product, _DIGITS) for each in (square, added))
    return f"S={square},add={added}"
