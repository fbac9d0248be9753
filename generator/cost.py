"""Counting a program's operations in the database's convention.

One instruction is one operation; copies and constants are free, additions, subtractions and
negations are counted together. A product with a parameter counts under that parameter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.program import (
    Add,
    Constant,
    Input,
    Inv,
    Mul,
    MulConstant,
    MulParameter,
    Neg,
    Parameter,
    Pow,
    Sqr,
    Sub,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.program import Program


@dataclass(frozen=True)
class Cost:
    """Numbers of operations: M, S, I, additions, and products by parameters and by constants, and powers."""

    multiplications: int = 0
    squarings: int = 0
    inversions: int = 0
    additions: int = 0
    by_parameter: Mapping[str, int] = field(default_factory=dict)
    by_constant: Mapping[str, int] = field(default_factory=dict)
    powers: Mapping[int, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Write the cost as the database does: ``11M + 5S + 9add + 4*2``."""
        parts = [
            (self.inversions, "I"),
            (self.multiplications, "M"),
            (self.squarings, "S"),
            *((count, f"^{exponent}") for exponent, count in self.powers.items()),
            *((count, f"*{name}") for name, count in self.by_parameter.items()),
            (self.additions, "add"),
            *((count, f"*{constant}") for constant, count in self.by_constant.items()),
        ]
        return " + ".join(f"{count}{unit}" for count, unit in parts if count) or "0M"


def count(program: Program) -> Cost:
    """Count a program's operations; dead and parameter-only ones count too."""
    simple: Counter[type] = Counter()
    by_parameter: Counter[str] = Counter()
    by_constant: Counter[str] = Counter()
    powers: Counter[int] = Counter()
    for instruction in program.instructions:
        match instruction.operation:
            case Input() | Parameter() | Constant():
                pass
            case Add() | Sub() | Neg():
                simple[Add] += 1
            case Mul() | Sqr() | Inv() as operation:
                simple[type(operation)] += 1
            case Pow(_, exponent):
                powers[exponent] += 1
            case MulParameter(parameter):
                by_parameter[program.instructions[parameter].label] += 1
            case MulConstant(factor, value):
                match program.instructions[value].operation:
                    case Parameter(name):
                        by_parameter[name] += 1
                    case _:
                        by_constant[str(factor)] += 1
            case operation:
                assert_never(operation)
    return Cost(
        simple[Mul],
        simple[Sqr],
        simple[Inv],
        simple[Add],
        dict(sorted(by_parameter.items())),
        dict(sorted(by_constant.items())),
        dict(sorted(powers.items())),
    )
