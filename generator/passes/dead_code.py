"""Remove instructions that no output depends on.

Before::                after::

    A = X1^2                A = X1^2
    B = A*Y1                output X3 = A
    output X3 = A
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import operands, with_operands

if TYPE_CHECKING:
    from efdgen.generator.programs.program import Program


def remove_dead_code(program: Program) -> Program:
    """Return the program without what is never used, inputs and parameters included."""
    live = {value for _, value in program.outputs}
    for number in range(len(program.instructions) - 1, -1, -1):
        if number in live:
            live.update(operands(program.instructions[number].operation))
    builder = ProgramBuilder()
    moved: dict[int, int] = {}
    for number in sorted(live):
        instruction = program.instructions[number]
        values = tuple(moved[operand] for operand in operands(instruction.operation))
        moved[number] = builder.emit(with_operands(instruction.operation, values), instruction.label)
    return builder.build((name, moved[value]) for name, value in program.outputs)
