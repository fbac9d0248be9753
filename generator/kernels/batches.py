"""Formulas on many points: a routine with one inversion, over a kernel of one point and its inverse."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import BatchText
from efdgen.generator.programs.kernel import Argument, Coordinate
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.routines.staging import Decision

ROUTINE, PART = "formula_batch", "part_kernel"
"""The routine, and what it calls for one point: an output holds the inverse that it reads."""


def with_parts(group: CurveKernels) -> CurveKernels:
    """Return a group with the kernel of one point before each of many."""
    kernels = [found for kernel in group.kernels for found in (*_parts(kernel), kernel)]
    return replace(group, kernels=tuple(kernels))


def part_name(kernel: Kernel) -> str:
    """Return the name of the kernel of one point."""
    return f"{kernel.name}_part"


def _parts(kernel: Kernel) -> tuple[Kernel, ...]:
    if kernel.batch is None:
        return ()
    (output,), ((inverse, inverted),) = kernel.outputs, kernel.inverses.items()
    member = kernel.batch.scratch.member
    names = (inverse if m == member else f"held_{m}" for m in output.type.members)
    held = Argument("held", 0, output.type, tuple(names))
    part = replace(
        kernel,
        name=part_name(kernel),
        summary=f"{kernel.summary.partition(',')[0]} (one of many points, given its inverse).",
        cost=_of_one(kernel.cost),
        cost_emitted=_of_one(kernel.cost_emitted),
        requires=(f"{inverse} = 1/{inverted} as {member} of held",),
        inputs=(*kernel.inputs, held),
        batch=None,
    )
    return (part.moved({kernel.batch.inverse: Coordinate(held.name, member)}),)


def _of_one(cost: Cost) -> Cost:
    """Return the cost of a point without the multiplications that make its inverse."""
    return replace(cost, length="", multiplications=cost.multiplications - 3)


def batch_text(language: Language, prefix: str, path: str, kernel: Kernel, bindings: Bindings) -> BatchText:
    """Return the routine of a formula on many points, as it is in a file."""
    assert kernel.batch is not None
    (point,), (output,) = kernel.inputs, kernel.outputs
    inverted, held = kernel.batch.inverted.member, kernel.batch.scratch.member
    staged: dict[str, Decision] = {
        "input.members": point.type.members,
        "output.members": output.type.members,
        "batch.inverted": inverted,
        "batch.held": held,
    }
    own = module(library("elements").beside(library(ROUTINE)), staged, {}, (ROUTINE,))
    return BatchText(language, prefix, path, own, (ROUTINE,), bindings, inverted, held)
