"""Inversion by divsteps, in constant time, for any odd modulus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.constants import byte_constant, limb_rows
from efdgen.generator.fields.division_steps import DivisionSteps
from efdgen.generator.fields.pieces import FieldFunction
from efdgen.generator.fields.template import Entry, functions
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names

_ENTRIES = (
    Entry("", "Signed"),
    Entry("", "Sum"),
    Entry("", "SIGNED_BITS"),
    Entry("", "SIGNED_LIMBS"),
    Entry("", "SignedNumber"),
    Entry("", "SIGNED_MASK"),
    Entry("", "DIVISION_BATCHES"),
    Entry("", "DIVISION_PIECES"),
    Entry("", "limbs_of_bytes"),
    Entry("", "PRIME_BYTES"),
    Entry("", "INVERSE_START_64"),
    Entry("", "INVERSE_START_32"),
    Entry("signed_prime", "SIGNED_PRIME"),
    Entry("inverse_start", "INVERSE_START"),
    Entry("shift_right", "shift_right"),
    Entry("to_signed", "to_signed"),
    Entry("from_signed", "from_signed"),
    Entry("division_piece", "division_piece"),
    Entry("division_advance", "division_advance"),
    Entry("", "sum_of"),
    Entry("", "sum_add"),
    Entry("division_compose", "division_compose"),
    Entry("division_quotient", "division_quotient"),
    Entry("division_row", "division_row"),
    Entry("signed_adjust", "signed_adjust"),
    Entry("inv", "invert", public=True, takes="a", gives="element"),
    Entry("inv_batch", "invert_batch", public=True),
)


def inversion(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield inversion in constant time, and what its steps are made of."""
    arrangements = [DivisionSteps.of(representation) for representation in field.representations]
    wide, narrow = arrangements[0], arrangements[-1]
    inverse = wide.inverse_of_modulus
    c_values = {
        "builds": [_tables(arrangement) for arrangement in arrangements],
        "wide": wide,
        "narrow": narrow,
        "inverse_of_modulus": f"0x{inverse:X}",
    }
    rust_values = {
        "wide": wide,
        "narrow": narrow,
        "prime": byte_constant("PRIME_BYTES", field, field.prime),
        "starts": [
            (word, byte_constant(f"INVERSE_START_{word}", field, arrangement.start))
            for word, arrangement in ((64, wide), (32, narrow))
        ],
        "inverse_of_modulus": _grouped(inverse),
    }
    signs = environment("rust").get_template("signed.rs.j2").render()
    doc = ("The signed types that go with a word.",)
    yield FieldFunction("Signs", doc, "", signs, "Signs", public=False)
    yield from functions("inversion", _ENTRIES, names, c_values, rust_values, tuple(arrangements))


def _tables(arrangement: DivisionSteps) -> dict[str, object]:
    """Return what a build prints: constants in rows of limbs."""
    return {
        "word": arrangement.word,
        "signed_prime": limb_rows(arrangement.balanced_modulus(), arrangement.word),
        "inverse_start": limb_rows(arrangement.split(arrangement.start), arrangement.word),
    }


def _grouped(value: int) -> str:
    digits = f"{value:016x}"
    return "0x" + "_".join(digits[at : at + 4] for at in range(0, 16, 4))
