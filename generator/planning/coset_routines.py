"""Routines of groups of cosets: their files, decisions of a plan, and the constants that they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.root_steps import root_of_unity
from efdgen.generator.mathematics.primes import square_root
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from efdgen.generator.curves.cosets import Cosets
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision

_BYTE = 8
_FUNCTIONS = ("encode", "decode", "equal", "map", "from_uniform_bytes")


def coset_roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the functions on cosets, none of a curve without such a group."""
    own = cosets(plan.curve)
    if own is None:
        return ()
    names = *_FUNCTIONS, *(["double_encode"] if own.rotates else [])
    return tuple(f"{own.prefix}_{name}" for name in names)


def with_cosets(plan: CurvePlan, text: Text) -> Text:
    """Return routines with those of the group of cosets on the curve of a plan, if there is one."""
    own = cosets(plan.curve)
    if own is None:
        return text
    shared = library("cosets", ("coset", own.prefix))
    return text.beside(shared).beside(library(own.prefix))


def coset_names(plan: CurvePlan) -> dict[str, Decision]:
    """Return the decisions of the plan."""
    own = cosets(plan.curve)
    if own is None:
        return {}
    bits = plan.curve.prime.bit_length()
    members = next(kind.members for kind in plan.kernels.types if kind.name == "point")
    every = plan.representation.ratios.values()
    ratios = tuple((r.numerator, r.denominator, r.power) for r in every if r.factor == 1)
    decided: dict[str, Decision] = {
        "rotates": own.rotates,
        "mask": 0xFF >> -bits % _BYTE,
        "projective": ratios == (("X", "Z", 1), ("Y", "Z", 1)),
        "extended": "T" in members,
    }
    return {f"{own.prefix}.{name}": decision for name, decision in decided.items()}


def coset_elements(plan: CurvePlan) -> dict[str, int]:
    """Return the constants that are elements, with the names of RFC 9496; none where there is no such group.

    Raises :class:`EfdgenError` for a curve on which a root among them does not exist.
    """
    own = cosets(plan.curve)
    if own is None:
        return {}
    prime, d = plan.curve.prime, plan.curve.parameters["d"]
    return _ristretto(own, prime, d) if own.rotates else _decaf(own, prime, d)


def _ristretto(own: Cosets, prime: int, d: int) -> dict[str, int]:
    return {
        "SQRT_M1": root_of_unity(prime),
        "ONE_MINUS_D_SQ": (1 - d * d) % prime,
        "D_MINUS_ONE_SQ": (d - 1) ** 2 % prime,
        **_roots(own, prime, SQRT_AD_MINUS_ONE=-d - 1, INVSQRT_A_MINUS_D=pow(-1 - d, -1, prime)),
    }


def _decaf(own: Cosets, prime: int, d: int) -> dict[str, int]:
    return {
        "ONE_MINUS_D": (1 - d) % prime,
        "ONE_MINUS_TWO_D": (1 - 2 * d) % prime,
        **_roots(own, prime, SQRT_MINUS_D=-d, INVSQRT_MINUS_D=-pow(d, -1, prime)),
    }


def _roots(own: Cosets, prime: int, **squares: int) -> dict[str, int]:
    """Return roots of squares by their names, even ones unless the group asks for an odd one."""
    found = {}
    for name, square in squares.items():
        root = square_root(square % prime, prime)
        if root is None:
            raise EfdgenError(f"{name} of {own.prefix} is the root of no square; choose another curve")
        found[name] = root if root % 2 == (name in own.odd) else prime - root
    return found


DOCS = {
    "SQRT_M1": "A root of -1 (RFC 9496, 4.1).",
    "SQRT_AD_MINUS_ONE": "A root of a*d - 1.",
    "INVSQRT_A_MINUS_D": "A root of 1/(a - d).",
    "ONE_MINUS_D_SQ": "1 - d^2.",
    "D_MINUS_ONE_SQ": "(d - 1)^2.",
    "ONE_MINUS_D": "1 - d (RFC 9496, 5.1).",
    "ONE_MINUS_TWO_D": "1 - 2*d.",
    "SQRT_MINUS_D": "A root of -d.",
    "INVSQRT_MINUS_D": "A root of -1/d.",
}
"""The constants in words."""
