"""Functions of fields GF(2^m): inversion, square roots, traces, and solutions of z² + z = a.

The inverse is a power along an addition chain, as Itoh and Tsujii have it. For odd m a solution is the
half-trace; for even m it is a sum with an element of trace 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.chains import addition_chain
from efdgen.generator.fields.constants import byte_constant, byte_rows
from efdgen.generator.fields.roots import c_power, rust_power
from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_ENTRIES = (
    Entry("chain_step", "chain_step"),
    Entry("inv", "invert", public=True, takes="a", gives="element"),
    Entry("inv_batch", "invert_batch", public=True),
    Entry("sqrt", "sqrt", public=True, takes="a", gives="element"),
    Entry("traces", "TRACES"),
    Entry("trace", "trace", public=True, takes="a", gives="flag"),
    Entry("make_even", "make_even"),
)
_OF_ODD_DEGREE = (Entry("half_trace", "half_trace", public=True, takes="a", gives="element"),)
_OF_EVEN_DEGREE = (Entry("quadratic_root", "quadratic_root"),)
_LAST = (Entry("solve_quadratic", "solve_quadratic", public=True, takes="a", gives="element if flag"),)


def polynomials(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions that only fields of characteristic 2 have, or have in another way."""
    ground = field.ground
    assert ground.is_binary
    traces = ground.traces
    inverse = "inv", f"2^{ground.degree} - 2", addition_chain(ground.order - 2)
    is_odd, times = ground.degree % 2 == 1, ground.degree - 1
    shared = {
        "field": field,
        "weight": (traces & -traces).bit_length() - 1,
        "cost": f"{times if is_odd else 2 * times} squarings{f' and {times} multiplications' * (not is_odd)}",
    }
    c_values = {**shared, "inverse": c_power(*inverse, names), "traces": byte_rows(field, traces)}
    rust_values = {
        **shared,
        "inverse": rust_power(*inverse),
        "traces": byte_constant("TRACES", field, traces),
    }
    entries = (*_ENTRIES, *(_OF_ODD_DEGREE if is_odd else _OF_EVEN_DEGREE), *_LAST)
    return functions("polynomials", entries, names, c_values, rust_values)
