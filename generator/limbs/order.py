"""In which order a program's operations are written: where the estimate of its limb program is lowest.

An out-of-order core looks only so far ahead. What later operations wait for should come early, and what
nothing waits for should fill the gaps. Compilers keep the order in which words are written, more or less.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.program import Instruction, Program, operands, with_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.plan import FieldPlan

TRIES = 120


def ordered_for(program: Program, plan: FieldPlan, tries: int = TRIES, seed: int = 0) -> Program:
    """Return the same program in the best order found in ``tries`` steps: one operation moves in each.

    The same arguments give the same order. It takes some ten milliseconds for each try at a point formula.
    """
    rng = Random(seed)
    places: list[float] = list(range(len(program.instructions)))
    best, chosen = estimate_cycles(lower_to_limbs(program, plan)), program
    for _ in range(tries):
        moved = list(places)
        one, other = rng.randrange(len(moved)), rng.randrange(len(moved))
        if rng.random() < 0.5:
            moved[one], moved[other] = moved[other], moved[one]
        else:
            moved[one] = moved[other] + rng.choice((-0.5, 0.5))
        candidate = reordered(program, moved)
        cycles = estimate_cycles(lower_to_limbs(candidate, plan))
        if cycles <= best:
            best, chosen, places = cycles, candidate, moved
    return chosen


def reordered(program: Program, places: Sequence[float]) -> Program:
    """Return a program in the order of its instructions' places, as far as what each one reads allows."""
    left = sorted(range(len(program.instructions)), key=lambda value: (places[value], value))
    names: dict[int, int] = {}
    instructions: list[Instruction] = []
    while left:
        ready = next(value for value in left if all(read in names for read in _reads(program, value)))
        left.remove(ready)
        names[ready] = len(instructions)
        instruction = program.instructions[ready]
        values = tuple(names[read] for read in _reads(program, ready))
        instructions.append(Instruction(with_operands(instruction.operation, values), instruction.label))
    return Program(tuple(instructions), tuple((name, names[value]) for name, value in program.outputs))


def _reads(program: Program, value: int) -> tuple[int, ...]:
    return operands(program.instructions[value].operation)
