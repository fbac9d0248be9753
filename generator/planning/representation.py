"""Coordinate systems in generated code: affine coordinates as quotients, and the identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.syntax import Binary, Name, Negative, Number
from efdgen.generator.planning.plan import Negation, Ratio, Representation
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.lower import lower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.language.syntax import Expression
    from efdgen.generator.planning.plan import Coordinates


def represent_system(system: System, curve: Curve, from_affine: Formula) -> Representation:
    """Return a system's quotients, its identity, and the curve's generator in it.

    ``from_affine`` is the conversion that makes such a point of an affine one. Raises :class:`EfdgenError`
    for a system whose coordinates are no such quotients, or that has no identity.
    """
    assert curve.generator is not None
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


def converted(conversion: Formula, curve: Curve, point: tuple[int, ...]) -> Coordinates:
    """Return what a formula of one affine input makes of a point, by the formula's own program."""
    from efdgen.generator.curves.instantiate import instantiate

    names = dict(instantiate(conversion, curve.field, curve.parameters))
    names |= dict(zip(conversion.input_names, point, strict=True))
    outputs = run(lower(conversion), curve.field, names)
    return tuple(outputs[name] for name in conversion.output_names)


def negation(formula: Formula) -> tuple[Negation, ...]:
    """Return what each variable of -P is: a variable of P or its negative."""
    inputs = {name: variable for variable, name in formula.coordinates(1).items()}
    outputs = {name: variable for variable, name in formula.coordinates(3).items()}
    found = []
    for assignment in formula.assignments:
        value, negative = assignment.value, False
        if isinstance(value, Negative):
            value, negative = value.inner, True
        if not isinstance(value, Name) or value.text not in inputs or assignment.target not in outputs:
            raise EfdgenError(f"{formula.id} does more than to exchange and negate coordinates")
        found.append(Negation(outputs[assignment.target], inputs[value.text], negative))
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
