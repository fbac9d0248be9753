"""Routines of a whole curve as functions in Rust."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.languages.bindings import Bindings, require_apart
from efdgen.generator.languages.docs import about_self, third_person
from efdgen.generator.languages.rust.printer import Printer
from efdgen.generator.planning.curve_routines import (
    ENTRY_FUNCTIONS,
    coz_types,
    curve_module,
    entry_labels,
    point_roots,
    slope_types,
    subgroup_roots,
)
from efdgen.generator.planning.encoding_routines import encoding_roots
from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.ladder_routines import ladder_module, ladder_types
from efdgen.generator.planning.protocol_routines import protocol_module, protocol_routines, with_kept
from efdgen.generator.planning.sum_routines import SUMMAND, makes_summands
from efdgen.generator.planning.table_routines import chained_types, table_kernels
from efdgen.generator.render.rust.kernels import PLAIN_NAMES, member_names, type_name
from efdgen.generator.routines import tree
from efdgen.generator.routines.rooms import with_rooms
from efdgen.generator.routines.tree import TypeName
from efdgen.generator.routines.types import Array, Structure
from efdgen.generator.text.rust import WIDTH, broken, comment, indented, signature

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Routine
    from efdgen.generator.routines.types import Type

ELEMENTS = {
    "fe_mul": "mul",
    "fe_sqr": "square",
    "fe_add": "add",
    "fe_sub": "sub",
    "fe_neg": "neg",
    "fe_inv": "invert",
    "fe_is_zero": "is_zero",
    "fe_equal": "ct_eq",
    "fe_select": "choose",
    "fe_join": "join",
    "fe_cswap": "swap",
    "fe_sqrt": "root",
    "fe_sqrt_ratio": "root_of_ratio",
    "fe_sqrt_ratio_z": "root_of_ratio_z",
    "fe_solve_quadratic": "root_of_equation",
}
"""Methods of elements, by the names of leaves."""

_NAMED = {"ONE": "FieldElement::ONE", "ZERO": "FieldElement::ZERO"}
_NUMBERS = {
    "SCALAR_WORDS": "words::WORDS",
    "GROUP_ORDER": "words::GROUP_ORDER",
    "ORDER": "words::ORDER",
    "RADIX_SQUARED": "words::RADIX_SQUARED",
    "ORDER_BYTES": "ORDER",
    "COFACTOR_BYTES": "COFACTOR_SCALAR",
}
_KERNELS = {
    "add_kernel": "point_add_kernel",
    **{name: name for name in ("double_kernel", "negate_kernel", "from_affine_kernel", "to_affine_kernel")},
    **{name: name for name in ("slopes_kernel", "slope_add_kernel")},
    "chain_double_kernel": "chain_kernel",
    "chain_last_kernel": "last_kernel",
    **{name: name for name in ("coz_start_kernel", "coz_step_kernel")},
}
# Functions on integers modulo the order.
_ORDER = {
    **{f"number_{name}": name for name in ("add", "mul", "neg")},
    "number_inv": "invert",
    "number_inv_var": "invert_var",
    "number_equal": "ct_eq",
    "number_to_bytes": "to_bytes",
    "number_of_bytes": "Scalar::reduce",
}
# What structures hold before they are written.
_BLANKS = {
    "point": "IDENTITY",
    "affine": "NO_POINT",
    "element": "FieldElement::ZERO",
    "over_z": "NO_POINT_OVER_Z",
    "slope": "NO_SLOPE",
    "doubled": "NOT_DOUBLED",
    "coz_next": "NO_NEXT",
    "updated": "NO_UPDATED",
    "table": "NO_TABLE",
}
# Routines that are part of each loop that calls them.
_INLINED = {"double_chain": "#[inline(always)]"} | {
    f"{verb}_{label}": "#[inline]"
    for verb in ("negate", "read", "lift", "add")
    for label in ("entry", "fixed_entry")
}
# The Rust name `Scalar` denotes an integer modulo the order.
_WORDS = {"scalar": "Words"}
_TABLES = {"table": "Table", "multi_table": "MultiTable"}


_FILES = {
    "point_methods": "src/point.rs",
    "scalar_functions": "src/words.rs",
    "multiplications": "src/multiply.rs",
    "many_functions": "src/multi.rs",
    "coz_functions": "src/coz.rs",
    "encodings": "src/encoding.rs",
}
"""The files of functions, by the names that templates have for them."""


def routine_functions(
    plan: CurvePlan, module: Module, claims: Claims, opened: Collection[str] = ()
) -> dict[str, list[str]]:
    """Return functions for the templates by the names that these have for them; they are announced.

    Those of sums of many multiples are where memory is allocated. ``offered`` are names for other modules;
    a larger crate calls all functions of the files ``opened``.
    """
    groups, always = _groups(plan, module)
    scalars = {name: name.removeprefix("scalar_") for name in groups["scalar_functions"]}
    about_points = *groups["point_methods"], *groups["encodings"]
    methods = frozenset(name for name in about_points if _is_method(module.routines[name]))
    own = Bindings(functions=scalars, types=_WORDS, constants={"SCALAR_WORDS": "WORDS"})
    calls = curve_bindings(plan, {name: f"words::{text}" for name, text in scalars.items()}, methods)
    offered = {own for names in groups.values() for own in _called(module, names)}
    titles = "multiplications", "many_functions", "coz_functions", "encodings"
    inside = {name for title in titles for name in groups[title]}
    inside |= {
        function.name for function in exported(plan, "rust") if function.rust == "point"
    } - calls.functions.keys()
    public = {name for name in inside | methods if module.routines[name].exported}
    public |= offered.intersection(groups["scalar_functions"])
    printed = {}
    for title, names in groups.items():
        bindings = own if title == "scalar_functions" else calls
        text = RoutineText("rust", plan.prefix, _FILES[title], module, names, bindings)
        if names:
            require_apart(module, names, bindings)
            claims.announce(text)
        known = offered.union(names) if Path(_FILES[title]).stem in opened else offered
        printed[title] = _functions(text, public, always, known)
    points, encodings, known = printed["point_methods"], printed["encodings"], offered | public
    return {title: list(functions.values()) for title, functions in printed.items()} | {
        "offered": [calls.functions.get(name, name) for name in groups["multiplications"] if name in known],
        "point_methods": [indented(text) for name, text in points.items() if name in methods],
        "point_functions": [text for name, text in points.items() if name not in methods],
        "encoding_methods": [indented(text) for name, text in encodings.items() if name in methods],
        "encoding_functions": [text for name, text in encodings.items() if name not in methods],
    }


def protocol_functions(plan: CurvePlan, protocol: str, claims: Claims, file: str) -> list[str]:
    """Return the functions of a protocol that are routines, each after what it calls; they are announced.

    They are in a file of a name.
    """
    module = protocol_module(plan, protocol)
    # Methods are those of the curve's own file, in which more of its routines call them.
    about_points = curve_module(plan, "rust").reached(point_roots(plan)) | {*subgroup_roots()}
    methods = {name for name in about_points & module.routines.keys() if _is_method(module.routines[name])}
    known = curve_bindings(plan, {}, frozenset(methods | _ORDER.keys() - {"number_of_bytes"}))
    routines = protocol_routines(plan, protocol)
    names = with_kept(module, routines, {**known.functions, **_ORDER}.keys() | methods)
    own = {name: name.removeprefix(f"{protocol}_") for name in names}
    functions, types = {**known.functions, **_ORDER, **own}, {**known.types, "number": "Scalar"}
    bindings = replace(known, functions=functions, types=types)
    text = RoutineText("rust", plan.prefix, f"src/{file}.rs", module, names, bindings)
    require_apart(module, names, bindings)
    claims.announce(text)
    # The functions of a larger crate are called by its own modules.
    inner = file != protocol
    public = {name for name in names if module.routines[name].exported or (inner and name in routines)}
    return list(_functions(text, public, names, ()).values())


def _called(module: Module, names: Collection[str]) -> set[str]:
    """Return the names of routines that some call, other than these themselves."""
    return {own for name in names for own in tree.called(module.routines[name])} - {*names}


def _groups(plan: CurvePlan, module: Module) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Return the routines of each file, and the names of all that need no condition on allocation."""
    scalars = {name for name, routine in module.routines.items() if _is_of_numbers(routine)}
    points = module.reached(point_roots(plan)) | {*subgroup_roots()}
    rooms = with_rooms(module.routines)
    always = module.reached(
        name for name, routine in module.routines.items() if routine.exported and name not in rooms
    )
    coz = {"coz_swap", "coz_multiply"}
    encodings = module.reached(encoding_roots(plan)) - points
    rest = module.routines.keys() - scalars - points - coz - encodings
    many = rest - always
    groups = {
        "point_methods": points,
        "scalar_functions": scalars,
        "multiplications": rest - many,
        "many_functions": many,
        "coz_functions": coz,
        "encodings": encodings,
    }
    return {title: _in_order(module, names) for title, names in groups.items()}, always | many


