"""A heuristic for whether an addition formula is complete on a curve; it guides choices, without a claim."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.curves.represent import NotRepresentable, means, represent
from efdgen.generator.formulas.signature import fixed_coordinates
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.formulas.formula import Formula


def has_complete_law(model: str, prime: int, parameters: Mapping[str, int]) -> bool:
    """Return whether no affine denominator vanishes: a is a square, d is not [2007-bernstein-lange]."""
    match model:
        case "g1p/twisted":
            a, d = parameters["a"], parameters["d"]
        case "g1p/edwards":
            a, d = 1, parameters["d"] * parameters["c"] ** 4
        case _:
            return False
    return is_square(a, prime) and not is_square(d, prime)


def looks_complete(formula: Formula, prime: int, parameters: Mapping[str, int]) -> bool:
    """Return whether an addition with a complete law covers equal and opposite points, and the identity."""
    system, rng = formula.system, Random(0)
    if formula.kind.id != "addition" or not has_complete_law(system.model.id, prime, parameters):
        return False
    curve = AffineCurve(system.model, PrimeField(prime), parameters)
    point = curve.random_point(rng)
    pairs = [(point, point), (point, curve.negate(point)), (point, curve.neutral), (curve.neutral, point)]
    return all(_adds(formula, curve, pair, parameters, rng) for pair in pairs)


def _adds(
    formula: Formula,
    curve: AffineCurve,
    pair: tuple[tuple[int, ...], tuple[int, ...]],
    parameters: Mapping[str, int],
    rng: Random,
) -> bool:
    names, field = dict(parameters), curve.field
    try:
        for number, point in zip(formula.kind.inputs, pair, strict=True):
            fixed = fixed_coordinates(formula, number)
            own = formula.system_of(number)
            found = represent(own, field, parameters, point, rng, fixed)
            names |= {formula.coordinates(number)[variable]: value for variable, value in found.items()}
        outputs = run(lower(formula), field, names)
        expected = curve.add(*pair)
    except (NotRepresentable, Undefined, ZeroDivisionError):
        return False
    if expected == INFINITY:
        return False
    result = {variable: outputs[name] for variable, name in formula.coordinates(3).items() if name in outputs}
    return means(formula.system_of(3), field, parameters, result, expected)
