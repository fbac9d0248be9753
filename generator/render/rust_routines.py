"""Routines of a whole curve as functions in Rust."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.languages.docs import third_person
from efdgen.generator.languages.rust.printer import Printer
from efdgen.generator.planning.curve_routines import (
    ALLOCATING,
    comb_roots,
    half_roots,
    scalar_roots,
    window_root,
)
from efdgen.generator.render.rust_kernels import type_name
from efdgen.generator.render.rust_text import comment, signature
from efdgen.generator.render.special import shared_numerator

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from efdgen.generator.fields.bundle import Certify
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module

_METHODS = frozenset(
    ["add", "double", "has_small_order", "is_identity", "multiply_small", "negate", "select", "subtract"]
)
# The Rust name `Scalar` denotes an integer modulo the order.
_WORDS = {"scalar": "Words"}


def routine_functions(plan: CurvePlan, module: Module, certify: Certify) -> dict[str, list[str]]:
    """Return functions for the templates by the names that these have for them; they are announced."""
    roots = scalar_roots(plan)
    scalars = {name: name.removeprefix("scalar_") for name in module.reached(roots)}
    always = module.reached(
        [name for name in roots if name not in ALLOCATING]
        + [*comb_roots(plan), window_root(plan), *half_roots(plan)]
    )
    own = Bindings(functions=scalars, types=_WORDS, constants={"SCALAR_WORDS": "WORDS"})
    calls = _multiplications(plan, {name: f"words::{text}" for name, text in scalars.items()})
    rest = [name for name, routine in module.routines.items() if name not in scalars and not routine.leaf]
    groups = {
        "scalar_functions": RoutineText("rust", plan.prefix, "src/words.rs", module, tuple(scalars), own),
        "multiplications": RoutineText("rust", plan.prefix, "src/multiply.rs", module, tuple(rest), calls),
    }
    for text in groups.values():
        certify(text)
    public = {*roots, *(name for name in rest if module.routines[name].exported)}
    return {
        title: _functions(replace(text, routines=_in_order(module, text.routines)), public, always)
        for title, text in groups.items()
    }


def _in_order(module: Module, names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in module.routines if name in names)


def _multiplications(plan: CurvePlan, scalars: Mapping[str, str]) -> Bindings:
    own, fixed = plan.entry_kinds[0], plan.entry_kinds[-1]
    by_additions = plan.variable.table == "additions"
    chain = type_name(plan.kernel(plan.roles.chain_double).inputs[0].type.name)
    return Bindings(
        functions={
            **scalars,
            "add_fixed_entry": f"add{fixed.suffix}",
            "lift_fixed_entry": f"lift{fixed.suffix}",
            "read_fixed_entry": f"read{fixed.suffix}",
            "negate_fixed_entry": f"negate{fixed.suffix}",
            "add_fixed_entry_var": f"add{fixed.suffix}_var",
            "add_entry": "add",
            "chain_add": "chain_add_kernel",
            "chain_add_fixed": "chain_add_fixed_kernel",
            "negate_entry": "negate",
            "add_entry_var": "add_var",
            "odd_entries_var": "odd_multiples_var" if shared_numerator(plan) else "odd_entries_by_additions",
            "lift_entry": "lift",
            **({"odd_entries": "odd_entries_by_additions"} if by_additions else {}),
            "read_entry": "read",
            window_root(plan): "multiply",
        },
        types={
            "point": "Point",
            "element": "FieldElement",
            "entry": type_name(own.entry.type),
            "fixed_entry": type_name(fixed.entry.type),
            "doubled": chain,
            **_WORDS,
        },
        constants={
            "SCALAR_WORDS": "words::WORDS",
            "GROUP_ORDER": "words::GROUP_ORDER",
            "ORDER": "words::ORDER",
            "COMB_TABLE": "tables::COMB",
            "SECOND_TABLE": "tables::SECOND",
            "HALF_TABLE": "tables::HALF",
        },
        methods=_METHODS,
        blanks={
            "element": "FieldElement::ZERO",
            "entry": "NO_ENTRY",
            "fixed_entry": f"NO{fixed.suffix.upper()}_ENTRY",
            "doubled": "NOT_DOUBLED",
        },
    )


def _functions(text: RoutineText, public: Collection[str], always: Collection[str]) -> list[str]:
    """Print functions; some are there only where memory is allocated."""
    printer, found = Printer(text.module, text.bindings), []
    for name in text.routines:
        routine, printed = text.module.routines[name], printer.function(name)
        visible = "pub " if name in public else ""
        lines = [
            comment(third_person(routine.doc).split("\n"), "///"),
            *([] if name in always else ['#[cfg(feature = "alloc")]']),
            *(["#[must_use]"] if printed.exported else []),
            f"{signature(f'{visible}fn {printed.signature}')} {{",
            *printed.body,
            "}",
        ]
        found.append("\n".join(lines))
    return found
