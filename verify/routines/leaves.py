"""Contracts of the functions on points that routines call: lemmas, which are proved, and leaves.

The contract of a leaf is assumed. A leaf is a function of the field or a kernel, which are proved as they are
printed, or a function of a template, which is tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.verify.lemmas.table import LEMMAS, ON_BINARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.verify.lemmas.table import Avoids, Lemma


@dataclass(frozen=True)
class Leaf:
    """The contract of a leaf: what it returns, and what its inputs must not be, as for a lemma.

    ``name`` is what claims call functions that are tested.
    """

    meaning: str
    avoids: Avoids = ""
    name: str = ""


FIELD: Mapping[str, Leaf] = {
    "fe_mul": Leaf("a*b"),
    "fe_sqr": Leaf("a^2"),
    "fe_add": Leaf("a + b"),
    "fe_sub": Leaf("a - b"),
    "fe_neg": Leaf("-a"),
    "fe_inv": Leaf("1/a, and 0 for 0"),
    "fe_is_zero": Leaf("whether a is 0"),
    "fe_equal": Leaf("whether a = b"),
    "fe_select": Leaf("a if flag, else b"),
    "fe_cswap": Leaf("b and a if flag, else a and b"),
    "fe_to_bytes": Leaf("the bytes of the number in [0, p) that a is"),
    "fe_from_bytes": Leaf("the number that bytes are and 1, or 0 and 0 where it is not below p"),
    "fe_sqrt": Leaf("a root of a and 1, or 0 and 0 of no square; in GF(2^m) the root of a"),
    "fe_solve_quadratic": Leaf("the even w with w^2 + w = a and 1, or 0 and 0 if there is none"),
    "fe_sqrt_ratio_z": Leaf("a root of u/v or of z*u/v for v != 0, and 1 for the former"),
    "fe_sqrt_ratio": Leaf("a root of u/v for v != 0 and 1, or 0 and 0 of no square"),
}
KERNELS: Mapping[str, Leaf] = {
    "negate_kernel": Leaf("-p", "small order"),
    "from_affine_kernel": Leaf("p"),
    "to_affine_kernel": Leaf("p, and zeros where it has no affine coordinates"),
    **dict.fromkeys(("make_entry_kernel", "entry_kernel", "fixed_entry_kernel"), Leaf("p")),
    "one_z_start_kernel": Leaf("2*p, and p over its Z"),
    "one_z_step_kernel": Leaf("p + q, and p over its Z, given both over one Z", "exceptions"),
    "one_z_add_kernel": Leaf(
        "p + q on the isomorphic curve of z, given p on it and q on the curve", "exceptions"
    ),
    "coz_start_kernel": Leaf("2*p, and p over its Z"),
    "coz_step_kernel": Leaf(
        "2*p and p + q over one Z, given both over one and (x(p) - x(q))^2", "exceptions"
    ),
    "slopes_kernel": Leaf("p and q over one Z, the slope of the line through them, and the tangent's at p"),
    "step_kernel": Leaf("2*p2 and p2 + p3, given x(p3 - p2) != 0"),
    "slope_add_kernel": Leaf("p + q, given both over one Z and their slope", "exceptions"),
}
ORDER: Mapping[str, Leaf] = {
    "number_add": Leaf("a + b"),
    "number_mul": Leaf("a*b"),
    "number_neg": Leaf("-a"),
    "number_inv": Leaf("1/a, and 0 for 0"),
    "number_inv_var": Leaf("1/a, and 0 for 0"),
    "number_equal": Leaf("whether a = b"),
    "number_to_bytes": Leaf("the bytes of the number in [0, n) that a is"),
    "number_of_bytes": Leaf("the number that bytes are, modulo n"),
}
TEMPLATES: Mapping[str, Leaf] = {
    "fe_join": Leaf(
        "the words of r, and those of a where all is not 0; one of both is 0 everywhere", name="masked copies"
    ),
}
BATCHES: Mapping[str, Leaf] = {"part_kernel": Leaf("the outputs for a point and its inverse, which is held")}
LEAVES: Mapping[str, Leaf] = {**FIELD, **KERNELS, **ORDER, **BATCHES, **TEMPLATES}

CONTRACTS: Mapping[str, Leaf | Lemma] = {**LEAVES, **ON_BINARY, **LEMMAS}


def unproved(names: Iterable[str]) -> list[str]:
    """Return the names that claims have for the functions among some that are only tested."""
    called = set(names)
    return list(dict.fromkeys(leaf.name for name, leaf in TEMPLATES.items() if name in called))
