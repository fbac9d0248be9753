"""The routines of protocols on a curve: from numbers and points to signatures and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.curve_routines import curve_parts
from efdgen.generator.planning.hashing_routines import (
    hashing_elements,
    hashing_names,
    hashing_parts,
    hashing_values,
)
from efdgen.generator.planning.protocols import protocols, recovers_keys
from efdgen.generator.routines import tree
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module

HASHING = "hash_to_curve"
"""The protocol whose routines depend on the curve."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "ecdsa": ("ecdsa", "recovery"),
    "eddsa": ("eddsa",),
    "bip340": ("bip340",),
    HASHING: (),
}


def with_routines(plan: CurvePlan) -> tuple[str, ...]:
    """Return the protocols of a curve that have routines."""
    found = protocols(plan.curve)
    return tuple(name for name in _TEXTS if name in found)


def protocol_routines(plan: CurvePlan, protocol: str) -> tuple[str, ...]:
    """Return the names of a protocol's routines."""
    routines = [every for text in _texts(plan, protocol) for every in library(text).routines.items()]
    return tuple(dict.fromkeys(name for name, routine in routines if not routine.leaf))


def protocol_module(plan: CurvePlan, protocol: str) -> Module:
    """Return a protocol's routines with those of a curve that they call, staged and checked."""
    text, staged, values = curve_parts(plan)
    for name in ("modulo_order", *_texts(plan, protocol)):
        text = text.beside(library(name))
    staged = {**staged, "order.below_prime": may_be_above(plan)}
    if protocol == HASHING:
        staged, values = staged | hashing_names(plan), values | hashing_values(plan)
    own = protocol_routines(plan, protocol)
    called = {name for routine in own for name in tree.called(text.routines[routine])}
    roots = tuple(name for name in own if name not in called)
    return module(text, staged, values, roots)


def may_be_above(plan: CurvePlan) -> bool:
    """Return whether an x-coordinate that is not below n is told, for the recovery of keys."""
    return recovers_keys(plan.curve) and plan.cofactor == 1 and plan.order < plan.curve.prime


def protocol_elements(plan: CurvePlan, protocol: str) -> dict[str, int | tuple[int, ...]]:
    """Return the constants of a protocol's routines that are elements, or arrays of them."""
    return hashing_elements(plan) if protocol == HASHING else {}


def with_kept(module: Module, own: tuple[str, ...], elsewhere: Collection[str]) -> tuple[str, ...]:
    """Return the names of the routines in a protocol's file, each after what it calls.

    These are its own, and those that they call and that other files keep to themselves.
    """
    kept = {
        name
        for name, routine in module.routines.items()
        if not (routine.leaf or routine.exported or name in elsewhere)
    }
    left = [name for name in own if name in module.routines]
    wanted = {*left}
    while left:
        found = {*tree.called(module.routines[left.pop()])} & kept - wanted
        wanted |= found
        left += found
    return tuple(name for name in module.routines if name in wanted)


def _texts(plan: CurvePlan, protocol: str) -> tuple[str, ...]:
    if protocol == HASHING:
        return hashing_parts(plan)
    recovers = recovers_keys(plan.curve)
    return tuple(text for text in _TEXTS[protocol] if recovers or text != "recovery")
