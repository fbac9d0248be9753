"""A test whether a formula is correct on all isomorphic curves, y² = x³ + a·u⁴·x + b·u⁶."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.language.syntax import names_in

if TYPE_CHECKING:
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Formula


def is_invariant(formula: Formula, curve: Curve) -> bool:
    """Return whether nothing but zeros of the curve's parameters is read or assumed: u changes all others."""
    try:
        found = candidate(formula, curve.field, curve.parameters).specialised
    except NotApplicable:
        return False
    named = set(found.program.parameters)
    for equation in found.formula.all_assumptions:
        named |= {name.text for side in (equation.left, equation.right) for name in names_in(side)}
    return not any(value and name in named for name, value in curve.parameters.items())
