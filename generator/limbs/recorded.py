"""Orders that were measured: of the formulas that are used most, the fastest that a search found.

The estimate of :mod:`efdgen.generator.limbs.order` knows nothing of registers; compilers and cores differ
from it by some percent in either direction. So ``bench/orders.py`` times what is printed, and writes what was
fastest to ``orders.toml``, by which every later run prints the same. No order changes what is computed, and
what is printed is proved like any other program.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from efdgen.generator.limbs.order import reordered, with_later_operands_right, with_operands_exchanged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.programs.program import Program

FILE = "orders.toml"


@dataclass(frozen=True)
class Order:
    """The instructions of a program in the order found, and the products whose operands change sides.

    They are numbered as in the program before, whose later operands stand on the right.
    """

    instructions: tuple[int, ...]
    exchanged: tuple[int, ...]

    def of(self, program: Program) -> Program:
        """Return a program in this order."""
        program = with_later_operands_right(program)
        for at in self.exchanged:
            program = with_operands_exchanged(program, at)
        places = {value: place for place, value in enumerate(self.instructions)}
        return reordered(program, [places[value] for value in range(len(program.instructions))])


def in_recorded_order(program: Program, plan: FieldPlan) -> Program:
    """Return a program in the order that is recorded; its later operands on the right where none is."""
    order = recorded_orders().get(fingerprint(program, plan))
    return with_later_operands_right(program) if order is None else order.of(program)


def fingerprint(program: Program, plan: FieldPlan) -> str:
    """Return what an order is recorded by: the operations, the prime and the size of words, but no names."""
    operations = [repr(instruction.operation) for instruction in program.instructions]
    text = "\n".join([f"{plan.prime:x} {plan.word}", *operations, repr(sorted(program.outputs))])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def recorded_orders() -> Mapping[str, Order]:
    """Return all orders, by the fingerprint of their program."""
    found: dict[str, Any] = tomllib.loads(files(__package__).joinpath(FILE).read_text())
    return {
        entry["program"]: Order(tuple(entry["instructions"]), tuple(entry["exchanged"]))
        for entry in found.get("order", [])
    }
