"""Functions on lanes: the operations of a field, and the formulas of a curve, each one limb program."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.operations import FieldOperation
from efdgen.generator.fields.printed import LaneFunction, PointArgument
from efdgen.generator.kernels.ranking import divides
from efdgen.generator.lanes.order import ZEN_4, estimate, needed, ordered
from efdgen.generator.lanes.words import conversions, lanes_of
from efdgen.generator.limbs.contract import field_contract
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.simplify import simplify
from efdgen.generator.passes.substitution import substitute_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.lanes.order import Core
    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.programs.kernel import CurveKernels, Kernel
    from efdgen.generator.programs.program import Program

_OPERATIONS = ("add", "sub", "neg", "mul", "sqr")
ELEMENT, WORDS = "fe", "words"
"""The types of an element of the field, and of a number in full words."""


def field_functions(plan: FieldPlan, core: Core = ZEN_4) -> Iterator[LaneFunction]:
    """Yield conversions from and to words, and sums, differences, products and squares of elements."""
    types = {"from_words": (ELEMENT, WORDS), "to_words": (WORDS, ELEMENT)}
    for operation in conversions(plan):
        (made,), (given,) = operation.program.outputs, operation.program.inputs
        output, taken = types[operation.name]
        yield LaneFunction(
            operation.name,
            operation,
            (_alone(made[0], output),),
            (_alone(operation.program.numbers[given].name, taken),),
            ordered(operation.program, core),
        )
    programs = field_operations()
    for name in _OPERATIONS:
        outputs = tuple(_alone(output, ELEMENT) for output, _ in programs[name].outputs)
        inputs = tuple(_alone(each, ELEMENT) for each in programs[name].inputs)
        yield _function(f"fe_{name}", programs[name], plan, core, outputs, inputs)


def kernel_functions(group: CurveKernels, plan: FieldPlan, core: Core = ZEN_4) -> Iterator[LaneFunction]:
    """Yield the formulas of a group; raise :class:`EfdgenError` for one that has no straight line."""
    for kernel in group.kernels:
        if not is_straight(kernel):
            raise EfdgenError(f"{kernel.formula.id}: lanes have no divisions and no tests; leave it out")
        outputs, inputs = (
            tuple(PointArgument(a.name, a.type.name, a.members) for a in arguments)
            for arguments in (kernel.outputs, kernel.inputs)
        )
        program = with_numbers(kernel.program, group.constants, plan)
        # The proof is about the kernel's own program, whatever became of it here.
        meaning = substitute_numbers(kernel.program, _fractions(group.constants))
        yield _function(kernel.function, program, plan, core, outputs, inputs, meaning)


def _function(
    name: str,
    program: Program,
    plan: FieldPlan,
    core: Core,
    outputs: tuple[PointArgument, ...],
    inputs: tuple[PointArgument, ...],
    meaning: Program | None = None,
) -> LaneFunction:
    """Lower a program to a function that has to compute ``meaning``, or else the program."""
    limbs = lowered(program, plan)
    operation = FieldOperation(name, name, limbs, field_contract(meaning or program, plan))
    return LaneFunction(name, operation, outputs, inputs, ordered(limbs, core))


def _alone(name: str, kind: str) -> PointArgument:
    return PointArgument(name, kind, {"": name})


def is_straight(kernel: Kernel) -> bool:
    """Return whether a formula neither divides, nor tests, nor is for many points."""
    return not (divides(kernel.program) or kernel.tests or kernel.batch)


def with_numbers(program: Program, constants: Mapping[str, int], plan: FieldPlan) -> Program:
    """Return a program with numbers in the place of constants."""
    numbers = {name: _least(constants[name], plan.prime) for name in program.parameters}
    return remove_dead_code(simplify(substitute_numbers(program, numbers)))


def _fractions(constants: Mapping[str, int]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in constants.items()}


def _least(value: int, prime: int) -> Fraction:
    """Return an element as the number nearest to 0; one half as such, for it is a shift."""
    if 2 * value % prime == 1:
        return Fraction(1, 2)
    return Fraction(value if 2 * value < prime else value - prime)


def lowered(program: Program, plan: FieldPlan) -> LimbProgram:
    """Lower a program, in the way that takes the fewest cycles at least."""
    ways = [
        lower_to_limbs(program, plan, stay_wide=stays, builder=lanes_of(plan).begin())
        for stays in (False, True)
    ]
    return min(ways, key=lambda way: estimate(needed(way)))
