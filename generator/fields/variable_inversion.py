"""Inversion in variable time, by binary GCD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.constants import limb_rows
from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.halvings import Halvings
from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_ENTRIES = (
    Entry("", "HALVINGS"),
    Entry("", "HALVING_BATCHES"),
    Entry("prime_limbs", ""),
    Entry("trailing_zeros", ""),
    Entry("leading_zeros", ""),
    Entry("halving_lead", "halving_lead"),
    Entry("halving_piece", "halving_piece"),
    Entry("halving_advance", "halving_advance"),
    Entry("inv_var", "invert_var", public=True, takes="a", gives="element"),
)


def variable_inversion(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield inversion in a time that depends on the element."""
    steps = tuple(Halvings(DivisionSteps.of(representation)) for representation in field.representations)
    values = {"wide": steps[0], "narrow": steps[-1]}
    builds = [_table(step.arrangement) for step in steps]
    return functions("variable_inversion", _ENTRIES, names, {**values, "builds": builds}, values, steps)


def _table(arrangement: DivisionSteps) -> dict[str, object]:
    """Return what a build prints: p in rows of limbs."""
    limbs = limb_rows(arrangement.split(arrangement.modulus), arrangement.word)
    return {"word": arrangement.word, "prime_limbs": limbs}
