"""Inversion by division steps in a time that depends on the element: many steps at once, as bits allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.division_steps import DivisionSteps, LumpedSteps
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


def variable_inversion(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield inversion in a time that depends on the element."""
    steps = tuple(LumpedSteps(DivisionSteps.of(representation)) for representation in field.representations)
    values = {"lump": steps[0].lump}
    return functions("variable_inversion", _ENTRIES, names, values, values, steps)
