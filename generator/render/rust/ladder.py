"""A Montgomery curve in Rust: a crate of its plan's ladder step, in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust.crate import (
    Root,
    WholeCrate,
    asked_name,
    documented,
    known_points,
    paragraph,
    point_constants,
    whole_crate,
)
from efdgen.generator.render.rust.driver import driver_values, public_functions
from efdgen.generator.render.rust.field import Constant
from efdgen.generator.render.rust.function_files import FunctionFile
from efdgen.generator.render.rust.kernels import Member, Structure
from efdgen.generator.render.rust.ladder_lanes import ladder_lane_files
from efdgen.generator.render.rust.protocols import Protocols, protocol_modules
from efdgen.generator.render.rust.routines import ladder_functions
from efdgen.generator.render.rust.scalars import cofactor_constant, random_values, scalar_constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.render.rust.bundle import Options

_MEMBERS = ("x", "y")


def render_ladder(
    plan: LadderPlan,
    options: Options,
    *,
    protocols: bool = False,
    root: Root | None = None,
    lanes: Machine | None = None,
) -> dict[str, str]:
    """Return the files of a crate, among them ``examples/driver.rs``, which answers requests.

    With ``root``, they are those of a module of a larger crate, without a driver and random scalars. With
    ``lanes`` there is a function for many x-coordinates.

    Raises what :func:`whole_crate` raises, and :class:`EfdgenError` for a field that lanes do not have.
    """
    curve, root = plan.curve, root or Root()
    aside = ("generate", "prime_fields", "random") if root.is_crate else ()
    exports = public_functions(plan) | {"generate": ["Secret", "generate_key"], "prime_fields": ["Encoded"]}
    assert curve.generator is not None
    points = {"GENERATOR": tuple(curve.generator[name] for name in _MEMBERS)}
    numbers = {
        "CURVE_A": (curve.parameters["a"], "The parameter `a` of the curve."),
        "CURVE_B": (curve.parameters["b"], "The parameter `b` of the curve."),
        "TWICE_A": (2 * curve.parameters["a"] % curve.prime, "2a."),
    }
    if curve.parameters["b"] != 1:
        numbers["TWICE_B"] = (2 * curve.parameters["b"] % curve.prime, "2b.")
    constants = [Constant(name, doc, value) for name, (value, doc) in numbers.items()]
    doc = f"/// A point of `{curve.name}` by its affine coordinates, not the identity."
    crate = WholeCrate(
        bundle=Bundle(plan.prefix, curve.field, (plan.kernels,), plan.command, plan.claims),
        wanted=(*BASIC, "cswap", "inv_var", "pow_public", *["sqrt"] * root.is_crate, "sqrt_ratio"),
        constants=[*constants, *point_constants(_MEMBERS, points)],
        values=_values(plan, points),
        functions={"ladder": _file(plan, options.claims, root)},
        parts=sorted(["operators", *(["serialize", *aside] if aside else [])]),
        exports={name: exports[name] for name in ("ladder", *aside)},
        offered=_offered(numbers),
        aliases={"step_kernel": f"crate::{plan.kernels.named(plan.step)}"},
        types=[Structure("AffinePoint", doc, [Member(name, name) for name in _MEMBERS])],
        inlined=[plan.step],
        lanes=lanes,
        protocols=protocol_modules(plan) if protocols else Protocols(),
    )
    files = whole_crate(crate, options, root)
    if not lanes:
        return files
    values = {**crate.values, "root": root}
    return files | root.placed(ladder_lane_files(plan, options.claims, values, lanes))


def _offered(constants: Iterable[str]) -> dict[str, Sequence[str]]:
    """Return the names that the crate's modules offer to each other, given those of its constants."""
    return {
        "crate": [
            *("AffinePoint", "FieldElement", "XzNormalizedPoint", "XzPoint", "GENERATOR", "ORDER"),
            *("ENCODED_BYTES", "FIELD_BYTES", "SCALAR_BYTES", "lanes", *constants),
        ],
        "crate::ladder": ["encode", "x_multiply"],
        "crate::prime_fields": ["Encoded"],
        "crate::random": ["random_scalar"],
    }


def _file(plan: LadderPlan, claims: Claims, root: Root) -> FunctionFile:
    title = "Multiplication by scalars, on Montgomery's ladder, and points."
    methods, functions = ladder_functions(plan, claims, root.opened)
    return FunctionFile(title, functions, methods, "AffinePoint", by_coordinates=True)


def _values(plan: LadderPlan, points: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Return all names of the templates."""
    size = plan.reduction.bytes
    about = (
        "Scalars are bytes, the least significant first, of any value. Functions are right for every input, "
        f"but for those whose names begin with `{plan.kernels.namespace}_`: these are the formulas, write "
        "their results to their first arguments, and say what they are right for."
    )
    example = [
        f"use {plan.prefix}::{{decode, encode, x_multiply, GENERATOR, SCALAR_BYTES}};",
        "",
        "let secret = [7; SCALAR_BYTES];",
        "let public = decode(&encode(&x_multiply(&secret, &GENERATOR.x))).unwrap();",
        "let other = [9; SCALAR_BYTES];",
        "let common = x_multiply(&secret, &x_multiply(&other, &GENERATOR.x));",
        "assert_eq!(x_multiply(&other, &public), common);",
    ]
    return {
        "curve": asked_name(plan),
        "contents": "multiplication by scalars, and encodings",
        "example": documented(example),
        "about": paragraph(about, "//!"),
        **driver_values(plan),
        "points": False,
        "affine_alias": False,
        "big": False,
        "scalar_bytes": size,
        "cofactor": plan.cofactor,
        "cofactor_constant": cofactor_constant(plan.cofactor),
        "order": scalar_constant("pub const ORDER", plan.order.to_bytes(size, "little")),
        "known_points": list(known_points("AffinePoint", _MEMBERS, points)),
        **random_values(plan.order, size, plan.curve.bits),
    }
