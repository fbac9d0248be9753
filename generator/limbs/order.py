"""Scheduling of a program's operations: the order with the lowest estimate of its limb program.

An out-of-order core looks only so far ahead. Values that later operations wait for should come early, and
others should fill the gaps. Compilers keep the order in which words are written, more or less.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.limbs.estimate import estimate_cycles
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.programs.program import Instruction, Mul, Program, operands, with_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.limbs.plan import AnyPlan

TRIES = 120


def ordered_for(program: Program, plan: AnyPlan, tries: int = TRIES, seed: int = 0) -> Program:
    """Return the same program in the best order found in ``tries`` steps.

    In a step one operation moves, or the operands of a product change sides: rows run over the right one.
    The same arguments give the same order. It takes some ten milliseconds for each try at a point formula.
    """
    rng = Random(seed)
    chosen = with_later_operands_right(program)
    places: list[float] = list(range(len(program.instructions)))
    best, turned = estimate_cycles(lower_to_limbs(chosen, plan)), chosen
    products = [at for at, i in enumerate(program.instructions) if isinstance(i.operation, Mul)]
    for _ in range(tries):
        moved, candidate = list(places), turned
        kind, one, other = rng.randrange(3), rng.randrange(len(moved)), rng.randrange(len(moved))
        if kind == 0 and products:
            candidate = with_operands_exchanged(turned, rng.choice(products))
        elif kind == 1:
            moved[one], moved[other] = moved[other], moved[one]
        else:
            moved[one] = moved[other] + rng.choice((-0.5, 0.5))
        ordered = reordered(candidate, moved)
        cycles = estimate_cycles(lower_to_limbs(ordered, plan))
        if cycles <= best:
            best, chosen, places, turned = cycles, ordered, moved, candidate
    return chosen


def with_later_operands_right(program: Program) -> Program:
    """Turn every product so that its right operand is the one that is made later."""
    for at, instruction in enumerate(program.instructions):
        match instruction.operation:
            case Mul(left, right) if left > right:
                program = with_operands_exchanged(program, at)
    return program


def with_operands_exchanged(program: Program, at: int) -> Program:
    """Exchange the operands of the product at a place."""
    instructions = list(program.instructions)
    operation = with_operands(instructions[at].operation, _reads(program, at)[::-1])
    instructions[at] = Instruction(operation, instructions[at].label)
    return Program(tuple(instructions), program.outputs)


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
