"""A formula on a curve, before it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable, instantiate
from efdgen.generator.kernels.specialise import Specialised, specialise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.mathematics.ground import Ground


@dataclass(frozen=True)
class Candidate:
    """A formula that applies to a curve, all of its parameters there, and what becomes of it."""

    formula: Formula
    parameters: Mapping[str, int]
    specialised: Specialised


def candidates(database: Database, curve: Curve, formula_ids: Sequence[str]) -> list[Candidate]:
    """Return the formulas of a list that apply to a curve and may be chosen, in order."""
    found = fitting(map(database.formula, formula_ids), curve)
    return [each for each in found if database.is_eligible(each.formula.id)]


def fitting(formulas: Iterable[Formula], curve: Curve) -> list[Candidate]:
    """Return those of some formulas that apply to a curve, in order."""
    found = []
    for formula in formulas:
        try:
            found.append(candidate(formula, curve.field, curve.parameters))
        except NotApplicable:
            continue
    return found


def candidate(formula: Formula, ground: Ground, parameters: Mapping[str, int]) -> Candidate:
    """Specialise a formula to a curve; raise :class:`NotApplicable` where its assumptions do not hold."""
    values = instantiate(formula, ground, parameters)
    return Candidate(formula, values, specialise(formula, ground, values))
