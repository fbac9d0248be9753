"""Coordinate systems in generated code: affine coordinates as quotients, and the identity."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import Binary, Name, Negative, Number
from efdgen.generator.planning.plan import Negation
from efdgen.generator.planning.quotients import Ratio, Representation
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.planning.quotients import Coordinates


def represent_system(system: System, curve: Curve, from_affine: Formula, add: Formula) -> Representation:
    """Return a system's quotients, its identity, and the curve's generator in it.

    ``from_affine`` is the conversion that makes such a point of an affine one. On a binary curve the
    identity is what ``add`` makes of opposite points. Raises :class:`EfdgenError` for a system whose
    coordinates are no such quotients, or that has no identity.
    """
    assert curve.generator is not None
    if curve.field.is_binary:
        return _by_weights(system, curve, from_affine, add)
    affine = AffineCurve(system.model, curve.field, curve.parameters)
    ratios = {coordinate: _ratio(system, coordinate) for coordinate in system.model.coordinates}
    denominators = tuple(dict.fromkeys(r.denominator for r in ratios.values() if r.denominator))
    used = {*denominators, *(ratio.numerator for ratio in ratios.values())}
    infinite = affine.neutral == INFINITY
    generator = converted(from_affine, curve, tuple(curve.generator[c] for c in system.model.coordinates))
    identity = (
        _at_infinity(system, ratios, denominators)
        if infinite
        else converted(from_affine, curve, affine.neutral)
    )
    extra = tuple(variable for variable in system.variables if variable not in used)
    return Representation(system.id, ratios, denominators, extra, infinite, generator, identity)


def _by_weights(system: System, curve: Curve, from_affine: Formula, add: Formula) -> Representation:
    """Return the quotients of variables by powers of Z that tell points apart, for points of odd order.

    The identity, the sum of opposite points, has Z = 1.
    """
    assert curve.generator is not None and curve.field.is_binary
    field, weights = curve.field, {"X": 1, "S": 2}
    if not {*weights, "Z"} <= {*system.variables}:
        raise EfdgenError(f"{system.id} cannot represent the identity; choose another --coords")
    affine = AffineCurve(system.model, field, curve.parameters)
    point = tuple(curve.generator[c] for c in system.model.coordinates)
    generator = converted(from_affine, curve, point)
    names = dict(instantiate(add, field, curve.parameters))
    for number, own in ((1, point), (2, affine.negate(point))):
        given = zip(system.variables, converted(from_affine, curve, own), strict=True)
        names |= {add.coordinates(number)[variable]: value for variable, value in given}
    outputs = run(lower(add), field, names)
    found = {variable: outputs[name] for variable, name in add.coordinates(3).items()}
    ratios = {name: Ratio(v, "Z", weight) for name, (v, weight) in zip("xy", weights.items(), strict=True)}
    made = Representation(system.id, ratios, ("Z",), ("T",), True, generator, generator, affine=False)
    return replace(made, identity=tuple(normalized(made, field, found).values()))


def normalized(represented: Representation, field: Ground, point: Mapping[str, int]) -> dict[str, int]:
    """Return coordinates of a point with Z = 1 on a binary curve; others are returned as they are."""
    if represented.affine:
        return dict(point)
    inverse = field.inv(point["Z"])
    powers = {ratio.numerator: ratio.power for ratio in represented.ratios.values()} | {"Z": 1, "T": 2}
    found = dict(point)
    for variable, power in powers.items():
        for _ in range(power):
            found[variable] = field.mul(found[variable], inverse)
    return found


def converted(conversion: Formula, curve: Curve, point: tuple[int, ...]) -> Coordinates:
    """Return what a formula of one affine input makes of a point, by the formula's own program."""
    names = dict(instantiate(conversion, curve.field, curve.parameters))
    names |= dict(zip(conversion.input_names, point, strict=True))
    outputs = run(lower(conversion), curve.field, names)
    return tuple(outputs[name] for name in conversion.output_names)


def negation(formula: Formula) -> tuple[Negation, ...]:
    """Return what each variable of -P is: a variable of P or its negative, or a sum of two."""
    inputs = {name: variable for variable, name in formula.coordinates(1).items()}
    outputs = {name: variable for variable, name in formula.coordinates(3).items()}
    found = []
    for assignment in formula.assignments:
        value, negative, plus = assignment.value, False, ""
        if isinstance(value, Negative):
            value, negative = value.inner, True
        match value:
            case Binary("+", left, Name(text)) if text in inputs:
                value, plus = left, inputs[text]
        if not isinstance(value, Name) or value.text not in inputs or assignment.target not in outputs:
            raise EfdgenError(f"{formula.id} does more than to exchange, negate and add coordinates")
        found.append(Negation(outputs[assignment.target], inputs[value.text], negative, plus))
    return tuple(found)


def _ratio(system: System, coordinate: str) -> Ratio:
    for equation in system.meanings:
        if equation.left == Name(coordinate):
            ratio = quotient(equation.right)
            if ratio is not None:
                return ratio
    raise EfdgenError(f"{system.id}: {coordinate} is not a quotient of coordinates; choose another --coords")


def quotient(meaning: Expression) -> Ratio | None:
    """Return a coordinate's meaning as a multiple of a quotient of variables, None for any other meaning."""
    above: Expression = meaning
    below: Expression | None = None
    if isinstance(meaning, Binary) and meaning.operator == "/":
        above, below = meaning.left, meaning.right
    factor = 1
    match above:
        case Binary("*", Number(factor), above):
            pass
    match above, below:
        case Name(numerator), None:
            return Ratio(numerator, None, 1, factor)
        case Name(numerator), Name(denominator):
            return Ratio(numerator, denominator, 1, factor)
        case Name(numerator), Binary("^", Name(denominator), Number(power)):
            return Ratio(numerator, denominator, power, factor)
    return None


def _at_infinity(
    system: System, ratios: Mapping[str, Ratio], denominators: tuple[str, ...]
) -> tuple[int, ...]:
    """Return the identity of y² = x³ + …, where x goes like 1/t² and y like 1/t³ as t goes to 0.

    With a denominator t^k the numerators go like t^(k·i - 2) and t^(k·j - 3); k is the least for which
    neither is infinite, and a numerator is 1 where its exponent is 0. Two denominators are t² and t³.
    """
    if not denominators or any(ratio.factor != 1 for ratio in ratios.values()):
        raise EfdgenError(f"{system.id} cannot represent the identity; choose another --coords")
    poles = {"x": 2, "y": 3}
    values = dict.fromkeys(system.variables, 0)
    if len(denominators) > 1:
        values |= {ratio.numerator: 1 for ratio in ratios.values()}
    else:
        k = max(-(-poles[c] // ratio.power) for c, ratio in ratios.items())
        values |= {r.numerator: int(k * r.power == poles[c]) for c, r in ratios.items()}
    return tuple(values[variable] for variable in system.variables)
