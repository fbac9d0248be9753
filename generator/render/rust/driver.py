"""The functions of a whole curve in Rust that its crate makes public, and that its test program calls."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.ladder import LadderPlan

if TYPE_CHECKING:
    from efdgen.generator.planning.plan import CurvePlan


def public_functions(plan: CurvePlan | LadderPlan) -> dict[str, list[str]]:
    """Return the public functions that are no methods, by the modules of the crate in which they stand."""
    found = defaultdict(list)
    # A ladder and all that belongs to it are one module.
    only = "ladder" if isinstance(plan, LadderPlan) else ""
    for function in exported(plan, "rust"):
        if not function.is_method:
            found[function.rust if function.rust == "random" else only or function.rust].append(function.name)
    for name, made in (("multiply_table", "make_table"), ("multiply_tables_var", "make_multi_table")):
        found["multiply"] += [made] if name in (*found["multiply"], *found["multi"]) else []
    return {module: sorted(names) for module, names in found.items() if names}


def driver_values(plan: CurvePlan | LadderPlan) -> dict[str, Any]:
    """Return the functions that one rule of the test program calls."""
    functions = exported(plan, "rust")
    return {
        "infinite": isinstance(plan, LadderPlan) or plan.representation.infinite,
        "plain_functions": [function for function in functions if function.is_plain],
    }
