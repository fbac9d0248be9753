"""Tests for squares by Jacobi symbols, which divsteps compute along the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

# The symbol of 2 asks for f modulo 8, and the matrix is kept with its own sign.
LOOKAHEAD = 4

_ENTRIES = (
    Entry("", "SYMBOL_BATCHES"),
    Entry("", "SYMBOL_PIECES"),
    Entry("", "Symbol"),
    Entry("symbol_piece", "symbol_piece"),
    Entry("test_square", "test_square"),
    Entry("is_square", "is_square", public=True, takes="a", gives="flag"),
    Entry("is_square_var", "is_square_var", public=True, takes="a", gives="flag"),
)


def squares(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the tests for squares."""
    found = [DivisionSteps.of(representation, LOOKAHEAD) for representation in field.representations]
    values = {"wide": found[0], "narrow": found[-1]}
    return functions("squares", _ENTRIES, names, values, values, tuple(found))
