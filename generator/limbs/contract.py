"""The contract of a limb program: bounds of input numbers, bounds and meanings of output numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Program


@dataclass(frozen=True)
class Port:
    """A number that comes in or goes out: a word at each position, ``maximum`` at most; it is x·radix.

    ``limits`` are the largest that its words may be, where these overlap.
    """

    positions: tuple[int, ...]
    maximum: int
    radix: int = 1
    limits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Contract:
    """For all inputs within their ports, each output is within its port and is what ``meaning`` says.

    The equation holds in the field ``modulus``, and for integers where that is None.
    """

    meaning: Program
    inputs: Mapping[str, Port]
    outputs: Mapping[str, Port]
    modulus: Ground | None = None


def field_contract(meaning: Program, plan: AnyPlan) -> Contract:
    """Return the contract of a program over a field: what comes in and goes out is tight."""
    reduction = plan.reduction
    port = Port(reduction.positions, reduction.tight, reduction.radix, reduction.limits)
    inputs = dict.fromkeys((*meaning.inputs, *meaning.parameters), port)
    return Contract(meaning, inputs, {name: port for name, _ in meaning.outputs}, plan.ground)
