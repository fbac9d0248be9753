"""GF(2^m) in Python: the numbers that its functions read, and the way to reduce a polynomial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.mathematics.binary import polynomial_text
from efdgen.generator.render.python.kernels import WIDTH, assignment
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.ground import Ground

# Up to so many shifts take less time than a product.
_MOST_SHIFTS = 8


def polynomial_numbers(field: BinaryField) -> list[str]:
    """Return the definitions of the degree M, the polynomial F and the mask of an element."""
    numbers = {"F": field.polynomial, "MASK": field.order - 1}
    return [f"M = {field.degree}", *(line for n, value in numbers.items() for line in assignment(n, value))]


def root_elements(field: BinaryField) -> dict[str, int]:
    """Return the elements that square roots, traces and roots of equations read, by their names."""
    found = {"ROOT": field.square_root(2), "TRACE": field.traces}
    return found if field.degree % 2 else found | {"WEIGHT": field.traces & -field.traces}


def polynomial_values(field: Ground) -> dict[str, Any]:
    """Return what a template prints of a field GF(2^m); all of it is empty for GF(p)."""
    if not field.is_binary:
        return {"name": "", "modulus": [], "folded": ""}
    lower = [exponent for exponent in reversed(range(field.degree)) if field.polynomial >> exponent & 1]
    shifts = (f"high << {exponent}" if exponent else "high" for exponent in lower)
    folded = " ^ ".join(shifts) if len(lower) <= _MOST_SHIFTS else "_product(F ^ 1 << M, high)"
    modulus = wrap(f"F is {polynomial_text(field.polynomial)}.", WIDTH)
    return {"name": str(field), "modulus": modulus, "folded": folded}
