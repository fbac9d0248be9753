"""Scalars in Rust: their type, orders as words, and random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.fields.numbers import OPERATIONS
from efdgen.generator.fields.pieces import Names
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.scalar_words import scalar_words, words_of
from efdgen.generator.render.rust.bundle import element_constant
from efdgen.generator.render.rust.field import Constant, RustField
from efdgen.generator.render.rust.kernels import fill
from efdgen.generator.text.prefixes import SCALAR_MODULE
from efdgen.generator.text.rust import array, comment, filled, hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.rust.bundle import Options

_ABOUT = "An integer modulo p, the order of the generator."
_TIMING = "Every operation takes constant time, except those named `_var` or `_public`."
_FUNCTIONS = (*BASIC, "inv_var", "pow_public", "sqrt")


def scalar_files(order: int, names: Mapping[str, Any], options: Options) -> dict[str, str]:
    """Return the files of the type of integers modulo a generator's order."""
    planned = options.fields.of(PrimeField(order))
    root = names["root"]
    wanted = (*_FUNCTIONS, *(OPERATIONS if root.opened else ()))
    own = RustField(planned, Names(SCALAR_MODULE), options.claims, wanted)
    radix = Constant("RADIX", "2 to the bits of an encoded number.", pow(256, planned.bytes, order))
    printed = own.values()
    values = {
        **names,
        **printed,
        "title": "Integers modulo the order p of the generator.",
        "type_name": "Scalar",
        "element": comment([_ABOUT, "", _TIMING], "///"),
        "paths": [f"{root.path}::{SCALAR_MODULE}_limbs as limbs", f"{root.path}::SCALAR_BYTES"],
        "methods": [*root.methods(root.scalars), *printed["methods"]],
        "points": False,
        "radix": element_constant(radix),
    }
    files = {f"src/{SCALAR_MODULE}.rs": fill("scalar.rs.j2", values)}
    for build in own.builds([radix, *root.scalars]):
        path = f"src/{SCALAR_MODULE}_limbs{build.word}.rs"
        files[path] = fill("limbs_file.rs.j2", values | {"build": build})
    return files


def scalar_values(plan: CurvePlan) -> dict[str, Any]:
    """Return the names of the templates."""
    words = scalar_words(plan)
    order, size = plan.encoding.byteorder, plan.reduction.bytes
    cofactor = plan.cofactor % plan.reduction.modulus

    def rows(numbers: Iterable[int], times: int = 1, indent: int = 4) -> list[str]:
        """Return numbers as arrays of words."""
        texts = [
            ", ".join(hexadecimal(word, 8) for word in words_of(number, times * words.count))
            for number in numbers
        ]
        return [line for text in texts for line in filled(f"[{text}],", indent)]

    return {
        "big": order == "big",
        "scalar_bytes": size,
        "words": words,
        "split": words.split,
        "rows": rows,
        "order": scalar_constant("pub const ORDER", plan.order.to_bytes(size, order)),
        "cofactor_constant": cofactor_constant(plan.cofactor),
        "cofactor_scalar": scalar_constant("const COFACTOR_SCALAR", cofactor.to_bytes(size, order)),
        **random_values(plan.order, size, plan.curve.bits),
    }


def cofactor_constant(cofactor: int) -> str:
    """Return the definition of a cofactor below 2^64, and of a larger one no text."""
    return f"pub const COFACTOR: u64 = {cofactor:_};" if cofactor >> 64 == 0 else ""


def scalar_constant(head: str, data: bytes) -> str:
    """Return the definition of a scalar."""
    return array(f"{head}: [u8; SCALAR_BYTES] =", [f"0x{byte:02x}" for byte in data])


def random_values(order: int, scalar_bytes: int, field_bits: int) -> dict[str, Any]:
    """Return what the templates print of random scalars and field elements.

    A draw has the bytes of the order, the most significant first, and its surplus bits are shifted out; the
    surplus bits of an element's first byte are masked.
    """
    bits = order.bit_length()
    return {
        "drawn_bytes": -(-bits // 8),
        "drawn_surplus": -bits % 8,
        "drawn_offset": scalar_bytes - -(-bits // 8),
        "field_mask": (1 << (field_bits - 1) % 8 + 1) - 1,
    }
