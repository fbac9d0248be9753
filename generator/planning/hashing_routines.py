"""Routines of hashing to a curve: their files, decisions of a plan, and the constants that they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.hashing import Elligator, SimplifiedSwu, hashing
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.primes import is_square, square_root

if TYPE_CHECKING:
    from efdgen.generator.curves.hashing import Hashing
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Value
    from efdgen.generator.routines.staging import Decision


def hashing_of(plan: CurvePlan) -> Hashing:
    """Return how bytes are hashed to the curve of a plan, which has a map."""
    found = hashing(plan.curve)
    assert found is not None
    return found


def hashing_parts(plan: CurvePlan) -> tuple[str, ...]:
    """Return the files of the routines, each in the place of those before."""
    own, to = hashing_of(plan), hashing_of(plan).map
    if isinstance(to, SimplifiedSwu):
        return "hash_to_curve", "sswu", "weights", *(["isogeny"] if to.isogeny else [])
    isogenous = to.degree > 1
    there = "hash_to_curve", "elligator", "fractions", *(["four_isogeny"] if isogenous else [])
    back = "montgomery_images", *(["dual_isogeny"] if isogenous else [])
    return there + back if own.montgomery else there


def hashing_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the decisions of the plan."""
    own, prime = hashing_of(plan), plan.curve.prime
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    ratios = plan.representation.ratios.values()
    powers = tuple((r.numerator, r.denominator, r.power) for r in ratios if r.factor == 1)
    found: dict[str, Decision] = {
        "map.cofactor": own.cofactor,
        "map.effective": own.cofactor != plan.cofactor,
        "map.jacobian": powers == (("X", "Z", 2), ("Y", "Z", 3)) and set(members) == {*"XYZ"},
        "map.projective": powers == (("X", "Z", 1), ("Y", "Z", 1)) and set(members) in ({*"XYZ"}, {*"XYZT"}),
        "map.extended": "T" in members,
    }
    if isinstance(own.map, Elligator):
        found |= {
            "map.exceptional": is_square(-own.map.z, prime),
            "map.scaled": own.map.b != 1,
            "map.moved": own.map.factor != 1,
        }
    elif kernel := own.map.isogeny:
        found |= {
            "isogeny.kernel": len(kernel.kernel),
            "isogeny.x": len(kernel.above),
            "isogeny.y": len(kernel.slope),
        }
    return found


def hashing_values(plan: CurvePlan) -> dict[str, Value]:
    """Return the values of constants other than elements."""
    own, reduction = hashing_of(plan), plan.reduction
    effective = own.cofactor % reduction.modulus
    return {
        "WIDE_BYTES": own.wide,
        "LOW_BYTES": own.wide // 2,
        "CLEARING_BYTES": tuple(effective.to_bytes(reduction.bytes, plan.encoding.byteorder)),
    }


def hashing_elements(plan: CurvePlan) -> dict[str, int | tuple[int, ...]]:
    """Return the constants that are elements, or arrays of them."""
    own, prime = hashing_of(plan), plan.curve.prime
    # What is no square times the root of unity is a square, and so is the quotient of both.
    root = square_root(own.map.z * pow(root_of_unity(prime), -1, prime), prime)
    assert root is not None
    found: dict[str, int | tuple[int, ...]] = {
        "LOW_POWER": pow(256, own.wide // 2, prime),
        "MAP_Z": own.map.z,
        "MAP_ROOT": root,
    }
    match own.map:
        case Elligator(a, b, _, factor):
            inverse = pow(b, -1, prime)
            return found | {
                "MAP_A": -a * inverse % prime,
                "MAP_B": inverse * inverse % prime,
                **({"MAP_SCALE": b} if b != 1 else {}),
                **({"MAP_FACTOR": factor} if factor != 1 else {}),
            }
        case SimplifiedSwu(a, b, _, image):
            found |= {"MAP_A": a, "MAP_B": b}
    if image:
        found |= {"ISOGENY_KERNEL": image.kernel, "ISOGENY_X": image.above, "ISOGENY_Y": image.slope}
    return found


DOCS = {
    "LOW_POWER": "The power of 2 that the high part of a wide number is multiplied by.",
    "MAP_A": "The parameter a of the curve that elements are mapped to first.",
    "MAP_B": "Its parameter b.",
    "MAP_Z": "The number z of the map, which is no square.",
    "MAP_ROOT": "A root of z over the root of unity by which roots of no squares are taken.",
    "MAP_SCALE": "The factor of x in the map to the Edwards curve.",
    "MAP_FACTOR": "The factor of x/y there.",
    "ISOGENY_KERNEL": "The kernel polynomial of the isogeny, the constant first.",
    "ISOGENY_X": "The numerator of the isogeny's x.",
    "ISOGENY_Y": "The numerator of the isogeny's y over y.",
}
"""Constants that are elements, in words."""
