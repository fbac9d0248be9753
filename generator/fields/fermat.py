"""Inversion as the power p - 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.pieces import FieldFunction, c_definitions, rust_definitions
from efdgen.generator.render.environment import environment
from efdgen.generator.render.rust_text import array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names

_COLUMNS = 12


def fermat(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the power, byte by byte, and the function."""
    exponent = [f"0x{byte:02x}" for byte in (field.prime - 2).to_bytes(field.bytes, "little")]
    rows = [", ".join(exponent[at : at + _COLUMNS]) for at in range(0, len(exponent), _COLUMNS)]
    values = names.template
    c = c_definitions(environment("c").get_template("fermat.h.j2").render(values, rows=rows))
    power = array("const PRIME_MINUS_2: [u8; FieldElement::BYTES] =", exponent)
    rust = rust_definitions(environment("rust").get_template("fermat.rs.j2").render(power=power))
    for name, c_name, rust_name in (
        ("prime_minus_2", f"{names.prefix}_prime_minus_2", "PRIME_MINUS_2"),
        ("inv", f"{values['fe']}_inv", "invert"),
    ):
        is_inverse = name == "inv"
        yield FieldFunction(
            name=name,
            doc=c[c_name].doc,
            c=c[c_name].text,
            rust=rust[rust_name].text,
            rust_name=rust_name,
            requires=("prime_minus_2",) if is_inverse else (),
            public=is_inverse,
            takes="a" if is_inverse else "",
            gives="element" if is_inverse else None,
            rust_doc=rust[rust_name].doc,
        )
