"""Values for the parameters of a formula: on a given curve, or on a curve found to fit the formula."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.weierstrass import is_singular
from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import names_in
from efdgen.generator.mathematics.number import residue_text
from efdgen.generator.mathematics.primes import is_prime
from efdgen.generator.mathematics.solve import solutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.language.syntax import Equation

TINY_PRIMES = (13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)

_SMALL = 1 << 12
_TRIES = 64


class NotApplicable(EfdgenError):  # noqa: N818 - says what the formula is
    """A formula assumes what a curve does not give."""


def instantiate(formula: Formula, prime: int, known: Mapping[str, int]) -> dict[str, int]:
    """Return values in [0, p) for all parameters of a formula, given those of the model.

    Of several roots the smallest that leads to a solution is taken; a parameter that a map leaves free is 1
    where it is not given. Raises :class:`NotApplicable` with
    the assumption that does not hold or has no solution modulo p.
    """
    equations = parameter_assumptions(formula)
    names = formula.all_parameters
    free = dict.fromkeys(formula.map.free_parameters, 1) if formula.map else {}
    values = free | {name: value % prime for name, value in known.items() if name in names}
    found = next(_determined(equations, values, names, prime), None)
    if found is None:
        raise NotApplicable(_reason(formula, equations, prime, values))
    return {name: found[name] for name in names}


def find_curve(formula: Formula, prime: int, rng: Random, points: int = 8) -> dict[str, int]:
    """Return random parameters for which a formula's assumptions hold and the curve is non-singular.

    The curve has at least ``points`` affine points; for a large prime that goes without saying. Raises
    :class:`NotApplicable` where no such curve is found: for a prime up to 64, if there is none.
    """
    if formula.system.model.binary:
        raise NotApplicable(f"{formula.id}: binary fields are not there yet")

    def choices(_: str) -> Iterator[int]:
        if prime <= _TRIES:
            yield from rng.sample(range(prime), prime)
        else:
            yield from (rng.randrange(prime) for _ in range(_TRIES))

    names, model = formula.all_parameters, formula.system.model
    for values in solutions(parameter_assumptions(formula), {}, names, prime, choices):
        if is_singular(model, prime, values):
            continue
        if prime > _SMALL or _at_least(points, AffineCurve(model, prime, values)):
            return {name: values[name] for name in names}
    raise NotApplicable(f"{formula.id}: no curve modulo {prime} satisfies the assumptions")


def find_tiny_curve(
    formula: Formula, rng: Random, primes: Sequence[int] = TINY_PRIMES
) -> tuple[int, dict[str, int]]:
    """Return the first of the given primes over which :func:`find_curve` succeeds, and its curve."""
    for prime in primes:
        try:
            return prime, find_curve(formula, prime, rng)
        except NotApplicable:
            continue
    raise NotApplicable(f"{formula.id}: no curve modulo any of {', '.join(map(str, primes))}")


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
    equations: Sequence[Equation], known: Mapping[str, int], names: Sequence[str], prime: int
) -> Iterator[dict[str, int]]:
    return solutions(equations, known, names, prime, lambda _: ())


def _reason(formula: Formula, equations: Sequence[Equation], prime: int, known: Mapping[str, int]) -> str:
    """Say which assumption is the first that cannot be met."""
    for count, equation in enumerate(equations, start=1):
        mentioned = {name for e in equations[:count] for name in _names(e)}
        if next(_determined(equations[:count], known, sorted(mentioned), prime), None) is None:
            text = print_equation(equation).replace("==", "=")
            own = [name for name in formula.all_parameters if name in _names(equation)]
            if not all(name in known for name in own):
                return f"{formula.id}: {text} has no solution modulo p"
            values = ", ".join(f"{name} = {residue_text(known[name], prime)}" for name in own)
            return f"{formula.id} needs {text}, the curve has {values}"
    mentioned = {name for equation in equations for name in _names(equation)}
    free = [name for name in formula.all_parameters if name not in known and name not in mentioned]
    return f"{formula.id}: nothing says what {' and '.join(free)} is"


def _names(equation: Equation) -> set[str]:
    return {name.text for side in (equation.left, equation.right) for name in names_in(side)}
