"""Ranking of the formulas for one purpose, the cheapest first.

A count of operations says little of code on words: there multiples of a product are part of its reduction,
sums of products are reduced once, and a square that is subtracted costs more than one that is added. So
formulas whose counts are near each other are lowered, and what is counted is instructions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.formulas.cost import count
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.operations import Constant, MulWide, Word
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.program import Inv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.programs.program import Program
    from efdgen.generator.reports.weights import Weights
    from efdgen.generator.tuning.tuning import Tuning

    Ranking: TypeAlias = "Callable[[Sequence[Candidate]], list[Candidate]]"

NEAR = Fraction(5, 4)
"""Instructions are counted for formulas up to this many times the lightest weight."""

EQUAL = Fraction(101, 100)
"""Up to this many times the fewest instructions are taken for as many."""

MEASURED = Fraction(103, 100)
"""Up to this factor of the fewest, formulas with a schedule in the tuning come first: measured as fast."""


def by_weights(weights: Weights) -> Ranking:
    """Order formulas by the weight of what is emitted, then by name."""

    def rank(rivals: Sequence[Candidate]) -> list[Candidate]:
        return sorted(rivals, key=lambda c: (weights.price(count(c.specialised.program)), c.formula.id))

    return rank


def by_instructions(weights: Weights, prime: int, tuning: Tuning, curve: str = "") -> Ranking:
    """Order formulas by the instructions that they take as one limb function, then by weight and name.

    Registers and the order of instructions decide between those that take almost as many. A tuning's choices
    for the curve come before all.
    """
    chosen = tuning.formulas_of(curve)
    by_weight = by_weights(weights)

    def rank(rivals: Sequence[Candidate]) -> list[Candidate]:
        return sorted(counted(rivals), key=lambda c: c.formula.id not in chosen)

    def counted(rivals: Sequence[Candidate]) -> list[Candidate]:
        ordered = by_weight(rivals)
        prices = [weights.price(count(c.specialised.program)) for c in ordered]
        near = [c for c, price in zip(ordered, prices, strict=True) if price <= NEAR * prices[0]]
        if len(near) < 2 or any(divides(c.specialised.program) for c in near):
            return ordered
        counts = {c.formula.id: instructions(c.specialised.program, prime) for c in near}
        fewest = min(counts.values())

        def place(c: Candidate) -> int:
            found = counts[c.formula.id]
            if found <= MEASURED * fewest and _is_ordered(c.specialised.program, prime, tuning):
                return 0
            return 1 if found <= EQUAL * fewest else found

        return [*sorted(near, key=place), *ordered[len(near) :]]

    return rank


@cache
def instructions(program: Program, prime: int) -> int:
    """Return how many instructions a program takes over words of 64 bits; a wide product counts as two."""
    limbs = lower_to_limbs(remove_dead_code(program), plan(prime))
    needed = LimbFunction("", limbs, ()).needed
    used = [
        instruction.operation
        for instruction in limbs.instructions
        if not needed.isdisjoint(instruction.results)
        and not isinstance(instruction.operation, Constant | Word)
    ]
    return len(used) + sum(isinstance(operation, MulWide) for operation in used)


def _is_ordered(program: Program, prime: int, tuning: Tuning) -> bool:
    return tuning.knows(remove_dead_code(program), plan(prime))


def divides(program: Program) -> bool:
    """Return whether a program divides."""
    return any(isinstance(instruction.operation, Inv) for instruction in program.instructions)
