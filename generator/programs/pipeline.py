"""The order of the passes: this list alone determines the changes to a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.common_subexpressions import share_common_subexpressions
from efdgen.generator.passes.constants import expand_constants
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.powers import expand_powers
from efdgen.generator.passes.simplify import simplify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.programs.program import Program

    Pass = tuple[str, Callable[[Program], Program]]

PASSES: tuple[Pass, ...] = (
    ("simplify", simplify),
    ("powers", expand_powers),
    ("common-subexpressions", share_common_subexpressions),
    ("dead-code", remove_dead_code),
    ("constants", expand_constants),
    ("final-common-subexpressions", share_common_subexpressions),
    ("final-dead-code", remove_dead_code),
)


# Without the expansion of constants, for a field that multiplies by small integers itself.
PASSES_WITH_INTEGERS = tuple(named for named in PASSES if named[0] != "constants")


def optimise(program: Program, passes: Sequence[Pass] = PASSES) -> Program:
    """Run every pass, in order."""
    for _, transform in passes:
        program = transform(program)
    return program
