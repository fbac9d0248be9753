"""A Montgomery curve as a Python module: its plan's ladder step, in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.definitions import integers, parameter
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import (
    WIDTH,
    assignment,
    body_lines,
    constants,
    function,
    module_header,
    point_class,
)
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrapped

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan


def render_ladder(plan: LadderPlan) -> dict[str, str]:
    """Return the text of ``PREFIX.py``."""
    group = plan.kernels
    step = plan.kernel(plan.step)
    # P2 becomes 2·P2 and P3 becomes P2 + P3, which the ladder calls P4 and P5.
    numbers = {"p1": 1, "p2": 2, "p3": 3, "p4": 2, "p5": 3}
    text = (
        environment("python")
        .get_template("montgomery.py.j2")
        .render(
            **module_header(Bundle(plan.prefix, plan.curve.field, (group,), plan.command)),
            doc=_docstring(plan),
            numbers=_numbers(plan),
            types=[point_class(group, point_type) for point_type in group.types],
            functions=[function(group, kernel) for kernel in group.kernels],
            generator=_generator(plan),
            ladder_loop=body_lines(
                group,
                step,
                lambda point, member: f"{member.lower()}{numbers[point]}",
                ("k", "x1", "bits", "i", "bit"),
            ),
            bits=plan.bits,
            root=plan.square_root,
        )
    )
    return {f"{plan.prefix}.py": with_exports(text)}


def _numbers(plan: LadderPlan) -> list[str]:
    lines = integers({"P": plan.curve.prime})
    lines += [
        *assignment("ORDER", plan.order),
        f"COFACTOR = {plan.cofactor}",
        "GROUP_ORDER = COFACTOR * ORDER",
    ]
    lines += [line for name, value in plan.curve.parameters.items() for line in parameter(name, value, plan)]
    lines += assignment("ROOT_EXPONENT", plan.square_root.exponent)
    if plan.square_root.method == "tonelli":
        lines += integers({"ROOT_GENERATOR": plan.square_root.generator})
    lines += [f"FIELD_BYTES = {plan.field_bytes}", f"SCALAR_BYTES = {plan.reduction.bytes}"]
    return [*lines, *constants(plan.kernels)]


def _generator(plan: LadderPlan) -> list[str]:
    assert plan.curve.generator is not None
    values = {f"GENERATOR_{name.upper()}": plan.curve.generator[name] for name in "xy"}
    lines = [line for name, value in values.items() for line in assignment(name, value)]
    return [*lines, f"GENERATOR = AffinePoint({', '.join(values)})"]


def _docstring(plan: LadderPlan) -> list[str]:
    paragraphs = [
        f'"""{plan.curve.name}: multiplication by scalars on x-coordinates, and encodings.',
        "",
        "Scalars are integers, not negative, of any size; coordinates are integers in [0, P). Every function "
        f"is right for every input, but for {plan.kernels.named(plan.step)}, which is the formula.",
        "",
        "With gmpy2 installed its integers are computed with, which is about twice as fast.",
        "",
        "NOT CONSTANT TIME: the time that Python takes for an integer depends on its value. This is for "
        "tests, for models of other code and for public values, never for secrets. "
        "Needs Python 3.10 or later.",
        '"""',
    ]
    return [line for text in paragraphs for line in wrapped(text, WIDTH)]
