"""Inversion by division steps in a time that depends on the element: many steps at once, as bits allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_ENTRIES = (
    Entry("trailing_zeros", ""),
    Entry("division_steps_var", "division_steps_var"),
    Entry("inv_var", "invert_var", public=True, takes="a", gives="element"),
)


@dataclass(frozen=True)
class LumpedSteps:
    """Division steps as many at once as low bits allow: the zeros of g, or up to ``lump`` additions of f.

    While δ ≤ 0 a step adds f where g is odd. A ``lump`` of them adds w·f with w = -g/f modulo 2^lump, which
    f·g·(f² - 2) is for up to 6 bits. A batch are as many steps as a limb has bits.
    """

    arrangement: DivisionSteps
    lump: int = 6

    def multiple(self, f: int, g: int, count: int) -> int:
        """Return how often f is added in ``count`` steps."""
        return f * g * (f * f - 2) & (1 << count) - 1


def variable_inversion(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield inversion in a time that depends on the element."""
    steps = tuple(LumpedSteps(DivisionSteps.of(representation)) for representation in field.representations)
    values = {"lump": steps[0].lump}
    return functions("variable_inversion", _ENTRIES, names, values, values, steps)
