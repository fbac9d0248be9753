"""Counting a program's operations in the database's convention.

One instruction is one operation; copies and constants are free, additions, subtractions and
negations are counted together. A product with a parameter counts under that parameter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, assert_never

from efdgen.generator.programs.program import (
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
    from fractions import Fraction

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.programs.program import Program


@dataclass(frozen=True)
class Cost:
    """Numbers of operations: M, S, I, additions, and products by parameters and by constants, and powers.

    With a ``length``, n, they are of one point of n, all of which together need 1I - 3M more.
    """

    multiplications: int = 0
    squarings: int = 0
    inversions: int = 0
    additions: int = 0
    by_parameter: Mapping[str, int] = field(default_factory=dict)
    by_constant: Mapping[str, int] = field(default_factory=dict)
    powers: Mapping[int, int] = field(default_factory=dict)
    length: str = ""

    @cached_property
    def terms(self) -> tuple[tuple[int, str], ...]:
        """The counts that are not zero, each with its unit: ``I M S ^3 *a add *2``, in this order."""
        every = (
            (self.inversions, "I"),
            (self.multiplications, "M"),
            (self.squarings, "S"),
            *((count, f"^{exponent}") for exponent, count in self.powers.items()),
            *((count, f"*{name}") for name, count in self.by_parameter.items()),
            (self.additions, "add"),
            *((count, f"*{constant}") for constant, count in self.by_constant.items()),
        )
        return tuple((count, unit) for count, unit in every if count)

    def __str__(self) -> str:
        """Write the cost as the database does: ``11M + 5S + 9add + 4*2``, ``n(6M + 1S) + 1I - 3M``."""
        text = " + ".join(f"{count}{unit}" for count, unit in self.terms) or "0M"
        return f"{self.length}({text}) + 1I - 3M" if self.length else text

    def __add__(self, other: Cost) -> Cost:
        """Return the cost of both; raise ValueError where one is of a point of n, and the other is not."""
        if self.length != other.length:
            raise ValueError(f"costs of {self.length or 'one'} and of {other.length or 'one'} are not added")

        def both(ours: Mapping[Any, int], theirs: Mapping[Any, int]) -> dict[Any, int]:
            return {name: ours.get(name, 0) + theirs.get(name, 0) for name in {**ours, **theirs}}

        return Cost(
            self.multiplications + other.multiplications,
            self.squarings + other.squarings,
            self.inversions + other.inversions,
            self.additions + other.additions,
            both(self.by_parameter, other.by_parameter),
            both(self.by_constant, other.by_constant),
            both(self.powers, other.powers),
            self.length,
        )

    def fields(self) -> dict[str, object]:
        """Return the cost as JSON has it; parameters, constants and exponents are texts."""
        return {
            "M": self.multiplications,
            "S": self.squarings,
            "I": self.inversions,
            "add": self.additions,
            "mul_param": dict(self.by_parameter),
            "mul_const": dict(self.by_constant),
            "pow": {str(exponent): count for exponent, count in self.powers.items()},
            "text": str(self),
        }


def cost_of(formula: Formula, program: Program) -> Cost:
    """Count a program of a formula; where it is of one point of n, with 3M for the inverse of each."""
    cost, length = count(program), formula.kind.length
    return replace(cost, multiplications=cost.multiplications + 3, length=length) if length else cost


def count(program: Program) -> Cost:
    """Count a program's operations; dead and parameter-only ones count too."""
    simple: Counter[type] = Counter()
    by_parameter: Counter[str] = Counter()
    by_constant: Counter[Fraction] = Counter()
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
                        by_constant[factor] += 1
            case operation:
                assert_never(operation)
    return Cost(
        simple[Mul],
        simple[Sqr],
        simple[Inv],
        simple[Add],
        dict(sorted(by_parameter.items())),
        {str(constant): by_constant[constant] for constant in sorted(by_constant)},
        dict(sorted(powers.items())),
    )
