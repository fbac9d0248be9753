"""The parts of a tuning that concern the compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.whole import WORD, whole_formulas
from efdgen.generator.tuning.order import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.field import Field
    from efdgen.generator.programs.kernel import CurveKernels
    from efdgen.generator.tuning.tuning import Tuning


def programs_of(group: CurveKernels, field: Field) -> dict[str, str]:
    """Return the fingerprint of each kernel that is lowered whole, by the formula's id."""
    plan = next(found.plan for found in field.representations if found.word == WORD)
    ids = {kernel.name: kernel.formula.id for kernel in group.kernels}
    return {
        ids[name]: fingerprint(whole.program, plan) for name, whole in whole_formulas(group, field).items()
    }


def require_use(tuning: Tuning, prime: int, curve: str, programs: Mapping[str, str]) -> list[str]:
    """Return what is out of date in a tuning: a line for each order of a formula that has changed since.

    ``programs`` are the fingerprints of what is compiled, by the ids of formulas. Raises
    :class:`EfdgenError` where the tuning decides nothing of it.
    """
    orders = [choice for choice in tuning.orders if choice.formula in programs and choice.curve == curve]
    stale = [choice for choice in orders if choice.program not in programs.values()]
    used = any(choice.program in programs.values() for choice in tuning.orders)
    about = any(choice.prime == prime for choice in tuning.fields)
    if not (used or about or any(choice.curve == curve for choice in tuning.formulas)):
        whose = sorted({c.curve for c in tuning.formulas} | {c.curve for c in tuning.orders})
        known = f"it is about {', '.join(whose)}" if whose else "it is about another prime"
        raise EfdgenError(f"{tuning.name} decides nothing here: {known}; run efdgen tune for {curve}")
    return [f"{tuning.name}: the order of {choice.formula} is for another program" for choice in stale]
