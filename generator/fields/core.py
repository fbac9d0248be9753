"""The functions that every field has: thin wrappers of limb functions, and encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from efdgen.generator.fields.pieces import FieldFunction, Gives, c_definitions, rust_definitions
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names


class _Entry(NamedTuple):
    """The names of a function in both languages, and its call by a driver."""

    c: str
    rust: str
    takes: str = ""
    gives: Gives = None


_ENTRIES = (
    _Entry("set_zero", ""),
    _Entry("set_one", ""),
    _Entry("add", "add", "ab", "element"),
    _Entry("sub", "sub", "ab", "element"),
    _Entry("neg", "neg", "a", "element"),
    _Entry("half", "half", "a", "element"),
    _Entry("mul", "mul", "ab", "element"),
    _Entry("sqr", "square", "a", "element"),
    _Entry("mul_small", "mul_small"),
    _Entry("sum_of_products", "sum_of_products", "abcd", "element"),
    _Entry("difference_of_products", "difference_of_products", "abcd", "element"),
    _Entry("select", "select"),
    _Entry("cswap", "cswap"),
    _Entry("is_zero", "is_zero", "a", "flag"),
    _Entry("equal", "", "ab", "flag"),
    _Entry("load_be", ""),
    _Entry("store_be", ""),
    _Entry("from_bytes_be", "from_bytes_be"),
    _Entry("to_bytes_be", "to_bytes_be"),
    _Entry("load_le", ""),
    _Entry("store_le", ""),
    _Entry("from_bytes_le", "from_bytes_le"),
    _Entry("to_bytes_le", "to_bytes_le"),
    _Entry("canonical", "canonical"),
    _Entry("from_canonical", "from_canonical"),
    _Entry("to_words", "to_words"),
    _Entry("from_words", "from_words"),
    _Entry("from_number", ""),
)
# In characteristic 2 there is no sign and no half; multiples are by 0 and 1, and sums of products are plain.
WITH_SIGNS = frozenset({"neg", "half", "mul_small", "sum_of_products", "difference_of_products"})
PRIVATE = frozenset(
    {"canonical", "from_canonical", "from_number", "load_be", "store_be", "load_le", "store_le"}
)


def core(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions that every field has."""
    montgomery = any(found.radix != 1 for found in field.representations)
    values = {**names.template, "montgomery": montgomery, "field": field}
    c = c_definitions(environment("c").get_template("field.h.j2").render(values))
    rust = rust_definitions(environment("rust").get_template("field_methods.rs.j2").render(values))
    for entry in _ENTRIES:
        if field.is_binary and entry.c in WITH_SIGNS:
            continue
        definition, method = c[f"{values['fe']}_{entry.c}"], rust.get(entry.rust)
        yield FieldFunction(
            name=entry.c,
            doc=definition.doc,
            c=definition.text,
            rust=method.text if method else "",
            rust_name=entry.rust,
            public=entry.c not in PRIVATE,
            takes=entry.takes,
            gives=entry.gives,
            rust_doc=method.doc if method else (),
        )