def ladder_functions(
    plan: LadderPlan, claims: Claims, opened: Collection[str] = ()
) -> tuple[list[str], list[str]]:
    """Return the methods and the other functions of a Montgomery curve; they are announced.

    A larger crate calls all functions of the files ``opened``.
    """
    module = ladder_module(plan)
    own = tuple(name for name, routine in module.routines.items() if not routine.leaf)
    methods = frozenset(name for name in own if name != "from_affine" and _is_method(module.routines[name]))
    text = RoutineText("rust", plan.prefix, "src/ladder.rs", module, own, ladder_bindings(plan, methods))
    require_apart(module, own, text.bindings)
    claims.announce(text)
    public = {name for name in own if module.routines[name].exported}
    printed = _functions(text, public, own, own if "ladder" in opened else {"right_side"})
    inside = [indented(text) for name, text in printed.items() if name in methods]
    return inside, [text for name, text in printed.items() if name not in methods]


def ladder_bindings(plan: LadderPlan, methods: frozenset[str]) -> Bindings:
    """Return the names of a Montgomery curve's routines, some of which are methods of points."""
    types = ladder_types(plan)
    members: dict[str, str] = {}
    for kind in types.values():
        members |= member_names(kind)
    return Bindings(
        functions={
            **ELEMENTS,
            **_bytes("little"),
            "step_kernel": "step_kernel",
            "from_affine": "from_coordinates",
        },
        types={
            "point": "AffinePoint",
            "element": "FieldElement",
            **{name: type_name(plan.kernels.named(kind.name)) for name, kind in types.items()},
        },
        constants=_NAMED,
        methods=methods | ELEMENTS.keys() | {"fe_to_bytes"},
        in_place=frozenset(["step_kernel"]),
        members=members,
    )


