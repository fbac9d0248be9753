"""Arithmetic modulo p on bytes of any numbers, which become no elements; in Rust alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.pieces import FieldFunction, rust_definitions
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names

OPERATIONS = {
    "add_bytes": ("+", "sum_of_numbers"),
    "sub_bytes": ("-", "difference_of_numbers"),
    "mul_bytes": ("*", "product_of_numbers"),
}
"""The operators of functions on bytes, and the limb functions that they call."""


def numbers(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions on bytes, after those that read and write words."""
    del field, names
    rows = [(name, *row) for name, row in OPERATIONS.items()]
    text = environment("rust").get_template("number_bytes.rs.j2").render(operations=rows)
    for name, found in rust_definitions(text).items():
        public = name in OPERATIONS
        requires = ("words_of", "bytes_of") if public else ()
        yield FieldFunction(name, found.doc, "", found.text, name, requires, public=public)
