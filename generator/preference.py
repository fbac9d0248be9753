"""Which of two formulas to take: one that also adds equal points before one that costs less.

What is tried here, at one point of the curve, decides what is chosen, and claims nothing: a formula that
needs unequal points says so in its contract.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.curves.represent import NotRepresentable, means, represent
from efdgen.generator.interpreter import PrimeField, run
from efdgen.generator.lower import lower
from efdgen.generator.signature import fixed_coordinates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formula import Formula


def adds_equal_points(formula: Formula, prime: int, parameters: Mapping[str, int]) -> bool:
    """Whether a formula of several independent points is right where they are one point of the curve.

    ``parameters`` are all of the formula's, in [0, p). False for other kinds, and where it cannot be tried.
    """
    kind, system, rng = formula.kind, formula.system, Random(0)
    if len(kind.inputs) < 2 or kind.given or kind.shared or kind.scalars or formula.systems:
        return False
    curve = AffineCurve(system.model, prime, parameters)
    point = curve.random_point(rng)
    names = dict(parameters)
    try:
        for number in kind.inputs:
            fixed = fixed_coordinates(formula, number)
            found = represent(system, prime, parameters, point, rng, fixed)
            names |= {formula.coordinates(number)[variable]: value for variable, value in found.items()}
        outputs = run(lower(formula), PrimeField(prime), names)
        expected = {o.point: curve.evaluate(o.law, dict.fromkeys(kind.inputs, point)) for o in kind.outputs}
    except (NotRepresentable, Undefined, ZeroDivisionError):
        return False
    return all(
        means(system, prime, parameters, {v: outputs[f"{v}{number}"] for v in system.variables}, result)
        for number, result in expected.items()
    )
