"""A schedule of a program's operations, and its key.

The estimate of :mod:`efdgen.generator.limbs.order` knows nothing of registers; compilers and cores differ
from it by some percent in either direction. So orders are timed, and what was fastest is kept. No order
changes what is computed, and what is printed is proved like any other program.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.order import reordered, with_later_operands_right, with_operands_exchanged
from efdgen.generator.programs.program import Mul, operands

if TYPE_CHECKING:
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.programs.program import Program


class OrderError(ValueError):
    """A value that is not a schedule of a program, with the reason."""


@dataclass(frozen=True)
class Order:
    """The instructions of a program in some order, and the products whose operands change sides.

    They are numbered as in the program before, whose later operands are on the right. Raises
    :class:`OrderError` where the instructions are not the numbers from 0, each once.
    """

    instructions: tuple[int, ...]
    exchanged: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if sorted(self.instructions) != list(range(len(self.instructions))):
            raise OrderError(f"instructions is not a permutation of 0 to {len(self.instructions) - 1}")

    def of(self, program: Program) -> Program:
        """Return a program in this order.

        Raises :class:`OrderError` where it has another number of instructions, where one would read what is
        not made yet, or where what changes sides is no product.
        """
        if len(self.instructions) != len(program.instructions):
            raise OrderError(f"it has {len(self.instructions)} instructions, not {len(program.instructions)}")
        program = with_later_operands_right(program)
        for at in self.exchanged:
            if at not in products(program):
                raise OrderError(f"instruction {at} is not a product, and has no operands to exchange")
            program = with_operands_exchanged(program, at)
        places = {value: place for place, value in enumerate(self.instructions)}
        for value, instruction in enumerate(program.instructions):
            for read in operands(instruction.operation):
                if places[read] > places[value]:
                    raise OrderError(f"instruction {value} would read {read} before it is made")
        return reordered(program, [places[value] for value in range(len(program.instructions))])


def products(program: Program) -> tuple[int, ...]:
    """Return the instructions that multiply two values."""
    return tuple(at for at, i in enumerate(program.instructions) if isinstance(i.operation, Mul))


def fingerprint(program: Program, plan: AnyPlan) -> str:
    """Return what an order is kept by: the operations, the field and its representation, but no names."""
    operations = [repr(instruction.operation) for instruction in program.instructions]
    kind = "" if plan.representation == "saturated" else f" {plan.representation}"
    modulus = f"f {plan.ground.polynomial:x}" if plan.ground.is_binary else f"{plan.ground.prime:x}"
    text = "\n".join([f"{modulus} {plan.word}{kind}", *operations, repr(sorted(program.outputs))])
    return hashlib.sha256(text.encode()).hexdigest()[:32]
