"""Functions of fields GF(2^m): inversion along an addition chain, as Itoh and Tsujii have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.chains import addition_chain
from efdgen.generator.fields.roots import c_power, rust_power
from efdgen.generator.fields.template import Entry, functions
from efdgen.generator.mathematics.binary import order_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_ENTRIES = (
    Entry("chain_step", "chain_step"),
    Entry("inv", "invert", public=True, takes="a", gives="element"),
    Entry("inv_batch", "invert_batch", public=True),
)


def polynomials(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions that only fields of characteristic 2 have, or have in another way."""
    inverse = "inv", f"2^{field.bits} - 2", addition_chain(order_of(field.ground) - 2)
    c_values = {"field": field, "inverse": c_power(*inverse, names)}
    return functions("polynomials", _ENTRIES, names, c_values, c_values | {"inverse": rust_power(*inverse)})