def _bytes(order: str) -> dict[str, str]:
    """Return the names of functions between elements and bytes in an order."""
    return {
        "fe_to_bytes": f"to_bytes_{'be' if order == 'big' else 'le'}",
        "fe_from_bytes": "FieldElement::read",
    }


def _is_of_numbers(routine: Routine) -> bool:
    """Return whether a routine is about scalars alone."""
    kinds = *(p.type for p in routine.parameters), *(r.type for r in routine.results)
    return not routine.leaf and not any(map(_has_structures, kinds))


def _has_structures(kind: Type | None) -> bool:
    return isinstance(kind, Structure) or (isinstance(kind, Array) and _has_structures(kind.item))


def _is_method(routine: Routine) -> bool:
    """Return whether a routine is about a point."""
    return bool(routine.parameters) and routine.parameters[0].kind == TypeName("point")


def _in_order(module: Module, names: Collection[str]) -> tuple[str, ...]:
    """Return routines with a body, each after what it calls."""
    return tuple(name for name, routine in module.routines.items() if name in names and not routine.leaf)


def curve_bindings(plan: CurvePlan, scalars: Mapping[str, str], methods: frozenset[str]) -> Bindings:
    """Return the names of a curve's routines, ``scalars`` those of functions on scalars."""
    labels, roles = entry_labels(plan), plan.roles
    types = {"doubled": plan.kernel(roles.chain_double).inputs[0].type.name, **slope_types(plan)}
    types |= {name: kind.name for name, kind in (coz_types(plan) | chained_types(plan)).items()}
    types |= {label: kind.entry.type for label, kind in labels.items()}
    members = {variable: own for kind in plan.kernels.types for variable, own in member_names(kind).items()}
    kernels = _KERNELS | {name: name for name in table_kernels(plan)}
    kernels |= {f"add_{label}_kernel": f"add{kind.suffix}_kernel" for label, kind in labels.items()}
    kernels |= {f"{label}_kernel": f"affine{kind.suffix}_kernel" for label, kind in labels.items()}
    return Bindings(
        functions={
            **ELEMENTS,
            **({"fe_sqrt": "sqrt"} if plan.model == "binary" else {}),
            **_bytes(plan.encoding.byteorder),
            **kernels,
            **scalars,
            **{
                f"{verb}_{label}{end}": f"{verb}{'_entry' * (verb == 'digit')}{kind.suffix}{end}"
                for label, kind in labels.items()
                for verb, end in ENTRY_FUNCTIONS
            },
            **{f"chain_add_{label}": f"chain_add{kind.suffix}_kernel" for label, kind in labels.items()},
            "from_affine": "from_coordinates",
        },
        types={
            "point": "Point",
            "affine": "AffinePoint",
            "element": "FieldElement",
            **{name: type_name(PLAIN_NAMES.get(own, own)) for name, own in types.items()},
            **(_WORDS | _TABLES),
        },
        constants={
            **_NUMBERS,
            **_NAMED,
            "COMB_TABLE": "tables::COMB",
            "SECOND_TABLE": "tables::SECOND",
            "DOUBLE_TABLE": "tables::ODD",
            "HALF_TABLE": "tables::HALF",
        },
        methods=methods | ELEMENTS.keys() | {"fe_to_bytes"},
        in_place=frozenset(kernels),
        blanks={
            **_BLANKS,
            **{label: f"NO{kind.suffix.upper()}_ENTRY" for label, kind in labels.items()},
            **({} if makes_summands(plan) else {SUMMAND: _BLANKS["point"]}),
        },
        members=members,
    )


def _functions(
    text: RoutineText, public: Collection[str], always: Collection[str], offered: Collection[str]
) -> dict[str, str]:
    """Print functions by their names: public ones, and others that are ``offered`` to modules.

    Those that are not ``always`` there are where memory is allocated.
    """
    printer, found = Printer(text.module, text.bindings), {}
    for name in text.routines:
        routine, printed = text.module.routines[name], printer.function(name)
        method = name in text.bindings.methods
        visible = "pub " if name in public else "pub(crate) " if method or name in offered else ""
        doc = third_person(routine.doc)
        if method:
            doc = about_self(doc, routine.parameters[0].name)
        if printed.panics:
            doc += "\n\n# Panics\n\nIf slices are not of one length."
        lines = [
            comment(doc.split("\n"), "///", WIDTH - 4 * method),
            *([] if name in always else ['#[cfg(feature = "alloc")]']),
            *(["#[must_use]"] if printed.exported and routine.results else []),
            *([_INLINED[name]] if name in _INLINED else []),
            f"{signature(f'{visible}fn {printed.signature}', 4 * method)} {{",
            *(line for given in printed.body for line in broken(given, 4 * method)),
            "}",
        ]
        found[name] = "\n".join(lines)
    return found
