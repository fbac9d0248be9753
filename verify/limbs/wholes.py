"""Constraints from whole numbers on a polynomial in words: linear real arithmetic, in all cases of bits.

The words that a chain of sums makes are a number in [0, 2^(wn)), whatever is carried inside the chain. Its
polynomial has no inner carries: of a - b + 2^(wn)·borrow little is left to search through. Products of
variables are variables of their own. A statement for all reals in these bounds holds for the words.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from efdgen.generator.limbs.intervals import Interval
from efdgen.generator.limbs.operations import Chained
from efdgen.verify.solver import context, satisfiable
from efdgen.verify.verdicts import UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from efdgen.generator.limbs.program import Instruction
    from efdgen.verify.limbs.polynomial import Monomial, Polynomial

Term = Any  # Z3's terms carry no types
Fact = tuple["Polynomial", Interval]
"""A polynomial and an interval in which it lies."""

RESOURCES = 2_000_000
_BIT = Interval(0, 1)


def always_within(
    polynomial: Polynomial, wanted: Interval, facts: Iterable[Fact], interval_of: Callable[[int], Interval]
) -> bool:
    """Return whether facts show that a polynomial lies in an interval; ``interval_of`` is for variables."""
    z3 = import_module("z3")
    solver = z3.Solver(ctx=context())
    variables = dict[tuple[int, ...], Term]()

    def variable(monomial: Monomial) -> Term:
        if monomial not in variables:
            found = variables[monomial] = z3.Real("_".join(map(str, monomial)), solver.ctx)
            bounds = Interval(1, 1)
            for number in monomial:
                bounds = bounds.product(interval_of(number))
            if bounds == _BIT:
                solver.add(z3.Or(found == 0, found == 1))
            else:
                solver.add(bounds.low <= found, found <= bounds.high)
        return variables[monomial]

    def term(polynomial: Polynomial) -> Term:
        parts = [c * variable(m) if m else z3.RealVal(c, solver.ctx) for m, c in polynomial.items()]
        return z3.Sum(parts) if parts else z3.RealVal(0, solver.ctx)

    for fact, interval in facts:
        whole = term(fact)
        solver.add(interval.low <= whole, whole <= interval.high)
    goal = term(polynomial)
    solver.add(z3.Or(goal < wanted.low, goal > wanted.high))
    try:
        return not satisfiable(solver, "whether a number is within its bounds", resources=RESOURCES)
    except UndecidedError:
        return False


def chains(instructions: Iterable[Instruction]) -> list[Sequence[Instruction]]:
    """Return the chains of sums, and of differences, each of which takes the carry of the one before."""
    found: dict[int, list[Instruction]] = {}
    for instruction in instructions:
        if isinstance(instruction.operation, Chained):
            carry = next(iter(instruction.operation.operands[2:]), -1)
            chain = found.pop(carry, [])
            if chain and type(chain[0].operation) is not type(instruction.operation):
                chain = []
            found[instruction.results[1]] = [*chain, instruction]
    return [chain for chain in found.values() if len(chain) > 1]
