"""Routines of a whole curve as functions in C."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.languages.bindings import Bindings, require_apart
from efdgen.generator.languages.c.printer import Printer
from efdgen.generator.languages.c.scratch import with_scratch
from efdgen.generator.languages.docs import third_person
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.planning.coset_routines import coset_elements
from efdgen.generator.planning.curve_routines import (
    ENTRY_FUNCTIONS,
    coz_types,
    curve_module,
    entry_labels,
    slope_types,
)
from efdgen.generator.planning.equation_routines import parameters_read
from efdgen.generator.planning.ladder_routines import ladder_module, ladder_types
from efdgen.generator.planning.protocol_routines import (
    protocol_elements,
    protocol_module,
    protocol_routines,
    with_kept,
)
from efdgen.generator.planning.table_routines import chained_types, table_kernels
from efdgen.generator.text.c import Function, comment, in_ascii

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module


_ROLES = "add", "double", "negate", "from_affine", "to_affine", "chain_double", "chain_last"
"""Kernels whose leaves have the names of their roles."""
_ORDER = {
    **{f"number_{name}": f"sc_{name}" for name in ("add", "mul", "neg", "inv")},
    "number_inv_var": "sc_inv",
    "number_equal": "sc_equal",
    "number_to_bytes": "sc_to_bytes",
    "number_of_bytes": "sc_from_wide_bytes",
}
"""Functions on integers modulo the order."""


def _bindings(plan: CurvePlan) -> Bindings:
    return curve_bindings(plan, plan.prefix, f"{plan.prefix}_{plan.kernels.namespace}".rstrip("_"))


def routine_functions(plan: CurvePlan, claims: Claims) -> list[Function]:
    """Return the functions of a curve, each after what it calls; they are announced."""
    module = with_scratch(erasing(curve_module(plan, "c")))
    return list(printed_routines(module, plan.prefix, _bindings(plan), claims).values())


def ladder_functions(plan: LadderPlan, claims: Claims) -> list[Function]:
    """Return the functions of a Montgomery curve, each after what it calls; they are announced."""
    module = erasing(ladder_module(plan))
    bindings = ladder_bindings(plan, plan.prefix, f"{plan.prefix}_{plan.kernels.namespace}")
    return list(printed_routines(module, plan.prefix, bindings, claims).values())


def protocol_functions(plan: CurvePlan, protocol: str, claims: Claims) -> list[Function]:
    """Return the functions of a protocol that are routines, each after what it calls; they are announced."""
    module, prefix = erasing(protocol_module(plan, protocol)), plan.prefix
    known = _bindings(plan)
    # The curve's file keeps `reduced` to itself; `to_affine` writes the same coordinates.
    others = {name: f"{prefix}_{own}" for name, own in {**_ORDER, "reduced": "to_affine"}.items()}
    own = protocol_routines(plan, protocol)
    names = with_kept(module, own, {**known.functions, **others})
    again = {name: f"{prefix}_{protocol}_{name}" for name in names if name not in own}
    bindings = replace(
        known,
        functions={**known.functions, **others, **again},
        types={**known.types, "number": f"{prefix}_sc"},
        constants={
            **known.constants,
            # The curve's file may keep its own to itself.
            **{name: f"{prefix}_{protocol}_{name.lower()}" for name in ("ONE", "ZERO")},
            **{name: f"{prefix}_{name.lower()}" for name in protocol_elements(plan, protocol)},
        },
    )
    return list(printed_routines(module, prefix, bindings, claims, names, f"{prefix}_{protocol}.h").values())


def printed_routines(
    module: Module,
    prefix: str,
    bindings: Bindings,
    claims: Claims,
    names: tuple[str, ...] = (),
    path: str = "",
) -> dict[str, Function]:
    """Return the functions of a module, or of some routines in another file, by the names of routines.

    They are announced.
    """
    names = names or tuple(name for name, routine in module.routines.items() if not routine.leaf)
    require_apart(module, names, bindings, f"{prefix}_")
    claims.announce(RoutineText("c", prefix, path or f"{prefix}.h", module, names, bindings))
    printer, functions = Printer(module, prefix, bindings), {}
    for name in names:
        found = printer.function(name)
        doc = comment(in_ascii(third_person(module.routines[name].doc)).split("\n"))
        signature = found.signature if found.exported and not path else f"static inline {found.signature}"
        functions[name] = Function(doc, signature, "".join(f"{line}\n" for line in found.body))
    return functions


def _constants(prefix: str, parameters: Iterable[str]) -> dict[str, str]:
    """Return the names of elements that are constants."""
    named = {name: name.lower() for name in ("ONE", "ZERO", "BETA", "FACTOR", "X_OF_ORDER_FOUR")}
    named |= {f"CURVE_{name.upper()}": name for name in parameters}
    return {name: f"{prefix}_constant_{own}" for name, own in named.items()}


def _numbers(prefix: str, order: str) -> dict[str, str]:
    """Return the names of functions between elements and bytes in an order."""
    order = "be" if order == "big" else "le"
    return {f"fe_{verb}_bytes": f"{prefix}_fe_{verb}_bytes_{order}" for verb in ("to", "from")}


def ladder_bindings(plan: LadderPlan, prefix: str, namespace: str) -> Bindings:
    """Return the names of routines of a Montgomery curve; a ``namespace`` begins those of its formula."""
    parameters, step = plan.curve.parameters, plan.kernel(plan.step)
    return Bindings(
        functions={"step_kernel": f"{namespace}_{step.function}", **_numbers(prefix, "little")},
        types={
            "point": f"{prefix}_affine_point",
            "element": f"{prefix}_fe",
            **{name: f"{namespace}_{kind.name}" for name, kind in ladder_types(plan).items()},
        },
        constants=_constants(prefix, parameters)
        | {f"TWICE_{name.upper()}": f"{prefix}_constant_twice_{name}" for name in parameters},
    )


def _kernels(plan: CurvePlan) -> dict[str, str]:
    """Return the kernels that routines call, by the names there."""
    roles, found = plan.roles, {f"{name}_kernel": getattr(plan.roles, name) for name in _ROLES}
    if plan.coz:
        found |= {"coz_start_kernel": plan.coz.start, "coz_step_kernel": plan.coz.step}
    for label, kind in entry_labels(plan).items():
        found[f"add_{label}_kernel"] = kind.entry.add
        if kind.entry.from_affine:
            found[f"{label}_kernel"] = kind.entry.from_affine
        if kind.entry.chain_add:
            found[f"chain_add_{label}"] = kind.entry.chain_add
    if roles.slopes:
        found |= {"slopes_kernel": roles.slopes.start, "slope_add_kernel": roles.slopes.add}
    return found | table_kernels(plan)


def curve_bindings(plan: CurvePlan, prefix: str, namespace: str) -> Bindings:
    """Return the names of routines of a curve; a ``namespace`` begins those of kernels and their types."""
    labels, functions = entry_labels(plan), {k.name: k.function for k in plan.kernels.kernels}

    def kernel(name: str) -> str:
        return f"{namespace}_{functions.get(name, name)}"

    return Bindings(
        functions={
            **{name: kernel(own) for name, own in _kernels(plan).items()},
            **_numbers(prefix, plan.encoding.byteorder),
            **{
                f"{verb}_{label}{end}": f"{prefix}_{verb}_entry{kind.suffix}{end}"
                for label, kind in labels.items()
                for verb, end in ENTRY_FUNCTIONS
            },
        },
        types={
            "point": f"{prefix}_point",
            "affine": f"{prefix}_affine_point",
            **{name: kernel(own) for name, own in slope_types(plan).items()},
            **{name: kernel(kind.name) for name, kind in (coz_types(plan) | chained_types(plan)).items()},
            "element": f"{prefix}_fe",
            "word": f"{prefix}_word",
            "comb": f"{prefix}_comb",
            "table": f"{prefix}_table",
            **{label: kernel(kind.entry.type) for label, kind in labels.items()},
            "doubled": kernel(plan.kernel(plan.roles.chain_double).inputs[0].type.name),
        },
        constants={
            **_constants(prefix, {**plan.curve.parameters, **parameters_read(plan)}),
            **{name: f"{prefix}_constant_{name.lower()}" for name in coset_elements(plan)},
            "DOUBLE_TABLE": f"{prefix}_odd_table",
            "ORDER_BYTES": f"{prefix.upper()}_ORDER",
            "COFACTOR_BYTES": f"{prefix}_cofactor",
        },
    )
