"""A whole curve as a Python module over kernels in C: the header, the cffi build file, and wrappers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.exports.prototype import prototype
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.exported import embedding_of, exported
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c import curve as c_curve
from efdgen.generator.render.c import ladder as c_ladder
from efdgen.generator.render.c.bundle import Options
from efdgen.generator.render.python.definitions import bounds, constant_point, identity_lines
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import WIDTH, assignment, comment
from efdgen.generator.render.python.polynomials import polynomial_numbers
from efdgen.generator.render.python.wrappers import is_called, is_wrapped, wrapper
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan

_SCRATCH = "size_t NAME_multi_multiply_scratch(size_t count)"
_BATCHES = (
    "void NAME_multiply_batch(POINT *r, const uint8_t *k, const POINT *p, size_t n)",
    "void NAME_multiply_generator_batch(POINT *r, const uint8_t *k, size_t n)",
    "void NAME_double_multiply_batch(POINT *r, const uint8_t *a, const uint8_t *b, const POINT *q, size_t n)",
)
"""Functions on many points at once."""


def render_compiled(
    plan: CurvePlan | LadderPlan, options: Options, *, package: bool = False, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the texts of ``PREFIX.py``, ``PREFIX_build.py`` and the headers.

    The module of a ``package`` takes its extension from there, any other one from the path. With ``lanes`` it
    has functions on many points.
    """
    prefix = plan.prefix
    bundle = Bundle(prefix, plan.curve.field, (plan.kernels,), plan.command)
    values = {
        "header": comment(header_lines(bundle)[:4]),
        "prefix": prefix,
        "curve": plan.curve.name,
        "numbers": _numbers(plan),
        **bounds(plan.curve.field),
        "machine": MACHINES[lanes] if lanes else None,
        "extension": f'f"{{__package__}}._{prefix}"' if package else f'"_{prefix}"',
    }
    if isinstance(plan, CurvePlan):
        files = c_curve.render_curve(plan, options, lanes=lanes)
        values |= _points(plan, _BATCHES if lanes else ())
        template = "compiled/curve.py.j2"
    else:
        files = c_ladder.render_ladder(plan, options)
        values |= _ladder(plan)
        template = "compiled/ladder.py.j2"
    load = environment("python").get_template
    return {
        **{name: text for name, text in files.items() if name.endswith(".h")},
        f"{prefix}.py": with_exports(load(template).render(values)),
        f"{prefix}_build.py": load("compiled/build.py.j2").render(values),
    }


def _numbers(plan: CurvePlan | LadderPlan) -> list[str]:
    field = plan.curve.field
    lines = polynomial_numbers(field) if field.is_binary else assignment("P", field.prime)
    lines += assignment("ORDER", plan.order)
    lines += [f"COFACTOR = {plan.cofactor}", "_MODULUS = COFACTOR * ORDER"]
    lines += [f"FIELD_BYTES = {field.bytes}", f"SCALAR_BYTES = {plan.reduction.bytes}"]
    if isinstance(plan, CurvePlan):
        lines += [f"ENCODED_BYTES = {plan.encoding.point}", f"WIRE_BYTES = {plan.encoding.wire}"]
        found = embedding_of(plan)
        lines += [f"MESSAGE_BYTES = {found.bytes}"] if found else []
    return lines


def _points(plan: CurvePlan, batches: tuple[str, ...]) -> dict[str, Any]:
    members = next(t.members for t in plan.kernels.types if t.name == "point")
    infinite = plan.representation.infinite
    functions = exported(plan, "python")
    declared = (prototype(function, infinite) for function in functions if is_called(function))
    structures = {"point": members, "affine_point": ("X", "Y")}
    types = [_structure(f"{plan.prefix}_{name}", own) for name, own in structures.items()]
    return {
        "points": True,
        "affine_doc": "A point by its affine coordinates.",
        "affine_x": "X",
        "affine_y": "Y",
        "byteorder": plan.encoding.byteorder,
        "system": plan.representation.system,
        "members": members,
        "own_members": "".join(f"self.{member}, " for member in members).strip().removesuffix(","),
        "infinite": infinite,
        "embedding": embedding_of(plan),
        "cosets": cosets(plan.curve),
        "functions": [wrapper(function, infinite) for function in functions if is_wrapped(function)],
        "lift": next(function for function in functions if function.name.startswith("lift_")),
        "constants": identity_lines(plan, members)
        + constant_point("GENERATOR", members, plan.representation.generator)
        + constant_point("SECOND", members, plan.second or ()),
        "declarations": _declarations(plan.prefix, types, [*declared, _SCRATCH, *batches]),
    }


def _ladder(plan: LadderPlan) -> dict[str, Any]:
    assert plan.curve.generator is not None
    called = filter(is_called, exported(plan, "python"))
    declared = [prototype(function, True, "AFFINE") for function in called]
    types = [_structure(f"{plan.prefix}_affine_point", ("x", "y"))]
    return {
        "points": False,
        "affine_doc": "A point of the curve, not the identity, which is None where it may occur.",
        "affine_x": "x",
        "affine_y": "y",
        "byteorder": "little",
        "generator": ", ".join(f"0x{plan.curve.generator[name]:X}" for name in "xy"),
        "declarations": _declarations(plan.prefix, types, declared),
    }


def _structure(name: str, members: tuple[str, ...]) -> str:
    fields = " ".join(f"FE {member};" for member in members)
    return f"typedef struct {{ {fields} ...; }} {name};"


def _declarations(prefix: str, types: list[str], functions: list[str]) -> list[str]:
    """Return the declarations for cffi: structures of a size that the compiler knows, and functions."""
    lines = [
        "typedef struct { ...; } FE;",
        *types,
        "int FE_from_bytes_be(FE *r, const uint8_t *bytes);",
        "void FE_to_bytes_be(uint8_t *bytes, const FE *a);",
        *(f"{function};" for function in functions),
    ]
    names = {"NAME_": f"{prefix}_", "POINT": f"{prefix}_point", "AFFINE": f"{prefix}_affine_point"}
    for name, spelled in {**names, "FE_": f"{prefix}_fe_", "FE": f"{prefix}_fe"}.items():
        lines = [line.replace(name, spelled) for line in lines]
    return [part for line in lines for part in wrap(line, WIDTH, subsequent_indent="    ")]
