"""The routines of protocols on a curve: from numbers and points to verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.curve_routines import curve_parts
from efdgen.generator.planning.protocols import protocols
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module

_ROUTINES = "ecdsa", "eddsa"


def with_routines(plan: CurvePlan) -> tuple[str, ...]:
    """Return the protocols of a curve that have routines."""
    return tuple(name for name in _ROUTINES if name in protocols(plan.curve))


def protocol_routines(protocol: str) -> tuple[str, ...]:
    """Return the names of a protocol's routines."""
    return tuple(library(protocol).routines)


def protocol_module(plan: CurvePlan, protocol: str) -> Module:
    """Return a protocol's routines with those of a curve that they call, staged and checked."""
    text, staged, values = curve_parts(plan)
    text = text.beside(library("modulo_order")).beside(library(protocol))
    return module(text, staged, values, protocol_routines(protocol))
