"""Point formulas fused into one limb function each: lazy sums, and one reduction per sum of products.

A kernel's steps call one function of the field for each step. Over full words the same program is lowered
whole, which takes about half the time; where words are small the calls remain, because the code is long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.kernel import Coordinate, CurveConstant
from efdgen.generator.programs.program import Inv, Program

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.fields.field import Field
    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.programs.kernel import CurveKernels, Kernel, Place
    from efdgen.generator.tuning.tuning import Tuning

WORD: Literal[64] = 64
"""Bits of the words over which formulas are lowered whole."""


@dataclass(frozen=True)
class WholeFormula:
    """A kernel as one limb function, and the places that its numbers are, outputs first, as it takes them.

    ``program`` is what it was lowered from, before an order was chosen.
    """

    operation: FieldOperation
    program: Program
    places: tuple[Place, ...]


def whole_formulas(
    group: CurveKernels, field: Field, among: Collection[str] | None = None
) -> dict[str, WholeFormula]:
    """Lower every kernel of a group that can be one limb function, or those of some names; by name."""
    representation = next(found for found in field.representations if found.word == WORD)
    names = {kernel.name: f"{group.namespace}_{kernel.name}".strip("_") for kernel in group.kernels}
    return {
        kernel.name: _whole_formula(kernel, f"whole_{names[kernel.name]}", representation.plan, field.tuning)
        for kernel in group.kernels
        if is_whole(kernel) and (among is None or kernel.name in among)
    }


def is_whole(kernel: Kernel) -> bool:
    """Return whether a kernel can be fused: it neither divides, tests, repeats nor only copies."""
    divides = any(isinstance(i.operation, Inv) for i in kernel.program.instructions)
    copies = all(step.operation in ("copy", "neg") for step in kernel.steps)
    return not (divides or copies or kernel.tests or kernel.batch)


def _whole_formula(kernel: Kernel, name: str, plan: AnyPlan, tuning: Tuning) -> WholeFormula:
    """Lower a kernel, for which :func:`is_whole` holds, in the order that a tuning has for it.

    Raises :class:`EfdgenError` where a sum is too long for the representation.
    """
    inputs, outputs = (
        {name: Coordinate(a.name, member) for a in arguments for member, name in a.members.items()}
        for arguments in (kernel.inputs, kernel.outputs)
    )
    stored = tuple((name, value) for name, value in kernel.program.outputs if name in outputs)
    program = remove_dead_code(Program(kernel.program.instructions, stored))
    operation = whole_operation(name, kernel.formula.id, program, tuning.in_order(program, plan), plan)
    limbs = operation.program
    taken = (limbs.numbers[index].name for index in limbs.inputs)
    places: list[Place] = [outputs[name] for name, _ in limbs.outputs]
    places += [inputs.get(name) or CurveConstant(name) for name in taken]
    return WholeFormula(operation, program, tuple(places))


def whole_operation(
    name: str, formula: str, program: Program, ordered: Program, plan: AnyPlan
) -> FieldOperation:
    """Lower a program of a formula, in an order that was chosen for it, to one operation on words."""
    contract = field_contract(program, plan)
    return FieldOperation(name, f"{formula}, fused", lower_to_limbs(ordered, plan), contract)
