"""A whole curve as a Python module over kernels in C: the header, the cffi build file, and wrappers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c import curve as c_curve
from efdgen.generator.render.c import ladder as c_ladder
from efdgen.generator.render.c.bundle import Options
from efdgen.generator.render.multiplication import embedding_of
from efdgen.generator.render.python.curve import constant_point
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import WIDTH, assignment, comment
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan

_BINARY = {"add": "Return p + q.", "subtract": "Return p - q."}
_UNARY = {
    "double": "Return 2·p.",
    "negate": "Return -p.",
    "clear_cofactor": "Return COFACTOR·p, which is in the subgroup.",
}
_TESTS = {
    "is_identity": "Return whether a point is the identity.",
    "is_on_curve": "Whether coordinates represent a point of the curve.",
    "is_in_subgroup": "Whether a point of the curve has an order that divides ORDER.",
}
_MULTIPLICATIONS = {
    "multiply": "Return k·p, by fixed windows.",
    "multiply_var": "Return k·p, by non-adjacent forms.",
}
_COZ = {"coz_multiply": "Return k·p, by Montgomery's ladder on points of one Z."}


def render_compiled(
    plan: CurvePlan | LadderPlan, options: Options, *, package: bool = False
) -> dict[str, str]:
    """Return the texts of ``PREFIX.py``, ``PREFIX_build.py`` and the headers.

    The module of a ``package`` takes its extension from there, any other one from the path.
    """
    prefix = plan.prefix
    bundle = Bundle(prefix, plan.curve.prime, (plan.kernels,), plan.command)
    values = {
        "header": comment(header_lines(bundle)[:4]),
        "prefix": prefix,
        "curve": plan.curve.name,
        "numbers": _numbers(plan),
        "extension": f'f"{{__package__}}._{prefix}"' if package else f'"_{prefix}"',
    }
    if isinstance(plan, CurvePlan):
        files = c_curve.render_curve(plan, options)
        values |= _points(plan)
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
    lines = [*assignment("P", plan.curve.prime), *assignment("ORDER", plan.order)]
    lines += [f"COFACTOR = {plan.cofactor}", "_MODULUS = COFACTOR * ORDER"]
    field = plan.encoding.field if isinstance(plan, CurvePlan) else plan.field_bytes
    lines += [f"FIELD_BYTES = {field}", f"SCALAR_BYTES = {plan.reduction.bytes}"]
    if isinstance(plan, CurvePlan):
        lines += [f"ENCODED_BYTES = {plan.encoding.point}", f"WIRE_BYTES = {plan.encoding.wire}"]
        found = embedding_of(plan)
        lines += [f"MESSAGE_BYTES = {found.bytes}"] if found else []
    return lines


def _points(plan: CurvePlan) -> dict[str, Any]:
    members = next(t.members for t in plan.kernels.types if t.name == "point")
    short, infinite = plan.model == "shortw", plan.representation.infinite
    multiplications = _MULTIPLICATIONS | (_COZ if plan.coz else {})
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
        "shortw": short,
        "second": plan.second is not None,
        "half": plan.half is not None,
        "embedding": embedding_of(plan),
        "given": "x" if short else "y",
        "other": "y" if short else "x",
        "identity": ", ".join(map(str, plan.representation.identity)),
        "constants": constant_point("GENERATOR", members, plan.representation.generator)
        + constant_point("SECOND", members, plan.second or ()),
        "binary": _BINARY.items(),
        "unary": _UNARY.items(),
        "tests": _TESTS.items(),
        "multiplications": multiplications.items(),
        "declarations": _point_declarations(plan, members, [*multiplications]),
    }


def _point_declarations(plan: CurvePlan, members: tuple[str, ...], multiplications: list[str]) -> list[str]:
    prefix, short = plan.prefix, plan.model == "shortw"
    result = "int" if plan.representation.infinite else "void"
    point, affine, k = f"{prefix}_point", f"{prefix}_affine_point", "const uint8_t *k"
    functions = [
        *(f"void NAME_{name}(POINT *r, const POINT *p, const POINT *q)" for name in _BINARY),
        *(f"void NAME_{name}(POINT *r, const POINT *p)" for name in _UNARY),
        *(f"int NAME_{name}(const POINT *p)" for name in _TESTS),
        "int NAME_equal(const POINT *p, const POINT *q)",
        "int NAME_validate(POINT *r, const POINT *p)",
        "int NAME_from_affine(POINT *r, const AFFINE *p)",
        f"{result} NAME_to_affine_batch(AFFINE *r, const POINT *p, size_t n)",
        f"int NAME_lift_{'x' if short else 'y'}(POINT *r, const FE *x, int odd)",
        *(f"void NAME_{name}(POINT *r, {k}, const POINT *p)" for name in multiplications),
        f"void NAME_multiply_generator(POINT *r, {k})",
        f"void NAME_double_multiply_var(POINT *r, {k}, const uint8_t *m, const POINT *p)",
        "size_t NAME_multi_multiply_scratch(size_t count)",
        f"void NAME_multi_multiply_var(POINT *r, {k}, const POINT *p, size_t count, void *scratch)",
        f"{result} NAME_encode(uint8_t *out, const POINT *p)",
        f"{result} NAME_encode_batch(uint8_t *out, AFFINE *scratch, const POINT *p, size_t n)",
        "int NAME_decode(POINT *r, const uint8_t *bytes, size_t length)",
        "void NAME_encode_wire(uint8_t *out, const POINT *p)",
        "int NAME_decode_wire(POINT *r, const uint8_t *bytes, size_t length)",
    ]
    if short:
        functions.append("int NAME_encode_uncompressed(uint8_t *out, const POINT *p)")
    if embedding_of(plan):
        functions.append("int NAME_embed_var(POINT *r, const uint8_t *message)")
        functions.append("void NAME_extract(uint8_t *message, const POINT *p)")
    if plan.half:
        points = "const POINT *q, const POINT *p"
        functions.append(f"int NAME_double_multiply_equals_var({k}, const uint8_t *m, {points})")
    if plan.second:
        functions.append(f"void NAME_double_multiply_generators(POINT *r, {k}, const uint8_t *m)")
    types = [_structure(point, members), _structure(affine, ("X", "Y"))]
    return _declarations(prefix, types, functions)


def _ladder(plan: LadderPlan) -> dict[str, Any]:
    assert plan.curve.generator is not None
    k = "const uint8_t *k"
    functions = [
        f"void NAME_x_multiply(FE *r, {k}, const FE *x)",
        f"int NAME_ladder_multiply(AFFINE *r, {k}, const AFFINE *p)",
        "int NAME_is_on_curve(const AFFINE *p)",
        "int NAME_lift_x(AFFINE *r, const FE *x, int odd)",
        "int NAME_decode(FE *x, const uint8_t *bytes, size_t length)",
    ]
    return {
        "points": False,
        "affine_doc": "A point of the curve, not the identity, which is None where it may occur.",
        "affine_x": "x",
        "affine_y": "y",
        "byteorder": "little",
        "generator": ", ".join(f"0x{plan.curve.generator[name]:X}" for name in "xy"),
        "declarations": _declarations(
            plan.prefix, [_structure(f"{plan.prefix}_affine_point", ("x", "y"))], functions
        ),
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
