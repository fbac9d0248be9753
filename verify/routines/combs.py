"""Proof of combs of any points: their entries, and products by them.

A comb is made by functions that are right for every point. Products by it are those for the generator, whose
proof reads nothing of the table but that its entries are multiples of a point of the generator's order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.routines.points import Point, multiple

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.symbols.items import Contracts

ROUTINES = "make_comb", "multiply_comb"


@dataclass(frozen=True)
class _Part:
    """A member of the entry for a point."""

    name: str
    of: Point


def prove_combs(plan: CurvePlan, module: Module) -> None:
    """Prove that combs are made, and multiplied by; raise :class:`EfdgenError` where one is wrong."""
    try:
        _prove_block(plan, module)
        for valid in (0, 1):
            _prove_comb(plan, module, valid)
        _prove_product(module)
    except RoutineError as error:
        raise EfdgenError(f"a comb is not proved: {error}") from None


def _prove_block(plan: CurvePlan, module: Module) -> None:
    """Prove that the entries of a block are those of its points."""
    told = [1] if plan.representation.infinite else []
    contracts: Contracts = {
        "to_affine_batch": lambda _, p: [p, *told],
        **dict.fromkeys(
            ("normal_entry", "normal_fixed_entry", "entry_kernel", "fixed_entry_kernel"), lambda p: [p]
        ),
    }
    points = [multiple(f"P{i}") for i in range(1 << plan.generator.comb.teeth - 1)]
    if Interpreter(module, contracts).call("comb_block", points) != [points]:
        raise RoutineError("comb_block returns other entries")


def _prove_comb(plan: CurvePlan, module: Module, valid: int) -> None:
    """Prove that the entries are the sums of a comb's teeth, or zeros where the point is refused."""
    comb, members = plan.generator.comb, plan.entry_kinds[-1].members
    p = multiple("P")

    def entry(of: Point) -> dict[str, Any]:
        return {name: _Part(name, of) for name in members}

    contracts: Contracts = {
        "is_valid": lambda _: [valid],
        "select": lambda p, q, flag: [p if flag else q],
        "double": lambda p: [p.times(2)],
        "add": lambda p, q: [p.plus(q)],
        "subtract": lambda p, q: [p.plus(q, -1)],
        "comb_block": lambda sums: [[entry(total) for total in sums]],
        "fe_select": lambda a, b, flag: [a if flag else b],
    }
    constants = {"GENERATOR": multiple("G"), "ZERO": "zero"}
    found, told = Interpreter(module, contracts, constants).call("make_comb", p)
    zeros = dict.fromkeys(members, "zero")
    wanted = [
        [entry(p.times(number)) if valid else zeros for number in comb.multiples(block)]
        for block in range(comb.blocks)
    ]
    if (found, told) != ({"entries": wanted}, valid):
        raise RoutineError("make_comb returns other entries")


def _prove_product(module: Module) -> None:
    """Prove that a product by a comb is multiply_by_comb with its entries."""

    def product(k: object, table: object) -> list[object]:
        if (k, table) != ("k", "entries of P"):
            raise RoutineError("multiply_comb multiplies by another table")
        return ["k*P"]

    run = Interpreter(module, {"multiply_by_comb": product})
    if run.call("multiply_comb", "k", {"entries": "entries of P"}) != ["k*P"]:
        raise RoutineError("multiply_comb returns something else")
