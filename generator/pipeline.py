"""The order of the passes: this list, and nothing else, says what happens to a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.common_subexpressions import share_common_subexpressions
from efdgen.generator.passes.constants import expand_constants
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.powers import expand_powers
from efdgen.generator.passes.simplify import simplify

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.program import Program

PASSES: tuple[tuple[str, Callable[[Program], Program]], ...] = (
    ("simplify", simplify),
    ("powers", expand_powers),
    ("common-subexpressions", share_common_subexpressions),
    ("dead-code", remove_dead_code),
    ("constants", expand_constants),
    ("final-common-subexpressions", share_common_subexpressions),
    ("final-dead-code", remove_dead_code),
)


def optimise(program: Program) -> Program:
    """Run every pass, in order."""
    for _, transform in PASSES:
        program = transform(program)
    return program
