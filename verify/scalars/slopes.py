"""Sums by the slope of a line, which is selected: right for any two points but the identity.

Over one Z, which is not 0, two points are equal where both differences of their coordinates are 0, and
nowhere else. There the slope of the tangent is taken, elsewhere that of the chord. One program is proved to
give the sum by either. Its Z is 0 only where the law divides by zero: for opposite points, whose sum is the
identity, and for points of order 2, which are their own opposites. The slope's numerator is not 0 there, so
that X and Y are not either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.syntax import rename
from efdgen.verify.certificate import require_proof
from efdgen.verify.scalars.formulas import require_exact

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.planning.plan import CurvePlan

START, CHORD, TANGENT = "slopes", "addition-given-chord", "addition-given-tangent"


def slope_reason(plan: CurvePlan, database: Database) -> str:
    """Return why sums by a slope are right; raise :class:`EfdgenError` where they are not.

    It is empty if there are none.
    """
    slopes, curve = plan.roles.slopes, plan.curve
    if slopes is None:
        return ""
    start, chord = plan.kernel(slopes.start).formula, plan.kernel(slopes.add).formula
    if (start.kind.id, chord.kind.id) != (START, CHORD) or start.input_assumptions + chord.input_assumptions:
        raise EfdgenError(f"{slopes.start} and {slopes.add} do not add any two points by a slope")
    tangent = database.formula(chord.id.replace(f"/{CHORD}/", f"/{TANGENT}/"))
    if _definitions(start, 3) != _definitions(chord, 1) + _definitions(tangent, 1):
        raise EfdgenError(f"{slopes.start} does not give the slopes that {slopes.add} takes")
    found = [candidate(f, curve.prime, curve.parameters).specialised for f in (start, chord, tangent)]
    if found[1].program != found[2].program:
        raise EfdgenError(f"{slopes.add} is not what is proved for tangents")
    for specialised in found:
        require_proof(specialised)
        require_exact(specialised, curve.prime)
    return (
        "Over one Z, two points are equal where both differences are 0, and nowhere else; one formula is "
        "right for the chord of others and for the tangent of these. Its Z is 0 only for opposite points. If "
        "one is the identity, the other is selected."
    )


def _definitions(formula: Formula, first: int) -> list[Expression]:
    """Return what the scalars of a formula are, in coordinates of P and Q, numbered from ``first``."""
    named = {
        name: f"{variable}{letter}"
        for number, letter in ((first + 1, "Q"), (first, "P"))
        for variable, name in formula.coordinates(number).items()
    }
    return [rename(equation.right, named) for equation in formula.kind.scalars]
