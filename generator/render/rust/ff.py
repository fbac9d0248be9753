"""Prime fields as the traits of ``ff`` know them: constants of the types, and facts that are no elements."""

from __future__ import annotations

from typing import Any

from efdgen.generator.fields.root_steps import two_adicity
from efdgen.generator.render.rust.field import Constant

_FACTORS = 1 << 16
# Bits beyond those of a modulus that make the reduction of a random number as good as uniform.
_MARGIN = 128


def field_constants(modulus: int) -> list[Constant]:
    """Return the elements that the traits of ``ff`` name; the least generator gives the roots of unity."""
    generator, adicity = least_generator(modulus), two_adicity(modulus)
    root = pow(generator, modulus - 1 >> adicity, modulus)
    delta = pow(generator, 1 << adicity, modulus)
    numbers = {
        "TWO_INV": ("1/2.", pow(2, -1, modulus)),
        "UNITS_GENERATOR": ("The least generator of the multiplicative group.", generator),
        "UNITS_ROOT": (f"An element of the order 2^{adicity}.", root),
        "UNITS_ROOT_INV": ("1 / `UNITS_ROOT`.", pow(root, -1, modulus)),
        "UNITS_DELTA": (f"`UNITS_GENERATOR` to the power 2^{adicity}.", delta),
    }
    return [Constant(name, doc, value) for name, (doc, value) in numbers.items()]


def field_facts(modulus: int) -> dict[str, Any]:
    """Return the facts of a prime field that are no elements of it.

    ``uniform`` is how many random bytes are reduced to an element that is uniform, up to a negligible bias.
    """
    bits = modulus.bit_length()
    size = -(-bits // 8)
    return {
        "hex": f"{modulus:0{size * 2}x}",
        "bits": bits,
        "adicity": two_adicity(modulus),
        "uniform": max(2 * size, -(-(bits + _MARGIN) // 8)),
    }


def least_generator(modulus: int) -> int:
    """Return the least number that is no r-th power for any prime r below 2^16 that divides modulus - 1."""
    factors, rest = [], modulus - 1
    for factor in range(2, _FACTORS):
        if rest % factor == 0:
            factors.append(factor)
            while rest % factor == 0:
                rest //= factor
    exponents = [(modulus - 1) // factor for factor in factors]
    return next(g for g in range(2, modulus) if all(pow(g, e, modulus) != 1 for e in exponents))
