"""Inversion in little code: one power, by the public bits of p - 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.constants import byte_rows
from efdgen.generator.fields.pieces import FieldFunction, c_definitions
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names

_EXPONENT = "inverse_exponent"


def small_inversion(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield inversion in C, and the bits of its exponent."""
    exponent = byte_rows(field, field.prime - 2)
    text = environment("c").get_template("small_inversion.h.j2").render(names.template, exponent=exponent)
    found = c_definitions(text)
    constant, inverse = found[f"{names.prefix}_{_EXPONENT}"], found[f"{names.template['fe']}_inv"]
    yield FieldFunction(_EXPONENT, constant.doc, constant.text, "", "", public=False)
    yield FieldFunction(
        "inv",
        inverse.doc,
        inverse.text,
        "",
        "invert",
        requires=(_EXPONENT,),
        takes="a",
        gives="element",
    )
