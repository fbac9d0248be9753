"""Proof of tables that callers prepare: their entries, and products by them for every scalar and point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.prepared_routines import PASSES, WIDTH, WIDTHS, row_count, row_entries
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.verify.routines.forms import Digits, multiple_of
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.items import ANY, Each, Items

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.verify.routines.multiples import Follower
    from efdgen.verify.symbols.items import Contracts

ROUTINES = "make_table", "multiply_table"
SUMS = "make_multi_table", "multiply_tables_var"


@dataclass(frozen=True)
class _Normal:
    """A point in affine coordinates."""

    of: Point


def entries(plan: CurvePlan) -> list[list[Point]]:
    """Return the entries of the table of P."""
    return [
        [multiple("P", (2 * at + 1) << PASSES * WIDTH * row) for at in range(row_entries())]
        for row in range(row_count(plan))
    ]


def prove_prepared(plan: CurvePlan, own: Follower) -> None:
    """Prove tables, and products and sums by them; raise :class:`EfdgenError` where one is wrong."""
    module = own.module
    try:
        if ROUTINES[0] in module.routines:
            _prove_multiples(module, "rows", row_entries())
            _prove_table(plan, module)
        if SUMS[0] in module.routines:
            _prove_sums(module)
    except RoutineError as error:
        raise EfdgenError(f"a table is not proved: {error}") from None
    if ROUTINES[1] in module.routines:
        own.follow(ROUTINES[1])


def _prove_multiples(module: Module, way: str, count: int) -> None:
    """Prove that functions return the odd multiples of a point, and entries of these."""

    def normal(p: _Normal | Point) -> list[Point]:
        return [p.of if isinstance(p, _Normal) else p]

    odd = _odd(multiple("P"), count)
    if Interpreter(module, _GROUP).call(f"{way}_multiples", multiple("P")) != [odd]:
        raise RoutineError("there are other multiples")
    makes: Contracts = {
        "to_affine_batch": lambda _, points: [list(map(_Normal, points))],
        **dict.fromkeys(("normal_entry", "normal_fixed_entry", "entry_kernel", "fixed_entry_kernel"), normal),
    }
    if Interpreter(module, makes).call(f"{way}_block", odd) != [odd]:
        raise RoutineError("there are other entries")


_GROUP: Contracts = {
    **dict.fromkeys(("add", "add_kernel"), lambda p, q: [p.plus(q)]),
    "double": lambda p: [p.times(2)],
}


def _odd(p: Point, count: int) -> list[Point]:
    return [p.times(2 * at + 1) for at in range(count)]


def _prove_sums(module: Module) -> None:
    """Prove the tables of sums, and the multiples that one point with a table and another one add."""
    fixed_width, width = WIDTHS
    count, others = wnaf_entries(fixed_width), wnaf_entries(width)
    _prove_multiples(module, "mixed_fixed", count)
    made: Contracts = {
        "mixed_fixed_multiples": lambda p: [_odd(p, count)],
        "mixed_fixed_block": lambda points: [points],
    }
    if Interpreter(module, made).call(SUMS[0], multiple("P")) != [{"entries": _odd(multiple("P"), count)}]:
        raise RoutineError("make_multi_table returns other entries")
    copied: Contracts = {**_GROUP, "make_entry": lambda p: [p]}
    if Interpreter(module, copied).call("mixed_entries", multiple("P")) != [_odd(multiple("P"), others)]:
        raise RoutineError("there are other entries")
    _prove_whole(module, count, others)


def _prove_whole(module: Module, count: int, others: int) -> None:
    """Prove that the sum gets the forms of all scalars, each with the table of its point."""
    given = {
        "fixed": Items(["a"]),
        "prepared": Items([{"entries": _odd(multiple("P"), count)}]),
        "k": Items(["b"]),
        "p": Items([multiple("Q")]),
    }

    def summed(digits: Items, fixed: Items, places: int, tables: Items, prepared: Items) -> list[Any]:
        if places != module.constants["DIGITS"].value:
            raise RoutineError("digits are left out")
        total = Point()
        for row, entries in ((digits[ANY], tables[ANY]), (fixed[ANY], prepared[ANY]["entries"])):
            total = total.plus(multiple_of(row, entries))
        return [total]

    contracts: Contracts = {
        "scalar_digits_var": lambda k, asked: [[Digits({k: 1}, asked)]],
        "mixed_entries": lambda p: [_odd(p, others)],
        "mixed_sum_var": summed,
    }
    _, found = Each(module, module.routines[SUMS[1]]).run(given, contracts)
    if found != [multiple("P").by({"a": 1}).plus(multiple("Q").by({"b": 1}))]:
        raise RoutineError("multiply_tables_var returns another sum")


def _prove_table(plan: CurvePlan, module: Module) -> None:
    """Prove that rows are those of the powers of 2 times the point."""

    def row(p: Point) -> list[Any]:
        return [_odd(p, row_entries())]

    contracts: Contracts = {
        "rows_multiples": row,
        "rows_block": lambda points: [points],
        "double": lambda p: [p.times(2)],
        "double_times": lambda p, times: [p.times(1 << times)],
    }
    if Interpreter(module, contracts).call("make_table", multiple("P")) != [{"entries": entries(plan)}]:
        raise RoutineError("make_table returns other entries")
