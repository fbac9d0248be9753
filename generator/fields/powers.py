"""Powers: repeated squarings, and powers with public and with secret exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_ENTRIES = (
    Entry("sqr_n", "square_n", public=True),
    Entry("pow_public", "pow_public", public=True),
    Entry("pow", "pow", public=True),
)


def repeated_squaring(names: Names) -> FieldFunction:
    """Return repeated squarings by calls of a squaring of elements."""
    fe = names.template["fe"]
    (found,) = functions("powers", _ENTRIES[:1], names, {"square": f"{fe}_sqr(r, r)"}, {})
    return found


def powers(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions that raise to powers."""
    # No call in the loop: for one, gcc would store the words of every turn and load them again.
    square = {"square": f"{names.prefix}_limbs_sqr(r->limb, r->limb)"}
    return functions("powers", _ENTRIES, names, square, {})
