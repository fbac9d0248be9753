"""A heuristic for whether an addition formula is complete on a curve; it guides choices, without a claim."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve, Undefined
from efdgen.generator.curves.represent import NotRepresentable, means, represent
from efdgen.generator.formulas.signature import fixed_coordinates
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.mathematics.binary import BinaryField
    from efdgen.generator.mathematics.ground import Ground


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


def looks_complete(formula: Formula, field: Ground, parameters: Mapping[str, int]) -> bool:
    """Return whether an addition covers equal and opposite points, and the identity.

    On a binary curve points are of odd order, and the identity is a sum of opposite ones.
    """
    system, rng = formula.system, Random(0)
    if formula.kind.id != "addition":
        return False
    if field.is_binary:
        return _covers_identity(formula, field, parameters)
    if not has_complete_law(system.model.id, field.prime, parameters):
        return False
    curve = AffineCurve(system.model, field, parameters)
    point = curve.random_point(rng)
    pairs = [(point, point), (point, curve.negate(point)), (point, curve.neutral), (curve.neutral, point)]
    return all(_adds(formula, curve, pair, parameters, rng) for pair in pairs)


def _covers_identity(formula: Formula, field: BinaryField, parameters: Mapping[str, int]) -> bool:
    """Return whether an addition in a system adds a point to itself, and to a sum of opposite points."""
    system, rng = formula.system, Random(0)
    curve = AffineCurve(system.model, field, parameters)
    while (point := curve.double(curve.double(curve.random_point(rng)))) == curve.neutral:
        pass  # the first point had an order of 1, 2 or 4

    def coordinates(number: int, of: Point) -> dict[str, int]:
        own, fixed = formula.system_of(number), fixed_coordinates(formula, number)
        found = represent(own, field, parameters, of, rng, fixed)
        return {formula.coordinates(number)[variable]: value for variable, value in found.items()}

    def total(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
        outputs = run(lower(formula), field, {**parameters, **left, **right})
        return {
            variable: outputs[name] for variable, name in formula.coordinates(3).items() if name in outputs
        }

    def means_point(found: Mapping[str, int], of: Point) -> bool:
        return means(formula.system_of(3), field, parameters, found, of)

    first = {n: coordinates(n, point) for n in formula.kind.inputs}
    try:
        identity = total(first[1], coordinates(2, curve.negate(point)))
        named = {formula.coordinates(1)[variable]: value for variable, value in identity.items()}
        return (
            any(identity.values())
            and means_point(total(first[1], first[2]), curve.double(point))
            and means_point(total(named, first[2]), point)
        )
    except (NotRepresentable, Undefined, ZeroDivisionError, KeyError):
        return False


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
