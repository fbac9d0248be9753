"""Prototypes in C of the functions of the table of exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.exports.export import Export

_GIVEN = {
    "point": "const POINT *{0}",
    "affine": "const AFFINE *{0}",
    "element": "const FE *{0}",
    "scalar": "const uint8_t *{0}",
    "bit": "int {0}",
    "bytes": "const uint8_t *{0}, size_t length",
    **dict.fromkeys(("message", "coset", "uniform"), "const uint8_t *{0}"),
    "source": "NAME_random_bytes {0}, void *context",
    "comb": "const NAME_comb *{0}",
    "table": "const NAME_table *{0}",
}
_MADE = {"point": "POINT *r", "affine": "AFFINE *r", "element": "FE *r"}


def prototype(function: Export, infinite: bool, point: str = "POINT") -> str:
    """Return the prototype of a function; ``NAME_`` stands for its prefix, and names in capitals for types.

    Results come first. A function that may refuse returns 1 or 0, and so do tests and, on curves whose points
    are of a type ``AFFINE``, multiplications, which refuse where the result is the identity.
    """
    if function.c:
        result, _, parameters = function.c.partition(" ")
        return f"{result.replace('RESULT', 'int' if infinite else 'void')} NAME_{function.name}{parameters}"
    returns = function.result == "bit" or function.may_refuse(infinite)
    returns |= point == "AFFINE" and function.result == "point"
    made = [] if function.result == "bit" else [_MADE.get(function.result, "uint8_t *r")]
    given = [_GIVEN[argument.kind].format(argument.name) for argument in function.arguments]
    text = f"{'int' if returns else 'void'} NAME_{function.name}({', '.join([*made, *given])})"
    return text.replace("POINT", point)
