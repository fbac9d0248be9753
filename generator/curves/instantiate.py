"""Values for the parameters of a formula: on a given curve, or on a curve found to fit the formula."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.weierstrass import is_singular
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import names_in
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.programs.solve import solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground


_SMALL = 1 << 12
_TRIES = 64


class NotApplicable(EfdgenError):  # noqa: N818 - says what the formula is
    """A formula assumes what a curve does not give."""


def instantiate(formula: Formula, ground: Ground, known: Mapping[str, int]) -> dict[str, int]:
    """Return elements of a field for all parameters of a formula, given those of the model.

    The smallest root that leads to a solution is taken; a parameter that a map leaves free is 1
    where it is not given, and one that its assumptions mention without determining it is the smallest for
    which they have a solution. Raises :class:`NotApplicable` with the assumption that does not hold or has no
    solution in the field, and for a field of another characteristic.
    """
    _require_characteristic(formula, ground)
    equations = parameter_assumptions(formula)
    names = formula.all_parameters
    free = dict.fromkeys(formula.map.free_parameters, 1) if formula.map else {}
    values = free | {name: ground.reduce(value) for name, value in known.items() if name in names}
    found = next(_determined(formula, equations, values, names, ground), None)
    if found is None:
        raise NotApplicable(_reason(formula, equations, ground, values))
    return {name: found[name] for name in names}


def find_curve(formula: Formula, ground: Ground, rng: Random, points: int = 8) -> dict[str, int]:
    """Return random parameters for which a formula's assumptions hold and the curve is non-singular.

    The curve has at least ``points`` affine points; over a large field every curve has. Raises
    :class:`NotApplicable` where no such curve is found: over a field of at most 64 elements, where none is.
    """
    _require_characteristic(formula, ground)
    order = ground.order

    def choices(_: str) -> Iterator[int]:
        if order <= _TRIES:
            yield from rng.sample(range(order), order)
        else:
            yield from (rng.randrange(order) for _ in range(_TRIES))

    names, model = formula.all_parameters, formula.system.model
    for values in solutions(parameter_assumptions(formula), {}, names, ground, choices):
        if is_singular(model, ground, values):
            continue
        if order > _SMALL or _at_least(points, AffineCurve(model, ground, values)):
            return {name: values[name] for name in names}
    raise NotApplicable(f"{formula.id}: no curve satisfies the assumptions for {ground.modulus_text}")


def suitable_prime(bits: int) -> int:
    """Return the largest prime of a bit length over which every formula of odd characteristic has a curve.

    Only ``i^2 == -1`` asks something of the prime: p = 1 mod 4. With p = 1 mod 3 as well, cubic
    models have all of their 3-torsion, and with it every exceptional case. Needs 4 bits or more.
    """
    candidates = range((1 << bits) - 1, 1 << (bits - 1), -1)
    return next(p for p in candidates if p % 12 == 1 and is_prime(p))


def parameter_assumptions(formula: Formula) -> tuple[Equation, ...]:
    """Return the assumptions that mention parameters only, those of the system first."""
    return tuple(e for e in formula.all_assumptions if e not in formula.input_assumptions)


def _at_least(points: int, curve: AffineCurve) -> bool:
    return len(list(islice(curve.all_points(), points))) == points


def _determined(
    formula: Formula,
    equations: Sequence[Equation],
    known: Mapping[str, int],
    names: Sequence[str],
    ground: Ground,
) -> Iterator[dict[str, int]]:
    own = formula.map.parameters if formula.map else ()
    small = range(1, min(ground.order, _TRIES))
    return solutions(equations, known, names, ground, lambda name: small if name in own else ())


def _require_characteristic(formula: Formula, ground: Ground) -> None:
    if formula.system.model.binary != ground.is_binary:
        wanted = "GF(2^m)" if formula.system.model.binary else "GF(p)"
        raise NotApplicable(f"{formula.id} is for curves over {wanted}, not over {ground}")


def _reason(formula: Formula, equations: Sequence[Equation], ground: Ground, known: Mapping[str, int]) -> str:
    """Say which assumption is the first that cannot be met."""
    for count, equation in enumerate(equations, start=1):
        mentioned = {name for e in equations[:count] for name in _names(e)}
        if next(_determined(formula, equations[:count], known, sorted(mentioned), ground), None) is None:
            text = print_equation(equation).replace("==", "=")
            own = [name for name in formula.all_parameters if name in _names(equation)]
            if not all(name in known for name in own):
                return f"{formula.id}: {text} has no solution in {ground}"
            values = ", ".join(f"{name} = {ground.element_text(known[name])}" for name in own)
            return f"{formula.id} needs {text}, the curve has {values}"
    mentioned = {name for equation in equations for name in _names(equation)}
    free = [name for name in formula.all_parameters if name not in known and name not in mentioned]
    return f"{formula.id}: nothing says what {' and '.join(free)} is"


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}
