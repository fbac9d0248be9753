"""Definitions of constants in a curve's module: numbers and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.render.python.kernels import WIDTH, assignment, bracketed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan


def bounds(field: Ground) -> dict[str, str]:
    """Return the bound of elements as templates print it, in code and in text, and the mask of their bits."""
    if field.is_binary:
        return {"bound": "1 << M", "limit": "2^M", "mask": "MASK"}
    return {"bound": "P", "limit": "P", "mask": "((1 << P.bit_length()) - 1)"}


def constant_point(name: str, members: Sequence[str], coordinates: Sequence[int]) -> list[str]:
    """Return the definition of a point; of none, nothing."""
    if not coordinates:
        return []
    lines = bracketed(f"{name} = Point(", [f"0x{value:X}" for value in coordinates], ")", "")
    if all(len(line) <= WIDTH for line in lines):
        return lines
    named = {f"{name}_{m}": value for m, value in zip(members, coordinates, strict=True)}
    lines = [line for part, value in named.items() for line in assignment(part, value)]
    return [*lines, f"{name} = Point({', '.join(named)})"]


def identity_lines(plan: CurvePlan, members: Sequence[str]) -> list[str]:
    """Return the definition of the identity, whose coordinates over GF(p) are small."""
    identity = plan.representation.identity
    if plan.kernels.binary:
        return constant_point("IDENTITY", members, identity)
    return [f"IDENTITY = Point({', '.join(map(str, identity))})"]


def hexadecimal(value: int) -> str:
    """Return an integer in hexadecimal, with its sign."""
    return f"0x{value:X}" if value >= 0 else f"-0x{-value:X}"


def parameter(name: str, value: int, plan: CurvePlan | LadderPlan) -> list[str]:
    """Return a parameter's definition, as a small number where it is one or the negative of one."""
    field = plan.curve.field
    small = value if field.is_binary or field.order - value >= 1 << 32 else value - field.order
    return [f"{name.upper()} = {small}"] if abs(small) < 1 << 32 else assignment(name.upper(), value)


def integers(values: dict[str, int]) -> list[str]:
    """Return definitions of numbers of the type that is computed with."""
    return [line for name, value in values.items() for line in assignment(name, value, "_integer")]
