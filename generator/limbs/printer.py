"""Limb programs as text, for readers and for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efdgen.generator.limbs.operation import Operation
    from efdgen.generator.limbs.program import LimbProgram


def limb_program_text(program: LimbProgram) -> str:
    """Write a limb program, one instruction a line, each block under what it makes."""
    starts = {block.start: block for block in program.blocks if block.start != block.stop}
    lines = []
    for at, instruction in enumerate(program.instructions):
        if at in starts:
            number = program.numbers[starts[at].result]
            lines += ["", f"; {starts[at].text}, below 2^{number.maximum.bit_length()}"]
        results = ", ".join(f"v{value}" for value in instruction.results)
        lines.append(f"{results} = {operation_text(instruction.operation)}")
    for name, index in program.outputs:
        lines.append(f"output {name} = {' '.join(f'v{value}' for value in program.numbers[index].words)}")
    return "".join(f"{line}\n" for line in lines)


def operation_text(operation: Operation) -> str:
    """Write an operation: ``v3 + v4 + carry v2``."""
    return operation.listed(lambda value: f"v{value}")
