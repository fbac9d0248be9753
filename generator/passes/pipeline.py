"""The order of the passes: these lists alone determine the changes to a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.passes.characteristic_2 import gather_squares, simplify_modulo_2
from efdgen.generator.passes.common_subexpressions import share_common_subexpressions
from efdgen.generator.passes.constants import expand_constants
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.powers import expand_powers
from efdgen.generator.passes.simplify import simplify
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.formulas.formula import Formula, Model
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

PASSES_MODULO_2: tuple[Pass, ...] = (
    ("simplify", simplify_modulo_2),
    ("powers", expand_powers),
    ("common-subexpressions", share_common_subexpressions),
    ("modulo-2", simplify_modulo_2),
    ("dead-code", remove_dead_code),
    ("squares", gather_squares),
    ("final-common-subexpressions", share_common_subexpressions),
    ("final-dead-code", remove_dead_code),
)


def passes_of(model: Model) -> tuple[Pass, ...]:
    """Return the passes for programs of a model: over fields of odd characteristic, or over GF(2^m)."""
    return PASSES_MODULO_2 if model.binary else PASSES


def optimise(program: Program, passes: Sequence[Pass] = PASSES) -> Program:
    """Run every pass, in order."""
    for _, transform in passes:
        program = transform(program)
    return program


def emitted(formula: Formula) -> Program:
    """Return a formula's program as it is emitted for any curve."""
    return optimise(lower(formula), passes_of(formula.system.model))
